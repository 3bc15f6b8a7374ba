"""`str.find` of one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import Search


class Find(Search):
    """The first place of a character, or -1."""

    name = "find"
    summary = "find of one character into a loop over the characters"
    method = "find"
    order = 20
    needed = frozenset({"enumerate", "len", "range", "reversed", "slice"})
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = ()
