"""What is believed of an expression is true, whatever its unknown parts are: subclasses, objects that give them."""

from __future__ import annotations

import itertools

import libcst as cst
import pytest

from rewrite.analysis.exact_types import TYPES, element, kind
from rewrite.analysis.scopes import Scope


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
    known = kind(node, scope)
    of_items = element(node, scope)
    for value in values(expression):
        assert known is None or type(value) is TYPES.get(known, type(None)), (expression, known, value)
        if of_items is not None and value is not None:
            assert all(type(item) is TYPES[of_items] for item in value), (expression, of_items, value)  # type: ignore[attr-defined]


def test_what_is_believed_of_format_and_partition() -> None:
    scope = Scope("module")
    assert kind(cst.parse_expression("'{}'.format(x)"), scope) is None
    assert kind(cst.parse_expression("'{}'.format(1)"), scope) == "str"
    assert kind(cst.parse_expression("'a: {}'.format(x)"), scope) == "str"
    assert element(cst.parse_expression("'a-b'.partition(x)"), scope) is None
    assert element(cst.parse_expression("'a-b'.partition('-')"), scope) == "str"
