"""Writes line tables of code objects, without columns, one entry per instruction.

The format is that of CPython 3.11 and later (Objects/locations.md in its source). `analyze.gold_trace.relocate` decides
on the lines. Imports the standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import opcode
from collections.abc import Sequence

CACHE = opcode.opmap["CACHE"]
_NO_LOCATION, _NO_COLUMNS = 15, 13


def line_table(units: bytes, lines: Sequence[int | None], first: int) -> bytes:
    """Encodes the lines of code units (None: no line); `first` is the first line of the code object."""
    table = bytearray()
    last = first
    start = 0
    while start < len(units):
        end = start + 1
        while end < len(units) and end - start < 8 and units[end] == CACHE:
            end += 1
        line = lines[start]
        kind = _NO_LOCATION if line is None else _NO_COLUMNS
        table.append(0x80 | kind << 3 | end - start - 1)
        if line is not None:
            table += _signed_varint(line - last)
            last = line
        start = end
    return bytes(table)


def _signed_varint(value: int) -> bytes:
    unsigned = -value << 1 | 1 if value < 0 else value << 1
    digits = bytearray()
    while unsigned >= 64:
        digits.append(0x40 | unsigned & 0x3F)
        unsigned >>= 6
    digits.append(unsigned)
    return bytes(digits)
