"""The operands of an expression are those that CPython evaluates first, in that order: each expression is run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.analysis.evaluation_order import ORDER, non_operands, operands, operations, type_test


class Value(dict[str, Any]):
    """What every operand is: it can be called, indexed, compared, hashed, unpacked and asked for attributes."""

    def whatever(self, *_: object, **__: object) -> Value:
        return self

    __add__ = __mul__ = __neg__ = __invert__ = __call__ = __getattr__ = __getitem__ = __matmul__ = whatever
    __lt__ = __enter__ = __sub__ = whatever

    def __format__(self, specification: str) -> str:
        return specification

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __bool__(self) -> bool:
        return True

    def __contains__(self, key: object) -> bool:
        return True


class Items(Value):
    """One that gives one item."""

    def __iter__(self) -> Iterator[str]:
        return iter("i")


def order(source: str) -> list[str]:
    """The numbers of the operands `o(n)` in the order in which CPython evaluates them."""
    seen: list[str] = []

    def o(number: int) -> Value:
        seen.append(str(number))
        return Value()

    def falsy(number: int) -> int:
        return 0 if o(number) is not None else 1

    def width(number: int) -> int:
        return 50 if o(number) is not None else 1

    eval(f"({source})", {"o": o, "v": lambda _: Items(), "n": falsy, "w": width})
    return seen


def leaves(node: cst.BaseExpression) -> list[str]:
    """The operands `o(n)` of an expression, in the order that is claimed."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "o":
        return [cst.ensure_type(node.args[0].value, cst.Integer).value]
    return [leaf for operand in operands(node).expressions for leaf in leaves(operand)]


# The others of a form may never be evaluated, later, or more than once.
FIRST = """
o(1) and o(2) | o(1) or o(2) and o(3) | o(2) if o(1) else o(3) | lambda x=o(1), *, y=o(2): o(3) | o(1) < o(2) < o(3)
[o(2) for x in o(1)] | {o(2): 1 for x in o(1)} | {o(2) for x in o(1)} | (o(2) for x in o(1)) | (y := o(1))
lambda x, /, y=o(1), *z, t=o(2), **k: o(3)
""".replace("\n", " | ").split(" | ")
ALL = [
    form.strip()
    for form in """
? + ? | ? * ? | -? | ~? | not ? | ? < ? | ? in ? | ? is ? | ?[?] | ?[?:?:?] | ?[?, ?] | ?.a | ?.a(?) | ?(?, ?)
?(?, k=?, *?) | ?(k=?, **?) | ?(*?, *?) | ?.a(*?, k=?, **?) | [?, ?] | (?, ?, *?) | [*?, ?] | {?, ?} | {?: ?, ?: ?}
{**?, ?: ?} | {?, *?, ?} | ?.a.b[?].c(?) | ? @ ? - ?
""".replace("\n", " | ").split(" | ")
    if form.strip()
]
LEAF = "?"


def numbered(form: str) -> str:
    """The form with `o(1)`, `o(2)`, … for its question marks."""
    first, *others = form.split(LEAF)
    return first + "".join(f"o({number}){part}" for number, part in enumerate(others, 1))


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """A form with other forms in it; `v` makes a Value of each."""

    @st.composite
    def drawn(draw: st.DrawFn) -> str:
        first, *others = draw(st.sampled_from(ALL)).split(LEAF)
        return first + "".join(f"v({draw(inner)}){part}" for part in others)

    return drawn()


@pytest.mark.parametrize("source", [form.strip() for form in FIRST if form.strip()])
def test_operands_come_before_everything_else(source: str) -> None:
    claimed = leaves(cst.parse_expression(source))
    assert claimed
    assert order(source)[: len(claimed)] == claimed


@given(st.sampled_from(ALL) | st.recursive(st.just(LEAF), nested, max_leaves=10))
def test_operands_are_all_that_is_evaluated(form: str) -> None:
    source = numbered(form)
    assert leaves(cst.parse_expression(source)) == order(source)


