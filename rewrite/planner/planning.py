"""`plan_rewrite`: a program with the most predicted risk removed for the tokens available.

In a program that fits the budget, operations get the forms that lower its predicted risk most within the token limit
(`rewrite.planner.exposing`); it never stops fitting. A program over budget is shortened
(`rewrite.planner.shortening`) until it fits; if no passes achieve that, it stays unchanged and the plan says what would
help. Each plan is compared with its program on generated inputs. A pass that causes a difference is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from analyze.risk.risk_model import RiskWeights as RiskWeights
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.deadline import OutOfTimeError
from corpora.errors import InputError
from corpora.nondeterminism import start_workers
from rewrite.anf.rewrite_options import reject_unknown_options
from rewrite.anf.rewrite_result import UNCHANGED, describe_raised
from rewrite.cost.budget import BUDGET
from rewrite.equivalence.judgement import find_unobserved_difference
from rewrite.evidence.context import RewriteContext, check_source, read_calls
from rewrite.evidence.gather import gather_evidence
from rewrite.planner.advice import give_advice, smaller_inputs
from rewrite.planner.choice import Candidate, all_sites
from rewrite.planner.comparison import PlanComparison, compare_plan, find_first_difference, import_comparison
from rewrite.planner.discovery import Apply, apply_here, make_form
from rewrite.planner.exposing import expose
from rewrite.planner.plan import DEFAULT_EXAMPLES, RIGHT, Plan, RejectedPass
from rewrite.planner.program import PlannedProgram, Sites, never_made
from rewrite.planner.repair import KnownFailure, find_failure
from rewrite.planner.shortening import Pass, shorten
from rewrite.planner.stages import PlanStage, Proposal, first_stage, marginal_effects
from rewrite.planner.trace_counter import TraceCounter
from rewrite.syntax.form_feeds import remove_form_feeds

MAX_DROPPED = 8
"""If more passes than this change what the program does, it stays unchanged."""
CLEANUP = "copy propagation"
MOST_OVER = 2.0
"""Where shortening passes do not suffice, forms that save tokens are tried if the trace is at most this many times the
budget. To measure them in longer traces would take long, and few save that much."""


def plan_rewrite(
    source: str,
    calls: str | Iterable[str],
    *,
    budget: int = BUDGET,
    tokenizer: Tokenizer | None = None,
    risk_weights: RiskWeights | None = None,
    in_words: bool = False,
    examples: int = DEFAULT_EXAMPLES,
    apply: Apply = apply_here,
    failed: bool = False,
    output: str | Sequence[int] | None = None,
    **unknown: object,
) -> Plan:
    """Plan a rewrite: the most predicted risk removed for the tokens available.

    After a failure the plan has the largest chance that the model gets it right although it got the program wrong
    (`rewrite.planner.repair`), among those that do not raise the predicted risk.

    If the deadline passes first (`corpora.deadline`), the program is left as it is, and `notes` says so.

    Args:
        source: The program.
        calls: Calls such as "f(1, [2])", or a single one. Each runs once in the sandbox.
        budget: Tokens that the longest trace may have (default: 8,192).
        tokenizer: The model's tokenizer (default: Llama-3's).
        risk_weights: Weights of the reliability map (default: the published ones).
        in_words: Whether the model answers in words instead of states: its map and the prices of changes then decide
            (default: False).
        examples: Number of generated inputs, within the plan's assumptions, on which the plan is compared with the
            program (default: 30; 0: only on the calls). A pass that causes a difference is dropped, and `left` says so.
        apply: Applies the functions that rewrite, in another process at once (default: in this process).
        failed: Whether the model got the program wrong (default: it is not known).
        output: The model's output for the first call. Its first divergence says what is to be repaired; if it is right,
            the program stays unchanged.
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
    start_workers()
    first = apply(partial(make_form, plain), [RewriteContext("leave")])
    try:
        evidence = gather_evidence(plain, taken)
        counts = TraceCounter(plain, evidence.calls, tokenizer)
        next(first)  # raises for a source that cannot be rewritten
    except OutOfTimeError as error:
        note = f"{UNCHANGED}: {error.message}, and its calls had not run"
        return Plan(source, None, None, None, None, notes=(note,), budget=budget)
    if in_words and (failed or output is not None):
        raise InputError("where a model that answers in words went wrong is not known: plan without the failure")
    failure = KnownFailure() if failed else None
    if output is not None:
        made = (run.trace for run in counts.before if run.call == taken[0] and never_made(run) is None)
        trace = next(made, None)
        failure = KnownFailure() if trace is None or trace.cut else find_failure(trace, output, tokenizer)
    if output is not None and failure is None:
        return Plan(source, counts.original, counts.original, None, None, notes=(RIGHT,), budget=budget)
    program = PlannedProgram(plain, budget, evidence, counts, apply, tokenizer, risk_weights, in_words, failure=failure)
    plan = _plan(program, examples)
    assumes = tuple(one._replace(column=one.column + len(feeds.get(one.line, ""))) for one in plan.assumes)
    return replace(plan, source=source if plan.made is None else plan.source, assumes=assumes)


