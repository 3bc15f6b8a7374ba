"""`plan_rewrite`: a program in the form that leaves a code world model the least risk within the tokens there are.

A program that fits the budget is spelled out where that is worth its tokens, and never stops fitting. One that does not
fit is shortened (`rewrite.planner.shortening`), if it can be, and else reported with what would help. Before a plan is
returned, it is compared with the program on drawn inputs; a pass that causes a difference is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from analyze.risk.model import Weights as RiskWeights
from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from rewrite.anf.options import refuse_unknown
from rewrite.cost.cost_limit import BUDGET
from rewrite.cost.deadline import NEVER, Deadline, OutOfTimeError
from rewrite.cost.trace_tokens import TracedCall
from rewrite.evidence.gather import gather
from rewrite.evidence.given import Given, Spot, kind_of, read_calls
from rewrite.passes.cleanup.forms import alternative_forms
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.advice import give_advice, smaller_inputs
from rewrite.planner.candidates import KINDS, Candidate, changed_spots, list_candidates
from rewrite.planner.comparison import DRAWN, Comparison, compare, first_different
from rewrite.planner.materialization import Materialization, choose_materializations
from rewrite.planner.plan import Plan, RejectedPass
from rewrite.planner.risks import LineRisks, assess_lines
from rewrite.planner.shortening import Pass, shorten
from rewrite.planner.stages import PlanStage, marginal_effects
from rewrite.planner.trace_counter import TraceCounter
from rewrite.planner.weights import PlannerWeights, published
from rewrite.result import Rewritten
from rewrite.syntax.form_feeds import without_form_feeds

MAX_DISCOVERY_ROUNDS = 8
"""So often it is looked for what else could be spelled out, when what is known is left."""
MAX_DROPPED = 8
"""If more passes than these change what the program does, it is left as it is."""

Rewrite = Callable[[str, Given], Rewritten]
"""What rewrites a text by the recipe `planned`."""


def rewrite_here(source: str, given: Given) -> Rewritten:
    """In this process; `runner.rewriting.processes` has others, whose death is survived."""
    return rewrite_once(source, "planned", given, options={})


def plan_rewrite(
    source: str,
    calls: str | Iterable[str],
    *,
    budget: int = BUDGET,
    tokenizer: Tokenizer | None = None,
    weights: PlannerWeights | None = None,
    risk_weights: RiskWeights | None = None,
    examples: int = DRAWN,
    rewrite: Rewrite = rewrite_here,
    deadline: Deadline = NEVER,
    **unknown: object,
) -> Plan:
    """The program with the most risk removed for the tokens there are.

    Args:
        source: The program.
        calls: Calls such as "f(1, [2])", or a single one. They run in the sandbox.
        budget: Tokens that the longest trace may have (default: 8,192).
        tokenizer: The model's (default: Llama-3's).
        weights: Weights of the planner (default: the published ones).
        risk_weights: Weights of the reliability map (default: the published ones).
        examples: Number of inputs that are drawn to compare the plan with the program, within its assumptions; a pass
            that causes a difference is dropped, and `left` says so (default: 30; 0: none).
        rewrite: What rewrites a text (default: `rewrite_once` in this process).
        deadline: When the search ends (default: never). Then the program is left as it is, and `notes` says so.
        unknown: Nothing; an option of another name is refused, with the one that was probably meant.

    Raises:
        InputError: Source or calls do not parse, there is no call, a number is out of range, or an option is unknown.
    """
    refuse_unknown(unknown, plan_rewrite.__kwdefaults__ or ())
    taken = read_calls(calls)
    if not taken:
        raise InputError("a plan needs calls, whose traces are counted")
    if budget < 1:
        raise InputError(f"budget must be at least 1, not {budget}")
    if examples < 0:
        raise InputError(f"examples must be at least 0, not {examples}")
    plain, feeds = without_form_feeds(source)
    rewrite(plain, Given("leave"))  # says what cannot be read before anything runs
    plan = Planner(plain, taken, budget, tokenizer, weights, risk_weights, rewrite, deadline).plan(examples)
    assumes = tuple(one._replace(column=one.column + len(feeds.get(one.line, ""))) for one in plan.assumes)
    return replace(plan, source=source if plan.made is None else plan.source, assumes=assumes)


@dataclass(frozen=True)
class Proposal:
    """A plan before it is compared.

    Attributes:
        stages: The program, then what each pass makes of it.
        passes: The passes, in order.
        rejected: The passes that were not applied.
        notes: What else there is to know.
    """

    stages: tuple[PlanStage, ...]
    passes: tuple[Candidate | Pass, ...] = ()
    rejected: tuple[RejectedPass, ...] = ()
    notes: tuple[str, ...] = ()


class Planner:
    """One program and its calls, run once; no text is run twice. original: the tokens of its longest trace."""

    def __init__(
        self,
        source: str,
        calls: Sequence[str],
        budget: int = BUDGET,
        tokenizer: Tokenizer | None = None,
        weights: PlannerWeights | None = None,
        risk_weights: RiskWeights | None = None,
        rewrite: Rewrite = rewrite_here,
        deadline: Deadline = NEVER,
    ) -> None:
        self.source, self.budget, self.weights = source, budget, weights or published()
        self.rewrite, self.deadline = deadline.held(rewrite), deadline
        self.tokenizer, self.risk_weights = tokenizer, risk_weights
        self.evidence = gather(source, calls)
        self.counts = TraceCounter(source, self.evidence.calls, tokenizer)
        self.original = self.counts.original
        self.spots: frozenset[Spot] = frozenset()
        self._dropped: dict[Candidate | Pass, RejectedPass] = {}
        self._plain = False
        self._known: dict[tuple[frozenset[Candidate], bool], list[Rewritten]] = {}

    @property
    def fits(self) -> bool:
        """Whether the original is within the budget."""
        return self.original is not None and self.original <= self.budget

    @property
    def limit(self) -> int:
        """The tokens that a plan may take."""
        return min(self.budget, int(self.weights.most * (self.original or 0)))

    @cached_property
    def calls(self) -> list[str]:
        """The calls that were run, the longest trace first."""
        return [run.call for run in sorted(self.counts.before, key=_length)]

    @cached_property
    def risks(self) -> LineRisks:
        """The risks of the lines, under the longest calls."""
        return assess_lines(self.source, self.calls, self.risk_weights, self.tokenizer)

    def plan(self, examples: int = 0) -> Plan:
        """The plan, or the program as it is with the reason. examples: inputs that are drawn to compare them."""
        nothing = [*self.evidence.none, *filter(None, map(_never_made, self.counts.before))]
        notes = tuple(f"{call} shows nothing: {why}" for call, why in nothing)
        if len(nothing) >= len(self.counts.before) + len(self.evidence.none):
            return self._unknown((*notes, "no call shows anything"))
        if self.original is None:
            return self._unknown((*notes, "its trace cannot be had, or is too long to be counted"))
        try:
            proposal, found = self._compared(examples)
        except OutOfTimeError:
            note = f"left as it is: {self.deadline.spent} before a plan was found"
            proposal, found = Proposal((self._first,), notes=(note,)), Comparison()
        first, last = proposal.stages[0], proposal.stages[-1]
        return Plan(
            last.made.source,
            last.tokens,
            first.tokens,
            last.risk,
            first.risk,
            marginal_effects(proposal.stages),
            last.made.assumes,
            tuple(sorted(dict.fromkeys([*self._dropped.values(), *proposal.rejected]), key=_place)),
            (*notes, *proposal.notes, *filter(None, [found.why])),
            self.budget,
            found.compared,
            last.tokens > self.budget,
            last.made if last.made.changed else None,
        )

    def _unknown(self, notes: tuple[str, ...]) -> Plan:
        """The program as it is: no trace is counted. One with more frames than the budget has tokens is too long."""
        over = any(len(run.trace.frames) > self.budget for run in self.counts.before)
        more = tuple(smaller_inputs(self.source, self.calls[0], self.budget, self.tokenizer)) if over else ()
        return Plan(self.source, None, None, None, None, notes=(*notes, *more), budget=self.budget, is_over_budget=over)

    def _compared(self, examples: int) -> tuple[Proposal, Comparison]:
        """The first proposal on which drawn inputs show no difference."""
        reached = [run.call for run in self.counts.before if _never_made(run) is None]
        for _ in range(MAX_DROPPED):
            proposal = self._proposal()
            found = compare(self.source, proposal.stages[-1].made, reached, examples)
            if not found.call:
                return proposal, found
            self._drop(proposal, found)
        note = f"left as it is: {MAX_DROPPED} passes changed what the program does"
        return Proposal(proposal.stages[:1], notes=(note,)), Comparison()

    def _drop(self, proposal: Proposal, found: Comparison) -> None:
        """Give up the pass that caused a difference: the first after which the call shows it."""
        number = first_different(self.source, [stage.made for stage in proposal.stages], found.call)
        number = len(proposal.passes) if number is None else number
        stage, before = proposal.stages[number], proposal.stages[number - 1]
        reason = f"dropped: it changes what {found.call} does ({found.why})"
        done = frozenset(one for one in proposal.passes[:number] if isinstance(one, Candidate))
        if done and not self._plain and first_different(self.source, self._forms(done)[:1], found.call) is None:
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
        """The candidates that are worth their tokens, one after the other."""
        selection = self.chosen([one for one in self.offered() if one not in self._dropped])
        chosen = [one for one, _ in selection.chosen]
        stages = [self._first]
        for count, one in enumerate(chosen, 1):
            made = self._cheapest(frozenset(chosen[:count]))
            if made is None:  # without those that come after it, it is another program, or not countable
                reason = "its trace cannot be counted with only the candidates that are worth more"
                self._dropped[one] = RejectedPass(one.line, one.what, None, None, reason)
                return self._materialized()
            risk = self.risks.without(sum(done.gain for done in chosen[:count]))
            stages.append(PlanStage(*made, risk, one.line, one.what, self.risks.why.get(one.line, "")))
        rejected = tuple(
            RejectedPass(one.line, one.what, added, self._removed(one), reason)
            for one, added, reason in selection.rejected
        )
        return Proposal(tuple(stages), tuple(chosen), rejected)

    def _removed(self, one: Candidate) -> float | None:
        whole, rest = self.risks.without(0.0), self.risks.without(one.gain)
        return None if whole is None or rest is None else whole - rest

    def _shortened(self) -> Proposal:
        """The program with savings until it fits; as it is, if they do not make it fit."""
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
        """What can be spelled out, what removes most first."""
        return self._offered

    @cached_property
    def _offered(self) -> tuple[Candidate, ...]:
        return list_candidates(self._places(), self.risks, self.weights)

    def chosen(self, offered: Sequence[Candidate]) -> Materialization:
        """What of it is worth its tokens."""
        assert self.original is not None
        return choose_materializations(offered, self.tokens, self.original, self.limit, self.weights)

    def _places(self) -> dict[Spot, int]:
        """Everything that can be spelled out, with its line; what is claimed is left out, to see what claims next."""
        places: dict[Spot, int] = {}
        for _ in range(MAX_DISCOVERY_ROUNDS):
            made = self.rewrite(self.source, Given("assume", self.evidence, dict.fromkeys(places, "")))
            new = {spot: line for spot, line in changed_spots(made).items() if spot not in places}
            if not new:
                break
            # Of what is claimed by several, the loops come first and the names last.
            rank = max(KINDS.index(kind_of(spot.intervention)) for spot in new)
            places |= {spot: line for spot, line in new.items() if KINDS.index(kind_of(spot.intervention)) == rank}
        self.spots = frozenset(places)
        return places

    def tokens(self, chosen: frozenset[Candidate]) -> int | None:
        """The tokens of the longest trace with these spelled out; None where it is no longer the same, or too long."""
        return self._counted(self._made(chosen).source)

    def _counted(self, text: str) -> int | None:
        self.deadline.check()
        return self.counts.tokens(text)

    def _cheapest(self, chosen: frozenset[Candidate]) -> tuple[Rewritten, int] | None:
        """The form of the program with these spelled out whose trace is the shortest, and its tokens."""
        counted = [(form, self._counted(form.source)) for form in reversed(self._forms(chosen))]
        known = [(form, tokens) for form, tokens in counted if tokens is not None]
        return min(known, key=lambda pair: pair[1], default=None)

    def _made(self, chosen: frozenset[Candidate]) -> Rewritten:
        """The program with these spelled out and nothing else, in the form that is mostly the shortest."""
        return self._forms(chosen)[-1]

    def _forms(self, chosen: frozenset[Candidate]) -> list[Rewritten]:
        if not chosen:
            return [Rewritten(self.source, False)]
        if (chosen, self._plain) not in self._known:
            wanted = frozenset[Spot]().union(*(one.spots for one in chosen))
            left_out = dict.fromkeys(sorted(self.spots - wanted), "")
            made = self.rewrite(self.source, Given("assume", self.evidence, left_out))
            self._known[chosen, self._plain] = (
                [made] if self._plain else list(alternative_forms(made, self.source, self.deadline.check))
            )
        return self._known[chosen, self._plain]


def _place(one: RejectedPass) -> tuple[int, str, str]:
    return one.line, one.what, one.reason


def _length(run: TracedCall) -> tuple[int, int]:
    """The longest trace first; what is not counted is longer than what is."""
    return (1, -run.tokens) if run.tokens is not None else (0, -len(run.trace.frames))


def _never_made(run: TracedCall) -> tuple[str, str] | None:
    """A call that raises before anything of the program runs for it, and why."""
    entered = sum(frame.event == "call" for frame in run.trace.frames)
    if run.outcome.exception is None or entered > 1:
        return None
    return run.call, ": ".join(run.outcome.exception)
