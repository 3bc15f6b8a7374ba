"""Coverage: which operations of a program have a form at level 2, on which kinds of values."""

from __future__ import annotations

import pytest

from lab.form_coverage.__main__ import main
from lab.form_coverage.level_tables import hole_table, level_table
from lab.form_coverage.levels import OperationCoverage, measure_program
from lab.populations import CalledProgram


def measured(source: str, call: str) -> list[OperationCoverage]:
    found = measure_program(CalledProgram("p", source, call))
    assert not isinstance(found, str)
    return found


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_program_that_does_not_end_is_not_counted() -> None:
    assert measure_program(CalledProgram("p", "def f():\n    while True:\n        1 + 1\n", "f()")) == (
        "its operations cannot be recorded"
    )


@pytest.mark.medium
def test_a_program_with_many_operations_is_not_counted() -> None:
    source = "def f(n):\n    for i in range(n):\n        n += 1\n    return n\n"
    assert measure_program(CalledProgram("p", source, "f(2500)")) == "it executes more than 2000 operations"


def test_a_program_that_cannot_be_rewritten_is_not_counted() -> None:
    found = measure_program(
        CalledProgram("p", "def f(n):\n if n:\n \tn = 1\n elif n < 2:\n\t n = 2\n return n\n", "f(3)")
    )
    assert "LibCST, which the rewriter uses, does not parse" in str(found)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("expression", "before", "level"),
    [
        ("s.upper()", 0, 2),  # the characters, one by one
        ("s + t", 2, 2),  # read well as it is
        ("a[0]", 2, 2),
        ("a[-1]", 1, 2),  # the items are shown; counted from the end, then from the front
        ("not n", 2, 2),
        ("len(a)", 2, 2),
        ("n * 3", 2, 2),
        ("isinstance(s, int)", 2, 2),  # the type is seen without the characters
        ("n in [5,6,7]", 2, 2),  # the step has the list, spaced in another way
        ("a[::-1]", 1, 2),
        ("a[:2]", 1, 2),
        ("s.encode()", 0, 0),  # no form
    ],
)
def test_levels_of_one_operation(expression: str, before: int, level: int) -> None:
    [one] = measured(f"def f(s, t, a, n):\n    return {expression}\n", "f('banana', 'an', [3, 1, 2], 7)")
    assert (one.before, one.level) == (before, level)


def test_an_operand_that_the_step_computes_counts_until_it_has_a_step_of_its_own() -> None:
    found = measured("def f(a, n):\n    return a[n + 1] * 2\n", "f([3, 1, 2], 1)")
    assert [(one.operation.name or one.operation.kind, one.before, one.level) for one in found] == [
        ("Add", 2, 2),
        ("item", 0, 2),
        ("Mult", 0, 2),
    ]


def test_a_slice_of_a_single_character_is_read_well() -> None:
    [one] = measured("def f(c):\n    return c[1:]\n", "f('x')")
    assert (one.before, one.level) == (2, 2)


@pytest.mark.medium
def test_the_lowest_execution_counts() -> None:
    source = "def f(words):\n    return [w.strip() for w in words]\n"
    [one] = measured(source, "f(['a', ' ab '])")
    assert one.before == 0


@pytest.mark.medium
def test_kinds_and_tables() -> None:
    found = measured("def f(s, a, n):\n    a.append(n + 1)\n    return s.encode()\n", "f('ab', [1], 7)")
    assert [one.kind for one in found] == ["numbers", "containers", "strings"]
    assert "| strings | 1 | 0.0 % | 0.0 % | 0.0 % | 100.0 % |" in list(level_table(found))
    assert list(hole_table(found))[2:] == ["| `encode` | strings | 1 | `return s.encode()` |"]


@pytest.mark.medium
def test_the_command_prints_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--data", ".", "--population", "humaneval", "--every", "90"])
    printed = capsys.readouterr().out
    assert printed.startswith("## humaneval: 2 programs")
    assert "| strings |" in printed
