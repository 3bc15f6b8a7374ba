"""Rows from JSON: one object per line, in UTF-8 with or without a byte order mark, with any line ending.

A file whose first line begins a JSON document is read by `corpora.reading.json_documents`.
"""

from __future__ import annotations

import json
from typing import Any

from corpora.reading.json_documents import begins_document, document_rows, is_damaged_row
from corpora.reading.json_values import MAX_ROW_BYTES, number_or_text, row_from_value, unique_pairs
from corpora.reading.streams import DECOMPRESSION_ERRORS, RowStream
from corpora.rows import BadRow, Row, Rows, one_line

_MARK = b"\xef\xbb\xbf"


def json_rows(stream: RowStream) -> Rows:
    """One row per line that is not blank, or per object of a document.

    What is not a JSON object is a BadRow, and reading continues.
    """
    number = 0
    where = stream.name
    try:
        for row in _rows(stream):
            number, where = row.number, row.where
            yield row
    except DECOMPRESSION_ERRORS as error:
        if number == 0:
            raise
        yield BadRow(number + 1, where, f"after this, the rest of the file cannot be read: {one_line(error)}")


def _rows(stream: RowStream) -> Rows:
    number = line_number = 0
    before = following = b""
    while line := following or stream.file.readline(MAX_ROW_BYTES + 1):
        following = b""
        line_number += 1
        where = f"{stream.name}:{line_number}"
        text = (line.removeprefix(_MARK) if line_number == 1 else line).strip()
        if number == 0 and text and begins_document(text, is_named_lines=stream.format == "JSON lines"):
            following = stream.file.readline(MAX_ROW_BYTES + 1)
            if not is_damaged_row(text, following):
                yield from document_rows(before + line + following, stream.file, stream.name)
                return
        if len(line) > MAX_ROW_BYTES and not line.endswith(b"\n"):
            _skip_line(stream.file)
            number += 1
            yield BadRow(number, where, f"the row is longer than {MAX_ROW_BYTES} bytes")
        elif text:
            number += 1
            yield _json_row(number, where, text)
        elif number == 0:
            before += line


def _skip_line(file: Any) -> None:
    while (more := file.readline(MAX_ROW_BYTES)) and not more.endswith(b"\n"):
        continue


def _json_row(number: int, where: str, line: bytes) -> Row | BadRow:
    if b"\0" in line:
        return BadRow(number, where, "contains null bytes: it was not written completely")
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=unique_pairs, parse_float=number_or_text)
    except UnicodeDecodeError as error:
        return BadRow(number, where, f"not UTF-8: {error.reason} at byte {error.start}")
    except (ValueError, RecursionError) as error:
        return BadRow(number, where, f"not JSON: {one_line(error)}")
    return row_from_value(number, where, value)
