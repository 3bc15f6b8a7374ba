"""The repr of a long list is that of `repr`, whatever happened to the list."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.gold_trace import tracer
from analyze.gold_trace.long_lists import LongListRepr
from analyze.gold_trace.trace import trace_in_process
from analyze.gold_trace.tracer import TraceCutError
from corpora.program import trace_context

Change = Callable[[list[Any]], object]


class Shouting(str):
    """A string whose repr is not the repr of its characters."""

    def __repr__(self) -> str:
        return self.upper()


@pytest.mark.parametrize(
    ("items", "change"),
    [
        pytest.param([1, 2], lambda items: items.__setitem__(0, True), id="an equal item of another type"),
        pytest.param([0.0], lambda items: items.__setitem__(0, -0.0), id="an equal item with another sign"),
        pytest.param([[1], 2], lambda items: items[0].append(3), id="a mutable item"),
        pytest.param([([1],), 2], lambda items: items[0][0].append(3), id="a tuple of a mutable item"),
        pytest.param([((([1],),),)], lambda items: items[0][0][0][0].append(3), id="nested tuples"),
        pytest.param([1], lambda items: items.append([items]), id="itself"),
        pytest.param(["a"], lambda items: items.append(Shouting("b")), id="a subclass"),
        pytest.param([1, 2], lambda items: items.clear(), id="emptied"),
        pytest.param([1, 2], lambda items: items.insert(0, 3), id="added at the start"),
    ],
)
def test_a_change_of_another_kind_is_shown(items: list[Any], change: Change) -> None:
    shown = LongListRepr()
    for _ in range(3):
        assert shown.show(items) == repr(items)
        change(items)
        assert shown.show(items) == shown.show(items) == repr(items)


def test_another_value_of_the_variable_is_shown() -> None:
    shown = LongListRepr()
    for value in ([1, 2], (1, 2), [1, 2], "ab", [], [1], None):
        assert shown.show(value) == repr(value)


def test_a_repr_that_fails_is_tried_again() -> None:
    shown, items = LongListRepr(), [1]
    shown.show(items)
    items.append(10**5000)
    for _ in range(2):
        with pytest.raises(ValueError, match="limit"):
            shown.show(items)
    items.pop()
    assert shown.show(items) == "[1]"


VALUES = st.one_of(st.integers(0, 2), st.booleans(), st.sampled_from(["", "<a", (1, "b"), (), None, 1.0, -0.0, b"x"]))
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(lambda value: lambda items: items.append(value), VALUES),
    st.builds(lambda value: lambda items: items.append([value]), VALUES),
    st.builds(lambda values: lambda items: items.extend(values), st.lists(VALUES)),
    st.builds(lambda value: lambda items: items.insert(0, value), VALUES),
    st.builds(lambda value: lambda items: items.__setitem__(slice(1, 2), [value]), VALUES),
    st.sampled_from(
        [lambda items: items[1:].clear(), lambda items: items.reverse(), lambda items: items and items.pop()]
    ),
)


@given(st.lists(VALUES), st.lists(CHANGES))
def test_any_changes_are_shown(items: list[Any], changes: list[Change]) -> None:
    shown = LongListRepr()
    assert shown.show(items) == repr(items)
    for change in changes:
        change(items)
        assert shown.show(items) == repr(items)


PROGRAM = """
def f(n):
    seen, rows = [], []
    for i in range(n):
        seen.append((i, "<item>"))
        if i % 50 == 49:
            seen[i // 2] = [i]
            rows.append(seen)
        if i % 70 == 69:
            seen = seen[:-20]
        if i % 80 == 79:
            seen.sort(key=str)
    return rows
"""


@pytest.mark.medium
def test_a_trace_does_not_depend_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    context = trace_context(PROGRAM, "f(200)")
    fast = trace_in_process(context)
    monkeypatch.setattr(tracer, "LONG", tracer.MAX_VALUE)
    assert fast == trace_in_process(context)


def test_a_trace_in_this_process_is_limited_in_characters() -> None:
    source = "def f(n):\n    x = ''\n    for i in range(n):\n        x = 'a' * 1000\n        x = 'b' * 1000\n"
    assert trace_in_process(trace_context(source, "f(9)"), max_bytes=20_000)
    with pytest.raises(TraceCutError, match="max_bytes"):
        trace_in_process(trace_context(source, "f(11)"), max_bytes=20_000)
