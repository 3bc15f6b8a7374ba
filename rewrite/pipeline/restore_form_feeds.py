"""Put the form feeds that `rewrite.syntax.form_feeds` removed back into a rewritten program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rewrite.anf.rewrite_result import Rewritten
from rewrite.syntax.source_map import SourcePosition


def restore_form_feeds(result: Rewritten, source: str, taken: Mapping[int, str]) -> Rewritten:
    """Turn the rewrite of a source without form feeds into a rewrite of the source with them.

    Args:
        result: the rewrite of what `remove_form_feeds` returned.
        source: the original, with its form feeds.
        taken: the indentation removed from each line (from 1).
    """

    def shifted(line: int, column: int) -> int:
        return column + len(taken.get(line, ""))

    lines, missing = result.source.split("\n"), dict(taken)
    for index, origin in enumerate(result.origins):
        if origin in missing and lines[index].strip():
            lines[index] = missing.pop(origin) + lines[index]
    text = "\n".join(lines) if result.changed else source
    changes = tuple(one._replace(column=shifted(one.line, one.column)) for one in result.changes)
    assumes = tuple(one._replace(column=shifted(one.line, one.column)) for one in result.assumes)
    positions = tuple(SourcePosition(line, shifted(line, column)) for line, column in result.positions)
    return replace(result, source=text, changes=changes, assumes=assumes, positions=positions)
