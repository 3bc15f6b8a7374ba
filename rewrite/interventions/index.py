"""`str.index` of one character: a loop over the characters that shows each comparison."""

from __future__ import annotations

from typing import ClassVar

from rewrite.intervention import Example, Untouched
from rewrite.strings import Search


class Index(Search):
    """The first place of a character, or Python's own ValueError."""

    name = "index"
    summary = "index of one character into a loop over the characters"
    method = "index"
    order = 21
    raises = True
    needed = frozenset({"enumerate", "len", "range", "reversed", "slice"})
    EXAMPLES: ClassVar[tuple[Example, ...]] = ()
    UNTOUCHED: ClassVar[tuple[Untouched, ...]] = ()
