"""Values as expressions: what is written evaluates to an equal value of the same type; the rest is refused."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import math
import pathlib
import uuid
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.traces.suite.recording.value_expressions import ExpressionWriter, UnrebuildableError


class Colour(enum.Enum):
    RED = 1


class Pair(NamedTuple):
    left: int
    right: str


@dataclasses.dataclass
class Point:
    x: int
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Derived:
    x: int
    doubled: int = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.doubled = 2 * self.x


class Text(str):
    __slots__ = ()


class Plain:
    pass


def written(value: object) -> tuple[str, dict[str, Any]]:
    writer = ExpressionWriter(lambda module: module == __name__)
    text = writer.write(value)
    return text, {name: __import__(name) for name in writer.imports} | globals()


SHARED: list[int] = []
LOOP: list[Any] = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param([SHARED, SHARED], "share a mutable object", id="aliases"),
        pytest.param(LOOP, "share a mutable object", id="a cycle"),
        pytest.param(Plain(), "type tests.runner.traces.suite.test_value_expressions.Plain", id="an object"),
        pytest.param(Text("a"), "Text", id="a subclass of str"),
        pytest.param(Derived(1), "do not rebuild it", id="a dataclass with a computed field"),
        pytest.param(lambda: 1, "<lambda>", id="a lambda"),
        pytest.param(open, "io.open", id="a function of another module"),
        pytest.param("a" * 5000, "longer than", id="a long string"),
        pytest.param(list(range(3000)), "more than", id="many values"),
        pytest.param(iter([1]), "list_iterator", id="an iterator"),
    ],
)
def test_what_no_expression_rebuilds_is_refused(value: object, reason: str) -> None:
    with pytest.raises(UnrebuildableError, match=reason):
        written(value)


@pytest.mark.parametrize(
    "value",
    [
        *[
            Colour.RED,
            Pair(1, "a"),
            Point(1, ["b"]),
            Point,
            (1,),
            set(),
            frozenset({1}),
            bytearray(b"a"),
            range(1, 5, 2),
        ],
        *[collections.Counter("aab"), collections.deque([1], 3), collections.defaultdict(list, a=[1])],
        *[collections.OrderedDict(a=1), decimal.Decimal("1.50"), fractions.Fraction(1, 3), math.inf, -0.0, 1 + 2j],
        *[datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC), datetime.timedelta(1)],
        *[pathlib.PurePosixPath("/a"), uuid.UUID(int=3), slice(1, None), len, int, ...],
    ],
    ids=repr,
)
def test_what_is_written_evaluates_to_the_same(value: object) -> None:
    text, names = written(value)
    rebuilt = eval(text, names)
    assert type(rebuilt) is type(value) and repr(rebuilt) == repr(value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.sets(st.integers(), max_size=4)
    ),
    max_leaves=20,
)


@given(VALUES)
def test_any_nested_value_is_rebuilt(value: object) -> None:
    text, names = written(value)
    rebuilt = eval(text, names)
    assert rebuilt == value and written(rebuilt)[0] == text  # the text tells 1 from True, and 0.0 from -0.0
