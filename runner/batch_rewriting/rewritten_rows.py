"""`spellout rewrite DATASET --output FILE`: rewrites the program of each row.

A row keeps all its fields. The program is replaced, `original` has the original program, and `rewrite` has the recipe,
the options, whether the program changed, the applied interventions, and the reasons for places left unchanged, or the
error. A row with calls (`calls`, `call` or CruxEval's `input`) is rewritten with them, and `rewrite` also has the
assumptions and the tokens of the longest trace before and after. Unreadable rows are reported and not written. A row
whose rewrite fails is reported and written unchanged, with the error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from corpora import BadRow, Row
from corpora.dataset import missing_field_reason
from corpora.errors import InputError
from corpora.failures import DIED, contain_row
from corpora.process_pool import map_over_cores
from corpora.row_programs import PROGRAM_FIELDS, calls_of, program_field
from corpora.rows import FailedRow
from corpora.writing.files import row_writer
from runner.batch_rewriting.plugins import load_plugins
from runner.batch_rewriting.process import shared_process
from runner.inputs.datasets import RowTally, data_rows
from runner.terminal.console import progress_bar, warn

OutputRow = tuple[dict[str, object] | None, BadRow | None]
"""The row to write, if any, and what to report about it, if anything."""


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
    plugins: Sequence[str] = (),
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
        plugins: values of `--plugin`.

    Raises:
        InputError: the file already exists or cannot be written, or too many rows are unreadable: no file is written.
            Or the rewrite of a row failed: the file is written.
    """
    if Path(out).is_file():
        raise InputError("already exists", where=f"--output {out}")
    with row_writer(out) as write:
        tally, rows = RowTally(name), data_rows(name, mapping)
        job = partial(_rewritten, recipe=recipe, options=options, evidence=evidence, seconds=seconds)
        start, lost = partial(load_plugins, plugins), partial(_lost, recipe=recipe, options=options)
        with progress_bar() as progress:
            task = progress.add_task("rows rewritten", total=None)
            for output, bad in map_over_cores(job, rows, ordered=True, start=start, on_death=lost):
                tally.add(bad)
                if bad is not None:
                    warn(f"{bad.where}: {bad.reason}")
                if output is not None:
                    write(output)
                progress.advance(task)
        tally.check_readable(max_bad)
    tally.check_failed(max_bad)


def _rewritten(
    row: Row | BadRow, recipe: str, options: Mapping[str, Any], evidence: Mapping[str, Any], seconds: float
) -> OutputRow:
    if isinstance(row, BadRow):
        return None, row
    name = program_field(row)
    if name is None:
        return None, BadRow(row.number, row.where, missing_field_reason(row, *PROGRAM_FIELDS))
    source = str(row.fields[name])
    how: dict[str, object] = {"recipe": recipe, "options": dict(options)}
    calls = calls_of(row) if evidence.get("unproven") in (None, "assume") else ()
    rewrite = partial(shared_process().rewrite, source, recipe, filename=row.where, calls=calls, options=options)
    result = contain_row(lambda: rewrite(seconds=seconds, **evidence), row)
    if isinstance(result, FailedRow):
        return _failed(row, source, how, result), result
    how["changed"] = result.changed
    how["applied"] = [list(one) for one in result.applied]
    how["left"] = [list(one) for one in result.left]
    if calls:
        how["calls"] = list(calls)
        how["assumes"] = [one._asdict() for one in result.assumes]
        how["unobserved"] = [list(one) for one in result.unobserved]
        how["raised"] = [list(one) for one in result.raised]
        how["tokens"], how["original_tokens"] = result.tokens, result.original_tokens
    return {**row.fields, name: result.source, "original": source, "rewrite": how}, None


def _lost(row: Row | BadRow, _: object, recipe: str, options: Mapping[str, Any]) -> OutputRow:
    """The output of a row whose process died."""
    failed = FailedRow(row.number, row.where, DIED)
    name = program_field(row) if isinstance(row, Row) else None
    if not isinstance(row, Row) or name is None:
        return None, failed
    return _failed(row, str(row.fields[name]), {"recipe": recipe, "options": dict(options)}, failed), failed


def _failed(row: Row, source: str, how: Mapping[str, object], failed: FailedRow) -> dict[str, object]:
    """A row whose rewrite failed: the program stays."""
    error = f"{failed.where}: {failed.reason}"
    return {**row.fields, "original": source, "rewrite": {**how, "changed": False, "error": error}}
