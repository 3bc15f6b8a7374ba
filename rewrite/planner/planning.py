"""`plan_rewrite`: a program with the most predicted risk removed for the tokens available.

In a program that fits the budget, values are materialized where their gain justifies their tokens; it never stops
fitting. A program over budget is shortened (`rewrite.planner.shortening`) until it fits; if no passes achieve that, it
stays unchanged and the plan says what would help. Each plan is compared with its program on generated inputs. A pass
that causes a difference is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import isnan

from analyze.risk.model import RiskWeights as RiskWeights
from analyze.tokens.tokenizer import Tokenizer
from corpora.deadline import OutOfTimeError, current_deadline
from corpora.errors import InputError
from rewrite.anf.options import reject_unknown_options
from rewrite.anf.result import UNCHANGED, Rewritten
from rewrite.cost.budget import BUDGET
from rewrite.cost.trace_tokens import TracedCall
from rewrite.equivalence.verdict import find_unobserved_difference
from rewrite.evidence.context import InterventionSite, RewriteContext, check_source, read_calls
from rewrite.evidence.gather import gather_evidence
from rewrite.interventions.consumed_generator import ConsumedGenerator
from rewrite.passes.cleanup.forms import alternative_forms, forms_without_sharing, one_line_forms, readable_form
from rewrite.passes.cleanup.plain_conditions import has_flags
from rewrite.passes.cleanup.readable_names import Observed, observed_variables
from rewrite.passes.cleanup.shared_values import share_values
from rewrite.passes.cleanup.temporary_reuse import Kinds, observed_kinds
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.advice import give_advice, smaller_inputs
from rewrite.planner.candidates import KINDS, Candidate, changed_spots, list_candidates
from rewrite.planner.comparison import PlanComparison, compare_plan, find_first_difference
from rewrite.planner.materialization import MAX_TRIED, Materialization, choose_materializations
from rewrite.planner.plan import DEFAULT_EXAMPLES, Plan, RejectedPass
from rewrite.planner.risks import MAX_CALLS, LineRisks, assess_lines, excess_risk
from rewrite.planner.shortening import Pass, shorten
from rewrite.planner.stages import PlanStage, marginal_effects
from rewrite.planner.trace_counter import TraceCounter
from rewrite.planner.weights import PlannerWeights, published
from rewrite.syntax.form_feeds import remove_form_feeds

MAX_DISCOVERY_ROUNDS = 8
"""Number of rewrites that look for further values, each without those already found."""
MAX_DROPPED = 8
"""If more passes than this change what the program does, it stays unchanged."""
LOOPS = 1.15
"""A new loop with one statement gets two lines if the trace is then at most this many times as long as with one."""
READABLE = 1.05
"""Readable names may exceed the token limit, but not the budget, by this factor: `_t0` says nothing to a reader."""
NEEDS_FLAG = "its condition would need a flag"
REFUSED = "not rewritten"
"""What is said of a value on a line without a candidate."""

Rewrite = Callable[[str, RewriteContext], Rewritten]
"""Rewrites a source by the recipe `planned`."""


def rewrite_here(source: str, given: RewriteContext) -> Rewritten:
    """Rewrite in this process; `runner.rewriting.process` uses worker processes, whose crash does no harm."""
    return rewrite_once(source, "planned", given, options={})


def plan_rewrite(
    source: str,
    calls: str | Iterable[str],
    *,
    budget: int = BUDGET,
    tokenizer: Tokenizer | None = None,
    weights: PlannerWeights | None = None,
    risk_weights: RiskWeights | None = None,
    examples: int = DEFAULT_EXAMPLES,
    rewrite: Rewrite = rewrite_here,
    **unknown: object,
) -> Plan:
    """Plan a rewrite: the most predicted risk removed for the tokens available.

    If the deadline passes first (`corpora.deadline`), the program is left as it is, and `notes` says so.

    Args:
        source: The program.
        calls: Calls such as "f(1, [2])", or a single one. Each runs once in the sandbox.
        budget: Tokens that the longest trace may have (default: 8,192).
        tokenizer: The model's tokenizer (default: Llama-3's).
        weights: Weights of the planner (default: the published ones).
        risk_weights: Weights of the reliability map (default: the published ones).
        examples: Number of generated inputs, within the plan's assumptions, on which the plan is compared with the
            program (default: 30; 0: only on the calls). A pass that causes a difference is dropped, and `left` says so.
        rewrite: Rewrites a source (default: `rewrite_once` in this process).
        unknown: Options of another name are refused, with the one that was probably meant.

    Raises:
        InputError: Source or calls do not parse, there is no call, a number is out of range, or an option is unknown.
    """
    reject_unknown_options(unknown, plan_rewrite.__kwdefaults__ or ())
    check_source(source)
    taken = read_calls(source, calls)
    if not taken:
        raise InputError("a plan needs calls, to count the tokens of their traces")
    if budget < 1:
        raise InputError(f"budget must be at least 1, not {budget}")
    if examples < 0:
        raise InputError(f"examples must be at least 0, not {examples}")
    plain, feeds = remove_form_feeds(source)
    rewrite(plain, RewriteContext("leave"))  # raises for a source that cannot be read, before anything runs
    try:
        plan = Planner(plain, taken, budget, tokenizer, weights, risk_weights, rewrite).plan(examples)
    except OutOfTimeError as error:
        note = f"{UNCHANGED}: {error.message}, and its calls had not run"
        return Plan(source, None, None, None, None, notes=(note,), budget=budget)
    assumes = tuple(one._replace(column=one.column + len(feeds.get(one.line, ""))) for one in plan.assumes)
    return replace(plan, source=source if plan.made is None else plan.source, assumes=assumes)


@dataclass(frozen=True)
class Proposal:
    """A plan before it is compared.

    Attributes:
        stages: The program, then the program after each pass.
        passes: The passes, in order.
        rejected: The passes that were not applied.
        notes: Remarks.
    """

    stages: tuple[PlanStage, ...]
    passes: tuple[Candidate | Pass, ...] = ()
    rejected: tuple[RejectedPass, ...] = ()
    notes: tuple[str, ...] = ()


class Planner:
    """One program and its calls. No variant runs twice. original: the tokens of the program's longest trace."""

    def __init__(
        self,
        source: str,
        calls: Sequence[str],
        budget: int = BUDGET,
        tokenizer: Tokenizer | None = None,
        weights: PlannerWeights | None = None,
        risk_weights: RiskWeights | None = None,
        rewrite: Rewrite = rewrite_here,
    ) -> None:
        self.source, self.budget, self.weights = source, budget, weights or published()
        self._rewrite = rewrite
        self.tokenizer, self.risk_weights = tokenizer, risk_weights
        self.evidence = gather_evidence(source, calls)
        self.counts = TraceCounter(source, self.evidence.calls, tokenizer)
        self.original = self.counts.original
        self.spots: frozenset[InterventionSite] = frozenset()
        self._dropped: dict[Candidate | Pass, RejectedPass] = {}
        self._refused: tuple[RejectedPass, ...] = ()
        self._plain = False
        self._risks: dict[str, float | None] = {}
        self._known: dict[tuple[frozenset[Candidate], bool], list[Rewritten]] = {}

    @property
    def fits(self) -> bool:
        """Whether the original is within the budget."""
        return self.original is not None and self.original <= self.budget

    @property
    def limit(self) -> int:
        """The tokens that a plan may take."""
        original = self.original or 0
        return min(self.budget, max(int(self.weights.most * original), original + self.weights.spare))

    @cached_property
    def calls(self) -> list[str]:
        """The calls, the longest trace first."""
        return [run.call for run in sorted(self.counts.before, key=_length)]

    @cached_property
    def risks(self) -> LineRisks:
        """The risk of each line under the calls with the longest traces."""
        reached = {run.call for run in self.counts.before if _never_made(run) is None}
        calls = [call for call in self.calls if call in reached]
        return assess_lines(self.source, calls, self.risk_weights, self.tokenizer)

    def plan(self, examples: int = 0) -> Plan:
        """The plan, or the unchanged program with the reason. examples: generated inputs for the comparison."""
        nothing = [*self.evidence.unobserved, *filter(None, map(_never_made, self.counts.before))]
        notes = tuple(f"{call} is not used: {why}" for call, why in nothing)
        if len(nothing) >= len(self.counts.before) + len(self.evidence.unobserved):
            return self._unknown((*notes, "no call can be traced"))
        if self.original is None:
            return self._unknown((*notes, "the trace cannot be recorded, or is too long to be counted"))
        try:
            proposal, found = self._compared(examples)
        except OutOfTimeError as error:
            proposal, found = self._nothing(f"{error.message}, and no plan was found"), PlanComparison()
        first, last = proposal.stages[0], proposal.stages[-1]
        return Plan(
            last.made.source,
            last.tokens,
            first.tokens,
            last.risk,
            first.risk,
            marginal_effects(proposal.stages),
            last.made.assumes,
            tuple(sorted(dict.fromkeys([*self._dropped.values(), *self._refused, *proposal.rejected]), key=_place)),
            (*notes, *proposal.notes, *filter(None, [found.why])),
            self.budget,
            found.compared,
            last.tokens > self.budget,
            last.made if last.made.changed else None,
        )

    def _unknown(self, notes: tuple[str, ...]) -> Plan:
        """The unchanged program, since no trace is counted. A trace with more frames than the budget is over it."""
        over = any(len(run.trace.frames) > self.budget for run in self.counts.before)
        more = tuple(smaller_inputs(self.source, self.calls[0], self.budget, self.tokenizer)) if over else ()
        return Plan(self.source, None, None, None, None, notes=(*notes, *more), budget=self.budget, is_over_budget=over)

    def _compared(self, examples: int) -> tuple[Proposal, PlanComparison]:
        """The first proposal that does what the program does on generated inputs."""
        reached = [run.call for run in self.counts.before if _never_made(run) is None]
        for _ in range(MAX_DROPPED):
            proposal = self._proposal()
            found = compare_plan(self.source, proposal.stages[-1].made, reached, examples)
            if not found.call:
                made = proposal.stages[-1].made
                wrong = find_unobserved_difference(self.source, made.source, reached) if made.changed else ""
                return (self._nothing(wrong), PlanComparison()) if wrong else (proposal, found)
            self._drop(proposal, found)
        return self._nothing(f"{MAX_DROPPED} passes changed what the program does"), PlanComparison()

    def _nothing(self, why: str) -> Proposal:
        return Proposal((self._first,), notes=(f"{UNCHANGED}: {why}",))

    def _drop(self, proposal: Proposal, found: PlanComparison) -> None:
        """Drop the pass that caused a difference: the first one after which the call shows it."""
        number = find_first_difference(self.source, [stage.made for stage in proposal.stages], found.call)
        number = len(proposal.passes) if number is None else number
        stage, before = proposal.stages[number], proposal.stages[number - 1]
        reason = f"dropped: it changes what {found.call} does ({found.why})"
        done = frozenset(one for one in proposal.passes[:number] if isinstance(one, Candidate))
        if done and not self._plain and find_first_difference(self.source, self._forms(done)[:1], found.call) is None:
            self._plain = True
            what = "copy propagation and shared temporaries"
            self._dropped["", stage.line, what] = RejectedPass(stage.line, what, None, None, reason)
            return
        added, last = stage.tokens - before.tokens, proposal.passes[number - 1]
        self._dropped[last] = RejectedPass(stage.line, stage.what, added, None, reason)
        if isinstance(last, Candidate):
            same = (one for one in self.offered() if one.kind == last.kind and one.spots & last.spots)
            self._dropped |= {one: self._dropped.get(one, self._dropped[last]) for one in same}

    def _proposal(self) -> Proposal:
        return self._materialized() if self.fits else self._shortened()

    def _materialized(self) -> Proposal:
        """The program with the chosen candidates, applied one after the other."""
        selection = self.chosen([one for one in self.offered() if one not in self._dropped])
        chosen = [one for one, _ in selection.chosen]
        stages = [self._first]
        for count, one in enumerate(chosen, 1):
            made = self._cheapest(frozenset(chosen[:count]))
            if made is None:  # without the candidates after it, the program differs or cannot be counted
                reason = "the trace with only the candidates before it cannot be counted"
                self._dropped[one] = RejectedPass(one.line, one.what, None, None, reason)
                return self._materialized()
            made = self._readable(frozenset(chosen), made) if count == len(chosen) else made
            risk = self.risks.without(self._measured_gain(made[0].source))
            stages.append(PlanStage(*made, risk, one.line, one.what, self.risks.why.get(one.line, "")))
        rejected = tuple(
            RejectedPass(one.line, one.what, added, self._removed(one), reason)
            for one, added, reason in selection.rejected
        )
        return Proposal(tuple(stages), tuple(chosen), rejected)

    def _removed(self, one: Candidate) -> float | None:
        if isnan(one.gain):
            return None
        whole, rest = self.risks.without(0.0), self.risks.without(one.gain)
        return None if whole is None or rest is None else whole - rest

    def _shortened(self) -> Proposal:
        """The program with shortening passes until it fits; unchanged if they do not suffice."""
        assert self.original is not None
        dropped = {one for one in self._dropped if not isinstance(one, Candidate)}
        states, rejected = shorten(self.source, self.calls, self._counted, self.original, self.budget, dropped)
        if states[-1].tokens > self.budget:
            vain = tuple(
                RejectedPass(line, what, after.tokens - before.tokens, None, "it shortens the trace, but not enough")
                for before, after in pairwise(states)
                for _, line, what in after.applied[-1:]
            )
            notes = tuple(give_advice(states, self.calls, self.budget, self.tokenizer))
            return Proposal((self._first,), rejected=(*vain, *rejected), notes=notes)
        stages = [self._first]
        for state in states[1:]:
            after = assess_lines(state.source, self.calls, self.risk_weights, self.tokenizer).without(0.0)
            _, line, what = state.applied[-1]
            stages.append(PlanStage(state.rewritten(), state.tokens, after, line, what, "the trace is over budget"))
        return Proposal(tuple(stages), states[-1].applied, rejected)

    @property
    def _first(self) -> PlanStage:
        assert self.original is not None
        return PlanStage(Rewritten(self.source, False), self.original, self.risks.without(0.0))

    def offered(self) -> tuple[Candidate, ...]:
        """The candidates, the largest gain first."""
        return self._offered

    @cached_property
    def _offered(self) -> tuple[Candidate, ...]:
        found = list_candidates(self._places(), self.source, self.risks, self.weights)
        flagged = [one for one in found[:MAX_TRIED] if has_flags(self._made(frozenset({one})).source)]
        self._refused += tuple(RejectedPass(one.line, one.what, None, None, NEEDS_FLAG) for one in flagged)
        return tuple(one for one in found if one not in flagged)

    def chosen(self, offered: Sequence[Candidate]) -> Materialization:
        """The candidates whose gain justifies their tokens."""
        assert self.original is not None
        return choose_materializations(offered, self.tokens, self.gain, self.original, self.limit, self.weights)

    def gain(self, one: Candidate) -> float:
        """The risk that a candidate removes: that of the operations it replaces, or by its trace if that is more.

        An idiom may remove risk on other lines, too. Temporaries leave the operations as they are.
        """
        made = self._made(frozenset({one})).source
        if made == self.source:
            return 0.0
        return one.gain if one.kind == "expressions" else max(one.gain, self._measured_gain(made))

    def _measured_gain(self, text: str) -> float:
        """The risk by which the traces of a variant are below those of the program; 0 if it is not known."""
        before, after = self._excess_risk(self.source), self._excess_risk(text)
        return 0.0 if before is None or after is None else before - after

    def _excess_risk(self, text: str) -> float | None:
        if text not in self._risks:
            current_deadline().check()
            traces = self.counts.traces(text, self.calls[:MAX_CALLS])
            self._risks[text] = excess_risk(traces, self.risk_weights, self.tokenizer)
        return self._risks[text]

    def _places(self) -> dict[InterventionSite, int]:
        """All values that can be materialized, with their lines.

        Several recipes may claim the same value. So the rewrite is repeated without the values already found.
        """
        places: dict[InterventionSite, int] = {}
        for opened in (False, True):  # first with every generator expression in one piece
            for _ in range(MAX_DISCOVERY_ROUNDS):
                known = (one for one in places if not (opened and one.intervention == ConsumedGenerator.name))
                made = self.rewrite(self.source, RewriteContext("assume", self.evidence, dict.fromkeys(known, "")))
                new = {spot: line for spot, line in changed_spots(made).items() if spot not in places}
                if not new:
                    break
                # Among recipes that claim the same value, loops come first and temporaries last.
                rank = max(KINDS.index(kind_of(spot.intervention)) for spot in new)
                places |= {spot: line for spot, line in new.items() if KINDS.index(kind_of(spot.intervention)) == rank}
            if not any(one.intervention == ConsumedGenerator.name for one in places):
                break
        self.spots = frozenset(places)
        without = [one for one in made.left if one.reason and one.line not in places.values()]
        self._refused = tuple(RejectedPass(line, REFUSED, None, None, why) for line, why in without)
        return places

    def tokens(self, chosen: frozenset[Candidate]) -> int | None:
        """Tokens of the longest trace with some candidates; None if the program differs or the trace is too long."""
        return self._counted(self._made(chosen).source)

    def rewrite(self, text: str, given: RewriteContext) -> Rewritten:
        """The text by the recipe `planned`, if there is time left."""
        current_deadline().check()
        return self._rewrite(text, given)

    def _counted(self, text: str) -> int | None:
        current_deadline().check()
        return self.counts.tokens(text)

    def _cheapest(self, chosen: frozenset[Candidate]) -> tuple[Rewritten, int] | None:
        """The form of the program with some candidates that has the shortest trace, and its tokens."""
        return min(self._with_tokens(reversed(self._forms(chosen))), key=_tokens, default=None)

    def _with_tokens(self, forms: Iterable[Rewritten]) -> list[tuple[Rewritten, int]]:
        """The forms that do what the program does, and whose traces are counted."""
        counted = [(form, self._counted(form.source)) for form in forms]
        return [(form, tokens) for form, tokens in counted if tokens is not None]

    def _readable(self, chosen: frozenset[Candidate], short: tuple[Rewritten, int]) -> tuple[Rewritten, int]:
        """The shortest form with readable names, unless it is over the limit by more than `READABLE`.

        Args:
            chosen: The candidates.
            short: The shortest form with short names, and its tokens.
        """
        bare = forms_without_sharing(self._forms(chosen)[0], self.source, condensed=True)
        without_copies = [] if self._plain else list(bare)[1:]
        counted = [form for form, _ in self._with_tokens(without_copies)]
        for brief in (False, True):
            named = [readable_form(form, self._observed(form), self.source, brief=brief) for form in counted]
            found = self._with_usual_loops([one for one in named if one is not None])
            if found is not None and found[1] <= min(self.budget, READABLE * self.limit):
                return found
        return short

    def _with_usual_loops(self, forms: Sequence[Rewritten]) -> tuple[Rewritten, int] | None:
        """The shortest form, with its new loops on one line if the others are over the limit or much longer."""
        usual = min(self._with_tokens(forms), key=_tokens, default=None)
        joined = [one for form in forms for one in one_line_forms(form, self.source)]
        short = min(self._with_tokens(joined), key=_tokens, default=usual)
        if usual is None or short is None:
            return short
        return usual if usual[1] <= min(self.limit, LOOPS * short[1]) else short

    def _observed(self, form: Rewritten) -> Observed:
        return observed_variables(self.counts.traces(form.source, self.calls))

    def _kinds(self, form: Rewritten) -> Kinds:
        """The types of the temporaries of a form; none if it is not counted."""
        counted = self._counted(form.source) is not None
        return observed_kinds(self.counts.traces(form.source, self.calls)) if counted else {}

    def _made(self, chosen: frozenset[Candidate]) -> Rewritten:
        """The program with only these candidates, in the form that is usually the shortest."""
        return self._forms(chosen)[-1]

    def _forms(self, chosen: frozenset[Candidate]) -> list[Rewritten]:
        if not chosen:
            return [Rewritten(self.source, False)]
        if (chosen, self._plain) not in self._known:
            wanted = frozenset[InterventionSite]().union(*(one.spots for one in chosen))
            left_out = dict.fromkeys(sorted(self.spots - wanted), "")
            made = self.rewrite(self.source, RewriteContext("assume", self.evidence, left_out))
            forms = [made]
            if not self._plain:
                made = share_values(made, self.source, self.evidence)
                forms = list(alternative_forms(made, self.source, self._kinds, condensed=True))
                forms += one_line_forms(forms[-1], self.source)
            self._known[chosen, self._plain] = forms
        return self._known[chosen, self._plain]


def _tokens(pair: tuple[Rewritten, int]) -> int:
    return pair[1]


def _place(one: RejectedPass) -> tuple[int, str, str]:
    return one.line, one.what, one.reason


def _length(run: TracedCall) -> tuple[int, int]:
    """The longest trace first; a trace that is not counted is longer than one that is."""
    return (1, -run.tokens) if run.tokens is not None else (0, -len(run.trace.frames))


def _never_made(run: TracedCall) -> tuple[str, str] | None:
    """A call that raises before it enters the program, and why; None for others."""
    entered = sum(frame.event == "call" for frame in run.trace.frames)
    if run.outcome.exception is None or entered > 1:
        return None
    return run.call, ": ".join(run.outcome.exception)
