"""Form feeds in the indentation of a line: Python begins to count columns anew behind one, LibCST does not.

So they are taken out before LibCST reads a source, which is the same program without them, and put back in front of
what became of their lines. Those in strings, comments, brackets and empty lines stay where they are.
"""

from __future__ import annotations

import re

from rewrite.syntax.nesting_depth import TOKENS

_INDENTED = re.compile(r"[ \t\f]*\f(?=[ \t]*[^\s#])")


def without_form_feeds(source: str) -> tuple[str, dict[int, str]]:
    """The source without them, and what was taken from the beginning of each line (from 1)."""
    taken: dict[int, str] = {}
    if "\f" not in source:
        return source, taken
    starts, depth = [0], 0
    for token in TOKENS.finditer(source):
        depth += (token.lastgroup == "open") - (token.lastgroup == "close")
        if token.lastgroup in ("line", "head") and depth <= 0:
            starts.append(token.start() + 1)
    lines, done = [], 0
    for start in starts:
        found = _INDENTED.match(source, start)
        if found is not None:
            taken[source.count("\n", 0, start) + 1] = found.group()
            lines.append(source[done:start])
            done = found.end()
    return "".join([*lines, source[done:]]), taken
