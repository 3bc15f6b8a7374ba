"""`spellout rewrite DATASET --output FILE`: rows in, rows out, the program of each rewritten.

A row keeps all its fields; its program becomes the rewritten one, `original` holds what it was, and `rewrite` how it
came about: recipe, options, whether it changed, what was applied and what was left, or why nothing was done. A row with
calls of its own (`calls`, `call` or CruxEval's `input`) is rewritten with them: `rewrite` then says what was assumed,
and the tokens of the longest trace before and after. A row that cannot be read is named and counted, and not written.
The rewriting is `runner.rewriting.processes`.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from corpora import BadRow, Row
from corpora.dataset import lacking
from corpora.errors import InputError
from corpora.row_programs import PROGRAM, calls_of, program_field
from corpora.writing.files import row_writer
from runner.inputs.datasets import Tally, data_rows
from runner.rewriting.processes import Rewriters
from runner.terminal.console import error_console, progress_bar, warn

Made = dict[str, object] | BadRow
T = TypeVar("T")


def rewrite_rows(
    name: str,
    out: str,
    recipe: str,
    options: Mapping[str, Any],
    telling: Mapping[str, Any],
    *,
    mapping: list[str],
    max_bad: int | None,
    seconds: float,
) -> None:
    """Write the rows of a data set, rewritten, to a new file in the format of its extension.

    Raises InputError for a file that exists already or cannot be written, and for rows that cannot be read; then the
    file is not written.
    """
    if Path(out).is_file():
        raise InputError("exists already; rows are written to a new file", where=f"--output {out}")
    with row_writer(out) as write:
        tally, rows = Tally(name), data_rows(name, mapping)
        with progress_bar() as progress:
            task = progress.add_task("rows rewritten", total=None)
            for made in _rewritten_rows(rows, recipe, options, telling, seconds):
                tally.add(made if isinstance(made, BadRow) else None)
                if isinstance(made, BadRow):
                    warn(error_console(), f"{made.where}: {made.reason}")
                else:
                    write(made)
                progress.advance(task)
        tally.check(max_bad)


def _rewritten_rows(
    rows: Iterator[Row | BadRow], recipe: str, options: Mapping[str, Any], telling: Mapping[str, Any], seconds: float
) -> Iterator[Made]:
    with Rewriters(os.cpu_count() or 1, seconds=seconds) as rewriters:
        yield from in_order(lambda row: _rewritten(row, rewriters, recipe, options, telling), rows)


def in_order(do: Callable[[Row | BadRow], T], rows: Iterator[Row | BadRow]) -> Iterator[T]:
    """What `do` makes of each row, in their order: a thread a core, and only a few rows read ahead."""
    count = os.cpu_count() or 1
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
    row: Row | BadRow, rewriters: Rewriters, recipe: str, options: Mapping[str, Any], telling: Mapping[str, Any]
) -> Made:
    if isinstance(row, BadRow):
        return row
    name = program_field(row)
    if name is None:
        return BadRow(row.number, row.where, lacking(row, *PROGRAM))
    source = str(row.fields[name])
    how: dict[str, object] = {"recipe": recipe, "options": dict(options)}
    calls = calls_of(row) if telling.get("unproven") in (None, "assume") else ()
    try:
        result = rewriters.rewrite(source, recipe, filename=row.where, calls=calls, options=options, **telling)
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
