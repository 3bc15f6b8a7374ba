"""The result of a rewrite: the new source, what changed, what was skipped and why, and where each line comes from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from rewrite.evidence.assumptions import Assumption
from rewrite.syntax.source_map import SourcePosition

NOT_CHECKED = "the rewrite was not checked: without a call, it is not compared with the program (calls=, --call)"
"""A reason in `Rewritten.left`; `REFUSED` and `UNCHANGED` begin others that concern all of a program."""
REFUSED = "all of it is left out"
UNCHANGED = "left as it is"
OVER_TOKEN_LIMIT = "over the token limit of"
"""Begins the reason for a change that a rewrite with calls leaves out; the limit follows."""
NOT_HERE = "only its result is shown; try the recipe"
"""How the reason for an operation begins that another recipe replaces; the name of that recipe follows."""


class Construct(Enum):
    """What steps may need that no plan adds to a program; the value says so as a reason to leave them out."""

    DEBUG_TEST = "steps of an assertion would need a test of __debug__"
    FUNCTION = "steps of a generator expression would need a function"
    FLAG = "its condition would need a flag"


class AppliedIntervention(NamedTuple):
    """An intervention was applied to an expression.

    Attributes:
        intervention: its name.
        line: the line of the expression in the original, from 1.
    """

    intervention: str
    line: int


class SkippedExpression(NamedTuple):
    """A hidden value that the rewrite left hidden, or an operation that only another recipe replaces.

    Attributes:
        line: its line in the original, from 1.
        reason: why it was left alone.
    """

    line: int
    reason: str


class ExpressionChange(NamedTuple):
    """An expression or statement of the original that was rewritten.

    Attributes:
        intervention: the name of the intervention.
        line: its line in the original, from 1.
        column: column, from 1.
        expression: its source; an expression on one line, of a statement with blocks its head.
    """

    intervention: str
    line: int
    column: int
    expression: str


@dataclass(frozen=True, repr=False)
class Rewritten:
    """A rewritten program.

    Attributes:
        source: the new source.
        changed: whether it differs from the original.
        changes: the rewritten expressions.
        left: the hidden values that were left alone, and the operations that only another recipe replaces.
        positions: for each line of the new source, the position in the original that it comes from.
        spans: character offsets of `changes` in the original, form feeds in the indentation removed.
        assumes: facts that every call showed and that the rewrite assumes.
        constructs: what the steps needed that no plan adds to a program.
        unobserved: the calls that are not evidence, each with the reason.
        raised: the calls that raise, each with the type of the exception and its message.
        tokens: with calls, tokens of the longest trace; None if the trace is too long to be counted.
        original_tokens: the same for the original.
    """

    source: str
    changed: bool
    changes: tuple[ExpressionChange, ...] = ()
    left: tuple[SkippedExpression, ...] = ()
    positions: tuple[SourcePosition, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    assumes: tuple[Assumption, ...] = ()
    constructs: frozenset[Construct] = frozenset()
    unobserved: tuple[tuple[str, str], ...] = ()
    raised: tuple[tuple[str, str], ...] = ()
    tokens: int | None = None
    original_tokens: int | None = None

    def __repr__(self) -> str:
        """What changed, what was left alone and how much is assumed, in numbers, not the program."""
        counts = f"{len(self.changes)} changed, {len(self.left)} left, {len(self.assumes)} assumed"
        return f"Rewritten({counts if self.changed else 'unchanged, ' + counts})"

    @property
    def applied(self) -> tuple[AppliedIntervention, ...]:
        """The applied interventions with their lines, in the order of the new source."""
        return tuple(AppliedIntervention(change.intervention, change.line) for change in self.changes)

    @property
    def origins(self) -> tuple[int, ...]:
        """For each line of the new source, the line of the original that it comes from."""
        return tuple(position.line for position in self.positions)

    def origin(self, line: int) -> int:
        """Return the line of the original that a line of the new source comes from (both from 1)."""
        return self.positions[line - 1].line

    def position(self, line: int) -> SourcePosition:
        """Return where in the original the operation on a line of the new source begins, or else its statement."""
        return self.positions[line - 1]


def describe_raised(call: str, exception: str) -> str:
    """The note about a call that raises, since its trace looks like any other in the figures."""
    return f"{call} raises {exception}; its trace ends with the exception"
