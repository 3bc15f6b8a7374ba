"""Programs made from the catalogue of operations, and the table of their levels."""

from __future__ import annotations

import ast

import pytest

from analyze.operations.catalogue import OPERATIONS
from analyze.operations.operation import Form, Operation
from lab.form_coverage.operation_programs import CONTEXTS, SHAPES, OperationProgram, is_covered, operation_programs
from lab.form_coverage.operation_table import ABSENT, NO_FORM, NOT_COUNTED, Cell, measure_cell, table

COVERED = [one for one in OPERATIONS if is_covered(one)]


def named(name: str) -> Operation:
    return next(one for one in OPERATIONS if str(one) == name)


def sources(name: str) -> dict[str, tuple[str, str]]:
    return {one.column: (one.source, one.call) for one in operation_programs(named(name))}


@pytest.mark.filterwarnings("ignore:.*literal:SyntaxWarning")
@pytest.mark.parametrize("operation", COVERED, ids=str)
def test_each_operation_has_programs_and_at_least_one_ends(operation: Operation) -> None:
    made = list(operation_programs(operation))
    assert len({one.column for one in made}) == len(made)
    results = []
    for one in made:
        namespace: dict[str, object] = {}
        exec(compile(one.source, str(operation), "exec"), namespace)
        try:
            results.append(eval(one.call, namespace))
        except (ValueError, LookupError, TypeError, ArithmeticError):  # on some shapes
            assert one.column in (*SHAPES, *CONTEXTS, "all arguments") or str(operation) == "float.fromhex"
    assert results or str(operation) == "float.fromhex"


def test_most_methods_of_builtin_data_are_covered() -> None:
    types = ("str", "list", "dict", "set", "tuple")
    methods = [one for one in OPERATIONS if one.form is Form.METHOD and one.receiver in types]
    assert [str(one) for one in methods if not is_covered(one)] == []


def test_the_columns_of_a_search() -> None:
    found = sources("str.find")
    assert found["variable"] == ("def f(a, b):\n    found = a.find(b)\n    return found\n", "f('banana', 'an')")
    assert found["literal"] == ("def f():\n    found = 'banana'.find('an')\n    return found\n", "f()")
    assert "(a + '').find((b + ''))" in found["expression"][0]
    assert found["all arguments"][1] == "f('banana', 'an', 1, 4)"
    assert found["empty"][1] == "f('', '')"
    assert "negative" not in found and "loop" not in found
    assert "return (a.find(b)).bit_length()" in found["chained"][0]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.append", "a.append(b)\n    return a"),
        ("list.item store", "a[b] = c\n    return a"),
        ("list.slice delete", "del a[b:c]\n    return a"),
        ("str in", "b in a"),
        ("int.bit_length", "a.bit_length()"),
        ("str.field", 'f"{a:>9}"'),
        ("int -", "a - b"),
        ("list +=", "a += b\n    return a"),
    ],
)
def test_how_an_operation_is_written(name: str, text: str) -> None:
    assert text in sources(name)["variable"][0]


def test_a_changing_method_has_no_contexts() -> None:
    assert not set(sources("list.append")) & set(CONTEXTS)


def test_literals_are_valid_python() -> None:
    for source, _ in sources("int.bit_length").values():
        ast.parse(source)


def cells(name: str, *columns: str) -> list[Cell]:
    return [measure_cell(one) for one in operation_programs(named(name)) if one.column in columns]


@pytest.mark.medium
def test_the_table_has_levels_tokens_and_reasons() -> None:
    head, _, upper, encode, gap, *holes = table(
        [*cells("str.upper", "variable", "empty"), *cells("str.encode", "variable")]
    )
    assert gap == "" and head.startswith("| operation | variable | literal ")
    assert upper.startswith(f"| `str.upper` | 2 | {ABSENT} |")
    assert int(upper.split("|")[-2]) > 0
    assert encode.startswith("| `str.encode` | 0 |")
    assert holes == ["- `str.encode` (variable): string method without a reference implementation"]


def test_an_operation_that_is_not_executed_has_no_level() -> None:
    cell = measure_cell(OperationProgram(named("list.pop"), "variable", "def f():\n    return 1\n", "f()"))
    assert cell.level is None
    assert f"| {NOT_COUNTED} |" in list(table([cell]))[2]


@pytest.mark.medium
def test_a_hole_without_any_reason_says_so() -> None:
    (cell,) = cells("<", "variable")
    assert cell.level == 0 and cell.reason == NO_FORM
