"""Idioms for translate: one entry of the table after the other is replaced in the whole string."""

from __future__ import annotations

from rewrite.string_methods.preconditions import CodesApart
from rewrite.string_methods.reference import PLANNED_IDIOMS, ReferenceImplementation, implements


@implements("translate", PLANNED_IDIOMS)
def translate_entries(text: str, table: CodesApart, /) -> str:
    """Replaces the character of one entry in each round."""
    translated = text
    for code in table:
        translated = translated.replace(chr(code), chr(table[code]))
    return translated


def _translate_pairs(text: str, table: dict[str, str], /) -> str:
    """Replaces one character in each round."""
    translated = text
    for character in table:
        translated = translated.replace(character, table[character])
    return translated


TRANSLATE_PAIRS = ReferenceImplementation("translate", PLANNED_IDIOMS, _translate_pairs)
"""What `translate_entries` writes if the rewrite has made the table of a dict of characters; same precondition."""
