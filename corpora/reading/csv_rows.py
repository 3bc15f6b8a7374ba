"""Rows from CSV and TSV with a header, in UTF-8 with or without a byte order mark. Every field is a string.

An empty cell is the empty string; it is never treated as a missing value.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

from corpora.errors import InputError
from corpora.reading.json_values import MAX_ROW_BYTES
from corpora.reading.streams import DECOMPRESSION_ERRORS, RowStream
from corpora.rows import BadRow, Row, Rows, one_line


def csv_rows(stream: RowStream) -> Rows:
    """One row per record. Raises InputError if a column of the header has no name or occurs twice."""
    csv.field_size_limit(MAX_ROW_BYTES)
    text = io.TextIOWrapper(stream.file, encoding="utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter="\t" if stream.format == "TSV" else ",", strict=True)
    number = 0
    try:
        header = _header(reader, stream.name)
        while True:
            first = reader.line_num + 1
            where = f"{stream.name}:{first}"
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                number += 1
                yield BadRow(number, where, f"not {stream.format}: {one_line(error)}{_lines_lost(first, reader)}")
                continue
            if cells:
                number += 1
                yield _row(number, where, header, cells)
    except DECOMPRESSION_ERRORS as error:
        if number == 0:
            raise
        where = f"{stream.name}:{reader.line_num + 1}"
        yield BadRow(number + 1, where, f"the rest of the file cannot be read: {one_line(error)}")
    finally:
        text.detach()


def _lines_lost(first: int, reader: Any) -> str:
    """A remark about a quote that was not closed, which swallows the lines after it."""
    lines = reader.line_num - first + 1
    return f" (a quote in this row is not closed: {lines:,} lines are not read)" if lines > 1 else ""


def _header(reader: object, name: str) -> list[str]:
    try:
        header: list[str] = next(reader, [])  # type: ignore[call-overload]
    except csv.Error as error:
        raise InputError(f"the header cannot be read: {one_line(error)}", where=f"{name}:1") from error
    twice = [column for column, count in Counter(header).items() if count > 1]
    if not all(header):
        raise InputError("the header has a column without a name", where=f"{name}:1")
    if twice:
        raise InputError(f"the header names {twice[0]!r} twice", where=f"{name}:1")
    return header


def _row(number: int, where: str, header: list[str], cells: list[str]) -> Row | BadRow:
    if len(cells) != len(header):
        return BadRow(number, where, f"{len(cells)} cells under a header of {len(header)}")
    null = [column for column, cell in zip(header, cells, strict=True) if "\0" in cell]
    if null:
        return BadRow(number, where, f"contains null bytes: field {null[0]!r}")
    broken = [column for column, cell in zip(header, cells, strict=True) if not _decoded(cell)]
    if broken:
        return BadRow(number, where, f"not UTF-8: field {broken[0]!r}")
    return Row(number, where, dict(zip(header, cells, strict=True)))


def _decoded(cell: str) -> bool:
    return cell.isascii() or not any("\udc80" <= char <= "\udcff" for char in cell)
