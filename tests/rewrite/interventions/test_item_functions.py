"""Functions called for each item (`key=`, `map`, `filter`): on drawn items the loop does the same or breaks a fact."""

from __future__ import annotations

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from tests.rewrite.drawn import assert_same_or_broken, call_outcome
from tests.samples import example_counts

NAN = float("nan")
SCALARS = st.one_of(st.integers(-3, 12), st.text("abAB", max_size=2), st.sampled_from([1.5, -0.0, NAN, True, None]))
ITEMS = st.one_of(
    st.lists(st.integers(-3, 12), max_size=5),
    st.lists(st.text("abAB", max_size=2), max_size=5),
    st.lists(st.tuples(st.integers(0, 2), st.text("ab", max_size=1)), max_size=5),
    st.lists(st.lists(st.integers(0, 2), max_size=2), max_size=4),
    st.lists(SCALARS, max_size=4),
)
DICTS = st.dictionaries(st.text("ab", min_size=1, max_size=2), st.integers(-2, 2), max_size=4)
EXPRESSIONS = (
    "sorted(a)", "sorted(a, reverse=True)", "sorted(a, key=len)", "sorted(a, key=lambda x: -len(x))",
    "sorted(a, key=lambda x: x[0], reverse=True)", "sorted(a, key=lambda x: (x[1], x[0]))", "sorted(d.items())",
    "sorted(d, key=lambda k: d[k])", "sorted(d.items(), key=lambda x: x[1], reverse=False)", "sorted(d.values())",
    "sorted(sorted(a), key=lambda x: x)", "sorted(map(str, a))", "sorted(set(d), key=str.lower)",
    "(a.sort(), a)", "(a.sort(reverse=True), a)", "(a.sort(key=lambda x: x[1]), a)", "(a.sort(key=len), a)",
    "max(a)", "min(a, key=len)", "max(a, key=lambda x: x[0])", "min(d, key=d.get)", "max(d.values())",
    "max(a, default=0)", "min(a, key=lambda x: x[-1], default=None)", "max(a, d, key=len)", "max(set(d), key=a.count)",
    "min(d.items(), key=lambda kv: (kv[1], kv[0]))", "max(a, key=lambda x: a.pop())", "max(str(a))",
    "list(map(len, a))", "tuple(map(lambda x: x * 2, a))", "sum(map(len, a))", "''.join(map(str, a))",
    "list(map(lambda x, y: (x, y), a, d))", "list(map(d.get, d))", "set(map(lambda x: x + x, d))",
    "any(map(lambda x: x > 1, a))", "list(filter(None, a))", "list(filter(lambda x: len(x) > 1, d))",
    "sorted(a, key=str)", "sorted(a, key=sum)", "sorted(map(str, a), key=int)", "max(a, key=str)", "min(a, key=max)",
    "max(set(d), key=''.join(d).count)", "sorted(a, key=g)", "(a.sort(key=g), a)", "sorted(a, reverse=len(d) > 2)",
    "sorted(a, key=lambda x: x, reverse=len(d))", "sorted((x for x in a), reverse=False)",
    "sorted(x[0] for x in a)", "sorted((len(x) for x in a if x), key=lambda x: -x)", "max(x for x in a)",
    "min((x for x in a if x), default=None)", "max((x[0], y) for x in a for y in d)", "max(g(x) for x in a)",
    "any(x == y for x in a for y in d)", "all(g(x) for x in a)", "sum(g(x) for x in a)",
    "max(filter(None, a), default=0)",
    "tuple(filter(bool, a))", "max(map(lambda x: d[x], d))", "list(map(max, a))", "[list(map(str, x)) for x in a]",
    "len(list(map(lambda x: [x for y in a], a)))", "sum(d.values())", "all(map(len, filter(None, a)))",
)  # fmt: skip
RECIPES = ("consumed_generator", "elements")


