"""Where the characters of a changed source come from in the original, and assumptions restated about the original.

A pass that runs on a changed source states its assumptions about that source. They are restated about the original,
which is possible if the expression occurs there: unchanged, moved with its line, or with renamed variables.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpora.errors import InputError
from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.evidence.assumptions import Assumption
from rewrite.passes.candidate import Edit
from rewrite.syntax.character_offsets import character_offsets

Span = tuple[int, int]


@dataclass(frozen=True)
class SourceOrigins:
    """A source that passes have made from an original.

    Attributes:
        original: The original.
        text: The source after the passes.
        spans: For each character of `text`, the half-open span of the original that it comes from; all characters of a
            renamed variable come from the whole old name. None for what a pass wrote.
    """

    original: str
    text: str
    spans: tuple[Span | None, ...]

    @classmethod
    def of(cls, source: str) -> SourceOrigins:
        """The origins of an unchanged source."""
        return cls(source, source, tuple((at, at + 1) for at in range(len(source))))

    def edited(self, edits: Sequence[Edit], text: str) -> SourceOrigins:
        """The origins after some edits. edits: in order; text: the source with the edits applied."""
        spans: list[Span | None] = []
        done, renames = 0, all(self._renames(edit) for edit in edits)
        for edit in edits:
            written = [self._span(edit.start, edit.end)] * len(edit.text) if renames else self._written(edit)
            spans += [*self.spans[done : edit.start], *written]
            done = edit.end
        return SourceOrigins(self.original, text, (*spans, *self.spans[done:]))

    def _renames(self, edit: Edit) -> bool:
        return self.text[edit.start : edit.end].isidentifier() and edit.text.isidentifier()

    def _written(self, edit: Edit) -> list[Span | None]:
        found: list[Span | None] = []
        for number, line in enumerate(edit.text.split("\n")):
            moved = self._moved(line, edit.origins[number]) if number < len(edit.origins) else None
            found += [*([None] if number else []), *(moved or [None] * len(line))]
        return found

    def _moved(self, line: str, origin: int) -> list[Span | None] | None:
        """The spans of a line that an edit moves, if only its indentation changes."""
        lines = self.text.split("\n")
        body = line.lstrip()
        if not body or origin > len(lines) or lines[origin - 1].lstrip() != body:
            return None
        end = sum(len(one) + 1 for one in lines[:origin]) - 1
        return [*[None] * (len(line) - len(body)), *self.spans[end - len(body) : end]]

    def _span(self, start: int, end: int) -> Span | None:
        """The span of the original that a part of the source comes from, if it is one contiguous piece in order."""
        found = self.spans[start:end]
        if not found or found[0] is None or found[-1] is None:
            return None
        for one, other in pairwise(found):
            if one is None or other is None or (one != other and one[1] != other[0]):
                return None
        return found[0][0], found[-1][1]

    def assumption(self, assumption: Assumption) -> Assumption | None:
        """An assumption about this source restated about the original; None if its expression does not occur there."""
        try:
            [place] = AssumptionFilter(self.text, [assumption]).places
        except InputError:
            return None
        offset = character_offsets(self.text)
        span = self._span(offset(*place[:2]), offset(*place[2:]))
        return self._stated(span, assumption.what) if span is not None else None

    def _stated(self, span: Span, what: str) -> Assumption | None:
        before, expression = self.original[: span[0]], self.original[slice(*span)]
        try:
            shown = expression if "\n" not in expression else ast.unparse(ast.parse(f"({expression}\n)", mode="eval"))
            line = before.count("\n") + 1
            found = Assumption(line, len(before) - (before.rfind("\n") + 1) + 1, shown, what)
            AssumptionFilter(self.original, [found])
        except (InputError, SyntaxError, ValueError):
            return None
        return found