@dataclass(frozen=True)
class Exclusions:
    """What a plan must do without, since it changes what the program does.

    Attributes:
        sites: Forms of operations.
        passes: Shortening passes.
        reports: What was dropped, and why.
    """

    sites: Sites = frozenset()
    passes: frozenset[Pass] = frozenset()
    reports: tuple[RejectedPass, ...] = ()

    def and_pass(self, one: Candidate | Pass, report: RejectedPass) -> Exclusions:
        """The exclusions and one more pass."""
        reports = (*self.reports, report)
        if isinstance(one, Candidate):
            return replace(self, sites=self.sites | one.sites, reports=reports)
        return replace(self, passes=self.passes | {one}, reports=reports)


def _plan(program: PlannedProgram, examples: int) -> Plan:
    """The plan, or the unchanged program with the reason. examples: generated inputs for the comparison."""
    nothing = [*program.evidence.unobserved, *filter(None, map(never_made, program.counts.before))]
    notes = tuple(f"{call} is not used: {why}" for call, why in nothing)
    if len(nothing) >= len(program.counts.before) + len(program.evidence.unobserved):
        return _unknown(program, (*notes, "no call can be traced"))
    if program.counts.original is None:
        return _unknown(program, (*notes, "the trace cannot be recorded, or is too long to be counted"))
    try:
        if program.original <= program.budget:
            program.start_discovery()  # in another process, while this one imports
        if examples > 0:
            import_comparison()
        proposal = _agreeing(program, examples)
    except OutOfTimeError as error:
        proposal = _unchanged(program, f"{error.message}, and no plan was found")
    first, last = proposal.stages[0], proposal.stages[-1]
    return Plan(
        last.made.source,
        last.tokens,
        first.tokens,
        last.risk,
        first.risk,
        marginal_effects(proposal.stages),
        last.made.assumes,
        tuple(sorted(dict.fromkeys(proposal.rejected), key=lambda one: (one.line, one.what, one.reason))),
        (*notes, *_raised(program), *proposal.notes, *filter(None, [proposal.found.why])),
        program.budget,
        proposal.found.compared,
        last.tokens > program.budget,
        last.made if last.made.changed else None,
        proposal.support,
        last.repair,
    )


def _raised(program: PlannedProgram) -> Iterator[str]:
    """A line for each call that raises: its trace looks like any other in the figures."""
    for run in program.counts.before:
        if run.raised and never_made(run) is None:
            yield describe_raised(run.call, run.raised)


def _unknown(program: PlannedProgram, notes: tuple[str, ...]) -> Plan:
    """The unchanged program, since no trace is counted. One whose first frames exceed the budget is over it."""
    vocabulary = program.tokenizer or default_tokenizer()
    over = any(run.trace.count_tokens(vocabulary, program.budget) is None for run in program.counts.before)
    inputs = smaller_inputs(program.source, program.calls[0], program.budget, program.tokenizer) if over else ()
    notes = (*notes, *inputs)
    return Plan(program.source, None, None, None, None, notes=notes, budget=program.budget, is_over_budget=over)


