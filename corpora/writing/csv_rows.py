"""Writes rows as CSV or TSV with a header, in UTF-8 without a byte order mark.

CSV contains only strings. A number, a list or an object is written as JSON; None and missing fields are empty cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from corpora.errors import InputError
from corpora.writing.json_lines import as_json
from corpora.writing.spool import RowSpool
from corpora.writing.targets import OutputTarget

_MARK = "\ufeff"


@contextmanager
def csv_writer(target: OutputTarget) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Collects rows, and writes them at the end of the block, when all columns are known."""
    with RowSpool(target.folder) as spool:
        yield spool.add
        if not spool.size:
            return
        _check_header(list(spool.columns), target)
        delimiter = "\t" if target.format == "TSV" else ","
        if next(iter(spool.columns)).startswith(_MARK):
            target.file.write(_MARK.encode())  # the reader removes the first one
        target.file.write(_line([_encodable(name, "the header", target) for name in spool.columns], delimiter))
        for number, row in enumerate(spool.rows(), 1):
            cells = [_cell(row.get(name), f"row {number}, field {name!r}", target) for name in spool.columns]
            target.file.write(_line(cells, delimiter))


def _check_header(columns: list[str], target: OutputTarget) -> None:
    if not all(columns):
        reason = f"{target.format} needs a name for every field, but a row has a field without a name"
        raise InputError(reason, where=target.name)
    if not columns:
        raise InputError(f"{target.format} cannot represent rows without fields", where=target.name)


def _line(cells: list[str], delimiter: str) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=delimiter).writerow(cells)
    return line.getvalue().encode()


def _cell(value: object, where: str, target: OutputTarget) -> str:
    if value is None:
        return ""
    return _encodable(value if isinstance(value, str) else as_json(value, target.name), where, target)


def _encodable(text: str, where: str, target: OutputTarget) -> str:
    """The string itself. Raises InputError if UTF-8 or a text file cannot represent it."""
    try:
        text.encode()
    except UnicodeEncodeError:
        reason = "a lone surrogate"
    else:
        if "\x00" not in text:
            return text
        reason = "a NUL character"
    raise InputError(
        f"{where} has {reason}, which {target.format} cannot represent: write .jsonl or .parquet", where=target.name
    )
