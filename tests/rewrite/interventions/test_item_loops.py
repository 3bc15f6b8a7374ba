"""The loops of operations on items: on drawn items they do the same, or a fact is broken; sets keep their order."""

from __future__ import annotations

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from tests.rewrite.drawn import assert_same_or_broken, call_outcome
from tests.samples import example_counts

NUMBERS = st.one_of(st.integers(0, 8), st.integers(0, 99), st.sampled_from([16, 32, 64, 0.5, True]))
SETS = st.one_of(st.sets(NUMBERS, max_size=12), st.sets(st.integers(0, 400), min_size=12, max_size=30))
LISTS: st.SearchStrategy[object] = st.one_of(
    st.lists(NUMBERS, max_size=12), st.text("abc", max_size=4), st.lists(st.just([]), max_size=1)
)
EXPRESSIONS = (
    "a & b", "a - b", "a ^ b", "a & a", "a - a", "a ^ a", "set(c) & b", "a & set(c)", "a - {1, 2}", "{*a} ^ {*b}",
    "a.intersection(b)", "a.intersection(c)", "a.intersection(a)", "a.difference(b)", "a.symmetric_difference(b)",
    "a.symmetric_difference(c)", "a.union(c)", "(a.update(c), a)", "a.issubset(b)", "a.issuperset(b)",
    "a.isdisjoint(b)", "(a & b) - set(c)", "(a | b) - b", "[a & {x} for x in b]", "sum(a)", "any(a)", "all(c)",
    "tuple(set(c) - a)", "a and a.issubset(a & b)", "a.difference(c)", "a.union(b)",
    "a.issubset(c)", "a.issuperset(c)", "a.isdisjoint(c)", "a.isdisjoint(set(c))", "set(c).issubset(tuple(b))",
    "a.issuperset(list(b))", "[divmod(9, x) for x in c]", "divmod(len(a), -4)",
    "sum(a, 3)", "sum(c, [])", "sum([[x] for x in b], [7])", "sum(c, c)", "[divmod(x, 7) for x in a]",
    "sum(range(len(a)))", "sum(range(len(c), 9), 2)", "dict.fromkeys(c)", "dict.fromkeys(b, 3)",
    "dict.fromkeys(range(len(c)))", "(dict.fromkeys(c, a), c)", "dict.fromkeys(c, *b)", "[*b].index(5, len(c))",
    "divmod(-9, len(c))", "sum(b, 0.5)", "a.union()", "a.intersection(b, c)",
)  # fmt: skip


@pytest.mark.medium
@example_counts(25, 120)
def test_a_program_does_the_same(examples: int) -> None:
    @seed(1)
    @settings(max_examples=examples, database=None)
    @given(st.sampled_from(EXPRESSIONS), *[st.tuples(SETS, SETS, LISTS)] * 2)
    def same(expression: str, seen: tuple[object, ...], unseen: tuple[object, ...]) -> None:
        more = "    if type(r) is set:\n        for x in range(0, 640, 64):\n            r.add(x)\n"
        source = f"def f(a, b, c):\n    r = {expression}\n{more}    return r, a\n"
        assert_same_or_broken(source, "elements", f"f{seen!r}", f"f{unseen!r}")

    same()


KEYS = st.one_of(st.integers(0, 3), st.text("ab", max_size=1), st.sampled_from([(), (1,), 1.0, True, float("nan")]))
DICTS = st.dictionaries(KEYS, st.integers(0, 3), max_size=4)
ON_DICTS = (
    "a | b", "a | a", "a.update(b)", "a.update(a)", "a.setdefault(k, n)", "a.setdefault(k)", "[a.popitem(), len(a)]",
    "a.popitem()", "a.setdefault(k, []) and a.popitem()", "(a | b).setdefault(n, k)", "(t.index(k), t)",
    "[x for x in (a | b)]", "t * n", "n * (t + t)", "t.index(k, n)", "t.index(k, -n)", "list(t).index(k, 1, n)",
    "t.index(k, n - 2, -1)", "dict.fromkeys(t, k)", "dict.fromkeys(a)", "dict.fromkeys(k)", "dict.fromkeys([k, [n]])",
    "a.setdefault((k, n), a).get(k)", "str(k) + str(n)", "int(n) + float(n)", "[int(x) for x in t]", "float(k)",
)  # fmt: skip


