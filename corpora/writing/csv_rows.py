"""Rows as CSV or TSV with a header, in UTF-8 without a byte order mark.

CSV has only text. A number, a list or an object is written as JSON; None and a field that a row lacks are empty cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from corpora.errors import InputError
from corpora.writing.json_lines import as_json
from corpora.writing.spool import Spool
from corpora.writing.targets import Target

_MARK = "\ufeff"


@contextmanager
def csv_writer(target: Target) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Takes rows, and writes them at the end of the block, when all columns are known."""
    with Spool(target.folder) as spool:
        yield spool.add
        if not spool.size:
            return
        _check_header(list(spool.columns), target)
        delimiter = "\t" if target.form == "TSV" else ","
        if next(iter(spool.columns)).startswith(_MARK):
            target.file.write(_MARK.encode())  # the reader drops the first one
        target.file.write(_line([_encodable(name, "the header", target) for name in spool.columns], delimiter))
        for number, row in enumerate(spool.rows(), 1):
            cells = [_cell(row.get(name), f"row {number}, field {name!r}", target) for name in spool.columns]
            target.file.write(_line(cells, delimiter))


def _check_header(columns: list[str], target: Target) -> None:
    if not all(columns):
        raise InputError(f"{target.form} needs a name for every field, and a row has one without", where=target.name)
    if not columns:
        raise InputError(f"{target.form} cannot hold rows without fields", where=target.name)


def _line(cells: list[str], delimiter: str) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=delimiter).writerow(cells)
    return line.getvalue().encode()


def _cell(value: object, where: str, target: Target) -> str:
    if value is None:
        return ""
    return _encodable(value if isinstance(value, str) else as_json(value, target.name), where, target)


def _encodable(text: str, where: str, target: Target) -> str:
    """The text. Raises InputError for what UTF-8 or a text file cannot hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        reason = "a lone surrogate"
    else:
        if "\x00" not in text:
            return text
        reason = "a NUL character"
    raise InputError(
        f"{where} has {reason}, which {target.form} cannot hold: write .jsonl or .parquet", where=target.name
    )
