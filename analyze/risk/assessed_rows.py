"""Assesses the rows of a data set one by one.

`analyze.risk.assessment_folder` writes them to a folder, on all cores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from analyze.risk.assessment import Assessment, assess
from analyze.risk.panel import Panel
from analyze.risk.program_map import ReliabilityMap
from analyze.tokens.tokenizer import Tokenizer
from corpora.dataset import BadRow, Row, case_from_row, read_rows
from corpora.execute import SECONDS
from corpora.failures import contain_row
from corpora.program import Case


def assess_rows(
    rows: str | Path | Iterable[object],
    *,
    mapping: Mapping[str, str] | None = None,
    tokenizer: Tokenizer | None = None,
    seconds: float = SECONDS,
    risk_map: ReliabilityMap | None = None,
    panel: Panel | None = None,
) -> Iterator[tuple[Row, Assessment] | BadRow]:
    r"""Yields each row of a data set with its assessment, in order; a BadRow with the reason for a row that has none.

    Args:
        rows: Anything that `corpora.read_rows` takes: a path, a benchmark's name, a list of dicts, a data frame.
        mapping: Field to column, such as {"code": "solution"} (default: no field is renamed).
        tokenizer: The model's tokenizer (default: Llama-3's).
        seconds: Time limit of a run.
        risk_map: The map of another model than the 32B CWM (default: that of CWM).
        panel: Results of other models on these programs, by id (default: none).

    Raises:
        InputError: If the data set as a whole cannot be read, or no program can be run.

    Example:
        >>> rows = [{"code": "def f(x):\n    return x", "input": "1"}, {"code": "def f(x):", "input": "1"}]
        >>> for found in assess_rows(rows):
        ...     print(found.reason if isinstance(found, BadRow) else found[1].basis)
        trace
        the program does not parse: expected an indented block after function definition on line 1 (line 1)
    """
    others = other_models(panel, risk_map)
    for row in read_rows(rows, mapping):
        case = case_from_row(row) if isinstance(row, Row) else row
        found = case if isinstance(case, BadRow) else assess_case(row, case, tokenizer, seconds, risk_map, others)
        if isinstance(found, BadRow):
            yield found
        elif isinstance(row, Row):
            yield row, found


def other_models(panel: Panel | None, risk_map: ReliabilityMap | None) -> Panel | None:
    """Returns the panel without the runs of the models that the map was fitted to."""
    return panel.without(risk_map.models) if panel and risk_map else panel


def assess_case(
    row: Row | BadRow,
    case: Case,
    tokenizer: Tokenizer | None = None,
    seconds: float = SECONDS,
    risk_map: ReliabilityMap | None = None,
    panel: Panel | None = None,
) -> Assessment | BadRow:
    """Returns the assessment of a row's case; a BadRow if it fails, or if the panel is about another program.

    Raises:
        UnavailableError: If no program can be run.
    """
    difficulty = panel.difficulty.get(case.id) if panel else None
    work = partial(assess, case.source, case.call, tokenizer, grading=case.grading, seconds=seconds)
    found = contain_row(lambda: work(risk_map=risk_map, difficulty=difficulty), row)
    if isinstance(found, BadRow):
        return found
    if panel and found.risk is not None and panel.contradicts(case.id, found.trace.outcome.value):
        reason = f"the panel's right answer to {case.id} is not its result: another version of the benchmark?"
        return BadRow(row.number, row.where, reason)
    return found
