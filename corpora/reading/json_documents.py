"""Rows from a JSON document: an array of objects, an array under one key, or objects that span several lines.

The document is read piece by piece, so that memory does not grow with it.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

from corpora.reading.json_values import MAX_ROW_BYTES, number_or_text, row_from_value, unique_pairs
from corpora.rows import BadRow, Rows, one_line

_CHUNK = 1 << 20
_SPACE = re.compile(r"[ \t\r\n]*")
_KEY_OF_ARRAY = re.compile(r'\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*[\{\]]')
_UNFINISHED_OBJECT = re.compile(rb'\{\s*("|$)')
_DECODER = json.JSONDecoder(object_pairs_hook=unique_pairs, parse_float=number_or_text)


def begins_document(line: bytes, *, is_named_lines: bool) -> bool:
    r"""Whether the first line of a file begins a document, not JSON lines.

    Args:
        line: The line.
        is_named_lines: Whether the name of the file says JSON lines. An object on one line is a row then, even if it
            has nothing but an array of objects.

    >>> lines = b'[{"code":', b'[{"a": 1}]', b'{"data": [{}]}', b'{', b'{"a": 1}', b'[1]'
    >>> [begins_document(line, is_named_lines=False) for line in lines]
    [True, True, True, True, False, False]
    """
    try:
        value = json.loads(line)
    except UnicodeDecodeError:
        return line.startswith(b"[")
    except (ValueError, RecursionError) as error:
        if line.startswith(b"["):
            return b"{" in line or not line[1:].strip()
        unfinished = isinstance(error, json.JSONDecodeError) and error.pos >= len(error.doc.rstrip())
        return unfinished and _UNFINISHED_OBJECT.match(line) is not None
    return _has_only_objects(value) or (not is_named_lines and _array_under_one_key(value) is not None)


def is_damaged_row(line: bytes, following: bytes) -> bool:
    r"""Whether a first line that may begin a document is a row that was not written completely, of JSON lines.

    No document goes on with an object there.

    >>> [is_damaged_row(line, b'{"a": 2}') for line in (b'{"a": 1,', b'{"data": [', b"[")]
    [True, False, False]
    """
    if not line.startswith(b"{") or line.endswith(b":") or line.count(b"[") > line.count(b"]"):
        return False
    try:
        return isinstance(json.loads(following), dict)
    except (ValueError, RecursionError):
        return False


def _array_under_one_key(value: object) -> list[object] | None:
    """The array of objects in an object that has only this field; None for a row, whatever it holds."""
    if not isinstance(value, dict) or len(value) != 1:
        return None
    [inner] = value.values()
    return inner if inner and _has_only_objects(inner) else None


def _has_only_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def document_rows(begun: bytes, file: Any, name: str) -> Rows:
    """The rows of a document.

    Args:
        begun: What was read of it already.
        file: Its rest.
        name: For messages.
    """
    text = _DocumentText(begun, file)
    number = 0
    try:
        for line, column, value, is_utf8 in _values(text):
            number += 1
            where = f"{name}:{line}:{column}" if column else f"{name}:{line}"
            yield row_from_value(number, where, value) if is_utf8 else BadRow(number, where, "not UTF-8")
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else one_line(error)
        yield BadRow(number + 1, f"{name}:{text.line}", f"not JSON: {reason}; the rest of the file is not read")


_Value = tuple[int, int, object, bool]
"""Line of a value, its column or 0 if it is the first of its line, the value, and whether it is UTF-8."""


def _values(text: _DocumentText) -> Iterator[_Value]:
    while first := text.peek():
        if first == "[":
            text.skip()
            yield from _items(text)
        elif first == "{" and text.looks_at(_KEY_OF_ARRAY):
            text.skip_to("[")
            yield from _items(text)
            text.expect("}", "other fields follow the array, which are not read")
        else:
            line, column, value, is_utf8 = text.value()
            inner = _array_under_one_key(value)
            if inner is not None:
                yield from ((line, column, item, is_utf8) for item in inner)
            else:
                yield line, column, value, is_utf8


def _items(text: _DocumentText) -> Iterator[_Value]:
    """The items of an array whose `[` is read."""
    if text.peek() == "]":
        text.skip()
        return
    while True:
        yield text.value()
        if text.peek() == "]":
            text.skip()
            return
        text.expect(",", "Expecting ',' or ']'")


class _DocumentText:
    """The characters of a document, of which only a part is in memory.

    Attributes:
        line: The current line, from 1.
    """

    def __init__(self, begun: bytes, file: Any) -> None:
        self.line = 1
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape").decode
        self._text = self._decode(begun)
        self._at = 0
        self._line_start = 0
        self._last_line = 0
        self._is_at_end = False

    def peek(self) -> str:
        """The next character that is not white space; "" at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None
            self._advance(match.end())
            if self._at < len(self._text) or not self._read_more():
                return self._text[self._at : self._at + 1]

    def skip(self) -> None:
        """Skips a character."""
        self._advance(self._at + 1)

    def skip_to(self, character: str) -> None:
        """Skips everything up to a character, and the character."""
        self._advance(self._text.index(character, self._at) + 1)

    def looks_at(self, pattern: re.Pattern[str]) -> bool:
        """Whether the text goes on with a pattern."""
        if len(self._text) - self._at < _CHUNK // 16:
            self._read_more()
        return pattern.match(self._text, self._at) is not None

    def expect(self, character: str, otherwise: str) -> None:
        """Skips this character. Raises ValueError if another one comes next."""
        if self.peek() != character:
            raise ValueError(otherwise if self._text[self._at :] else "the document is incomplete")
        self.skip()

    def value(self) -> _Value:
        """Reads a value. Raises ValueError or RecursionError if there is none."""
        self.peek()
        line, column = self.line, self._at - self._line_start + 1
        place = line, column if line == self._last_line else 0
        self._last_line = line
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except ValueError:
                if self._at + MAX_ROW_BYTES < len(self._text) or not self._read_more():
                    raise
                continue
            if end < len(self._text) or not self._read_more():
                break
        written = self._text[self._at : end]
        self._advance(end)
        return *place, found, written.isascii() or not any("\udc80" <= char <= "\udcff" for char in written)

    def _advance(self, to: int) -> None:
        breaks = self._text.count("\n", self._at, to)
        if breaks:
            self.line += breaks
            self._line_start = self._text.rindex("\n", self._at, to) + 1
        self._at = to

    def _read_more(self) -> bool:
        """Reads on, twice as much as is in memory already; drops what was used. Returns whether there was more."""
        if self._is_at_end:
            return False
        self._text, self._line_start, self._at = self._text[self._at :], self._line_start - self._at, 0
        read = self._file.read1(max(_CHUNK, 2 * len(self._text)))  # what there is, of a compressed file too
        self._is_at_end = not read
        self._text += self._decode(read, final=not read)
        return True
