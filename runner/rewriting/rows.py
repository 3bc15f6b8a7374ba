"""`spellout rewrite DATASET --output FILE`: rewrites the program of each row.

A row keeps all its fields. The program is replaced, `original` has the original program, and `rewrite` has the recipe,
the options, whether the program changed, the applied interventions, and the reasons for places left unchanged, or the
error. A row with calls (`calls`, `call` or CruxEval's `input`) is rewritten with them, and `rewrite` also has the
assumptions and the tokens of the longest trace before and after. Unreadable rows are reported and not written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from corpora import BadRow, Row
from corpora.cores import usable_cores
from corpora.dataset import missing_field_reason
from corpora.errors import InputError
from corpora.row_programs import PROGRAM_FIELDS, calls_of, program_field
from corpora.writing.files import row_writer
from runner.inputs.datasets import RowTally, data_rows
from runner.rewriting.processes import RewriteProcesses
from runner.terminal.console import error_console, progress_bar, warn

OutputRow = dict[str, object] | BadRow
T = TypeVar("T")


def rewrite_rows(
    name: str,
    out: str,
    recipe: str,
    options: Mapping[str, Any],
    evidence: Mapping[str, Any],
    *,
    mapping: list[str],
    max_bad: int | None,
    seconds: float,
) -> None:
    """Rewrites the rows of a data set into a new file, in the format of its extension.

    Args:
        name: the data set.
        out: the file to write.
        recipe: name of the recipe.
        options: options of the rewrite by name.
        evidence: the arguments `unproven` and `cost` of the rewrite.
        mapping: values of `--column`.
        max_bad: value of `--max-bad`.
        seconds: time limit per program.

    Raises:
        InputError: the file already exists or cannot be written, or too many rows are unreadable. No file is written.
    """
    if Path(out).is_file():
        raise InputError("already exists", where=f"--output {out}")
    with row_writer(out) as write:
        tally, rows = RowTally(name), data_rows(name, mapping)
        with progress_bar() as progress:
            task = progress.add_task("rows rewritten", total=None)
            for output in _rewritten_rows(rows, recipe, options, evidence, seconds):
                tally.add(output if isinstance(output, BadRow) else None)
                if isinstance(output, BadRow):
                    warn(error_console(), f"{output.where}: {output.reason}")
                else:
                    write(output)
                progress.advance(task)
        tally.check(max_bad)


def _rewritten_rows(
    rows: Iterator[Row | BadRow], recipe: str, options: Mapping[str, Any], evidence: Mapping[str, Any], seconds: float
) -> Iterator[OutputRow]:
    with RewriteProcesses(len(usable_cores()), seconds=seconds) as rewriters:
        yield from in_order(lambda row: _rewritten(row, rewriters, recipe, options, evidence), rows)


def in_order(do: Callable[[Row | BadRow], T], rows: Iterator[Row | BadRow]) -> Iterator[T]:
    """Maps `do` over the rows with one thread per CPU core, in order, reading only a few rows ahead."""
    count = len(usable_cores())
    with ThreadPoolExecutor(count) as pool:
        running: deque[Future[T]] = deque()
        try:
            for row in rows:
                if len(running) == 2 * count:
                    yield running.popleft().result()
                running.append(pool.submit(do, row))
            while running:
                yield running.popleft().result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _rewritten(
    row: Row | BadRow, rewriters: RewriteProcesses, recipe: str, options: Mapping[str, Any], evidence: Mapping[str, Any]
) -> OutputRow:
    if isinstance(row, BadRow):
        return row
    name = program_field(row)
    if name is None:
        return BadRow(row.number, row.where, missing_field_reason(row, *PROGRAM_FIELDS))
    source = str(row.fields[name])
    how: dict[str, object] = {"recipe": recipe, "options": dict(options)}
    calls = calls_of(row) if evidence.get("unproven") in (None, "assume") else ()
    try:
        result = rewriters.rewrite(source, recipe, filename=row.where, calls=calls, options=options, **evidence)
    except InputError as error:
        return {**row.fields, "original": source, "rewrite": {**how, "changed": False, "error": str(error)}}
    how["changed"] = result.changed
    how["applied"] = [list(one) for one in result.applied]
    how["left"] = [list(one) for one in result.left]
    if calls:
        how["calls"] = list(calls)
        how["assumes"] = [one._asdict() for one in result.assumes]
        how["unobserved"] = [list(one) for one in result.unobserved]
        how["tokens"], how["original_tokens"] = result.tokens, result.original_tokens
    return {**row.fields, name: result.source, "original": source, "rewrite": how}
