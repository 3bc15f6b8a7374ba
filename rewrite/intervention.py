"""What an intervention is, and what a rewrite gives back.

An intervention knows one kind of hidden value and how to spell it out; `rewrite.steps` knows where a step may stand
without changing what the program does. One intervention is one file in `rewrite/interventions`, found by folder.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import libcst as cst

from rewrite.options import DEFAULT, Options

if TYPE_CHECKING:
    from rewrite.steps import Steps


class Applied(NamedTuple):
    """An intervention was applied to what stood on this line of the original (1-based)."""

    intervention: str
    line: int


class Left(NamedTuple):
    """One hidden value that was left hidden: line of the original (1-based), and why."""

    line: int
    reason: str


class Position(NamedTuple):
    """A place in the original: line and column, both from 1."""

    line: int
    column: int


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
    """

    source: str
    changed: bool
    changes: tuple[Change, ...] = ()
    left: tuple[Left, ...] = ()
    positions: tuple[Position, ...] = field(default=(), repr=False)

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
        return len(self.changes) + len(self.left)

    def origin(self, line: int) -> int:
        """The line of the original that line `line` of the new text comes from (both 1-based)."""
        return self.positions[line - 1].line

    def position(self, line: int) -> Position:
        """Where in the original the operation on line `line` of the new text begins, or else its statement."""
        return self.positions[line - 1]


@dataclass(frozen=True)
class Example:
    """Source before and after, and a call on which both must do the same. `note`: what it shows, as a sentence."""

    note: str
    before: str
    after: str
    call: str = ""


@dataclass(frozen=True)
class Untouched:
    """Source that the intervention leaves exactly as it is, and the reason it reports ("" where nothing is hidden)."""

    note: str
    source: str
    reason: str = ""


class Intervention:
    """One rule. Subclasses set the class variables and define `claims` and `expand`.

    `recipes`: the recipes it belongs to; `order`: its place among the interventions of a recipe (the first that claims
    a node gets it); `at_root`: whether it also wants an expression whose value its statement shows anyway (`x = …`);
    `takes`: the options of `rewrite.options` that concern it, but for those that concern every recipe.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    recipes: ClassVar[tuple[str, ...]]
    order: ClassVar[int] = 50
    at_root: ClassVar[bool] = True
    takes: ClassVar[frozenset[str]] = frozenset()
    guards: ClassVar[bool] = False  # whether it writes `type(x) is T`, and knows it when it comes by again
    names_conditions: bool = False  # whether even the comparison of an `if`, or the range of a loop, gets a name
    EXAMPLES: ClassVar[tuple[Example, ...]]
    UNTOUCHED: ClassVar[tuple[Untouched, ...]]

    def __init__(self, options: Options = DEFAULT) -> None:
        self.options = options

    def claims(self, node: cst.BaseExpression, steps: Steps) -> bool:
        """Whether the value of this node (or how it comes about) is to be spelled out."""
        raise NotImplementedError

    def reports(self, node: cst.AugAssign, steps: Steps) -> None:
        """Report what an augmented assignment hides by its operator, which is no expression."""
        return

    def opens(self, node: cst.BaseExpression, steps: Steps) -> bool:
        """Whether a comprehension or chained comparison is to become control flow although no part needs a step."""
        return False

    def expand(self, node: cst.BaseExpression, steps: Steps) -> cst.BaseExpression:
        """Write the steps through `steps`; returns what stands for the value afterwards, a name or constant."""
        raise NotImplementedError