@pytest.mark.medium
@example_counts(25, 120)
def test_a_program_on_dicts_does_the_same(examples: int) -> None:
    given_values = st.tuples(DICTS, DICTS, KEYS, st.integers(0, 3), st.lists(KEYS, max_size=3).map(tuple))

    @seed(1)
    @settings(max_examples=examples, database=None)
    @given(st.sampled_from(ON_DICTS), st.sampled_from(("r = ", "r = None; ")), given_values, given_values)
    def same(expression: str, result: str, seen: tuple[object, ...], unseen: tuple[object, ...]) -> None:
        source = f"nan = float('nan')\n\n\ndef f(a, b, k, n, t):\n    {result}{expression}\n    return r, a, b\n"
        assert_same_or_broken(source, "elements", f"f{seen!r}", f"f{unseen!r}")

    same()


@pytest.mark.parametrize(
    ("expression", "call"),
    [
        ("a | b", "f({1}, {2})"),  # makes room for all items at once
        ("a.union(b)", "f({1}, {2})"),
        ("a.difference(b)", "f({1}, [2])"),  # rebuilt after many items were removed
        ("a & b", "f({}.keys(), {1})"),
        ("a & b", "f(frozenset(), {1})"),
        ("a - b", "f(1, 2)"),
        ("a.update(b)", "f({1: 2}, [(3, 4)])"),
        ("a.update(b=3)", "f({1: 2}, {})"),
        ("a.setdefault(b, 1)", "f(__import__('collections').OrderedDict(), 3)"),
        ("str(a)", "f(True, 3)"),
        ("int(a, b)", "f('12', 3)"),
        ("int(a)", "f(True, 3)"),
        ("a.update(b)", "f({1}, {2})"),
        ("a.update(b, b)", "f({1}, [2])"),
        ("a.index(1, b)", "f([1], True)"),
        ("a.index(1, b)", "f((1,), None)"),
        ("dict.fromkeys(*a)", "f([[1]], 3)"),
        ("a.fromkeys(b)", "f({}, [2])"),
    ],
)
def test_what_may_do_something_else_stays(expression: str, call: str) -> None:
    source = f"def f(a, b):\n    r = {expression}\n    return r, a\n"
    assert rewrite_source(source, "item_loops", calls=[call], cost=None).source == source


def test_a_result_that_nothing_reads_is_not_computed() -> None:
    source = "def f(a, b):\n    a.setdefault(b, 1)\n    return a\n"
    made = rewrite_source(source, "item_loops", calls=["f({}, 3)"], cost=None)
    assert made.source == "def f(a, b):\n    if b not in a:\n        a[b] = 1\n    return a\n"


def test_an_effect_stays_where_nothing_reads_the_result() -> None:
    source = "def f(a):\n    a.popitem()\n    return a\n"
    made = rewrite_source(source, "item_loops", calls=["f({1: 2, 3: 4})"], cost=None)
    for call in ("f({1: 2, 3: 4})", "f({1: 2})", "f({})"):
        assert call_outcome(made.source, call) == call_outcome(source, call)


def test_the_list_that_a_sum_starts_with_stays() -> None:
    source = "def f(a, b):\n    r = sum(a, b)\n    return r, b, r is b\n"
    made = rewrite_source(source, "item_loops", calls=["f([[1], [2]], [3])"], cost=None)
    assert made.changed
    for call in ("f([[1], [2]], [3])", "f([], [3])", "f([[1], 2], [])"):
        assert call_outcome(made.source, call) == call_outcome(source, call)


def test_a_range_stays_in_the_head_of_the_loop() -> None:
    made = rewrite_source("def f(n):\n    return sum(range(n + 1))\n", "item_loops", calls=["f(3)"], cost=None)
    assert "in range(n + 1):\n" in made.source


def test_places_from_a_bound_on_are_counted() -> None:
    made = rewrite_source("def f(a, n):\n    return a.index(2, n)\n", "item_loops", calls=["f([2, 2], 1)"], cost=None)
    assert "in range(n, len(a)):\n" in made.source


def test_a_class_of_the_name_has_its_own_method() -> None:
    source = "def f(dict):\n    return dict.fromkeys([1])\n"
    assert not rewrite_source(source, "item_loops", calls=["f({})"], cost=None).changed


def test_a_class_may_count_comparisons() -> None:
    source = "class A:\n    pass\n\n\ndef f(a, b):\n    return a & b\n"
    assert not rewrite_source(source, "item_loops", calls=["f({1}, {2})"], cost=None).changed
