"""What a plan is: the program, what that costs and removes, and what was done where."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rewrite.assumption import Assumption
from rewrite.result import Left, Rewritten


class Choice(NamedTuple):
    """A line of the original that was changed: what was done, the tokens it adds, the risk it removes, and why."""

    line: int
    what: str
    tokens: int
    risk: float
    why: str


@dataclass(frozen=True)
class Plan:
    """What was done to a program, and what that costs and removes.

    tokens and original_tokens: of the longest trace of the calls, None where it is not counted; risk and
    original_risk: that a step of a call goes wrong, 0..1, of the call at most risk; choices: the changed lines;
    assumes: what the calls showed and the rewrite rests on; left: what was left alone, and why.
    """

    source: str
    tokens: int | None
    original_tokens: int | None
    risk: float
    original_risk: float
    choices: tuple[Choice, ...] = ()
    assumes: tuple[Assumption, ...] = ()
    left: tuple[Left, ...] = ()
    made: Rewritten | None = field(default=None, repr=False)

    def rewritten(self, source: str) -> Rewritten:
        """The same as any other recipe gives it back. source: the original."""
        made = self.made or Rewritten(source, False)
        return replace(made, left=self.left, tokens=self.tokens, original_tokens=self.original_tokens)
