"""One place where a pass can be applied, as text edits, and the source with those edits applied."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from rewrite.evidence.assumptions import Assumption


@dataclass(frozen=True)
class Edit:
    """The replacement of some characters.

    Attributes:
        start: Offset of the first character.
        end: Offset behind the last character.
        text: What replaces them.
        origins: The original line (from 1) of each line of `text` (default: the line where the edit begins).
    """

    start: int
    end: int
    text: str
    origins: tuple[int, ...] = ()


@dataclass(frozen=True)
class PassCandidate:
    """One place where a pass can be applied.

    Attributes:
        name: The pass, by the name of its module.
        line: Line of the source, from 1.
        what: What the pass does there, in words.
        assumes: What the calls show and the pass depends on.
        span: The first and last line that the pass changes.
        edits: The changes, in order, without overlap.
        size: Number of characters of the source that the candidate was found in.
    """

    name: str
    line: int
    what: str
    assumes: tuple[Assumption, ...]
    span: tuple[int, int]
    edits: tuple[Edit, ...]
    size: int


@dataclass(frozen=True)
class EditedSource:
    """A source after a pass.

    Attributes:
        source: The source.
        lines: For each of its lines, the line (from 1) that it comes from.
    """

    source: str
    lines: tuple[int, ...]


def apply_edits(source: str, edits: tuple[Edit, ...]) -> EditedSource:
    """The source with the edits applied. Raises ValueError if edits overlap or are out of order.

    >>> apply_edits("a = 1\\nb = 2\\n", (Edit(6, 11, "c = 3\\nd = 4"),))
    EditedSource(source='a = 1\\nc = 3\\nd = 4\\n', lines=(1, 2, 2))
    """
    starts = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
    parts = list(_parts(source, edits))
    text = "".join(part for part, _ in parts)
    begins = [0, *accumulate(len(part) for part, _ in parts)]
    lines, offset = [], 0
    for line in text.split("\n"):
        part = bisect_right(begins, min(offset, len(text) - 1)) - 1 if text else 0
        lines.append(_origin(parts[part], offset - begins[part], starts) if parts else 1)
        offset += len(line) + 1
    if text.endswith("\n"):
        lines.pop()
    return EditedSource(text, tuple(lines))


_Part = tuple[str, int | Edit]  # a piece of the result, and its offset in the source or the edit that made it


def _parts(source: str, edits: tuple[Edit, ...]) -> Iterator[_Part]:
    for one, other in pairwise(edits):
        if other.start < one.end:
            raise ValueError("edits must be in order, none over another")
    at = 0
    for edit in edits:
        yield from [(source[at : edit.start], at)] if at < edit.start else []
        yield from [(edit.text, edit)] if edit.text else []
        at = edit.end
    yield from [(source[at:], at)] if at < len(source) else []


def _origin(part: _Part, offset: int, starts: list[int]) -> int:
    text, origin = part
    if not isinstance(origin, Edit):
        return bisect_right(starts, origin + offset)
    line = text.count("\n", 0, offset)
    return origin.origins[line] if line < len(origin.origins) else bisect_right(starts, origin.start)
