"""Rows from JSON lines: one object per line, in UTF-8 with or without a byte order mark, with any line ending."""

from __future__ import annotations

import json
from typing import Any

from corpora.reading.streams import DECOMPRESSION_ERRORS, RowStream
from corpora.rows import BadRow, Row, Rows, one_line

MAX_ROW_BYTES = 16 << 20
_MARK = b"\xef\xbb\xbf"


def json_rows(stream: RowStream) -> Rows:
    """One row per line that is not blank. A line that is not a JSON object is a BadRow, and reading continues."""
    number = line_number = 0
    try:
        while line := stream.file.readline(MAX_ROW_BYTES + 1):
            line_number += 1
            where = f"{stream.name}:{line_number}"
            if len(line) > MAX_ROW_BYTES and not line.endswith(b"\n"):
                _skip_line(stream.file)
                number += 1
                yield BadRow(number, where, f"the row is longer than {MAX_ROW_BYTES} bytes")
            elif text := (line.removeprefix(_MARK) if line_number == 1 else line).strip():
                number += 1
                yield _json_row(number, where, text)
    except DECOMPRESSION_ERRORS as error:
        if number == 0:
            raise
        where = f"{stream.name}:{line_number + 1}"
        yield BadRow(number + 1, where, f"the rest of the file cannot be read: {one_line(error)}")


def _skip_line(file: Any) -> None:
    while (more := file.readline(MAX_ROW_BYTES)) and not more.endswith(b"\n"):
        continue


def _json_row(number: int, where: str, line: bytes) -> Row | BadRow:
    try:
        fields = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return BadRow(number, where, f"not UTF-8: {error.reason} at byte {error.start}")
    except (ValueError, RecursionError) as error:
        return BadRow(number, where, f"not JSON: {one_line(error)}")
    if not isinstance(fields, dict):
        return BadRow(number, where, f"not a JSON object but {type(fields).__name__}")
    return Row(number, where, fields)
