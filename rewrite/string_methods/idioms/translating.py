"""Idioms for translate: one entry of the table after the other is replaced in the whole string."""

from __future__ import annotations

from rewrite.string_methods.preconditions import CodesApart
from rewrite.string_methods.reference import PLANNED_IDIOMS, implements


@implements("translate", PLANNED_IDIOMS)
def translate_entries(text: str, table: CodesApart, /) -> str:
    """Replaces the character of one entry in each round."""
    translated = text
    for code in table:
        translated = translated.replace(chr(code), chr(table[code]))
    return translated
