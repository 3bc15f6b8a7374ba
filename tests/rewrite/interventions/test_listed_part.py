"""Slices of lists and tuples as loops: on drawn bounds and steps they do the same, or break an assumption."""

from __future__ import annotations

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from tests.rewrite.drawn import assert_same_or_broken, call_outcome
from tests.samples import example_counts

LISTS = st.lists(st.integers(0, 9), max_size=6)
ITEMS: st.SearchStrategy[object] = st.one_of(LISTS, LISTS.map(tuple), st.text("ab", max_size=4))
BOUNDS = st.one_of(st.integers(-7, 7), st.none())
SLICES = (
    "a[i:j]", "a[:i]", "a[i:]", "a[::i]", "a[i:j:k]", "a[::-1]", "a[i::-1]", "a[:j:-2]", "a[::2]", "a[0::1]", "a[1:]",
    "a[::-1][i:]", "[a[:n] for n in range(len(a))]", "a[i:j] + a[::-1]", "a[-3:]", "a[::0]", "a[None:None:-1]",
    "(a[::-1], a)",
)  # fmt: skip


@pytest.mark.medium
@example_counts(25, 120)
def test_a_program_does_the_same(examples: int) -> None:
    values = st.tuples(ITEMS, BOUNDS, BOUNDS, BOUNDS)

    @seed(1)
    @settings(max_examples=examples, database=None)
    @given(st.sampled_from(SLICES), values, values)
    def same(part: str, seen: tuple[object, ...], unseen: tuple[object, ...]) -> None:
        source = f"def f(a, i, j, k):\n    r = {part}\n    return r, a\n"
        assert_same_or_broken(source, "elements", f"f{seen!r}", f"f{unseen!r}")

    same()


@pytest.mark.parametrize("part", ["a[:]", "a[1:]", "a[::1]", "a[::0]", "a[::None]", "a[0:None:1]"])
def test_a_slice_that_needs_no_loop_or_may_raise_stays(part: str) -> None:
    source = f"def f(a):\n    return {part}\n"
    assert not rewrite_source(source, "listed_part", calls=["f([1, 2])"], cost=None).changed


def test_a_shadowed_name_stays() -> None:
    source = "def f(a, list):\n    return a[::-1]\n"
    assert not rewrite_source(source, "listed_part", calls=["f([1, 2], 3)"], cost=None).changed


def test_a_reversed_copy_is_a_new_list() -> None:
    source = "def f(a):\n    b = a[::-1]\n    b.append(0)\n    return a, b\n"
    made = rewrite_source(source, "listed_part", calls=["f([1, 2])"], cost=None)
    assert "reverse()" in made.source
    assert call_outcome(made.source, "f([1, 2])") == call_outcome(source, "f([1, 2])")
