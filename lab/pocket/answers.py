"""The records of several runs without programs and outputs: what tables are made from, small enough to publish.

The file has one JSON object per line, gzipped: a record (docs/records.md) and the name of its `population`. A program
is replaced by its digest.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from corpora.atomic_files import replacing_path
from corpora.errors import InputError
from corpora.rows import one_line
from runner.records.samples import Sample, sample_from_record

FILE = "answers.jsonl.gz"
POPULATION = "population"


def write_answers(runs: Mapping[str, Sequence[Sample]], path: Path) -> None:
    """Writes the records of each population. The same records give the same file."""
    text = "".join(f"{line}\n" for line in _lines(runs))
    with replacing_path(path) as part:
        Path(part).write_bytes(gzip.compress(text.encode(), mtime=0))


def read_answers(path: Path) -> dict[str, list[Sample]]:
    """The records of each population.

    Raises:
        InputError: the file cannot be read, or was not written by `write_answers`.
    """
    runs: dict[str, list[Sample]] = defaultdict(list)
    try:
        for line in gzip.decompress(path.read_bytes()).splitlines():
            record = dict(json.loads(line))
            runs[record.pop(POPULATION)].append(sample_from_record(record))
    except (OSError, EOFError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise InputError(f"not a file of answers ({one_line(error)})", where=str(path)) from None
    return dict(runs)


def _lines(runs: Mapping[str, Sequence[Sample]]) -> Iterator[str]:
    for population, samples in runs.items():
        for sample in samples:
            yield json.dumps({POPULATION: population, **asdict(_without_texts(sample))})


def _without_texts(sample: Sample) -> Sample:
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
