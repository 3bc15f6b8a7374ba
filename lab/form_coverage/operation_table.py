"""Which operations have a form that models read well: a table made from the catalogue of operations.

    python -m lab.form_coverage.operation_table [--only str list …] [--every N]

A row is an operation, a column how it is written, the shape of its operands, or its context
(`lab.form_coverage.operation_programs`). A cell is its level with every form and no limit (`lab.form_coverage.levels`):
2, 1 or 0; "!" if it is not recorded there; "-" if there is no such program. The last column is the median of the tokens
that the rewrite adds to the trace. Below each table are the cells under level 2 with the reason that the rewrite gives.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from statistics import median

from analyze.operations.catalogue import OPERATIONS
from analyze.operations.operation import Form, Operation
from corpora.failures import DIED
from corpora.process_pool import map_over_cores
from lab.form_coverage.levels import measure_program
from lab.form_coverage.operation_programs import COLUMNS, OperationProgram, is_covered, operation_programs
from lab.populations import CalledProgram
from rewrite import rewrite_source
from rewrite.interventions.remaining import REASONS
from runner.terminal.tables import table_lines

NOT_COUNTED, ABSENT = "!", "-"
NO_FORM = "no form in any recipe"
_RECIPES = ("elements", "methods", "decompose")


@dataclass(frozen=True)
class Cell:
    """One cell of the table.

    Attributes:
        program: The program.
        level: 0, 1 or 2; None if the operation is not recorded.
        tokens: What the rewrite adds to the trace; None if there is none.
        reason: Why the level is below 2; "" if it is not.
    """

    program: OperationProgram
    level: int | None
    tokens: int | None = None
    reason: str = ""


def measure_cell(program: OperationProgram) -> Cell:
    """The level of an operation in its program.

    Example:
        >>> [one] = [one for one in OPERATIONS if str(one) == "str.upper"]
        >>> measure_cell(next(operation_programs(one))).level
        2
    """
    found = measure_program(CalledProgram(str(program.operation), program.source, program.call))
    own = [] if isinstance(found, str) else [one for one in found if _is(program.operation, one.operation.name)]
    if not own:
        return Cell(program, None)
    lowest = min(own, key=lambda one: one.level)
    return Cell(program, lowest.level, lowest.tokens, "" if lowest.level == 2 else _reason(program))


def _is(operation: Operation, name: str) -> bool:
    return name == ("" if operation.form in (Form.ITEM, Form.SLICE, Form.FORMAT) else operation.name)


def _reason(program: OperationProgram) -> str:
    """What the recipes say about the lines of the program."""
    found = (rewrite_source(program.source, recipe, calls=[program.call], cost=None).left for recipe in _RECIPES)
    reason = next((one.reason for left in found for one in left), NO_FORM)
    return next((known for known in REASONS if reason.endswith(known)), reason)  # without the operation


def table(cells: Iterable[Cell]) -> Iterator[str]:
    """The lines of a Markdown table, and the holes below it."""
    rows: dict[Operation, dict[str, Cell]] = {}
    for one in cells:
        rows.setdefault(one.program.operation, {})[one.program.column] = one
    columns, rules = ("operation", *COLUMNS, "tokens"), ("---", *[":-:"] * len(COLUMNS), "--:")
    yield from table_lines(columns, starmap(_row, rows.items()), *rules)
    yield ""
    yield from _holes(rows)


def _row(operation: Operation, own: Mapping[str, Cell]) -> tuple[str, ...]:
    added = [one.tokens for one in own.values() if one.tokens is not None]
    name = str(operation).replace("|", "\\|")
    levels = (_level(own.get(column)) for column in COLUMNS)
    return f"`{name}`", *levels, f"{median(added):.0f}" if added else ABSENT


def _level(cell: Cell | None) -> str:
    return ABSENT if cell is None else NOT_COUNTED if cell.level is None else str(cell.level)


def _holes(rows: Mapping[Operation, Mapping[str, Cell]]) -> Iterator[str]:
    for operation, own in rows.items():
        reasons: dict[str, list[str]] = {}
        for cell in own.values():
            if cell.level is not None and cell.level < 2:
                reasons.setdefault(cell.reason, []).append(cell.program.column)
        for reason, columns in reasons.items():
            yield f"- `{operation}` ({', '.join(columns)}): {reason}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints a table for each type of receiver.

    Args:
        arguments: Those of the command line (default: `sys.argv`).
    """
    given = _parser().parse_args(arguments)
    covered = [one for one in OPERATIONS if is_covered(one) and (not given.only or one.receiver in given.only)]
    programs = [program for one in covered[:: given.every] for program in operation_programs(one)]
    cells = list(map_over_cores(measure_cell, programs, on_death=lambda program, _: _dead(program), ordered=True))
    counted = [one for one in cells if one.level is not None]
    shares = ", ".join(f"{sum(one.level == level for one in counted)} at level {level}" for level in (2, 1, 0))
    sys.stdout.write(f"{len(covered[:: given.every])} operations, {len(counted)} cells: {shares}.\n")
    for receiver in dict.fromkeys(one.program.operation.receiver for one in cells):
        title = f"Operations on {receiver}" if receiver else "Functions, and operators on any type"
        own = [one for one in cells if one.program.operation.receiver == receiver]
        sys.stdout.write("\n".join(["", f"## {title}", "", *table(own), ""]))


def _dead(program: OperationProgram) -> Cell:
    return Cell(program, None, reason=DIED)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lab.form_coverage.operation_table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = sorted({one.receiver for one in OPERATIONS if is_covered(one)})
    parser.add_argument("--only", nargs="+", choices=known, metavar="TYPE", help="types of receivers (default: all)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one of N operations (default: 1)")
    return parser


if __name__ == "__main__":
    main()
