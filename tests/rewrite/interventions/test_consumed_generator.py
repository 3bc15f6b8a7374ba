"""Generator expressions as loops: opposite operators in tests that end a loop, and the order of effects."""

import pytest

from rewrite import check_equivalence, rewrite_source
from rewrite.equivalence.assumption_filter import AssumptionFilter


def rewritten(test: str, call: str) -> str:
    source = f"def f(a, b):\n    return all({test} for x in a)\n"
    made = rewrite_source(source, "consumed_generator", calls=[call])
    assert check_equivalence(source, made.source, [call], examples=20, assumes=made.assumes, inputs="any").equivalent
    return made.source


@pytest.mark.medium
@pytest.mark.parametrize(
    ("test", "call"),
    [
        ("x == b", "f([[1]], [1])"),  # a class may define `!=` otherwise
        ("x == b", "f([1, [1]], 1)"),
        ("x == b", "f([1j], 1)"),
        ("x < b", "f([1.5], 2)"),  # false of nan, as is `>=`
        ("x < b < 9", "f([1], 2)"),
        ("x", "f([1], 2)"),
    ],
)
def test_other_tests_are_negated(test: str, call: str) -> None:
    assert f"if not {test}:" in rewritten(test, call)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("test", "call", "opposite"),
    [
        ("x == b", "f([1], 1)", "x != b"),
        ("x != b", "f('ab', 'c')", "x == b"),
        ("x == None", "f([None, 1, 'a', 2.5, b'', True], 0)", "x != None"),
        ("x == b", "f([1, None], float('nan'))", "x != b"),
        ("x in b", "f([[1]], [[1]])", "x not in b"),
        ("x not in b", "f([1], [2])", "x in b"),
    ],
)
def test_a_comparison_gets_the_opposite_operator(test: str, call: str, opposite: str) -> None:
    assert f"if {opposite}:" in rewritten(test, call)


@pytest.mark.parametrize(("call", "breaks"), [("f([[1]])", True), ("f([[]])", True), ("f([b'', None])", False)])
def test_the_types_that_calls_showed_are_assumed(call: str, breaks: bool) -> None:
    source = "def f(a):\n    return all(x == None for x in a)\n"
    made = rewrite_source(source, "consumed_generator", calls=["f([None, 1])"])
    assert [one.what for one in made.assumes] == ["is exactly NoneType, bool, bytes, float, int or str"]
    assert (call in AssumptionFilter(source, made.assumes).broken_assumptions([call], 5)) is breaks


ITEMS = [("(a, b[0])", "f([(1, 'x'), (2, 'y')])"), ("[b[0]]", "f([(1, 'x')])")]


@pytest.mark.parametrize("function", ["set", "frozenset"])
@pytest.mark.parametrize(("item", "call"), ITEMS)
def test_items_whose_hash_may_fail_are_computed_one_by_one(function: str, item: str, call: str) -> None:
    source = f"def f(items):\n    return {function}({item} for a, b in items)\n"
    assert not rewrite_source(source, "consumed_generator", calls=[call]).changed


@pytest.mark.parametrize("function", ["max", "min"])
@pytest.mark.parametrize(("item", "call"), ITEMS)
def test_items_are_compared_before_the_next_one_is_computed(function: str, item: str, call: str) -> None:
    source = f"def f(items):\n    return {function}({item} for a, b in items)\n"
    made = rewrite_source(source, "consumed_generator", calls=[call])
    calls = [call, "f([(1, 'x'), (1, [2]), (1, '')])", "f([(1, 'x'), (2, '')])"]
    assert made.changed and check_equivalence(source, made.source, calls, examples=0).equivalent


@pytest.mark.parametrize("call", ["f([])", "f([None])", "f([None, 1])", "f([1, None])"])
def test_a_maximum_that_may_fail_is_assumed_not_to(call: str) -> None:
    source = "def f(items):\n    return max(i for i in items)\n"
    made = rewrite_source(source, "consumed_generator", calls=["f([1])"])
    assert made.changed and AssumptionFilter(source, made.assumes).broken_assumptions([call], 5)


