"""One place where a pass can be applied, as text edits, and the source with those edits applied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, islice, pairwise, repeat

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
    if any(other.start < one.end for one, other in pairwise(edits)):
        raise ValueError("edits must be in order, none over another")
    numbers = _of_each_character(source, range(1, source.count("\n") + 2))
    text, origins, at = "", [], 0
    for edit in (*edits, Edit(len(source), len(source), "")):
        first = numbers[edit.start]
        new = islice(chain(edit.origins, repeat(first)), edit.text.count("\n") + 1)
        text += source[at : edit.start] + edit.text
        origins += [*numbers[at : edit.start], *_of_each_character(edit.text, new)[: len(edit.text)]]
        at = edit.end
    begins = [0, *(at + 1 for at, character in enumerate(text) if character == "\n" and at + 1 < len(text))]
    return EditedSource(text, tuple(origins[begin] if text else 1 for begin in begins))


def _of_each_character(text: str, numbers: Iterable[int]) -> list[int]:
    """For each character of a text, and for its end, the number that belongs to its line."""
    return [number for line, number in zip(text.split("\n"), numbers, strict=True) for _ in range(len(line) + 1)]
