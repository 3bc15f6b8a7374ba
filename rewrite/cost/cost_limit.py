"""A rewrite that rests on calls, in its cheapest form and within a limit of tokens.

The limit is a multiple of the longest trace of the original, and what fitted into the model's budget must. While a
rewrite is over it, the part of the program that costs most is left out: each candidate is tried, and its price is what
the longest trace gets shorter by.
What it does not do: run or rewrite anything itself; `rewrite.evidence.gather` and the function it is given do.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, takewhile

from analyze.gold_trace.frames import count_tokens
from analyze.tokens.tokenizer import default_tokenizer
from rewrite.cost.call_agreement import find_culprits, find_disagreement
from rewrite.cost.deadline import NEVER, Deadline, OutOfTimeError
from rewrite.cost.trace_tokens import TracedCall, count_frame_tokens, longest_trace, trace_calls
from rewrite.evidence.gather import gather
from rewrite.evidence.given import Given, Spot, kind_of
from rewrite.passes.cleanup.forms import alternative_forms
from rewrite.passes.cleanup.temporaries import TEMPORARY
from rewrite.result import Left, Rewritten

Rewrite = Callable[[Given], Rewritten]
BUDGET = 8192
"""Tokens that the paper gives the model for an answer: under a limit, what fitted into them still does."""
MAX_TRIED = 6
MAX_OUTLINED = 12
MAX_LEFT_OUT = 40
SHOWN = 60
DESCRIPTIONS = {
    "expressions": "nested expressions",
    "letters": "the characters as lists",
    "methods": "a loop over the characters",
}


@dataclass(frozen=True)
class MeasuredRewrite:
    """A rewrite and the traces of its calls."""

    result: Rewritten
    runs: tuple[TracedCall, ...]

    @property
    def tokens(self) -> int | None:
        """Of the longest trace; None where one has no number."""
        return longest_trace(self.runs)

    @property
    def longest(self) -> TracedCall:
        """The run of the longest trace, by its frames."""
        return max(self.runs, key=lambda run: len(run.trace.frames))

    def leaving(self, left: Sequence[Left]) -> MeasuredRewrite:
        """The same, with more that was left alone."""
        return replace(self, result=replace(self.result, left=tuple(sorted([*self.result.left, *left]))))


def rewrite_with_calls(
    source: str,
    calls: Sequence[str],
    rewrite: Rewrite,
    *,
    unproven: str,
    cost: float | None,
    shared: bool = True,
    unchanged: Rewritten | None = None,
    deadline: Deadline = NEVER,
) -> Rewritten:
    """The rewrite that rests on what the calls show, cheapest form first, within `cost` times the original's tokens.

    It does what the program does under these calls: changes that do something else are left out, and reported.

    Args:
        source: The program.
        calls: Run once, in the sandbox.
        rewrite: What rewrites the program, with what it may rest on.
        unproven: What is done where nothing proves a type.
        cost: Multiple of the original's tokens; None: any.
        shared: Whether names of temporaries may be used again.
        unchanged: What is given back where no change is to blame (default: the rewrite, which is reported).
        deadline: When the search ends (default: never). Then the program is left as it is, with the reason.
    """
    rewrite(Given("leave"))  # says what cannot be read before anything runs
    evidence = gather(source, calls)
    before = trace_calls(source, evidence.calls)
    try:
        making = _LimitedRewriter(source, before, deadline.held(rewrite), shared, unchanged, deadline)
        made = _searched(making, Given(unproven, evidence if unproven == "assume" else None), cost)
    except OutOfTimeError:
        reason = f"left as it is: {deadline.spent} before a rewrite was found that is cheap enough"
        made = MeasuredRewrite(unchanged or Rewritten(source, False), before).leaving([Left(1, reason)])
    none = tuple((call, f"not compared, {why}") for call, why in evidence.none)
    return replace(made.result, unobserved=none, tokens=longest_trace(made.runs), original_tokens=longest_trace(before))


def _searched(making: _LimitedRewriter, given: Given, cost: float | None) -> MeasuredRewrite:
    made = making.cheapest(given)
    whole = longest_trace(making.before)
    dear: tuple[Left, ...] = ()
    if cost is not None and whole is not None:
        limit = int(cost * whole)
        given, dear = making.within(min(limit, BUDGET) if whole <= BUDGET else limit, given, made)
        made = making.cheapest(given) if dear else made
    given, made = making.apart(given, made)
    made = made.leaving(dear)
    wrong = making.disagreement(made)
    if wrong:
        made = making.agreeing(given, made, wrong)
    return made


@dataclass(frozen=True)
class _LimitedRewriter:
    source: str
    before: tuple[TracedCall, ...]
    rewrite: Rewrite
    shared: bool
    unchanged: Rewritten | None
    deadline: Deadline

    def cheapest(self, given: Given) -> MeasuredRewrite:
        """The rewrite in the form whose longest trace is the shortest; of equals the shortest text."""
        result = self.rewrite(given)
        if not result.changed:
            return MeasuredRewrite(result, self.before)
        if not (self.shared and self.before):
            return self._made(result)
        return min(
            reversed([self._made(form) for form in alternative_forms(result, self.source, self.deadline.check)]),
            key=_rank,
        )

    def _made(self, result: Rewritten) -> MeasuredRewrite:
        self.deadline.check()
        return MeasuredRewrite(result, trace_calls(result.source, [run.call for run in self.before]))

    def within(self, limit: int, given: Given, whole: MeasuredRewrite) -> tuple[Given, tuple[Left, ...]]:
        """What leaves out the dearest parts, as many as it takes, in the end all of them; and what that says."""
        made, everything = whole, Spot(0, len(self.source))
        left: dict[Spot, int] = {}
        vain: set[Spot] = set()
        while _is_over(made, limit) and everything not in left.keys() | vain:
            dearest = {spot: tokens for spot, tokens in self._dearest(made).items() if spot not in vain}
            spots = [*dearest][:MAX_TRIED]
            if not spots or len(left) == MAX_LEFT_OUT or self._is_far_over(made, limit, [*dearest.values()]):
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

    def apart(self, given: Given, best: MeasuredRewrite) -> tuple[Given, MeasuredRewrite]:
        """The rewrite with loops over characters in functions of their own, where its longest trace gets shorter."""
        if not (self.shared and self.before):
            return given, best
        for spot in [spot for spot in self._dearest(best) if kind_of(spot.intervention) == "methods"][:MAX_OUTLINED]:
            moved = replace(given, apart=given.apart | {spot})
            try:
                made = self.cheapest(moved)
            except OutOfTimeError:
                reason = f"not every loop was tried in a function of its own: {self.deadline.spent}"
                return given, best.leaving([Left(1, reason)])
            if _weight(made) < _weight(best):
                given, best = moved, made
        return given, best

    def disagreement(self, made: MeasuredRewrite) -> str:
        """The first call that does something else in the rewrite, and in what respect; "" if none does."""
        return find_disagreement(self.before, made.runs, self.source, made.result.source)

    def agreeing(self, given: Given, made: MeasuredRewrite, wrong: str) -> MeasuredRewrite:
        """The rewrite without the changes that do something else, which are reported; without any, if need be."""
        found = list(dict.fromkeys(_candidates(self.source, made.result)))

        def without(spots: Sequence[Spot]) -> MeasuredRewrite:
            return self.cheapest(self._without(given, [*given.left_out, *spots]))

        reason = f"it does something else under {wrong}"
        if self.disagreement(without(found)):
            if self.unchanged is None:
                return made.leaving([Left(1, reason)])
            return MeasuredRewrite(self.unchanged, self.before).leaving([Left(1, f"all of it is left out: {reason}")])
        blamed = find_culprits(found, lambda spots: not self.disagreement(without(spots)))
        said = [Left(self._line(spot), f"{self._text(spot)} is left out: {reason}") for spot in blamed]
        return without(blamed).leaving(said)

    @staticmethod
    def _is_far_over(made: MeasuredRewrite, limit: int, spent: Sequence[int]) -> bool:
        """Whether a long trace stays over the limit even if all that may be left out saves twice what it takes now."""
        if len(spent) <= MAX_LEFT_OUT:
            return False
        frames = made.longest.trace.frames
        return count_tokens(frames, default_tokenizer(), limit + 2 * sum(spent[:MAX_LEFT_OUT])) is None

    @staticmethod
    def _without(given: Given, spots: Sequence[Spot]) -> Given:
        return replace(given, left_out=dict.fromkeys(spots, ""))

    def _roughly(self, given: Given, before: MeasuredRewrite) -> tuple[float, int, int]:
        """What another rewrite would weigh, by one of its forms and the call that was the longest before."""
        result = self.rewrite(given)
        *_, form = alternative_forms(result, self.source, self.deadline.check) if self.shared else (result,)
        return _weight(MeasuredRewrite(form, trace_calls(form.source, [before.longest.call])))

    def _dearest(self, made: MeasuredRewrite) -> dict[Spot, int]:
        """What can be left out, with the tokens that the frames of it take now, dearest first.

        A loop over characters goes before the expression that it stands in: what is left keeps its name.
        """
        places, totals = self._tokens_by_place(made)
        spent = {
            spot: totals[bisect_left(places, spot.end)] - totals[bisect_left(places, spot.start)]
            for spot in _candidates(self.source, made.result)
        }
        loops = sorted(spot[:2] for spot, tokens in spent.items() if tokens and spot.intervention)
        found = [
            spot
            for spot, tokens in spent.items()
            if tokens and (spot.intervention or not any(True for _ in _inside(spot.start, spot.end, loops)))
        ]
        return {spot: spent[spot] for spot in sorted(found, key=lambda spot: (-spent[spot], spot))}

    def _tokens_by_place(self, made: MeasuredRewrite) -> tuple[list[int], list[int]]:
        """The places of the source that have frames, in order; before each, and at the end, the tokens of those before.

        Of the longest trace, a frame's place being the character that its line comes from.
        """
        starts = _line_starts(self.source)
        places = [starts[min(at.line, len(starts)) - 1] + at.column - 1 for at in made.result.positions]
        run = made.longest
        tokens: defaultdict[int, int] = defaultdict(int)
        for frame, line in zip(run.trace.frames, run.trace.lines, strict=False):
            if 1 <= line <= len(places):
                tokens[places[line - 1]] += count_frame_tokens([frame])
        known = sorted(tokens)
        return known, list(accumulate((tokens[place] for place in known), initial=0))

    def _line(self, spot: Spot) -> int:
        return self.source.count("\n", 0, spot.start) + 1

    def _reason(self, spot: Spot, tokens: int) -> str:
        price = f"{tokens:,} tokens more" if tokens else "more tokens than are counted"
        return (
            f"too dear, {price} in the longest trace: {DESCRIPTIONS[kind_of(spot.intervention)]} in {self._text(spot)}"
        )

    def _text(self, spot: Spot) -> str:
        text = " ".join(self.source[spot.start : spot.end].split())
        return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _is_over(made: MeasuredRewrite, limit: int) -> bool:
    return made.tokens is None or made.tokens > limit


def _weight(made: MeasuredRewrite) -> tuple[float, int, int]:
    """The longest trace; where it is not counted, the frames; then all together."""
    tokens = made.tokens
    frames = max((len(run.trace.frames) for run in made.runs), default=0)
    return (float("inf") if tokens is None else tokens, frames, sum(run.tokens or 0 for run in made.runs))


def _rank(made: MeasuredRewrite) -> tuple[tuple[float, int, int], int]:
    """Its weight; then names and lines, for what no call reaches costs nothing here, and may elsewhere."""
    text = made.result.source
    return _weight(made), len(set(TEMPORARY.findall(text))) + text.count("\n")


def _saved(made: MeasuredRewrite, without: MeasuredRewrite) -> int:
    return (made.tokens or 0) - (without.tokens or 0) if made.tokens is not None else 0


def _candidates(source: str, made: Rewritten) -> Iterator[Spot]:
    """Comprehensions and lambdas that hold a change, operations on strings, and the outermost nested expressions."""
    spans = sorted({span for span in made.spans if span[1] > span[0]}, key=lambda span: (span[0], -span[1]))
    for start, end in _inner_scopes(source):
        if any(True for _ in _inside(start, end, spans)):
            yield Spot(start, end)
    # A span lies in another one if one that begins before it, or where it does, ends no earlier.
    ends = [0, *accumulate((end for _, end in spans), max)]
    outermost = {span for span, end in zip(spans, ends, strict=False) if span[1] > end}
    for span, change in zip(made.spans, made.changes, strict=True):
        if change.intervention != "temporaries":
            yield Spot(*span, change.intervention)
        elif span in outermost:
            yield Spot(*span)


def _inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, sorted by where they begin, that lie in [start, end)."""
    first = bisect_left(spans, start, key=lambda span: span[0])
    begun = takewhile(lambda span: span[0] <= end, islice(spans, first, None))
    return (span for span in begun if span[1] <= end)


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
