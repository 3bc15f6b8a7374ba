"""Diagnoses of recorded outputs, a row each: a program, a call and what a model wrote.

`output` is the model's, as text or as ids of Llama-3's tokens; what the row expects is `expected`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from analyze.diagnosis.divergence import Diagnosis, diagnose
from analyze.gold_trace.trace import Trace, trace_call
from corpora.dataset import BadRow, Row, case_from_row, missing_field_reason, read_rows
from corpora.deadline import OutOfTimeError
from corpora.errors import InputError
from corpora.nondeterminism import dependences
from corpora.program import Case

BUDGET = 8192
OUTPUT = "output"


def diagnose_rows(
    rows: str | Path | Iterable[object], *, mapping: Mapping[str, str] | None = None, budget: int | None = None
) -> Iterator[tuple[Row, Diagnosis] | BadRow]:
    r"""Each row of a data set with the diagnosis of its output, in order; a BadRow with the reason where there is none.

    Args:
        rows: as `corpora.read_rows` takes them, with `code`, `call` (or `input`) and `output`; also a run's
            `samples.jsonl`, of which a record that was not asked is a BadRow.
        mapping: field to column; {"output": "completion"} reads the model's output from there (default: none).
        budget: tokens that an output could have (default: the row's `max_tokens`, or else 8,192).

    Raises:
        InputError: the data set as a whole cannot be read, or no program can be run.

    Example:
        >>> rows = [{"code": "def f(x):\n    return x", "input": "1", "output": "nothing"}]
        >>> [diagnosis.kind for row, diagnosis in diagnose_rows(rows)]
        ['format']
    """
    columns = dict(mapping or {})
    column = columns.pop(OUTPUT, OUTPUT)
    for row in read_rows(rows, columns):
        case = diagnosable_case(row, column)
        found = case if isinstance(case, BadRow) else diagnose_case(row, case, column, budget)
        if isinstance(found, BadRow):
            yield found
        elif isinstance(row, Row):
            yield row, found[1]


def diagnosable_case(row: Row | BadRow, column: str = OUTPUT) -> Case | BadRow:
    """The case of a row whose output in `column` can be diagnosed; why not, otherwise."""
    if isinstance(row, BadRow):
        return row
    if row.fields.get("verdict") == "not asked":
        return BadRow(row.number, row.where, "has no output: it was not asked")
    if not _is_output(row.fields.get(column)):
        return BadRow(row.number, row.where, f"has no output: {missing_field_reason(row, column)}")
    return case_from_row(_without_output(row, column))


def diagnose_case(
    row: Row | BadRow, case: Case, column: str = OUTPUT, budget: int | None = None
) -> tuple[Trace, Diagnosis] | BadRow:
    """The reference trace of a row that is this case, and the diagnosis of its output.

    Raises InputError where no program can be run at all.
    """
    fields = row.fields if isinstance(row, Row) else {}
    try:
        unsteady = dependences(case.source, case.call)
        if unsteady:
            reason = f"there is no one true trace: depends on {' and '.join(unsteady)}"
            return BadRow(row.number, row.where, reason)
        trace = trace_call(case.source, case.call, case.grading)
        if not trace.frames:
            return BadRow(row.number, row.where, f"no true trace: {trace.outcome.detail or trace.outcome.status}")
        limit = fields.get("max_tokens")
        allowed = budget or (limit if isinstance(limit, int) and limit > 0 else BUDGET)
        return trace, diagnose(trace, fields[column], budget=allowed)  # type: ignore[arg-type]
    except OutOfTimeError as error:
        return BadRow(row.number, row.where, f"not diagnosed: {error.message}")
    except InputError:
        raise
    except KeyError as error:
        return BadRow(row.number, row.where, f"its output has an id of no token: {error}")
    except Exception as error:  # noqa: BLE001 - one row must not cost the others
        return BadRow(row.number, row.where, f"the diagnosis broke: {type(error).__name__}: {error}")


def _is_output(output: object) -> bool:
    """Text, or the ids of Llama-3's tokens."""
    return isinstance(output, str) or (isinstance(output, list) and all(type(token) is int for token in output))


def _without_output(row: Row, column: str) -> Row:
    """The row without the model's output; a column `output` that is not the model's is what the row expects."""
    fields = {name: value for name, value in row.fields.items() if name != column}
    if column == OUTPUT or fields.get("expected") is not None:
        fields.pop(OUTPUT, None)
    return Row(row.number, row.where, fields)
