"""The choice of passes that shorten the longest trace of a program until it fits the token budget.

A shortening pass removes steps that a model would have written down, so no more passes are applied than needed. A
greedy selection (`rewrite.cost.greedy_selection`) applies one candidate a round and measures each by running it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from operator import attrgetter

from rewrite.anf.rewrite_result import ExpressionChange, Rewritten
from rewrite.cost.greedy_selection import Rejection, select
from rewrite.evidence.assumptions import Assumption
from rewrite.evidence.gather import Evidence
from rewrite.passes import PassCandidate, apply_candidate, find_candidates
from rewrite.planner.plan import RejectedPass
from rewrite.planner.source_origins import SourceOrigins
from rewrite.syntax.source_map import SourcePosition

MAX_ROUNDS, MAX_TRIED = 12, 16
"""Number of passes that are applied at most, and of candidates that are measured before each."""
UNNATURAL = ("dead_store_elimination", "function_outlining")
"""Passes that are used only where no other one suffices: a variable gets the name of another value, a loop becomes a
function. Short names mislead less."""
UNCOUNTED = "the program does something else under the calls, or its trace cannot be counted"
UNSTATED = "it depends on an assumption that cannot be stated about the original program"
NO_SHORTER = "the trace gets no shorter"
NOT_NEEDED = "not needed: the program fits without it"
LESS_GAIN = "another pass shortens the trace more"

CountTokens = Callable[[str], int | None]
"""The tokens of the longest trace of a source; None if it cannot be counted or the program does something else."""
Pass = tuple[str, int, str]
"""An applied pass: its name, the line of the original, and what it does."""


@dataclass(frozen=True)
class ShortenedProgram:
    """A program with some passes applied.

    Attributes:
        source: The program.
        tokens: Tokens of its longest trace.
        applied: The passes, in the order of application.
        lines: For each line of the program, the line of the original.
        assumes: What the passes assume about the original.
        origins: For each character of the program, where it comes from in the original.
    """

    source: str
    tokens: int
    applied: tuple[Pass, ...]
    lines: tuple[int, ...]
    assumes: tuple[Assumption, ...]
    origins: SourceOrigins

    @classmethod
    def of(cls, source: str, tokens: int) -> ShortenedProgram:
        """The original program."""
        return cls(source, tokens, (), tuple(range(1, source.count("\n") + 2)), (), SourceOrigins.of(source))

    def rewritten(self) -> Rewritten:
        """The program as a rewrite."""
        changes = tuple(ExpressionChange("shortened", line, 1, what) for _, line, what in self.applied)
        positions = tuple(SourcePosition(line, 1) for line in self.lines)
        assumes = tuple(sorted(set(self.assumes)))
        return Rewritten(self.source, bool(self.applied), changes, positions=positions, assumes=assumes)


def shorten(
    source: str,
    calls: Sequence[str],
    count: CountTokens,
    original: int,
    budget: int,
    without: Collection[Pass] = (),
    evidence: Evidence | None = None,
) -> tuple[tuple[ShortenedProgram, ...], tuple[RejectedPass, ...]]:
    """Apply passes until the program fits the budget or no pass shortens its trace.

    Args:
        source: The program.
        calls: Its calls; passes may assume what they show.
        count: Counts the tokens of a source.
        original: Tokens of the program as it is.
        budget: Tokens that the longest trace may have.
        without: Passes that must not be applied.
        evidence: What the calls show of the program, if it is known.

    Returns:
        The original, then the program after each pass; and the candidates that were rejected before or after the last.
    """

    def candidates(now: ShortenedProgram) -> list[PassCandidate]:
        if now.tokens <= budget:
            return []
        known = evidence if now.source == source else None
        found = find_candidates(now.source, calls, evidence=known)
        return [one for one in found if _as_pass(now, one) not in without]

    def prefer(now: ShortenedProgram, found: Sequence[ShortenedProgram]) -> ShortenedProgram | None:
        """Among those that fit one that misleads no reader, and the one that removes least; else the shortest."""
        fitting = [one for one in found if one.tokens <= budget]
        tokens = attrgetter("tokens")
        natural = [one for one in fitting if one.applied[-1][0] not in UNNATURAL] or fitting
        best = max(natural, key=tokens) if natural else min(found, key=tokens, default=now)
        return best if best.tokens < now.tokens else None

    start = ShortenedProgram.of(source, original)
    found = select(
        start, candidates, lambda now, one: _apply(now, one, count), prefer, max_rounds=MAX_ROUNDS, max_tried=MAX_TRIED
    )
    return found.states, tuple(_rejected(one, budget) for one in found.rejected)


def _as_pass(now: ShortenedProgram, candidate: PassCandidate) -> Pass:
    return candidate.name, now.lines[min(candidate.line, len(now.lines)) - 1], candidate.what


def _apply(now: ShortenedProgram, candidate: PassCandidate, count: CountTokens) -> ShortenedProgram | str:
    """The program with one more pass applied, or why it cannot be applied."""
    assumes = [now.origins.assumption(one) for one in candidate.assumes]
    stated = [one for one in assumes if one is not None]
    if len(stated) < len(assumes):
        return UNSTATED
    changed = apply_candidate(now.source, candidate)
    tokens = count(changed.source)
    if tokens is None:
        return UNCOUNTED
    lines = tuple(now.lines[min(line, len(now.lines)) - 1] for line in changed.lines)
    origins = now.origins.edited(candidate.edits, changed.source)
    applied = (*now.applied, _as_pass(now, candidate))
    return ShortenedProgram(changed.source, tokens, applied, lines, (*now.assumes, *stated), origins)


def _rejected(rejection: Rejection[PassCandidate, ShortenedProgram], budget: int) -> RejectedPass:
    now, made = rejection.before, rejection.state
    _, line, what = _as_pass(now, rejection.candidate)
    if made is None:
        return RejectedPass(line, what, None, None, rejection.reason)
    reason = NO_SHORTER if made.tokens >= now.tokens else NOT_NEEDED if made.tokens <= budget else LESS_GAIN
    return RejectedPass(line, what, made.tokens - now.tokens, None, reason)
