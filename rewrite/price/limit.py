"""A rewrite that rests on calls, in its cheapest form and within a limit of tokens.

The limit is a multiple of the longest trace of the original, and what fitted into the model's budget must. While a
rewrite is over it, the part of the program that costs most is left out: each candidate is tried, and its price is what
the longest trace gets shorter by.
What it does not do: run or rewrite anything itself; `rewrite.evidence.gather` and the function it is given do.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rewrite.evidence.gather import gather
from rewrite.evidence.given import Given, Spot, kind_of
from rewrite.price.forms import forms
from rewrite.price.meter import Run, differing, longest, measure, tokens_of
from rewrite.price.own_names import TEMPORARY
from rewrite.result import Left, Rewritten

Rewrite = Callable[[Given], Rewritten]
BUDGET = 8192
"""Tokens that the paper gives the model for an answer: under a limit, what fitted into them still does."""
TRIED = 6
MOST_APART = 12
MOST_LEFT_OUT = 40
SHOWN = 60
SAID = {
    "expressions": "nested expressions",
    "letters": "the characters as lists",
    "methods": "a loop over the characters",
}


@dataclass(frozen=True)
class Made:
    """A rewrite and the traces of its calls."""

    result: Rewritten
    runs: tuple[Run, ...]

    @property
    def tokens(self) -> int | None:
        """Of the longest trace; None where one has no number."""
        return longest(self.runs)

    @property
    def longest(self) -> Run:
        """The run of the longest trace, by its frames."""
        return max(self.runs, key=lambda run: len(run.trace.frames))


def with_calls(
    source: str, calls: Sequence[str], rewrite: Rewrite, *, unproven: str, cost: float | None, shared: bool = True
) -> Rewritten:
    """The rewrite that rests on what the calls show, cheapest form first, within `cost` times the original's tokens.

    shared: whether names of temporaries may be used again.
    """
    rewrite(Given("leave"))  # says what cannot be read before anything runs
    evidence = gather(source, calls)
    before = measure(source, evidence.calls)
    given = Given(unproven, evidence if unproven == "assume" else None)
    making = _Making(source, before, rewrite, shared)
    made = making.cheapest(given)
    whole = longest(before)
    dear: tuple[Left, ...] = ()
    if cost is not None and whole is not None:
        limit = int(cost * whole)
        given, dear = making.within(min(limit, BUDGET) if whole <= BUDGET else limit, given, made)
        made = making.cheapest(given) if dear else made
    made = making.apart(given, made)
    made = replace(made, result=replace(made.result, left=tuple(sorted([*made.result.left, *dear]))))
    wrong = differing(before, made.runs)
    if wrong:
        made = making.cheapest(Given("guard"))
        reason = f"what rested on the calls did something else under {wrong}"
        made = replace(made, result=replace(made.result, left=(*made.result.left, Left(1, reason))))
    return replace(made.result, unobserved=evidence.none, tokens=longest(made.runs), original_tokens=longest(before))


@dataclass(frozen=True)
class _Making:
    source: str
    before: tuple[Run, ...]
    rewrite: Rewrite
    shared: bool

    def cheapest(self, given: Given) -> Made:
        """The rewrite in the form whose longest trace is the shortest; of equals the shortest text."""
        result = self.rewrite(given)
        if not result.changed:
            return Made(result, self.before)
        if not (self.shared and self.before):
            return self._made(result)
        return min(reversed([self._made(form) for form in forms(result, self.source)]), key=_rank)

    def _made(self, result: Rewritten) -> Made:
        return Made(result, measure(result.source, [run.call for run in self.before]))

    def within(self, limit: int, given: Given, whole: Made) -> tuple[Given, tuple[Left, ...]]:
        """What leaves out the dearest parts, as many as it takes, in the end all of them; and what that says."""
        made, everything = whole, Spot(0, len(self.source))
        left: dict[Spot, int] = {}
        vain: set[Spot] = set()
        while _is_over(made, limit) and everything not in left.keys() | vain:
            spots = [spot for spot in self._dearest(made) if spot not in vain][:TRIED]
            if not spots or len(left) == MOST_LEFT_OUT:
                made, left, spots = whole, {}, [everything]
            weights = {spot: self._roughly(self._without(given, [*left, spot]), made) for spot in spots}
            spot = min(spots, key=lambda spot: (weights[spot], spot.end - spot.start))
            without = self.cheapest(self._without(given, [*left, spot]))
            if _weight(without) < _weight(made):
                left[spot] = _saved(made, without)
                made = without
            else:
                vain.update(spots)
        said = tuple(Left(self._line(spot), self._reason(spot, tokens)) for spot, tokens in left.items())
        return self._without(given, list(left)), said

    def apart(self, given: Given, best: Made) -> Made:
        """The rewrite with loops over characters in functions of their own, where its longest trace gets shorter."""
        if not (self.shared and self.before):
            return best
        for spot in [spot for spot in self._dearest(best) if kind_of(spot.intervention) == "methods"][:MOST_APART]:
            moved = replace(given, apart=given.apart | {spot})
            made = self.cheapest(moved)
            if _weight(made) < _weight(best):
                given, best = moved, made
        return best

    @staticmethod
    def _without(given: Given, spots: Sequence[Spot]) -> Given:
        return replace(given, left_out=dict.fromkeys(spots, ""))

    def _roughly(self, given: Given, before: Made) -> tuple[float, int, int]:
        """What another rewrite would weigh, by one of its forms and the call that was the longest before."""
        result = self.rewrite(given)
        *_, form = forms(result, self.source) if self.shared else (result,)
        return _weight(Made(form, measure(form.source, [before.longest.call])))

    def _dearest(self, made: Made) -> list[Spot]:
        """What can be left out, by the tokens that the frames of it take now, dearest first.

        A loop over characters goes before the expression that it stands in: what is left keeps its name.
        """
        spent = dict.fromkeys(_candidates(self.source, made.result), 0)
        starts = _line_starts(self.source)
        places = [starts[min(at.line, len(starts)) - 1] + at.column - 1 for at in made.result.positions]
        run = made.longest
        for frame, line in zip(run.trace.frames, run.trace.lines, strict=False):
            if 1 <= line <= len(places):
                amount = tokens_of([frame])
                for spot in spent:
                    spent[spot] += amount if spot.start <= places[line - 1] < spot.end else 0
        loops = [spot for spot, tokens in spent.items() if tokens and spot.intervention]
        found = [
            spot
            for spot, tokens in spent.items()
            if tokens and (spot.intervention or not any(spot.covers(loop[:2], "") for loop in loops))
        ]
        return sorted(found, key=lambda spot: (-spent[spot], spot))

    def _line(self, spot: Spot) -> int:
        return self.source.count("\n", 0, spot.start) + 1

    def _reason(self, spot: Spot, tokens: int) -> str:
        price = f"{tokens:,} tokens more" if tokens else "more tokens than are counted"
        text = " ".join(self.source[spot.start : spot.end].split())
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        return f"too dear, {price} in the longest trace: {SAID[kind_of(spot.intervention)]} in {shown}"


def _is_over(made: Made, limit: int) -> bool:
    return made.tokens is None or made.tokens > limit


def _weight(made: Made) -> tuple[float, int, int]:
    """The longest trace; where it is not counted, the frames; then all together."""
    tokens = made.tokens
    frames = max((len(run.trace.frames) for run in made.runs), default=0)
    return (float("inf") if tokens is None else tokens, frames, sum(run.tokens or 0 for run in made.runs))


def _rank(made: Made) -> tuple[tuple[float, int, int], int]:
    """Its weight; then names and lines, for what no call reaches costs nothing here, and may elsewhere."""
    text = made.result.source
    return _weight(made), len(set(TEMPORARY.findall(text))) + text.count("\n")


def _saved(made: Made, without: Made) -> int:
    return (made.tokens or 0) - (without.tokens or 0) if made.tokens is not None else 0


def _candidates(source: str, made: Rewritten) -> Iterator[Spot]:
    """Comprehensions and lambdas that hold a change, operations on strings, and the outermost nested expressions."""
    spans = [span for span in made.spans if span[1] > span[0]]
    for start, end in _inner_scopes(source):
        if any(start <= span[0] and span[1] <= end for span in spans):
            yield Spot(start, end)
    for span, change in zip(made.spans, made.changes, strict=True):
        if change.intervention != "temporaries":
            yield Spot(*span, change.intervention)
        elif not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans):
            yield Spot(*span)


def _inner_scopes(source: str) -> Iterator[tuple[int, int]]:
    starts = _line_starts(source)
    lines = source.split("\n")

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode("utf-8", "ignore"))

    for node in ast.walk(_parsed(source)):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
            assert node.end_lineno is not None and node.end_col_offset is not None
            yield offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)


def _parsed(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # LibCST reads more than this Python
        return ast.Module([], [])


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts
