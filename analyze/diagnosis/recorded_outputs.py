"""Diagnoses recorded outputs of a data set: one row holds a program, a call and a model's output.

The field `output` is the model's output, as text or as ids of Llama-3's tokens. The field `expected` is the label. The
field `predicts` says that the output is executed lines or annotated states (`analyze.diagnosis.predicted_steps`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from analyze.diagnosis.divergence import Diagnosis, diagnose
from analyze.diagnosis.predicted_steps import diagnose_steps
from analyze.diagnosis.truncation import is_reference
from analyze.gold_trace.trace import Trace, trace_call
from corpora.dataset import BadRow, Row, case_from_row, missing_field_reason, read_rows
from corpora.deadline import OutOfTimeError
from corpora.failures import contain_row
from corpora.nondeterminism import dependences
from corpora.outputs.format import PREDICTS
from corpora.program import Case

BUDGET = 8192
OUTPUT = "output"


def diagnose_rows(
    rows: str | Path | Iterable[object], *, mapping: Mapping[str, str] | None = None, budget: int | None = None
) -> Iterator[tuple[Row, Diagnosis] | BadRow]:
    r"""Yields each row of a data set with the diagnosis of its output, in order; a BadRow if it has none.

    Args:
        rows: Anything that `corpora.read_rows` takes, with the fields `code`, `call` (or `input`) and `output`; also a
            run's `samples.jsonl`. A record whose verdict is "not asked" becomes a BadRow.
        mapping: Field to column; {"output": "completion"} reads the model's output from there (default: none).
        budget: Token budget of an output (default: the row's `max_tokens`, or else 8,192).

    Raises:
        InputError: If the data set as a whole cannot be read, or no program can be run.

    Example:
        >>> rows = [{"code": "def f(x):\n    return x", "input": "1", "output": "nothing"}]
        >>> [diagnosis.kind for row, diagnosis in diagnose_rows(rows)]
        ['no trace']
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
    """Returns the case of a row whose output in `column` can be diagnosed, or a BadRow with the reason."""
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
    """Returns the reference trace of a row's case and the diagnosis of the row's output, or a BadRow with the reason.

    Raises:
        UnavailableError: If no program can be run.
    """
    return contain_row(partial(_diagnosed, row, case, column, budget), row)


def _diagnosed(row: Row | BadRow, case: Case, column: str, budget: int | None) -> tuple[Trace, Diagnosis] | BadRow:
    fields = row.fields if isinstance(row, Row) else {}
    try:
        nondeterminism = dependences(case.source, case.call)
        if nondeterminism:
            reason = f"has no unique reference trace: it depends on {' and '.join(nondeterminism)}"
            return BadRow(row.number, row.where, reason)
        trace = trace_call(case.source, case.call, case.grading)
        limit = fields.get("max_tokens")
        allowed = budget or (limit if isinstance(limit, int) and limit > 0 else BUDGET)
        if fields.get(PREDICTS) is not None:
            return trace, diagnose_steps(trace, fields[column], fields[PREDICTS])
        found = diagnose(trace, fields[column], budget=allowed)  # type: ignore[arg-type]
        return (trace, found) if is_reference(trace, found) else BadRow(row.number, row.where, trace.missing_reason)
    except OutOfTimeError as error:
        return BadRow(row.number, row.where, f"not diagnosed: {error.message}")
    except KeyError as error:
        return BadRow(row.number, row.where, f"its output has an unknown token id: {error}")


def _is_output(output: object) -> bool:
    """Whether the value is text or a list of token ids."""
    return isinstance(output, str) or (isinstance(output, list) and all(type(token) is int for token in output))


def _without_output(row: Row, column: str) -> Row:
    """Returns the row without the model's output; a column `output` that is not the model's is the label."""
    fields = {name: value for name, value in row.fields.items() if name != column}
    if column == OUTPUT or fields.get("expected") is not None:
        fields.pop(OUTPUT, None)
    return Row(row.number, row.where, fields)
