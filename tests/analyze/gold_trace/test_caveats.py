"""What a trace may not have as 3.10 does is said, and only that."""

import sys

import pytest

from analyze.gold_trace.caveats import CASE_END, INLINED, NEVER_STARTED, SET_ORDER, SEVERAL_ITEMS
from analyze.gold_trace.trace import trace_call


@pytest.mark.parametrize(
    "body",
    [
        "return {1, 2, 300}",
        "s = {'a'}\n    return s",
        "return len(set('abc'))",
        "return sorted(set('abc'))",
        "return {'a': 1, 'b': [2]}",
        "return 'a {b, c}'",
        "return [i for i in range(3)]",
    ],
)
def test_what_is_the_same_everywhere_has_no_label(body: str) -> None:
    assert trace_call(f"def f():\n    {body}", "f()").labels == ()


@pytest.mark.parametrize(
    "body",
    [
        "return {'a', 'b'}",
        "s = [{'a', 'b'}]\n    return 1",
        "return ''.join(set('ab'))",
        "for c in set('ab'):\n        pass",
        "return [*{'a', 'b'}]",
        "return frozenset('ab')",
        "return {frozenset('ab')}",
        "return {frozenset('ab'): 1}",
    ],
)
def test_the_order_of_strings_in_sets_is_labelled(body: str) -> None:
    assert SET_ORDER in trace_call(f"def f():\n    {body}", "f()").labels


@pytest.mark.parametrize(
    ("body", "label", "since"),
    [
        ("return [y := 1 for x in range(2)]", INLINED, (3, 12)),
        ("g = (x for x in 'a')\n    return 1", NEVER_STARTED, (3, 12)),
        ("with open('/dev/null') as a, open('/dev/null') as b:\n        pass", SEVERAL_ITEMS, (3, 11)),
    ],
)
def test_the_known_differences_are_labelled_where_they_can_stand(body: str, label: str, since: tuple[int, int]) -> None:
    assert (label in trace_call(f"def f():\n    {body}", "f()").labels) == (sys.version_info >= since)


@pytest.mark.parametrize(
    ("body", "labels"),
    [
        ("            if n:\n                return 1", (CASE_END,)),
        ("            while n:\n                n = 0", (CASE_END,)),
        ("            if n:\n                n = 2\n            return n", ()),
    ],
)
def test_a_case_that_ends_in_a_branch_is_labelled(body: str, labels: tuple[str, ...]) -> None:
    source = f"def f(n):\n    match n:\n        case 1:\n{body}\n        case _:\n            if n: n = 1\n    return n"
    assert trace_call(source, "f(1)").labels == labels
