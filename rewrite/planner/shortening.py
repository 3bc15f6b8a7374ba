"""Which savings make the longest trace of a program fit: greedily, each counted by running it.

A saving hides what it saves, so no more of them are taken than it takes. What this does not do: save anything itself
(`rewrite.savings`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rewrite.assumption import Assumption
from rewrite.savings import Saving, apply, candidates

ROUNDS, TRIED = 12, 16
"""So many savings are taken at most, and so many tried before each."""


@dataclass(frozen=True)
class Taken:
    """A saving that was applied: the line of the original, what was done, and the tokens that it saved."""

    line: int
    what: str
    saved: int


@dataclass(frozen=True)
class Shortened:
    """A shorter program. lines: for each of its lines, that of the original; tokens: of its longest trace."""

    source: str
    tokens: int
    taken: tuple[Taken, ...]
    lines: tuple[int, ...]
    assumes: tuple[Assumption, ...]


def shorten(
    source: str, calls: Sequence[str], tokens: Callable[[str], int | None], original: int, budget: int
) -> Shortened:
    """The program with as many savings as it takes to come to `budget`, or with all that save something.

    tokens: of the longest trace of a text, None where it cannot be counted or is no longer the same program.
    """
    count = source.count("\n") + 1
    now = Shortened(source, original, (), tuple(range(1, count + 1)), ())
    for _ in range(ROUNDS):
        if now.tokens <= budget:
            break
        made = [_applied(now, one, tokens) for one in list(candidates(now.source, calls))[:TRIED]]
        better = [one for one in made if one is not None and one.tokens < now.tokens]
        if not better:
            break
        # Of those that make it fit, the one that hides least: it saves least.
        fitting = [one for one in better if one.tokens <= budget]
        now = max(fitting, key=lambda one: one.tokens) if fitting else min(better, key=lambda one: one.tokens)
    return now


def _applied(now: Shortened, saving: Saving, tokens: Callable[[str], int | None]) -> Shortened | None:
    saved = apply(now.source, saving)
    counted = tokens(saved.source)
    if counted is None:
        return None
    lines = tuple(now.lines[min(line, len(now.lines)) - 1] for line in saved.lines)
    line = now.lines[min(saving.line, len(now.lines)) - 1]
    assumes = tuple(Assumption(now.lines[one[0] - 1], *one[1:]) for one in saving.assumes)
    taken = Taken(line, saving.what, now.tokens - counted)
    return Shortened(saved.source, counted, (*now.taken, taken), lines, (*now.assumes, *assumes))
