"""Detects the format of a file with recorded outputs, and reads its outputs as rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from corpora.errors import InputError
from corpora.outputs import (
    coconut,
    codemind,
    cruxeval,
    evalplus,
    every_eval_ever,
    inspect_ai,
    lm_eval,
    plain,
    re2_bench,
    state_lens,
    zero_eval,
)
from corpora.outputs.format import Format, UnusableRecordError
from corpora.outputs.output_records import records
from corpora.rows import BadRow, Row, Rows

FORMATS: tuple[Format, ...] = (
    inspect_ai.FORMAT,
    lm_eval.FORMAT,
    zero_eval.FORMAT,
    every_eval_ever.FORMAT,
    evalplus.FORMAT,
    cruxeval.FORMAT,
    re2_bench.FORMAT,
    codemind.FORMAT,
    coconut.FORMAT,
    state_lens.FORMAT,
    plain.FORMAT,
)
"""The first that claims a file's first readable record reads the file."""


@dataclass(frozen=True)
class RecordedOutputs:
    """The outputs of a file.

    Attributes:
        format: name of the harness.
        rows: a row for each output, with the fields of `corpora.outputs`; a BadRow for a record without one.
    """

    format: str
    rows: Rows


def read_outputs(path: str | Path) -> RecordedOutputs:
    """The recorded outputs of a file, whichever harness wrote it.

    Args:
        path: JSON lines, CSV or Parquet (also compressed), a JSON document, or an inspect_ai log.

    Raises:
        InputError: the file cannot be read, or has no record of a known format.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError("no such file", where=str(path))
    found = iter(records(path))
    skipped: list[Row | BadRow] = []
    for record in found:
        skipped.append(record)
        for known in FORMATS:
            if isinstance(record, Row) and known.claims(record.fields):
                return RecordedOutputs(known.name, _outputs(chain(skipped, found), known))
    raise InputError(_unknown(skipped), where=str(path))


def _unknown(seen: list[Row | BadRow]) -> str:
    first = next((record for record in seen if isinstance(record, Row)), None)
    if first is None:
        return f"no record can be read ({seen[0].reason})" if seen and isinstance(seen[0], BadRow) else "is empty"
    formats = ", ".join(known.name for known in FORMATS)
    return (
        f"has no recorded outputs: its first record has {', '.join(first.fields) or 'no fields'} (formats: {formats})"
    )


def _outputs(found: Iterator[Row | BadRow], known: Format) -> Iterator[Row | BadRow]:
    for record in found:
        if isinstance(record, BadRow):
            yield record
            continue
        if not known.claims(record.fields):
            yield BadRow(record.number, record.where, f"is no record of {known.name}, unlike the first")
            continue
        try:
            for fields in known.read(record.fields):
                yield Row(record.number, record.where, fields)
        except UnusableRecordError as error:
            yield BadRow(record.number, record.where, str(error))
