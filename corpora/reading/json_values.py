"""What JSON lines and JSON documents have in common: how a JSON value becomes a row."""

from __future__ import annotations

import math
from collections.abc import Sequence

from corpora.rows import BadRow, Row

MAX_ROW_BYTES = 16 << 20


def unique_pairs(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    """The fields of a JSON object. Raises ValueError if a field occurs twice, since JSON does not say which counts."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} occurs twice")
    return fields


def number_or_text(text: str) -> float | str:
    """A number of a JSON text; the text itself if it is beyond all floats, since infinity cannot be written as JSON.

    >>> number_or_text("1e4"), number_or_text("1e400")
    (10000.0, '1e400')
    """
    value = float(text)
    return value if math.isfinite(value) else text


def row_from_value(number: int, where: str, value: object) -> Row | BadRow:
    """The row of a JSON value: an object is one."""
    if isinstance(value, dict):
        return Row(number, where, value)
    return BadRow(number, where, f"not a JSON object but {type(value).__name__}")
