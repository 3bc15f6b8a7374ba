"""`plan_rewrite`: a program in the form that leaves a code world model the least risk within the tokens there are.

A program that fits the budget is spelled out where that is worth its tokens, and never stops fitting. One that does not
fit is shortened first (`rewrite.planner.shortening`), if it can be, and else reported with how far it is. What it does
not do: say what a model makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from math import exp

from analyze.risk.model import Weights as RiskWeights
from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from rewrite.evidence.gather import gather
from rewrite.evidence.given import Given, Spot, kind_of, read_calls
from rewrite.once import rewrite_once
from rewrite.planner.candidates import KINDS, Candidate, candidates, spots
from rewrite.planner.counts import Counts
from rewrite.planner.plan import Choice, Plan
from rewrite.planner.risks import Risks, risks
from rewrite.planner.search import Choice as Chosen
from rewrite.planner.search import choose
from rewrite.planner.shortening import Shortened, Taken, shorten
from rewrite.planner.weights import Weights, published
from rewrite.price.forms import forms
from rewrite.price.limit import BUDGET
from rewrite.price.meter import Run
from rewrite.result import Change, Left, Position, Rewritten
from rewrite.syntax.form_feeds import without_form_feeds

PASSES = 8
"""So often it is looked for what else could be spelled out, when what is known is left."""

Rewrite = Callable[[str, Given], Rewritten]
"""What rewrites a text by the recipe `planned`."""


def rewrite_here(source: str, given: Given) -> Rewritten:
    """In this process; `runner.rewriters` has others, whose death is survived."""
    return rewrite_once(source, "planned", given, options={})


def plan_rewrite(
    source: str,
    calls: Iterable[str],
    *,
    budget: int = BUDGET,
    tokenizer: Tokenizer | None = None,
    weights: Weights | None = None,
    risk_weights: RiskWeights | None = None,
    rewrite: Rewrite = rewrite_here,
) -> Plan:
    """The program with the most risk removed for the tokens there are.

    calls: such as "f(1, [2])"; they are run in the sandbox. budget: tokens of the longest trace. tokenizer: the model's
    (default: Llama-3's). weights, risk_weights: others than the published ones. Raises InputError for source or calls
    that do not parse, without calls, and for a budget below 1.
    """
    taken = read_calls(calls)
    if not taken:
        raise InputError("a plan needs calls, whose traces are counted")
    if budget < 1:
        raise InputError(f"budget must be at least 1, not {budget}")
    plain, _ = without_form_feeds(source)
    rewrite(plain, Given("leave"))  # says what cannot be read before anything runs
    return Planning(plain, taken, budget, tokenizer, weights, risk_weights, rewrite).plan()


class Planning:
    """One program and its calls, run once; no text is run twice. original: the tokens of its longest trace."""

    def __init__(
        self,
        source: str,
        calls: Sequence[str],
        budget: int = BUDGET,
        tokenizer: Tokenizer | None = None,
        weights: Weights | None = None,
        risk_weights: RiskWeights | None = None,
        rewrite: Rewrite = rewrite_here,
    ) -> None:
        self.source, self.budget, self.weights, self.rewrite = source, budget, weights or published(), rewrite
        self.tokenizer, self.risk_weights = tokenizer, risk_weights
        self.evidence = gather(source, calls)
        self.counts = Counts(source, self.evidence.calls, tokenizer)
        self.original = self.counts.original
        self.spots: frozenset[Spot] = frozenset()

    @property
    def fits(self) -> bool:
        """Whether the original is within the budget."""
        return self.original is not None and self.original <= self.budget

    @property
    def limit(self) -> int:
        """The tokens that a plan may take."""
        return min(self.budget, int(self.weights.most * (self.original or 0)))

    @cached_property
    def risks(self) -> Risks:
        """The risks of the lines, under the longest calls."""
        by_length = sorted(self.counts.before, key=lambda run: -(run.tokens or 0))
        return risks(self.source, [run.call for run in by_length], self.risk_weights, self.tokenizer)

    def plan(self) -> Plan:
        """The plan, or the program as it is with the reason."""
        nothing = [*self.evidence.none, *filter(None, map(_never_made, self.counts.before))]
        left = tuple(Left(1, f"{call} shows nothing: {why}") for call, why in nothing)
        if self.original is None or len(nothing) >= len(self.counts.before) + len(self.evidence.none):
            uncounted = self.original is None and len(nothing) == len(self.evidence.none) and self.counts.before
            why = "its trace cannot be had, or is too long to be counted" if uncounted else "no call shows anything"
            return Plan(self.source, None, None, 0.0, 0.0, left=(*left, Left(1, why)))
        if not self.fits:
            return self._shortened(left)
        risk = 1 - exp(-self.risks.overall)
        choice = self.chosen(self.offered())
        made, tokens = self._cheapest(frozenset(one for one, _ in choice.chosen), choice.tokens)
        removed = sum(one.gain for one, _ in choice.chosen)
        choices = (
            Choice(one.line, one.what, added, 1 - exp(-one.gain), self.risks.why.get(one.line, ""))
            for one, added in sorted(choice.chosen, key=lambda pair: (pair[0].line, pair[0].kind))
        )
        after = 1 - exp(-max(self.risks.overall - removed, 0.0))
        return Plan(made.source, tokens, self.original, after, risk, tuple(choices), made.assumes, left, made)

    def _shortened(self, left: tuple[Left, ...]) -> Plan:
        """The program with savings until it fits; as it is, where they do not make it fit."""
        assert self.original is not None
        calls = self.counts.calls
        made = shorten(self.source, calls, self.counts.tokens, self.original, self.budget)
        risk = 1 - exp(-self.risks.overall)
        if made.tokens > self.budget:
            most = f", {made.tokens:,} with all that shortens it" if made.taken else ""
            over = f"its trace has {self.original:,} tokens, {self.original - self.budget:,} too many{most}"
            return Plan(self.source, self.original, self.original, risk, risk, left=(*left, Left(1, over)))
        after = risks(made.source, calls, self.risk_weights, self.tokenizer)
        choices = tuple(
            Choice(one.line, one.what, -one.saved, 0.0, "the trace does not fit")
            for one in sorted(made.taken, key=_line)
        )
        return Plan(
            made.source,
            made.tokens,
            self.original,
            1 - exp(-after.overall),
            risk,
            choices,
            made.assumes,
            left,
            _as_rewritten(made),
        )

    def offered(self) -> tuple[Candidate, ...]:
        """What can be spelled out, what removes most first."""
        return candidates(self._places(), self.risks, self.weights)

    def chosen(self, offered: Sequence[Candidate]) -> Chosen:
        """What of it is worth its tokens."""
        assert self.original is not None
        return choose(offered, self.tokens, self.original, self.limit, self.weights)

    def _places(self) -> dict[Spot, int]:
        """Everything that can be spelled out, with its line; what is claimed is left out, to see what claims next."""
        places: dict[Spot, int] = {}
        for _ in range(PASSES):
            made = self.rewrite(self.source, Given("assume", self.evidence, dict.fromkeys(places, "")))
            new = {spot: line for spot, line in spots(made).items() if spot not in places}
            if not new:
                break
            # Of what is claimed by several, the loops come first and the names last.
            rank = max(KINDS.index(kind_of(spot.intervention)) for spot in new)
            places |= {spot: line for spot, line in new.items() if KINDS.index(kind_of(spot.intervention)) == rank}
        self.spots = frozenset(places)
        return places

    def tokens(self, chosen: frozenset[Candidate]) -> int | None:
        """The tokens of the longest trace with these spelled out; None where it is no longer the same, or too long."""
        return self.counts.tokens(self._made(chosen).source)

    def _cheapest(self, chosen: frozenset[Candidate], tokens: int) -> tuple[Rewritten, int]:
        """The form of the program with these spelled out whose trace is the shortest, and its tokens."""
        best = self._made(chosen)
        for form in self._forms(chosen):
            counted = self.counts.tokens(form.source)
            if counted is not None and counted < tokens:
                best, tokens = form, counted
        return best, tokens

    def _made(self, chosen: frozenset[Candidate]) -> Rewritten:
        """The program with these spelled out and nothing else, in the form that is mostly the shortest."""
        return self._forms(chosen)[-1]

    def _forms(self, chosen: frozenset[Candidate]) -> list[Rewritten]:
        if not chosen:
            return [Rewritten(self.source, False)]
        wanted = frozenset[Spot]().union(*(one.spots for one in chosen))
        left_out = dict.fromkeys(sorted(self.spots - wanted), "")
        return list(forms(self.rewrite(self.source, Given("assume", self.evidence, left_out)), self.source))


def _never_made(run: Run) -> tuple[str, str] | None:
    """A call that raises before anything of the program runs for it, and why."""
    entered = sum(frame.event == "call" for frame in run.trace.frames)
    if run.outcome.exception is None or entered > 1:
        return None
    return run.call, ": ".join(run.outcome.exception)


def _line(taken: Taken) -> int:
    return taken.line


def _as_rewritten(made: Shortened) -> Rewritten:
    changes = tuple(Change("shortened", one.line, 1, one.what) for one in made.taken)
    positions = tuple(Position(line, 1) for line in made.lines)
    return Rewritten(made.source, True, changes, positions=positions, assumes=made.assumes)
