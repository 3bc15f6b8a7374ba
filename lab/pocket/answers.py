"""The records of several runs without programs and outputs: what tables are made from, small enough to publish.

The file has one JSON object per line, gzipped: a record (docs/records.md) and the name of its `population`. A program
is replaced by its digest.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

from corpora import BadRow, Row, read_rows
from corpora.errors import InputError
from corpora.rows import one_line
from corpora.writing.files import write_rows
from runner.records.samples import Sample, sample_from_record

FILE = "answers.jsonl.gz"
POPULATION = "population"
T = TypeVar("T")


def write_answers(runs: Mapping[str, Sequence[Sample]], path: Path) -> None:
    """Writes the records of each population. The same records give the same file."""
    write_rows(_records(runs), path)


def read_answers(path: Path) -> dict[str, list[Sample]]:
    """The records of each population.

    Raises:
        InputError: the file cannot be read, or was not written by `write_answers`.
    """
    runs: dict[str, list[Sample]] = defaultdict(list)
    for population, sample in read_published(path, "answers", _answer):
        runs[population].append(sample)
    return dict(runs)


def read_published(path: Path, kind: str, convert: Callable[[dict[str, Any]], T]) -> list[T]:
    """What `convert` makes of each record of a published file.

    Raises:
        InputError: the file cannot be read, or `convert` does not know a record; `kind` says what it should have.
    """
    try:
        return [convert(_fields(row)) for row in read_rows(path)]
    except (InputError, ValueError, LookupError, TypeError) as error:
        raise InputError(f"not a file of {kind} ({one_line(error)})", where=str(path)) from None


def _fields(row: Row | BadRow) -> dict[str, Any]:
    if isinstance(row, BadRow):
        raise InputError(row.reason, where=row.where)
    return dict(row.fields)


def _answer(record: dict[str, Any]) -> tuple[str, Sample]:
    population = str(record.pop(POPULATION))
    return population, sample_from_record(record)


def _records(runs: Mapping[str, Sequence[Sample]]) -> Iterator[dict[str, object]]:
    for population, samples in runs.items():
        yield from ({POPULATION: population, **asdict(_without_texts(sample))} for sample in samples)


def _without_texts(sample: Sample) -> Sample:
    if not sample.call:  # it was read from such a file: its program is a digest
        return sample
    rewrite = sample.rewrite and replace(sample.rewrite, left=(), assumes=())
    return replace(
        sample,
        source=hashlib.sha256(sample.source.encode()).hexdigest()[:16],
        call="",
        expected=None,
        reference="",
        predicted=None,
        answer_block=None,
        prompt="",
        output="",
        diagnosis=None,
        action=None,
        rewrite=rewrite,
    )
