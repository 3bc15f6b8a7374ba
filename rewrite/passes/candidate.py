"""One place where one saving can be applied, as edits of the text; and the text with those edits made."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from rewrite.evidence.assumptions import Assumption


@dataclass(frozen=True)
class Edit:
    """The characters from `start` to `end` become `text`.

    origins: the lines (from 1) that the lines of `text` come from; without any, all come from where the edit begins.
    """

    start: int
    end: int
    text: str
    origins: tuple[int, ...] = ()


@dataclass(frozen=True)
class PassCandidate:
    """One place where one saving can be applied.

    name: of the saving, that of its file; line: of the text that it is offered for, from 1; what: in words.
    assumes: facts (line, column, expression, what) of the calls that it rests on. span: the first and last line it
    touches. edits: what it does, in order, none over another.
    """

    name: str
    line: int
    what: str
    assumes: tuple[Assumption, ...]
    span: tuple[int, int]
    edits: tuple[Edit, ...]
    size: int
    """Number of characters of the text that it is offered for."""


@dataclass(frozen=True)
class EditedSource:
    """The text with a saving made. lines: for each of its lines, the line of the old text it comes from, from 1."""

    source: str
    lines: tuple[int, ...]


def apply_edits(source: str, edits: tuple[Edit, ...]) -> EditedSource:
    """The text with the edits made.

    >>> edited("a = 1\\nb = 2\\n", (Edit(6, 11, "c = 3\\nd = 4"),))
    Saved(source='a = 1\\nc = 3\\nd = 4\\n', lines=(1, 2, 2))
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


_Part = tuple[str, int | Edit]  # a text, and where it stood or the edit that gave it


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
