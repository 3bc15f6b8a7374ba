"""Remove form feeds from the indentation of a source.

Python starts counting columns again after a form feed in the indentation; LibCST does not. The rewriter removes these
form feeds before parsing, which does not change the program, and `rewrite.pipeline.restore_form_feeds` puts them back.
Form feeds in strings, comments, brackets and empty lines stay.
"""

from __future__ import annotations

import re

from rewrite.syntax.nesting_depth import TOKENS

_INDENTED = re.compile(r"[ \t\f]*\f(?=[ \t]*[^\s#])")


def remove_form_feeds(source: str) -> tuple[str, dict[int, str]]:
    """Remove the form feeds from the indentation of every logical line.

    Returns:
        The source without them, and the indentation removed from each line (line numbers from 1).
    """
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
