"""Plans for the rows of a data set, each with its own calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from analyze.tokens.tokenizer import Tokenizer
from corpora.dataset import BadRow, Row, case_from_row, missing_field_reason, read_rows
from corpora.failures import contain_row
from corpora.row_programs import CALL_FIELDS, PROGRAM_FIELDS, calls_of, program_field
from rewrite.cost.budget import BUDGET
from rewrite.planner.plan import DEFAULT_EXAMPLES, Plan
from rewrite.planner.planning import plan_rewrite

Planner = Callable[[str, Sequence[str], str | Sequence[int] | None], Plan]
"""Plans a program with its calls; after a failure also with the model's output for the first call, if it is known."""


def plan_rows(
    rows: str | Path | Iterable[object],
    *,
    mapping: Mapping[str, str] | None = None,
    budget: int = BUDGET,
    tokenizer: Tokenizer | None = None,
    examples: int = DEFAULT_EXAMPLES,
    failed: bool = False,
) -> Iterator[tuple[Row, Plan] | BadRow]:
    r"""Plan each row of a data set: the row with its plan, in order, or a BadRow with the reason.

    Args:
        rows: as `corpora.read_rows` takes them. Calls are in `calls` (a list), `call` or CruxEval's `input`.
        mapping: field to column, such as {"code": "solution"} (default: no field is renamed).
        budget: tokens that the longest trace may have (default: 8,192).
        tokenizer: the model's (default: Llama-3's).
        examples: generated inputs on which a plan is compared with its program (default: 30).
        failed: whether the model got the programs wrong (default: it is not known). A row's `output` is the model's for
            its first call; a program whose output is right stays unchanged.

    Raises:
        InputError: the data set as a whole cannot be read.

    Example:
        >>> rows = [{"code": "def f(x):\n    return x", "input": "1"}, {"code": "x = 1"}]
        >>> for found in plan_rows(rows):
        ...     print(found.reason if isinstance(found, BadRow) else found[1].tokens)
        72
        no field 'calls' or 'call' or 'input'; it has code
    """

    def planner(source: str, calls: Sequence[str], output: str | Sequence[int] | None) -> Plan:
        return plan_rewrite(
            source, calls, budget=budget, tokenizer=tokenizer, examples=examples, failed=failed, output=output
        )

    for row in read_rows(rows, mapping):
        plan = plan_row(row, planner, failed=failed)
        if isinstance(plan, BadRow):
            yield plan
        elif isinstance(row, Row):
            yield row, plan


def plan_row(row: Row | BadRow, planner: Planner, *, failed: bool = False) -> Plan | BadRow:
    """The plan for a row's program, or a BadRow with the reason. failed: whether to plan with the row's `output`."""
    if isinstance(row, BadRow):
        return row
    name, calls = program_field(row), calls_of(row)
    if name is None or not calls:
        return BadRow(
            row.number, row.where, missing_field_reason(row, *(PROGRAM_FIELDS if name is None else CALL_FIELDS))
        )
    source, output = str(row.fields[name]), row.fields.get("output")
    for call in calls:
        case = case_from_row(Row(row.number, row.where, {"source": source, "call": call}))
        if isinstance(case, BadRow):
            return case
    known = output if failed and isinstance(output, str | list) and output else None
    return contain_row(lambda: planner(source, calls, known), row)