def _agreeing(program: PlannedProgram, examples: int) -> Proposal:
    """The first proposal that does what the program does on generated inputs, without the passes that do not."""
    excluded = Exclusions()
    for _ in range(MAX_DROPPED):
        proposal = _propose(program, excluded)
        made = proposal.stages[-1].made
        found = compare_plan(program.source, made, program.reached, examples)
        if not found.call:
            wrong = find_unobserved_difference(program.source, made.source, found.missing) if found.missing else ""
            return _unchanged(program, wrong, excluded) if wrong else replace(proposal, found=found)
        program, excluded = _without_culprit(program, proposal, found, excluded)
    return _unchanged(program, f"{MAX_DROPPED} passes changed what the program does", excluded)


def _without_culprit(
    program: PlannedProgram, proposal: Proposal, found: PlanComparison, excluded: Exclusions
) -> tuple[PlannedProgram, Exclusions]:
    """The program without cleanup, or the exclusions with the first pass after which the call shows the difference."""
    number = find_first_difference(program.source, [stage.made for stage in proposal.stages], found.call)
    number = len(proposal.passes) if number is None else number
    stage, last = proposal.stages[number], proposal.passes[number - 1]
    reason = f"dropped: it changes what {found.call} does ({found.why})"
    if isinstance(last, Candidate) and program.is_cleaned:
        plain = replace(program, is_cleaned=False)
        sites = all_sites(one for one in proposal.passes[:number] if isinstance(one, Candidate))
        bare = plain.variant(sites)
        if not isinstance(bare, str) and find_first_difference(program.source, [bare.made], found.call) is None:
            report = RejectedPass(stage.line, CLEANUP, None, None, reason)
            return plain, replace(excluded, reports=(*excluded.reports, report))
    added = stage.tokens - proposal.stages[number - 1].tokens
    return program, excluded.and_pass(last, RejectedPass(stage.line, stage.what, added, None, reason, stage.siblings))


def _propose(program: PlannedProgram, excluded: Exclusions) -> Proposal:
    if program.original > program.budget:
        shortened = _shortened(program, excluded)
        if shortened.passes or program.original > MOST_OVER * program.budget:
            return shortened
        saving = expose(program, excluded.sites)  # of the forms that save enough tokens, the least risky
        return replace(saving, rejected=(*excluded.reports, *saving.rejected)) if saving.passes else shortened
    made = expose(program, excluded.sites)
    vain = program.failure is not None and not made.passes
    where = "the program" if program.failed_line is None else f"line {program.failed_line}, where the model went wrong,"
    notes = (f"{UNCHANGED}: no other form of {where} is predicted to help",) if vain else ()
    return replace(made, rejected=(*excluded.reports, *made.rejected), notes=notes)


def _unchanged(program: PlannedProgram, why: str, excluded: Exclusions = Exclusions()) -> Proposal:
    return Proposal((first_stage(program),), rejected=excluded.reports, notes=(f"{UNCHANGED}: {why}",))


def _shortened(program: PlannedProgram, excluded: Exclusions) -> Proposal:
    """The program with shortening passes until it fits; unchanged if they do not suffice."""
    states, rejected = shorten(
        program.source,
        program.calls,
        program.tokens,
        program.original,
        program.budget,
        excluded.passes,
        program.evidence,
    )
    first = first_stage(program)
    if states[-1].tokens > program.budget:
        vain = tuple(
            RejectedPass(line, what, after.tokens - before.tokens, None, "it shortens the trace, but not enough")
            for before, after in pairwise(states)
            for _, line, what in after.applied[-1:]
        )
        notes = tuple(give_advice(states, program.calls, program.budget, program.tokenizer))
        return Proposal((first,), rejected=(*excluded.reports, *vain, *rejected), notes=notes)
    stages = [first]
    for state in states[1:]:
        _, line, what = state.applied[-1]
        after = program.predict(state.source)
        risk = after.risk if after else None
        stages.append(PlanStage(state.rewritten(), state.tokens, risk, line, what, "the trace is over budget"))
    return Proposal(tuple(stages), states[-1].applied, (*excluded.reports, *rejected))