@pytest.mark.parametrize("function", ["sorted", "list", "tuple"])
def test_functions_that_compute_all_items_first_get_a_list(function: str) -> None:
    source = f"def f(items):\n    return {function}((a, b[0]) for a, b in items)\n"
    made = rewrite_source(source, "consumed_generator", calls=["f([(1, 'x')])"])
    calls = ["f([(1, 'x')])", "f([(1, 'x'), (1, [2]), (1, '')])"]
    assert made.changed and check_equivalence(source, made.source, calls, examples=0).equivalent


CONTEXTS = {
    "alone": "    return {}\n",
    "in a finally": "    try:\n        return {}\n    finally:\n        print('end')\n",
    "in an else": "    for a in items:\n        break\n    else:\n        return {}\n",
    "in a generator": "    def g():\n        yield 1\n        return {}\n    return list(g())\n",
    "in a lambda": "    return (lambda a: {})(items)\n",
}
TESTS = (
    "any(x > 2 for x in items)",
    "all(x for x in items if x != 3)",
    "any(y == x for x in items for y in items[1:])",
)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("test", TESTS)
def test_a_returned_test_returns_from_its_loop(test: str, context: str) -> None:
    source = "def f(items):\n" + CONTEXTS[context].format(test)
    calls = [f"f({items})" for items in ([], [1, 2], [3, 0], [1, 3, 0, 4], [4, "a"], ["a"])]
    made = rewrite_source(source, "consumed_generator", calls=calls[:3])
    assert check_equivalence(source, made.source, calls, examples=0).equivalent
    if context != "in a lambda":
        assert made.changed and "break" not in made.source.removeprefix(
            "def f(items):\n    for a in items:\n        break"
        )


def test_a_test_with_two_loops_that_is_not_returned_stays() -> None:
    source = f"def f(items):\n    found = {TESTS[2]}\n    return found\n"
    assert not rewrite_source(source, "consumed_generator", calls=["f([1, 2])"]).changed


KEPT = "    r = map(int, a)\n"


@pytest.mark.parametrize(
    "body",
    [
        KEPT + "    return list(r), r\n",
        KEPT + "    return any(r)\n",  # reads no further than it must
        KEPT + "    return list(a)\n",
        KEPT + "    return list(*r)\n",
        KEPT + "    if a:\n        pass\n    return list(r)\n",
        KEPT + "    b = list(r)\n    return b, list(r)\n",
        KEPT + "    return b.list(r)\n",
        "    list = tuple\n" + KEPT + "    return list(r)\n",
        "    global r\n" + KEPT + "    return list(r)\n",
        "    def g():\n        return r\n" + KEPT + "    return list(r)\n",
        "    a = map(int, a)\n    a = list(a)\n    return a\n",
        "    for _ in b:\n        a = map(int, a)\n        print(list(a))\n",
        "    try:\n        a = map(int, a)\n        return list(a)\n    finally:\n        print(list(a))\n",
        "    with b:\n        a = map(int, a)\n        return list(a)\n    return list(a)\n",
        "    r = s = map(int, a)\n    return list(r)\n",
        "    r = map(b, a)\n    return list(r)\n",
        "    r = map(lambda x: [x], a)\n    return max(r)\n",  # compares an item before the next one is computed
    ],
)
def test_an_iterator_that_is_used_otherwise_stays(body: str) -> None:
    source = f"def f(a, b):\n{body}"
    assert rewrite_source(source, "consumed_generator", calls=["f(['1'], [2])"]).source == source


@pytest.mark.medium
@pytest.mark.parametrize("function", ["list", "tuple", "sorted", "set", "sum", "max", "min"])
@pytest.mark.parametrize(
    "body",
    [
        "    r = map(lambda x, y: len(x) - y, a, b)\n    return {}(r)\n",
        "    a = map(len, a)\n    return {}(a)\n",
        "    n = 0\n    for _ in b:\n        r = map(len, a)\n        n = {}(r)\n    return n\n",
    ],
)
def test_an_iterator_that_the_next_statement_consumes_is_a_list(function: str, body: str) -> None:
    source = f"def f(a, b):\n{body.format(function)}"
    made = rewrite_source(source, "consumed_generator", calls=["f(['ab', 'c'], [2, 1])"])
    assert "map" not in made.source
    calls = ["f(['ab', 'c'], [2, 1])", "f([], [])", "f([1], [1])"]
    assert check_equivalence(source, made.source, calls, examples=30, assumes=made.assumes, inputs="any").equivalent
