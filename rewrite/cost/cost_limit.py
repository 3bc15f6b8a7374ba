"""A rewrite that uses what calls show, in its cheapest form and within a token limit.

The limit is a multiple of the tokens of the longest trace (`base_tokens`). A program that fits the model's token budget
still fits it after the rewrite. While a rewrite is over the limit, a greedy selection leaves out the change that saves
most tokens. Calls run in `rewrite.evidence.gather`; the function that the caller passes rewrites.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analyze.gold_trace.frames import count_tokens
from analyze.tokens.tokenizer import default_tokenizer
from corpora.deadline import OutOfTimeError, current_deadline
from rewrite.anf.names import TEMPORARY
from rewrite.anf.rewrite_result import OVER_TOKEN_LIMIT, REFUSED, UNCHANGED, Rewritten, SkippedExpression
from rewrite.cost.base_tokens import base_tokens
from rewrite.cost.budget import BUDGET
from rewrite.cost.call_agreement import find_culprits, find_disagreement
from rewrite.cost.greedy_selection import select
from rewrite.cost.span_costs import removable_spots, spot_costs
from rewrite.cost.trace_tokens import TracedCall, longest_trace, trace_calls
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.evidence.gather import Evidence, gather_evidence
from rewrite.passes.cleanup.forms import alternative_forms, last_form
from rewrite.passes.cleanup.observed_values import Kinds, observed_kinds
from rewrite.pipeline.recipes import kind_of

Rewrite = Callable[[RewriteContext], Rewritten]
MAX_TRIED = 6
MAX_OUTLINED = 12
MAX_LEFT_OUT = 40
MAX_SHOWN = 60
DESCRIPTIONS = {
    "expressions": "nested expressions",
    "letters": "the characters as lists",
    "methods": "a loop over the characters",
}
Weight = tuple[float, int, int]
"""Tokens of the longest trace (infinite if they are not counted), its frames, and the tokens of all traces."""
_NOTHING = InterventionSite(0, 0)


@dataclass(frozen=True)
class MeasuredRewrite:
    """A rewrite and the traces of its calls."""

    result: Rewritten
    runs: tuple[TracedCall, ...]

    @property
    def tokens(self) -> int | None:
        """Tokens of the longest trace; None if a trace is not counted."""
        return longest_trace(self.runs)

    @property
    def longest(self) -> TracedCall:
        """The call whose trace has the most frames."""
        return max(self.runs, key=lambda run: len(run.trace.frames))

    @property
    def weight(self) -> Weight:
        """The order by cost."""
        tokens = self.tokens
        frames = max((len(run.trace.frames) for run in self.runs), default=0)
        return (float("inf") if tokens is None else tokens, frames, sum(run.tokens or 0 for run in self.runs))

    @property
    def rank(self) -> tuple[Weight, int]:
        """The weight, then temporaries and lines: code that no call reaches costs nothing here, but may elsewhere."""
        source = self.result.source
        return self.weight, len(set(TEMPORARY.findall(source))) + source.count("\n")

    def exceeds(self, limit: int) -> bool:
        """Whether the longest trace is over a token limit, or not counted."""
        return self.tokens is None or self.tokens > limit

    def leaving(self, left: Sequence[SkippedExpression]) -> MeasuredRewrite:
        """The same rewrite with more entries in `left`."""
        return replace(self, result=replace(self.result, left=tuple(sorted([*self.result.left, *left]))))


@dataclass(frozen=True)
class _Reduction:
    """A rewrite without some of its changes.

    Attributes:
        made: The rewrite.
        excluded: The changes that are left out, each with the tokens that it saved.
        futile: Changes that save nothing when they are left out.
        last: The change that was left out last.
        estimate: The weight without `last`, from one form and one call.
    """

    made: MeasuredRewrite
    excluded: Mapping[InterventionSite, int] = field(default_factory=dict)
    futile: frozenset[InterventionSite] = frozenset()
    last: InterventionSite = _NOTHING
    estimate: Weight = (0.0, 0, 0)


def rewrite_with_calls(
    source: str,
    calls: Sequence[str],
    rewrite: Rewrite,
    *,
    unproven: str,
    cost: float | None,
    shared: bool = True,
    unchanged: Rewritten,
) -> Rewritten:
    """The rewrite that uses what the calls show, in its cheapest form, within `cost` times the original's tokens.

    Under these calls it does what the program does. A change that does something else is left out and reported. If the
    deadline passes (`corpora.deadline`), the program stays unchanged, with the reason in `left`.

    Args:
        source: The program.
        calls: Calls, each run once in the sandbox.
        rewrite: Rewrites the program, given what it may assume.
        unproven: What to do where the source proves no type.
        cost: Multiple of the original's tokens; None for no limit.
        shared: Whether temporaries that are not live together may share a name.
        unchanged: The result if no single change is the culprit.
    """
    rewrite(RewriteContext("leave"))  # raises for a source that cannot be read, before anything runs
    evidence = Evidence()
    before: tuple[TracedCall, ...] = ()
    try:
        evidence = gather_evidence(source, calls)
        before = trace_calls(source, evidence.calls)
        rewriter = _LimitedRewriter(source, before, rewrite, shared, unchanged)
        made = rewriter.run(RewriteContext(unproven, evidence if unproven == "assume" else None), cost)
    except OutOfTimeError as error:
        reason = f"{UNCHANGED}: {error.message}, and no rewrite within the token limit was found"
        made = MeasuredRewrite(unchanged, before).leaving([SkippedExpression(1, reason)])
    none = tuple((call, f"not compared, {why}") for call, why in evidence.unobserved)
    raised = tuple((run.call, run.raised) for run in before if run.raised)
    tokens, original = longest_trace(made.runs), longest_trace(before)
    return replace(made.result, unobserved=none, raised=raised, tokens=tokens, original_tokens=original)


@dataclass(frozen=True)
class _LimitedRewriter:
    """The search for one program. before: its calls, traced; the other fields are those of `rewrite_with_calls`."""

    source: str
    before: tuple[TracedCall, ...]
    rewrite: Rewrite
    shared: bool
    unchanged: Rewritten
    _runs: dict[str, tuple[TracedCall, ...]] = field(default_factory=dict)  # of the source measured last

    def run(self, given: RewriteContext, cost: float | None) -> MeasuredRewrite:
        """The cheapest rewrite within the limit that does what the program does under the calls."""
        made = self.cheapest(given)
        whole = longest_trace(self.before)
        left_out: tuple[SkippedExpression, ...] = ()
        if cost is not None and whole is not None:
            limit = int(cost * base_tokens(self.before))
            given, left_out = self.reduce(min(limit, BUDGET) if whole <= BUDGET else limit, given, made)
            made = self.cheapest(given) if left_out else made
        given, made = self.outline_loops(given, made)
        made = made.leaving(left_out)
        wrong = self.disagreement(made)
        return self.without_culprits(given, made, wrong) if wrong else made

    def cheapest(self, given: RewriteContext) -> MeasuredRewrite:
        """The rewrite in the form with the shortest longest trace; among equals the one with the shortest source."""
        result = self._rewritten(given)
        if not result.changed:
            return MeasuredRewrite(result, self.before)
        if not (self.shared and self.before):
            return self._measured(result)
        found = [self._measured(form) for form in alternative_forms(result, self.source, self._kinds)]
        return min(reversed(found), key=lambda made: made.rank)

    def _rewritten(self, given: RewriteContext) -> Rewritten:
        current_deadline().check()
        return self.rewrite(given)

    def _measured(self, result: Rewritten) -> MeasuredRewrite:
        if result.source not in self._runs:
            self._runs.clear()
            self._runs[result.source] = trace_calls(result.source, [run.call for run in self.before])
        return MeasuredRewrite(result, self._runs[result.source])

    def _kinds(self, form: Rewritten) -> Kinds:
        return observed_kinds(run.trace for run in self._measured(form).runs)

    def reduce(
        self, limit: int, given: RewriteContext, whole: MeasuredRewrite
    ) -> tuple[RewriteContext, tuple[SkippedExpression, ...]]:
        """Leave out the most expensive changes until the rewrite is within the limit, if need be all of them."""
        start, everything = _Reduction(whole), InterventionSite(0, len(self.source))

        def candidates(now: _Reduction) -> list[InterventionSite]:
            if not now.made.exceeds(limit) or everything in now.excluded.keys() | now.futile:
                return []
            costs = {spot: tokens for spot, tokens in self._costs(now.made).items() if spot not in now.futile}
            if len(now.excluded) == MAX_LEFT_OUT or self._is_far_over(now.made, limit, [*costs.values()]):
                return [everything]
            return [*costs] or [everything]

        def measure(now: _Reduction, spot: InterventionSite) -> _Reduction:
            base = replace(start, futile=now.futile) if spot == everything else now
            estimate = self._estimate(self._without(given, [*base.excluded, spot]), base.made)
            return replace(base, last=spot, estimate=estimate)

        def prefer(_: _Reduction, found: Sequence[_Reduction]) -> _Reduction:
            best = min(found, key=lambda one: (one.estimate, one.last.end - one.last.start))
            made = self.cheapest(self._without(given, [*best.excluded, best.last]))
            if made.weight < best.made.weight:
                return replace(best, made=made, excluded={**best.excluded, best.last: _saved(best.made, made)})
            return replace(best, futile=best.futile.union(one.last for one in found))

        left_out = select(start, candidates, measure, prefer, max_tried=MAX_TRIED).last.excluded
        reasons = [(self._line(spot), self._reason(spot, tokens, limit)) for spot, tokens in left_out.items()]
        return self._without(given, list(left_out)), tuple(SkippedExpression(*reason) for reason in reasons)

    def outline_loops(self, given: RewriteContext, best: MeasuredRewrite) -> tuple[RewriteContext, MeasuredRewrite]:
        """The rewrite with loops over characters outlined into functions where the longest trace gets shorter."""
        if not (self.shared and self.before):
            return given, best
        for spot in [spot for spot in self._costs(best) if kind_of(spot.intervention) == "methods"][:MAX_OUTLINED]:
            outlined = replace(given, outlined=given.outlined | {spot})
            try:
                made = self.cheapest(outlined)
            except OutOfTimeError as error:
                reason = f"not every loop was tried in a function of its own: {error.message}"
                return given, best.leaving([SkippedExpression(1, reason)])
            if made.weight < best.weight:
                given, best = outlined, made
        return given, best

    def disagreement(self, made: MeasuredRewrite) -> str:
        """Why the rewrite does not do the same: a call that differs or was not compared; "" if there is none."""
        return find_disagreement(self.before, made.runs, self.source, made.result.source)

    def without_culprits(self, given: RewriteContext, made: MeasuredRewrite, reason: str) -> MeasuredRewrite:
        """The rewrite without the changes that do something else, which are reported; if need be without any."""
        found = list(dict.fromkeys(removable_spots(self.source, made.result)))

        def without(spots: Sequence[InterventionSite]) -> MeasuredRewrite:
            return self.cheapest(self._without(given, [*given.excluded, *spots]))

        if self.disagreement(without(found)):
            skipped = SkippedExpression(1, f"{REFUSED}: {reason}")
            return MeasuredRewrite(self.unchanged, self.before).leaving([skipped])
        culprits = find_culprits(found, lambda spots: not self.disagreement(without(spots)))
        reports = [(self._line(spot), f"{self._code(spot)} is left out: {reason}") for spot in culprits]
        return without(culprits).leaving([SkippedExpression(*report) for report in reports])

    @staticmethod
    def _is_far_over(made: MeasuredRewrite, limit: int, costs: Sequence[int]) -> bool:
        """Whether a long trace stays over the limit even if all that may be left out saves twice what it costs now."""
        if len(costs) <= MAX_LEFT_OUT:
            return False
        frames = made.longest.trace.frames
        return count_tokens(frames, default_tokenizer(), limit + 2 * sum(costs[:MAX_LEFT_OUT])) is None

    @staticmethod
    def _without(given: RewriteContext, spots: Sequence[InterventionSite]) -> RewriteContext:
        return replace(given, excluded=dict.fromkeys(spots, ""))

    def _estimate(self, given: RewriteContext, before: MeasuredRewrite) -> Weight:
        """The weight of another rewrite, from its last form and the call whose trace was the longest before."""
        result = self._rewritten(given)
        longest = before.longest.call

        def kinds(form: Rewritten) -> Kinds:
            return observed_kinds(run.trace for run in trace_calls(form.source, [longest]))

        form = last_form(result, self.source, kinds) if self.shared else result
        return MeasuredRewrite(form, trace_calls(form.source, [longest])).weight

    def _costs(self, made: MeasuredRewrite) -> dict[InterventionSite, int]:
        return spot_costs(self.source, made.result, made.longest)

    def _line(self, spot: InterventionSite) -> int:
        return self.source.count("\n", 0, spot.start) + 1

    def _reason(self, spot: InterventionSite, tokens: int, limit: int) -> str:
        added = f"{tokens:,} tokens more" if tokens else "more tokens than are counted"
        what = DESCRIPTIONS[kind_of(spot.intervention)]
        over = f"{OVER_TOKEN_LIMIT} {limit:,}{' (the budget of a trace)' if limit == BUDGET else ''}"
        return f"{over}, {added} in the longest trace: {what} in {self._code(spot)}"

    def _code(self, spot: InterventionSite) -> str:
        """The source of a spot on one line, cut where it is long."""
        code = " ".join(self.source[spot.start : spot.end].split())
        return code if len(code) <= MAX_SHOWN else f"{code[:MAX_SHOWN]}…"


def _saved(before: MeasuredRewrite, after: MeasuredRewrite) -> int:
    """Tokens that a change adds; 0 if the trace with it is not counted."""
    return before.tokens - (after.tokens or 0) if before.tokens is not None else 0
