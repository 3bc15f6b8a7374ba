"""The program that is planned: its calls, the forms that its operations can have, and what a variant of it costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from analyze.risk.program_map import WORDS, load_reliability_map
from analyze.risk.risk_model import RiskWeights
from analyze.tokens.tokenizer import Tokenizer
from corpora.deadline import current_deadline
from rewrite.anf.rewrite_result import Construct, Rewritten
from rewrite.cost.trace_tokens import TracedCall
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.evidence.gather import Evidence
from rewrite.passes.cleanup.forms import readable_form, shared_form
from rewrite.passes.cleanup.observed_values import observed_kinds, observed_variables
from rewrite.planner.changes import priced_changes
from rewrite.planner.discovery import (
    Apply,
    OperationForms,
    discover_forms,
    make_clean_form,
    make_form,
    without,
)
from rewrite.planner.objective import MAX_CALLS, ProgramRisk, predict_risk
from rewrite.planner.repair import KnownFailure, Repair, predict_repair
from rewrite.planner.siblings import Sites as Sites
from rewrite.planner.siblings import find_siblings
from rewrite.planner.trace_counter import TraceCounter

KINDS = ("expressions", "idioms", "elements", "methods")
"""The recipes whose forms a plan combines, the one that adds the fewest tokens first."""
LIMIT, SPARE = 2.8, 256
"""Token limit of a plan: a multiple of the original's tokens, or for a short trace the tokens that it may add."""
UNPREDICTED = "the risk of the trace with it cannot be predicted"
NOT_ALONE = "it has no other form by itself"


@dataclass(frozen=True)
class Variant:
    """The program with some of its operations in another form.

    Attributes:
        made: The rewrite.
        tokens: Tokens of its longest trace.
        risk: Its predicted risk.
    """

    made: Rewritten
    tokens: int
    risk: ProgramRisk