@pytest.mark.medium
@pytest.mark.parametrize("recipe", RECIPES)
@example_counts(12, 120)
def test_a_program_does_the_same(recipe: str, examples: int) -> None:
    @seed(1)
    @settings(max_examples=examples, database=None)
    @given(st.sampled_from(EXPRESSIONS), *[st.tuples(ITEMS, DICTS)] * 2)
    def same(expression: str, seen: object, unseen: object) -> None:
        named = "def g(x):\n    if not x:\n        raise ValueError(x)\n    y = x * 2\n    return y\n"
        source = f"nan = float('nan')\n\n{named}\ndef f(a, d):\n    r = {expression}\n    return r, a\n"
        assert_same_or_broken(source, recipe, f"f{seen!r}", f"f{unseen!r}")

    same()


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("return sorted(a, key=lambda x: x)", "f([1, float('nan')])"),
        ("return sorted(a)", "f([(1, 'a'), (1, 2)])"),
        ("return sorted(a, key=lambda x, y=1: x)", "f([2, 1])"),
        ("return sorted(a, key=lambda *x: x[0])", "f([2, 1])"),
        ("return sorted(a, key=lambda x: (lambda: x)())", "f([2, 1])"),
        ("return sorted(a, key=lambda x: len([x for x in 'ab']))", "f([2, 1])"),
        ("return sorted(a, **{})", "f([2, 1])"),
        ("a.sort(key=lambda x: len(a))\n    return a", "f([2, 1])"),
        ("a.sort(key=len)\n    return a", "f([{1: 2}, {}])"),  # an item may hold the list
        ("a.sort(1)\n    return a", "f([2, 1])"),
        ("return max(a)", "f([])"),
        ("return max(a, default=len(a))", "f([])"),
        ("return max(1, 2, default=3)", "f(0)"),
        ("g = None\n    return max(a, key=g)", "f([1])"),
        ("@lambda g: None\n    def g(x):\n        return -x\n    return max(a, key=g)", "f([1])"),
        ("return max(a, key=lambda x: len(locals()))", "f([1])"),
        ("return max(a, key=lambda x: eval('x'))", "f([1])"),
        ("return list(map(None, a))", "f([])"),
        ("return list(map(next, a))", "f([iter([])])"),
        ("return list(map(str, *a))", "f([[1]])"),
        ("return map(str, a)", "f([1])"),
        ("return list(map(lambda x: max(x, key=next), a))", "f([])"),
        ("def g(x):\n        raise StopIteration\n    return sum(g(x) for x in a)", "f([])"),
        ("def g(x):\n        return h(x)\n    def h(x):\n        return next(x)\n    return list(map(g, a))", "f([])"),
        ("def g(x):\n        yield x\n    return list(map(g, a))", "f([])"),
        ("def g(x):\n        if x:\n            return x\n    return sorted(a, key=g)", "f([1, 2])"),
        ("return sorted(a, reverse=a)", "f([1, 2])"),
        ("return sorted((next(x) for x in a), reverse=True)", "f([])"),
        ("if a:\n        n = 1\n    return list(map(lambda x: n, a))", "f([1])"),
    ],
)
def test_what_may_do_something_else_stays(body: str, call: str) -> None:
    source = f"def f(a):\n    {body}\n"
    for recipe in RECIPES:
        assert rewrite_source(source, recipe, calls=[call], cost=None).source == source


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return max(a, key=g)", "g(item)"),
        ("return max(a, key=lambda x: x + n)", "+ n"),
        ("return sorted(a, key=lambda x: n - x)", "n - "),
        ("return max((3, n), key=abs)", "abs(item)"),
    ],
)
def test_a_function_is_called_in_the_loop(before: str, after: str) -> None:
    source = f"def g(x):\n    return -x\n\n\ndef f(a, n):\n    {before}\n"
    assert after in rewrite_source(source, "elements", calls=["f([3, 1], 2)"], cost=None).source


@pytest.mark.parametrize(
    "head",
    ["x = 5", "x = 'ab'", "def x():\n        pass"],
)
def test_the_keys_are_assumed_as_the_function_sees_them(head: str) -> None:
    source = f"def f(a):\n    {head}\n    return sorted(a, key=lambda x: -x), x\n"
    made = rewrite_source(source, "elements", calls=["f([2, 1])"], cost=None)
    assert made.changed and any("-x is exactly int" in str(one) for one in made.assumes)


def test_functions_of_the_program_that_call_each_other_are_looked_at_once() -> None:
    functions = "def g(x):\n    return h(x - 1) if x else 0\n\n\ndef h(x):\n    return g(x - 1) if x else 1\n\n\n"
    source = f"{functions}def f(a):\n    return sum(g(x) for x in a)\n"
    assert "+= g(x)" in rewrite_source(source, "consumed_generator", calls=["f([3, 2])"], cost=None).source


@pytest.mark.parametrize("name", ["len", "list", "sum"])
def test_a_variable_of_a_lambda_does_not_hide_a_builtin(name: str) -> None:
    source = f"def f(a):\n    b = sorted(a, key=lambda {name}: -{name})\n    return b, sorted(a)\n"
    made = rewrite_source(source, "elements", calls=["f([2, 1])"], cost=None)
    assert made.changed and call_outcome(made.source, "f([2, 1])") == call_outcome(source, "f([2, 1])")


def test_a_variable_of_a_lambda_keeps_its_name() -> None:
    source = "def f(a):\n    return sorted(a, key=lambda pair: pair[1])\n"
    assert "for pair in list(a)" in rewrite_source(source, "elements", calls=["f([(2, 1)])"], cost=None).source


def test_a_class_may_change_the_list_while_its_items_are_compared() -> None:
    source = (
        "class A:\n    def __gt__(self, other):\n        items.clear()\n        return True\n\n\n"
        "items = [A(), A(), A()]\n\n\ndef f():\n    all = items[:]\n    return all.index(max(items)), len(items)\n"
    )
    made = rewrite_source(source, "elements", calls=["f()"], cost=None)
    assert "enumerate" in made.source and call_outcome(made.source, "f()") == call_outcome(source, "f()")
