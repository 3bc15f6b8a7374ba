"""The result of planning: the program, its tokens and risk, the passes that were applied, and those rejected."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, NamedTuple

from corpora.data_frames import data_frame, table_html
from rewrite.anf.rewrite_result import UNCHANGED, Rewritten, SkippedExpression
from rewrite.cost.budget import BUDGET
from rewrite.evidence.assumptions import Assumption

DEFAULT_EXAMPLES = 30
"""Number of generated inputs on which a plan is compared with its program (default)."""

RIGHT = f"{UNCHANGED}: the output is right"
"""The note of a plan for a program that the model got right."""


class AppliedPass(NamedTuple):
    """One pass that was applied, with its marginal effect: what it changes given all passes before it.

    Attributes:
        line: Line of the original, from 1.
        what: What was done.
        tokens: Tokens that it adds to the longest trace.
        risk: Predicted risk that it removes, 0..1; None if it is unknown.
        why: Why the line is at risk, or why the pass was applied.
        repair: What it adds to the chance of a repair; None if no failure is known.
        siblings: Other lines that it changes in the same way (`rewrite.planner.siblings`).
    """

    line: int
    what: str
    tokens: int
    risk: float | None
    why: str
    repair: float | None = None
    siblings: tuple[int, ...] = ()


class RejectedPass(NamedTuple):
    """One pass that was not applied.

    Attributes:
        line: Line of the original, from 1.
        what: What would have been done.
        tokens: Tokens that it alone adds to the longest trace; None if they were not counted.
        risk: Predicted risk that it alone removes, 0..1; None if it is unknown.
        reason: Why it was not applied.
        siblings: Other lines that would have been changed in the same way.
    """

    line: int
    what: str
    tokens: int | None
    risk: float | None
    reason: str
    siblings: tuple[int, ...] = ()

    def __str__(self) -> str:
        added = "" if self.tokens is None else f" ({self.tokens:+,} tokens)"
        return f"{self.what}{added}: {self.reason}"


@dataclass(frozen=True, repr=False)
class Plan:
    """A plan for one program. A notebook shows its passes as a table.

    The rows of `choices` add up: their tokens to `tokens` − `original_tokens`, their risks to `original_risk` − `risk`.

    Attributes:
        source: The program; the original if nothing was changed.
        tokens: Tokens of the longest trace of the calls; None if they are not counted.
        original_tokens: The same of the original.
        risk: Predicted risk that a step of a call goes wrong, 0..1, over the calls with the longest traces (1 minus the
            geometric mean of their 1 − risk); None if it is unknown.
        original_risk: The same of the original.
        choices: The passes that were applied, in the order of application.
        assumes: What every call showed and the plan depends on. Positions are those of the original.
        left: The passes that were rejected, and the values on lines without a candidate, in source order.
        notes: Remarks: calls without a trace, by how much a program is over budget and what helps.
        budget: Tokens that the longest trace may have.
        compared: Number of inputs on which the plan was compared with the original.
        is_over_budget: Whether the longest trace is known not to fit, counted or not.
        made: The rewrite behind it; None if nothing was changed.
        support: How far the reliability map supports the change of the risk, in words, or that no form gains enough; ""
            if the map did not decide.
        repair: The chance that the model, which got the program wrong, gets the plan right, 0..1; None if no failure is
            known, or if it cannot be predicted.
    """

    source: str
    tokens: int | None
    original_tokens: int | None
    risk: float | None
    original_risk: float | None
    choices: tuple[AppliedPass, ...] = ()
    assumes: tuple[Assumption, ...] = ()
    left: tuple[RejectedPass, ...] = ()
    notes: tuple[str, ...] = ()
    budget: int = BUDGET
    compared: int = 0
    is_over_budget: bool = False
    made: Rewritten | None = field(default=None, repr=False)
    support: str = ""
    repair: float | None = None

    def __repr__(self) -> str:
        """Tokens and risk before and after, not the program."""
        risks = (f"{risk:.1%}" if risk is not None else "unknown" for risk in (self.original_risk, self.risk))
        tokens = f"{self.original_tokens} -> {self.tokens}"
        chance = "" if self.repair is None else f", repair {self.repair:.1%}"
        passes = "1 pass" if len(self.choices) == 1 else f"{len(self.choices)} passes"
        return f"Plan(tokens {tokens}, risk {' -> '.join(risks)}{chance}, {passes})"

    def to_frame(self) -> Any:
        """Return a pandas data frame with a row for each pass. Raises InputError if pandas is not installed."""
        return data_frame((one._asdict() for one in self.choices), AppliedPass._fields)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self))}</p>{table_html(AppliedPass._fields, self.choices)}"

    def rewritten(self, source: str) -> Rewritten:
        """The plan as a rewrite, like the result of any other recipe. source: the original."""
        made = self.made or Rewritten(source, False)
        left = [
            *(SkippedExpression(1, note) for note in self.notes),
            *(SkippedExpression(line, str(one)) for one in self.left for line in (one.line, *one.siblings)),
        ]
        return replace(
            made,
            source=self.source,
            left=tuple(sorted(left)),
            assumes=self.assumes,
            tokens=self.tokens,
            original_tokens=self.original_tokens,
        )
