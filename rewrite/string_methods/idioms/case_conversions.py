"""Idioms for case conversions: the list of the converted characters is shown, then joined.

Only for ASCII: the uppercase of `ß` has two characters, so that the list would not be that of the result's characters.
"""

from __future__ import annotations

from rewrite.string_methods.preconditions import Ascii
from rewrite.string_methods.reference import PLANNED_IDIOMS, implements


@implements("upper", PLANNED_IDIOMS)
def upper_listed(text: Ascii, /) -> str:
    """The list of the characters in uppercase, joined."""
    characters = list(map(str.upper, text))
    return "".join(characters)


@implements("lower", PLANNED_IDIOMS)
def lower_listed(text: Ascii, /) -> str:
    """The list of the characters in lowercase, joined."""
    characters = list(map(str.lower, text))
    return "".join(characters)
