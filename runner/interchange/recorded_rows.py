"""Recorded outputs as rows with their programs, for commands that diagnose each output alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from corpora import BadRow, Case, Row
from corpora.errors import InputError
from corpora.outputs import plain
from corpora.outputs.format import program_of
from corpora.outputs.inspect_ai import SUFFIX
from corpora.outputs.matching import CaseIndex
from corpora.outputs.reading import RecordedOutputs, read_outputs

_DOCUMENTS = (SUFFIX, ".json")
"""Files that are no data sets of rows: what is wrong with one is said by the reader of logs."""


def read_harness_file(path: Path) -> RecordedOutputs | None:
    """Reads a file that an evaluation harness wrote; returns None for any other data set.

    Raises:
        InputError: The file is a log or a JSON document that cannot be read.
    """
    if not path.is_file():
        return None
    try:
        outputs = read_outputs(path)
    except InputError:
        if path.suffix in _DOCUMENTS:
            raise
        return None
    return None if outputs.format == plain.FORMAT.name else outputs


def rows_with_programs(rows: Iterable[Row | BadRow], cases: Iterable[Case]) -> Iterator[Row | BadRow]:
    """Yields the rows, each with a program and a call; a BadRow with the reason if no case fits one.

    Args:
        rows: Rows with an output. Those that have a program and a call keep them.
        cases: What the other rows may be about.
    """
    index = CaseIndex(cases)
    for row in rows:
        if isinstance(row, BadRow) or program_of(row.fields):
            yield row
            continue
        case = index.case_of(row)
        if isinstance(case, BadRow):
            yield case
            continue
        found = {"source": case.source, "call": case.call, "benchmark": case.benchmark, "expected": case.expected}
        yield Row(row.number, row.where, {"id": case.id, **row.fields, **found})
