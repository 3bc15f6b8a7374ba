"""What a rewrite gives back: the new text, what was done, what was left alone and why, and where lines come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from rewrite.evidence.assumptions import Assumption
from rewrite.syntax.source_map import Position


class Applied(NamedTuple):
    """An intervention was applied to what stood on this line of the original (1-based)."""

    intervention: str
    line: int


class Left(NamedTuple):
    """One hidden value that was left hidden: line of the original (1-based), and why."""

    line: int
    reason: str


class Change(NamedTuple):
    """An expression of the original that was spelled out: by which rule, where it stood, and its text on one line."""

    intervention: str
    line: int
    column: int
    expression: str


@dataclass(frozen=True)
class Rewritten:
    """A rewritten program.

    source: the new text; changed: whether it differs from the old one; changes and left: one entry for each value that
    was spelled out, or left alone; `eligible` is the number of both together. positions: where each line of the new
    text comes from.

    With calls: assumes, what every one of them showed and the rewrite rests on; unobserved, the calls that showed
    nothing, each with why; tokens and original_tokens, of the longest trace, None where it is too long to be counted.
    """

    source: str
    changed: bool
    changes: tuple[Change, ...] = ()
    left: tuple[Left, ...] = ()
    positions: tuple[Position, ...] = field(default=(), repr=False)
    spans: tuple[tuple[int, int], ...] = field(default=(), repr=False)  # of `changes`, without form feeds
    assumes: tuple[Assumption, ...] = ()
    unobserved: tuple[tuple[str, str], ...] = ()
    tokens: int | None = None
    original_tokens: int | None = None

    @property
    def applied(self) -> tuple[Applied, ...]:
        """The interventions that were applied, with their lines, in the order of the new text."""
        return tuple(Applied(change.intervention, change.line) for change in self.changes)

    @property
    def origins(self) -> tuple[int, ...]:
        """For each line of the new text, the line of the original it comes from."""
        return tuple(position.line for position in self.positions)

    @property
    def eligible(self) -> int:
        """How many places there were: changed and left."""
        return len(self.changes) + len(self.left)

    def origin(self, line: int) -> int:
        """The line of the original that line `line` of the new text comes from (both 1-based)."""
        return self.positions[line - 1].line

    def position(self, line: int) -> Position:
        """Where in the original the operation on line `line` of the new text begins, or else its statement."""
        return self.positions[line - 1]