@dataclass(frozen=True)
class PlannedProgram:
    """One program and its calls.

    Attributes:
        source: The program.
        budget: Tokens that the longest trace may have.
        evidence: What the calls showed.
        counts: The traces of variants of the program.
        apply: Applies a function to contexts, in another process at once.
        tokenizer: The model's tokenizer (default: Llama-3's).
        weights: Weights of the reliability map (default: the published ones).
        in_words: Whether it is for a model that answers in words instead of states.
        is_cleaned: Whether copies are propagated and conditions stay expressions.
        failure: What is known of the model's failure; None if it is not known to have failed.
    """

    source: str
    budget: int
    evidence: Evidence
    counts: TraceCounter
    apply: Apply
    tokenizer: Tokenizer | None = None
    weights: RiskWeights | None = None
    in_words: bool = False
    is_cleaned: bool = True
    failure: KnownFailure | None = None
    _known: dict[Sites, Variant | str] = field(default_factory=dict, init=False, repr=False, compare=False)
    _risks: dict[str, ProgramRisk | None] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def original(self) -> int:
        """The tokens of the program's longest trace, which must have been counted."""
        assert self.counts.original is not None
        return self.counts.original

    @property
    def limit(self) -> int:
        """The tokens that a plan may take."""
        return min(self.budget, max(int(LIMIT * self.original), self.original + SPARE))

    @cached_property
    def calls(self) -> tuple[str, ...]:
        """The calls, the longest trace first."""
        return tuple(run.call for run in sorted(self.counts.before, key=_length))

    @cached_property
    def reached(self) -> tuple[str, ...]:
        """The calls that enter the program."""
        return tuple(run.call for run in self.counts.before if never_made(run) is None)

    @cached_property
    def risk(self) -> ProgramRisk | None:
        """The predicted risk; None if it cannot be predicted."""
        return self.predict(self.source)

    @cached_property
    def executed(self) -> frozenset[int]:
        """The lines that the calls execute."""
        return frozenset(line for run in self.counts.before for line in run.trace.lines if line is not None)

    def predict(self, text: str) -> ProgramRisk | None:
        """The predicted risk of a variant whose trace was counted. Each variant is run for it once."""
        if text not in self._risks:
            self._risks[text] = self._predicted(text)
        return self._risks[text]

    def _predicted(self, text: str) -> ProgramRisk | None:
        current_deadline().check()
        calls = [call for call in self.calls if call in self.reached]
        if self.failure is not None and self.failure.frame is not None:  # in the trace of the first call
            calls.sort(key=self.evidence.calls.index)
        traces = self.counts.traces(text, calls[:MAX_CALLS])
        risk_map = load_reliability_map(Path(WORDS)) if self.in_words else None
        found = predict_risk(traces, self.weights, self.tokenizer, risk_map)
        return replace(found, changes=priced_changes(self.source, text)) if found and self.in_words else found

    def repair(self, risk: ProgramRisk) -> Repair | None:
        """What decides whether a variant with a risk repairs the failure; None without a failure."""
        if self.failure is None or self.risk is None:
            return None
        return predict_repair(self.risk.steps, risk.steps, self.failure)

    @cached_property
    def unchanged(self) -> Repair | None:
        """The hazards of the program itself; None without a failure."""
        return self.repair(self.risk) if self.risk is not None else None

    @cached_property
    def failed_line(self) -> int | None:
        """The line of the step that went wrong, if it is known."""
        if self.failure is None or self.failure.frame is None or self.risk is None:
            return None
        steps = self.risk.steps[0]
        return steps[min(self.failure.frame, len(steps) - 1)].line

    def tokens(self, text: str) -> int | None:
        """Tokens of the longest trace of a variant; None if it does something else or its trace is too long."""
        current_deadline().check()
        return self.counts.tokens(text)

    @cached_property
    def _discovery(self) -> Iterator[OperationForms]:
        current_deadline().check()
        return self.apply(partial(discover_forms, self.source), [self._context])

    def start_discovery(self) -> None:
        """Begin to look for `operations`, without waiting. Until they are read, no variant may be asked for."""
        _ = self._discovery

    @cached_property
    def operations(self) -> OperationForms:
        """The operations that can have another form."""
        return next(self._discovery)

    @cached_property
    def _siblings(self) -> Mapping[InterventionSite, Sites]:
        ran = [one for one, line in self.operations.sites.items() if line in self.executed]
        return find_siblings(self.source, ran)

    def with_siblings(self, sites: Iterable[InterventionSite]) -> Sites:
        """Some forms, each with the same form of its siblings (`rewrite.planner.siblings`)."""
        return frozenset[InterventionSite]().union(*(self._siblings.get(one, (one,)) for one in sites))

    def variant(self, sites: Sites) -> Variant | str:
        """The program with some operations in another form, with short names; or why there is none."""
        return self.variants([sites])[0]

    def variants(self, wanted: Sequence[Sites]) -> list[Variant | str]:
        """Several variants, each made and traced once."""
        new = [sites for sites in dict.fromkeys(wanted) if sites not in self._known]
        self._known.update(zip(new, map(self._variant, self._forms(new)), strict=False))  # the last form ends it
        return [self._known[sites] for sites in wanted]

    def _variant(self, form: Rewritten) -> Variant | str:
        return next((one.value for one in Construct if one in form.constructs), None) or self._measured(form)

    def readable(self, variant: Variant) -> Variant:
        """A variant with the most telling names with which its trace is within the limit. They change no step."""
        for form in self._named(variant.made):
            named = self._measured(form)
            if isinstance(named, Variant) and named.tokens <= self.limit:
                return named
        return variant

    def _named(self, form: Rewritten) -> Iterator[Rewritten]:
        traces = self.counts.traces(form.source, self.calls)
        observed = observed_variables(traces)
        for brief in (False, True):
            named = readable_form(form, observed, self.source, brief=brief)
            if named is not None and self.is_cleaned:
                yield named
        yield shared_form(form, self.source, observed_kinds(traces))

    def _forms(self, wanted: Sequence[Sites]) -> Iterator[Rewritten]:
        current_deadline().check()
        contexts = [without(self._context, sorted(self.operations.sites.keys() - sites)) for sites in wanted]
        return self.apply(partial(make_clean_form if self.is_cleaned else make_form, self.source), contexts)

    @property
    def _context(self) -> RewriteContext:
        """What variants assume, and how their conditions are written."""
        return RewriteContext("assume", self.evidence, condensed=self.is_cleaned)

    def _measured(self, form: Rewritten) -> Variant | str:
        if form.source == self.source:
            return NOT_ALONE
        tokens = self.tokens(form.source)
        if tokens is None:
            return self.counts.why_uncounted(form.source)
        risk = self.predict(form.source)
        return UNPREDICTED if risk is None else Variant(form, tokens, risk)


def never_made(run: TracedCall) -> tuple[str, str] | None:
    """A call that raises before it enters the program, and why; None for others."""
    entered = sum(frame.event == "call" for frame in run.trace.frames)
    return None if not run.raised or entered > 1 else (run.call, run.raised)


def _length(run: TracedCall) -> tuple[int, int]:
    """The longest trace first; a trace that is not counted is longer than one that is."""
    return (1, -run.tokens) if run.tokens is not None else (0, -len(run.trace.frames))
