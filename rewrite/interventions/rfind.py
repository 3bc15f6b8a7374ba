"""`str.rfind` of one character, from the right: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import Search


class RFind(Search):
    """The last place of a character, or -1."""

    name = "rfind"
    summary = "rfind of one character into a loop over the characters"
    method = "rfind"
    order = 22
    backwards = True
    needed = frozenset({"enumerate", "len", "range", "reversed", "slice"})
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = ()
