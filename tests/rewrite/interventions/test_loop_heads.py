"""Loops over `map`, `filter`, `reversed` and generators: on drawn items they do the same, or break an assumption."""

from __future__ import annotations

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from tests.rewrite.drawn import assert_same_or_broken
from tests.samples import example_counts

ITEMS: st.SearchStrategy[object] = st.one_of(
    st.lists(st.integers(-2, 12), max_size=4),
    st.text("ab1", max_size=4),
    st.lists(st.text("ab", max_size=2), max_size=3).map(tuple),
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=3),
)
HEADS = (
    "x in map(str, a)", "x in map(lambda v: v * 2, a)", "x in map(lambda v: v + (n,), a)", "x in map(g, a)",
    "x in map(d.get, a)", "x, y in map(lambda v: (v, n), a)", "x in map(lambda v, w: (v, w), a, b)",
    "x in filter(None, a)", "x in filter(lambda v: v > n, a)", "x in filter(g, b)", "x in filter(str.isalpha, a)",
    "x in (v * 2 for v in a)", "x in (v for v in a if v if n)", "x in (v + w for v, w in a)",
    "n in map(lambda v: n, a)", "x in map(len, a)", "x in map(sum, a)", "x in filter(len, a)",
    "x in reversed(a)", "x, y in enumerate(reversed(a))", "x in zip(reversed(a), b)", "x in reversed(range(n))",
    "x in reversed(range(n, len(a)))", "x in reversed([*a, n])", "d[n] in map(str, a)", "x in reversed(range(-3, 2))",
)  # fmt: skip
BODIES = (
    "out.append(x)", "out += [n]", "n += 1", "if n > 1: break", "a = b", "out = [x]; n = len(out)", "continue",
    "out.append(x)\n        if len(out) > 1:\n            break\n    else:\n        out.append('end')",
    "a.append(1) if len(out) < 3 else 0; out.append(x)", "a[0] = n; out.append(x)", "del a[-1:]; out.append(x)",
)  # fmt: skip


@pytest.mark.medium
@example_counts(25, 120)
def test_a_program_does_the_same(examples: int) -> None:
    @seed(1)
    @settings(max_examples=examples, database=None)
    @given(st.sampled_from(HEADS), st.sampled_from(BODIES), *[st.tuples(ITEMS, ITEMS, st.integers(0, 3))] * 2)
    def same(head: str, body: str, seen: object, unseen: object) -> None:
        source = (
            "def g(v):\n    if v == 1:\n        raise KeyError(v)\n    return v\n\n\n"
            f"def f(a, b, n):\n    out, d, x = [], {{1: 2}}, None\n    for {head}:\n        {body}\n"
            "    return out, a, d, n, x\n"
        )
        assert_same_or_broken(source, "elements", f"f{seen!r}", f"f{unseen!r}")

    same()


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("x in map(d.get, a)", "d = {}"),
        ("x in map(g, a)", "def g(v):\n            return 1"),
        ("x in map(next, a)", "pass"),
        ("x in map(lambda v: v + y, a)", "y = 1"),
        ("x in (v for w in a for v in w)", "pass"),
        ("x in (lambda: v for v in a)", "pass"),
        ("x in reversed(a)", "a.append(1)"),
        ("x in reversed(a)", "b.append(1)"),
        ("x in reversed(a)", "x.append(1)"),
        ("x in reversed(a)", "b += [1]"),
        ("x in reversed(a)", "b[0] = 1"),
        ("x in reversed(a)", "b[0], y = 5, 6"),
        ("x in reversed(a)", "b[0]: int = 5"),
        ("x in reversed(a)", "b.__setitem__(0, 5)"),
        ("x in reversed(a)", "for (b[0], y) in ((7, 8),): pass"),
        ("x in reversed(a)", "[0 for b[0] in (7, 8)]"),
        ("x in reversed(a)", "g(a)"),
        ("x in reversed(a)", "del b[0]"),
        ("x in reversed(a)", "print(max(b, key=g))"),
        ("x in reversed(d)", "pass"),
        ("x in reversed(range(0, 5, 2))", "pass"),
    ],
)
def test_what_may_do_something_else_stays(head: str, body: str) -> None:
    source = f"def g(v):\n    return v\n\n\ndef f(a, b):\n    d = {{}}\n    for {head}:\n        {body}\n"
    assert f"for {head}:" in rewrite_source(source, "elements", calls=["f([[1]], [[2]])"], cost=None).source


@pytest.mark.parametrize(
    "body",
    [
        "out.append(x)",
        "out += [x]",
        "out[0] = x",
        "total += x",
        "out[0], y = x, 1",
        "print(len(a), x)",
        "y = x.upper()",
    ],
)
def test_a_list_that_no_statement_changes_is_copied(body: str) -> None:
    source = (
        f"def f(a):\n    out = [0]\n    total = 0\n    for x in reversed(a):\n        {body}\n    return out, total\n"
    )
    assert "list(a)" in rewrite_source(source, "elements", calls=["f([1])"], cost=None).source
