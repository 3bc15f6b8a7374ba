"""What is believed of an expression is true, whatever its unknown parts are: subclasses, objects that give them."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import libcst as cst
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rewrite.analysis.exact_types import TYPES, element_type, exact_type, join_types, variable_types
from rewrite.analysis.scopes import Scope
from rewrite.analysis.symbol_table import collect_scopes


class S(str):
    """Not exactly a str."""


class I(int):  # noqa: E742
    """Not exactly an int."""


class Odd:
    """Gives an instance of a subclass wherever it is asked for a text or a number."""

    def __format__(self, spec: str) -> str:
        return S("odd")

    def __str__(self) -> str:
        return S("odd")

    __repr__ = __str__

    def __index__(self) -> int:
        return I(2)


VALUES = [S("a"), S(""), S("-"), "a", I(1), 1, Odd(), [S("a")], ["a", S("b")], {97: S("x")}, None, True]
METHODS = [name for name in dir(str) if not name.startswith("_") and name not in ("maketrans", "format_map")]
OTHERS = """
str(x) | repr(x) | format(x) | f'{x}' | f'{x}{y}' | f'{x!s}' | 'a' f'{x}' | '' f'{x}' | '{}'.format(x)
'{}{}'.format(x, y) | 'a{}'.format(x) | '{{}}'.format() | '{!r}'.format(x) | '%s' % x | '%s%s' % (x, y)
'a' + x | 'a' * x | 'ab'[x] | 'ab'[x:y] | -True | +True | ~True | True + 1 | 1 * True | [1] * True | int(x)
float(x) | hash(x) | len(x) | bin(x) | chr(x) | x and 'a' | 'a' or x | 'a' if x else 'b' | 'a' if x else 1
not x | x in 'ab' | 1 < 2 | 'a' < 'b' | 'a'.encode() | sorted(x) | list(x) | tuple(x) | set(x) | dict(x)
range(x) | (z := 'a') | [1][0:1] | (1, 2)[:1] | range(3)[1:] | b'ab'[0:1]
""".replace("\n", " | ").split(" | ")
CALLS = [f"'a-b'.{name}({', '.join(names)})" for name in METHODS for names in ((), ("x",), ("x", "y"))]


def values(expression: str) -> list[object]:
    found = []
    for x, y in itertools.product(VALUES, repeat=2):
        try:
            found.append(eval(expression, {"x": x, "y": y}))
        except Exception:  # noqa: BLE001 - what fails has no value
            continue
    return found


@pytest.mark.parametrize("expression", [text.strip() for text in (*CALLS, *OTHERS) if text.strip()])
def test_a_kind_is_the_exact_type(expression: str) -> None:
    node, scope = cst.parse_expression(expression), Scope("module")
    known = exact_type(node, scope)
    of_items = element_type(node, scope)
    for value in values(expression):
        assert known is None or type(value) is TYPES.get(known, type(None)), (expression, known, value)
        if of_items is not None and value is not None:
            assert all(type(item) is TYPES[of_items] for item in value), (expression, of_items, value)  # type: ignore[attr-defined]


ASSIGNED = """
'' | 'a' | 'ab' | p | 1 | True | x + y | x + 'a' | x * 2 | x[0] | x[1:] | len(x) | x.upper() | x.split('a') | [x]
(x, y) | x or y | x if y else 'a' | str(x) | f'{x}b' | x == y | not x | {x: y} | list(x) | 1.5 | x // 2 | None
""".replace("\n", " | ").split(" | ")
_values = st.sampled_from([text.strip() for text in ASSIGNED if text.strip()])
_lines = st.one_of(
    st.tuples(st.sampled_from("xyz"), _values).map(" = ".join),
    st.tuples(st.sampled_from("xyz"), st.sampled_from(["+=", "-=", "*="]), _values).map(" ".join),
    st.tuples(st.sampled_from("xyz"), _values).map("for {0[0]} in {0[1]}: pass".format),
    st.tuples(st.sampled_from("xyz"), _values).map("for {0[0]}, z in enumerate({0[1]}): pass".format),
    st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz"), _values).map(
        lambda parts: f"if type({parts[0]}) is str:\n        {parts[1]} = {parts[2]}"
    ),
)


@given(
    st.tuples(*[st.sampled_from(["''", "'ab'", "1", "1.5", "True", "[1]", "(1,)", "b'a'", "p"])] * 3),
    st.lists(_lines, min_size=1, max_size=5),
)
@example(("1.5", "1", "p"), ["y = x // 2"])
@example(("'ab'", "'b'", "p"), ["y = x[0]", "x += 'b'"])
def test_the_kind_of_a_variable_is_its_exact_type(first: tuple[str, str, str], lines: list[str]) -> None:
    """Whatever the parameter is, and wherever the function ends."""
    body = "".join(f"    {line}\n    see(locals())\n" for line in lines)
    source = f"def f(p):\n    x = {first[0]}\n    y = {first[1]}\n    z = {first[2]}\n{body}"
    module = cst.parse_module(source.replace("see(locals())", "pass"))
    known = variable_types(collect_scopes(module).of(module.body[0]))
    for value in VALUES:
        seen: list[dict[str, object]] = []
        namespace: dict[str, Any] = {"see": lambda found, seen=seen: seen.append(dict(found))}
        exec(source, namespace)
        with contextlib.suppress(Exception):
            namespace["f"](value)
        for name, one in ((name, one) for variables in seen for name, one in variables.items()):
            claimed = known.get(name)
            assert claimed is None or type(one) is TYPES.get(claimed, type(None)), (name, claimed, one)


def test_what_is_believed_of_format_and_partition() -> None:
    scope = Scope("module")
    assert exact_type(cst.parse_expression("'{}'.format(x)"), scope) is None
    assert exact_type(cst.parse_expression("'{}'.format(1)"), scope) == "str"
    assert exact_type(cst.parse_expression("'a: {}'.format(x)"), scope) == "str"
    assert element_type(cst.parse_expression("'a-b'.partition(x)"), scope) is None
    assert element_type(cst.parse_expression("'a-b'.partition('-')"), scope) == "str"


@given(*[st.sampled_from([None, *TYPES])] * 3)
def test_one_of_two_kinds_is_the_same_in_any_order(first: str | None, second: str | None, third: str | None) -> None:
    assert join_types(first, second) == join_types(second, first)
    assert join_types(join_types(first, second), third) == join_types(first, join_types(second, third))
    assert join_types(first, first) == first