# Every operand is evaluated here, once.
WHOLE = """
o(1) and o(2) and o(3) | n(1) or n(2) or o(3) | o(1) < o(2) < o(3) < o(4) | (lambda x=o(1): o(2))() | f"{o(1)}{o(2)!r}"
[o(4) for x in v(o(1)) if o(2) for y in v(o(3))] | {o(3): o(4) for x in v(o(1)) if o(2)} | {o(2) for x in v(o(1))}
list(o(2) for x in v(o(1))) | f"{o(1):{w(2)}}" "" f"{o(3)}"
""".replace("\n", " | ").split(" | ")


def all_leaves(node: cst.BaseExpression) -> list[str]:
    """The operands `o(n)` of an expression, then those of its other parts, each part in turn."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value in "onw":
        return [cst.ensure_type(node.args[0].value, cst.Integer).value]
    return [leaf for part in (*operands(node).expressions, *non_operands(node)) for leaf in all_leaves(part)]


@pytest.mark.parametrize("source", [form.strip() for form in WHOLE if form.strip()])
def test_the_other_parts_come_behind_the_operands_and_in_their_order(source: str) -> None:
    assert all_leaves(cst.parse_expression(source)) == order(source)


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("a or b and c", 1),
        ("a if b else c", 2),
        ("a < b < c", 1),
        ("[a for b in c if d for e in f]", 3),
        ("(a for b in c)", 1),
        ("lambda a=b: c", 1),
        ('f"{a:{b}}" f"{c}"', 3),
        ("a + b", 0),
        ("a", 0),
    ],
)
def test_the_parts_that_are_no_operands_are_found(source: str, count: int) -> None:
    assert len(non_operands(cst.parse_expression(source))) == count


def test_every_kind_of_expression_with_parts_has_its_row() -> None:
    kinds = {kind for kind in vars(cst).values() if isinstance(kind, type) and issubclass(kind, cst.BaseExpression)}
    atoms = {cst.Name, cst.Ellipsis, cst.Integer, cst.Float, cst.Imaginary, cst.SimpleString, cst.From}
    newer = {getattr(cst, name, None) for name in ("TemplatedString", "StarredDictComp")}  # than the Pythons we run on
    rest = kinds - atoms - newer - {cst.StarredElement}
    named = {kind for kind in rest if not kind.__name__.startswith(("Base", "_"))}
    assert named <= ORDER.keys()


@pytest.mark.parametrize(
    ("source", "splittable"),
    [("f(a, b)", 3), ("f(a, **b)", 3), ("f(**a, k=b)", 2), ("{a, *b, c}", 1), ("{1, *b, c}", 2), ("[*a, b]", 2)],
)
def test_no_step_stands_behind_what_has_happened_already(source: str, splittable: int) -> None:
    assert operands(cst.parse_expression(source)).splittable == splittable


def test_a_large_display_hashes_as_it_goes() -> None:
    items = [f"x{number}" for number in range(16)]
    assert operands(cst.parse_expression(f"{{{', '.join(items[:15])}}}")).splittable == 15
    assert operands(cst.parse_expression(f"{{{', '.join(items)}}}")).splittable == 1
    assert operands(cst.parse_expression(f"{{{', '.join(f'{item}: 1' for item in items)}}}")).splittable == 1


@pytest.mark.parametrize(
    "source", ["type(x) is not T", "type(x) == T", "type(x, y) is T", "kind(x) is T", "type(x) is a.T"]
)
def test_what_is_no_type_test(source: str) -> None:
    assert type_test(cst.parse_expression(source)) is None


def test_a_type_test() -> None:
    assert type_test(cst.parse_expression("type(x) is T")) == ("x", "T")


def test_what_only_carries_others_makes_no_value_of_its_own() -> None:
    tree = cst.parse_expression("a.b(c, k=d) and e and await f(g)")
    found = [cst.Module([]).code_for_node(node) for node in operations(tree)]
    assert found == ["a.b(c, k=d) and e and await f(g)", "a.b(c, k=d)", "a", "c", "d", "e", "await f(g)", "f", "g"]
