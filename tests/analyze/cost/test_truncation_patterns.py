"""The patterns of the paper's Table 9, on its own examples and on programs that are near them."""

import pytest

from analyze.cost.token_budget import trace_budget
from analyze.cost.truncation_patterns import patterns
from analyze.gold_trace.trace import trace_call

TABLE_9 = """
def f(numbers, index):
    for n in numbers[index:]:
        numbers.insert(index, n)
        index += 1
    return numbers[:index]
"""
NESTED = """
def f(text):
    k = 0
    for i in range(len(text)):
        for j in range(i, len(text)):
            k += 1
    return k
"""
LONG = "def f(text):\n    k = 0\n    for c in text:\n        k += 1\n    return k"


def names(source: str, call: str) -> list[str]:
    trace = trace_call(source, call, max_frames=500, stop_at_cut=True)
    return sorted({found.name for found in patterns(trace, trace_budget(trace))})


@pytest.mark.parametrize(
    ("source", "call", "found"),
    [
        (TABLE_9, "f([-2, 4, -4], 0)", ["growing list"]),
        ("def f(x):\n    for a in x:\n        x.append(a)", "f([1])", ["growing list"]),
        ("def f(s):\n    while len(s) < 9:\n        s += 'a'\n    return s", "f('b')", ["growing list"]),
        ("def f(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i", "f(9)", []),
        ("def f(x):\n    y = []\n    for a in x:\n        y.append(a)\n    return y", "f([1, 2])", []),
        (NESTED, "f('abc')", ["nested loops"]),
        ("def f(x):\n    return [a + b for a in x for b in x]", "f([1, 2])", ["nested loops"]),
        ("def f(x):\n    def g(y):\n        return [b for b in y]\n    return [a for a in x]", "f([1, 2])", []),
        (LONG, f"f({'ab' * 15!r})", []),
        (LONG, f"f({'ab' * 16!r})", ["long input"]),
        ("def f(n):\n    for i in range(n):\n        pass", "f(99)", []),
        ("def f(x):\n    return x", "f('a' * 99)", []),
        ("def f(:", "f()", []),
    ],
)
def test_the_patterns_of_a_trace(source: str, call: str, found: list[str]) -> None:
    assert names(source, call) == found


def test_a_loop_that_never_ran_makes_nothing_long() -> None:
    assert names(f"{NESTED.replace('k = 0', 'return 0')}", "f('abc')") == []


def test_what_a_pattern_costs_is_what_its_lines_cost() -> None:
    trace = trace_call(LONG, f"f({'ab' * 20!r})")
    budget = trace_budget(trace)
    [found] = patterns(trace, budget)
    assert found.lines == (3, 4) and "40" in found.why
    assert found.tokens == sum(cost for line, cost in budget.lines if line in (3, 4)) < budget.total


def test_a_copy_that_is_gone_over_ends() -> None:
    trace = trace_call(TABLE_9, "f([-2, 4, -4], 0)")
    [found] = patterns(trace, trace_budget(trace))
    assert "ends" in found.why
