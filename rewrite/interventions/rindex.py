"""`str.rindex` of one character, from the right: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import Search


class RIndex(Search):
    """The last place of a character, or Python's own ValueError."""

    name = "rindex"
    summary = "rindex of one character into a loop over the characters"
    method = "rindex"
    order = 23
    backwards = True
    raises = True
    needed = frozenset({"enumerate", "len", "range", "reversed", "slice"})
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = ()
