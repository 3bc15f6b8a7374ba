"""Forms of translate for a table that the rewrite has made of a dict of characters, and an idiom for others.

One entry of the table after the other is replaced in the whole string, or one character after the other is looked up.
"""

from __future__ import annotations

from rewrite.string_methods.preconditions import CodesApart
from rewrite.string_methods.reference import ELEMENTS, PLANNED_IDIOMS, RECIPES, ReferenceImplementation, implements


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


def _translate_characters(text: str, table: dict[str, str], /) -> str:
    """Looks up one character in each round."""
    translated = ""
    for character in text:
        translated += table.get(character, character)
    return translated


BY_PAIRS: dict[tuple[str, ...], ReferenceImplementation] = {
    PLANNED_IDIOMS: ReferenceImplementation("translate", PLANNED_IDIOMS, _translate_pairs),
    ELEMENTS: ReferenceImplementation("translate", ELEMENTS, _translate_characters),
    RECIPES: ReferenceImplementation("translate", RECIPES, _translate_characters),
}
"""By the recipes of a form of translate, what it writes for a dict of characters; the precondition is the same."""
