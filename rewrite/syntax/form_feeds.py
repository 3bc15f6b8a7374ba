"""Form feeds in the indentation of a line: Python begins to count columns anew behind one, LibCST does not.

So they are taken out before LibCST reads a source, which is the same program without them, and put back in front of
what became of their lines. Those in strings, comments, brackets and empty lines stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from rewrite.result import Position, Rewritten
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


def with_form_feeds(result: Rewritten, source: str, taken: Mapping[int, str]) -> Rewritten:
    """The rewrite of a source without them as one of the source with them."""

    def shifted(line: int, column: int) -> int:
        return column + len(taken.get(line, ""))

    lines, missing = result.source.split("\n"), dict(taken)
    for index, origin in enumerate(result.origins):
        if origin in missing and lines[index].strip():
            lines[index] = missing.pop(origin) + lines[index]
    text = "\n".join(lines) if result.changed else source
    changes = tuple(one._replace(column=shifted(one.line, one.column)) for one in result.changes)
    assumes = tuple(one._replace(column=shifted(one.line, one.column)) for one in result.assumes)
    positions = tuple(Position(line, shifted(line, column)) for line, column in result.positions)
    return replace(result, source=text, changes=changes, assumes=assumes, positions=positions)
