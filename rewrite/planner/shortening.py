"""Which savings make the longest trace of a program fit: greedily, each counted by running it.

A saving hides what it saves, so no more of them are applied than it takes. What this does not do: save anything itself
(`rewrite.passes`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from rewrite.evidence.assumptions import Assumption
from rewrite.passes import PassCandidate, apply_candidate, find_candidates
from rewrite.planner.plan import RejectedPass
from rewrite.planner.source_origins import SourceOrigins
from rewrite.result import Change, Rewritten
from rewrite.syntax.source_map import Position

MAX_ROUNDS, MAX_TRIED = 12, 16
"""So many savings are applied at most, and so many tried before each."""
UNCOUNTED = "under the calls the program does something else, or its trace cannot be counted"
UNSTATED = "it depends on an assumption that cannot be stated about the original program"
NO_SHORTER = "the trace gets no shorter"
NOT_NEEDED = "not needed: the program fits without it"
LESS_GAIN = "another saving shortens the trace more"
UNTRIED = f"not tried: {MAX_TRIED} others come first"

Tokens = Callable[[str], int | None]
"""The tokens of the longest trace of a text; None if it cannot be counted or is no longer the same program."""
Pass = tuple[str, int, str]
"""A saving that is applied: its name, the line of the original, and what it does."""


@dataclass(frozen=True)
class ShortenedProgram:
    """A program with some savings applied.

    Attributes:
        source: The program.
        tokens: Tokens of its longest trace.
        applied: The savings, in the order of application.
        lines: For each line of the program, the line of the original.
        assumes: What the savings assume of the original.
        origins: Where the characters of the program stand in the original.
    """

    source: str
    tokens: int
    applied: tuple[Pass, ...]
    lines: tuple[int, ...]
    assumes: tuple[Assumption, ...]
    origins: SourceOrigins

    @classmethod
    def of(cls, source: str, tokens: int) -> ShortenedProgram:
        """The original."""
        return cls(source, tokens, (), tuple(range(1, source.count("\n") + 2)), (), SourceOrigins.of(source))

    def rewritten(self) -> Rewritten:
        """The same as any other rewrite."""
        changes = tuple(Change("shortened", line, 1, what) for _, line, what in self.applied)
        positions = tuple(Position(line, 1) for line in self.lines)
        assumes = tuple(sorted(set(self.assumes)))
        return Rewritten(self.source, bool(self.applied), changes, positions=positions, assumes=assumes)


def shorten(
    source: str, calls: Sequence[str], tokens: Tokens, original: int, budget: int, without: Collection[Pass] = ()
) -> tuple[tuple[ShortenedProgram, ...], tuple[RejectedPass, ...]]:
    """The program after each saving, until it comes to `budget` or nothing shortens it; and what was rejected.

    The first state is the original. without: savings that are not to be applied.
    """
    states = [ShortenedProgram.of(source, original)]
    rejected: tuple[RejectedPass, ...] = ()
    for _ in range(MAX_ROUNDS):
        now = states[-1]
        if now.tokens <= budget:
            break
        found = [one for one in find_candidates(now.source, calls) if _pass(now, one) not in without]
        made = [(one, _applied(now, one, tokens)) for one in found[:MAX_TRIED]]
        best = _best(now, [one for _, one in made if isinstance(one, ShortenedProgram)], budget)
        rejected = (
            *(_rejected(now, saving, one, budget) for saving, one in made if one is not best),
            *(_rejected(now, saving, UNTRIED, budget) for saving in found[MAX_TRIED:]),
        )
        if best is None:
            break
        states.append(best)
    return tuple(states), rejected


def _best(now: ShortenedProgram, made: Sequence[ShortenedProgram], budget: int) -> ShortenedProgram | None:
    """Of those that make it fit, the one that hides least: it saves least. Else the shortest, if that is shorter."""
    fitting = [one for one in made if one.tokens <= budget]
    best = max(fitting, key=_tokens) if fitting else min(made, key=_tokens, default=now)
    return best if best.tokens < now.tokens else None


def _tokens(state: ShortenedProgram) -> int:
    return state.tokens


def _pass(now: ShortenedProgram, saving: PassCandidate) -> Pass:
    return saving.name, now.lines[min(saving.line, len(now.lines)) - 1], saving.what


def _applied(now: ShortenedProgram, saving: PassCandidate, tokens: Tokens) -> ShortenedProgram | str:
    """The program with one saving more, or why it cannot be applied."""
    assumes = [now.origins.assumption(one) for one in saving.assumes]
    stated = [one for one in assumes if one is not None]
    if len(stated) < len(assumes):
        return UNSTATED
    saved = apply_candidate(now.source, saving)
    counted = tokens(saved.source)
    if counted is None:
        return UNCOUNTED
    lines = tuple(now.lines[min(line, len(now.lines)) - 1] for line in saved.lines)
    origins = now.origins.edited(saving.edits, saved.source)
    applied = (*now.applied, _pass(now, saving))
    return ShortenedProgram(saved.source, counted, applied, lines, (*now.assumes, *stated), origins)


def _rejected(now: ShortenedProgram, saving: PassCandidate, made: ShortenedProgram | str, budget: int) -> RejectedPass:
    _, line, what = _pass(now, saving)
    if isinstance(made, str):
        return RejectedPass(line, what, None, None, made)
    reason = NO_SHORTER if made.tokens >= now.tokens else NOT_NEEDED if made.tokens <= budget else LESS_GAIN
    return RejectedPass(line, what, made.tokens - now.tokens, None, reason)
