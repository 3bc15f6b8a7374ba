"""`assess`: the reliability map of one call: where a model's simulation cannot be trusted, before the model is asked.

It runs the call in the sandbox for its reference trace, computes the risk of every step, and compares the trace with a
token budget. Without a complete reference trace the risk is unknown (None), never a low number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from html import escape
from typing import Any, Literal

from analyze.auditing.audit import audit
from analyze.auditing.findings import Finding
from analyze.cost.token_budget import TokenBudget, trace_budget
from analyze.cost.truncation_patterns import LengthPattern, patterns
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace, trace_call
from analyze.risk.assessed_steps import AssessedStep, assess_steps
from analyze.risk.features import step_features
from analyze.risk.program_map import ReliabilityMap, program_features, shipped_panel_map
from analyze.risk.risk_model import RiskWeights, published_weights, sample_risk
from analyze.risk.steps import RecordedOperation, record_operations
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.data_frames import data_frame, table_html
from corpora.dataset import BadRow, Row, case_from_row
from corpora.deadline import OutOfTimeError
from corpora.errors import InputError
from corpora.execute import SECONDS
from corpora.nondeterminism import dependences, start_workers
from corpora.program import Grading, Outcome, trace_context

FITTED_FRAMES = 136
"""Frames of the longest reference trace that the shipped weights were fitted on."""
BEYOND_FIT = f"the map was fitted on at most {FITTED_FRAMES}: its risk ranks programs and is too high as a probability"


_COLUMNS = ("index", "line", "source", "values", "risk", "why")


@dataclass(frozen=True, repr=False)
class Assessment:
    """The reliability map of one call. A notebook shows its riskiest steps as a table.

    Attributes:
        risk: The probability, in 0..1, that some step goes wrong. None if it is unknown: the call could not be run, did
            not end, never entered the program, has a trace beyond the limits, or is nondeterministic; the first note
            has the reason.
        steps: The steps; empty if the risk is unknown.
        findings: The tokenization hazards of program and call.
        basis: "trace", or "none" if the risk is unknown.
        notes: Caveats, in words.
        trace: The reference trace as far as it was recorded.
        tokenizer: The model's tokenizer.
        string_operations: Number of operations on strings; 0 if the risk is unknown.
    """

    risk: float | None
    steps: tuple[AssessedStep, ...]
    findings: tuple[Finding, ...]
    basis: Literal["trace", "none"]
    notes: tuple[str, ...]
    trace: Trace
    tokenizer: Tokenizer
    string_operations: int = 0

    @cached_property
    def tokens(self) -> int | None:
        """The length of the reference trace; None without one, or if it is longer than `MAX_COUNTED_TOKENS`."""
        return self.trace.count_tokens(self.tokenizer, MAX_COUNTED_TOKENS) if self.trace.cut is None else None

    @property
    def least_tokens(self) -> int:
        """A lower bound on the tokens of the reference trace: `tokens`, or if that is None, those counted."""
        return self.budget.total if self.tokens is not None else self.budget.least

    @cached_property
    def budget(self) -> TokenBudget:
        """The reference trace's tokens by frame, variable and line, counted up to `MAX_COUNTED_TOKENS`."""
        return trace_budget(self.trace, self.tokenizer, MAX_COUNTED_TOKENS)

    @cached_property
    def patterns(self) -> tuple[LengthPattern, ...]:
        """The loops that make the reference trace long, most expensive first."""
        return patterns(self.trace, self.budget)

    def __repr__(self) -> str:
        """The risk and the number of steps, not the steps themselves."""
        risk = "unknown" if self.risk is None else f"{self.risk:.1%}"
        return f"Assessment(risk {risk}, {len(self.steps)} steps, {len(self.findings)} hazards)"

    def to_frame(self) -> Any:
        """Returns a pandas data frame with a row for each step. Raises InputError if pandas is not installed."""
        return data_frame(map(asdict, self.steps), [field.name for field in fields(AssessedStep)])

    def _repr_html_(self) -> str:
        rows = ([getattr(step, name) for name in _COLUMNS] for step in sorted(self.steps, key=lambda one: -one.risk))
        return f"<p>{escape(repr(self))}</p>" + table_html(_COLUMNS, rows)

    def fits(self, budget: int) -> bool:
        """Returns whether the whole reference trace is within the token budget; counting stops there."""
        if self.trace.cut is not None or not self.trace.frames:
            return False
        return self.trace.count_tokens(self.tokenizer, budget) is not None

    def riskiest(self, count: int = 3) -> tuple[AssessedStep, ...]:
        """Returns the steps at which the model most probably goes wrong first, riskiest first."""
        return tuple(sorted(self.steps, key=lambda step: -step.risk)[:count])

    @property
    def lines(self) -> dict[int, float]:
        """By line of the traced source: the probability that some frame that the line produces is wrong."""
        risks: defaultdict[int, list[float]] = defaultdict(list)
        for step in self.steps:
            if step.made_by is not None:
                risks[step.made_by].append(step.risk)
        return {line: sample_risk(found) for line, found in sorted(risks.items())}


def assess(
    source: str,
    call: str,
    tokenizer: Tokenizer | None = None,
    *,
    grading: Grading = "return",
    seconds: float = SECONDS,
    weights: RiskWeights | None = None,
    risk_map: ReliabilityMap | None = None,
    difficulty: float | None = None,
) -> Assessment:
    """Returns the reliability map of one call. Whatever the program does is reported, never raised.

    Args:
        source: The program.
        call: The call, such as `f(1, [2])`.
        tokenizer: The model's tokenizer (default: Llama-3's).
        grading: Whether the answer is the return value or the final state (default: "return").
        seconds: Time limit of each run. If the deadline for all runs (`corpora.deadline`) passes, the risk is unknown.
        weights: Weights from `lab.risk.fit` (default: those of the 32B CWM on CruxEval).
        risk_map: The map of another model, from `spellout assess --fit` (default: that of the 32B CWM). It gives the
            risk of the sample; those of the steps do not change.
        difficulty: The panel difficulty of the program (`analyze.risk.panel`), 0..1, which changes the risk of the
            sample in the same way (default: unknown).

    Raises:
        InputError: If the program or call does not parse.

    Example:
        >>> assess("def f(s):\\n    return s.rindex('a', 0, -2)", "f('banana')").riskiest(1)[0].why[0]
        'a string is searched (rindex over 6 characters)'
    """
    case = case_from_row(Row(1, "", {"source": source, "call": call}))
    if isinstance(case, BadRow):
        raise InputError(case.reason)
    vocabulary = tokenizer or default_tokenizer()
    start_workers()
    try:
        trace = trace_call(source, call, grading, seconds=seconds)
    except OutOfTimeError as error:
        context = trace_context(source, call, grading)
        trace = Trace(context, (), Outcome("timeout", detail=error.message), grading, "timeout")
    findings, notes = _findings(source, call, vocabulary)
    weighed = _weighed(source, call, trace, seconds, vocabulary, weights or published_weights())
    if isinstance(weighed, str):
        notes = (f"risk unknown: {weighed}", *(note for note in notes if not note.endswith(weighed)))
        return Assessment(None, (), findings, "none", notes, trace, vocabulary)
    if trace.outcome.exception:
        raised = ": ".join(trace.outcome.exception)
        notes = (f"the call raises {raised}; the risk is that the model does not predict this exception", *notes)
    found, made = weighed
    risk = sample_risk(step.risk for step in found)
    if risk_map is None and len(trace.frames) > FITTED_FRAMES:
        notes = (f"its trace has {len(trace.frames):,} frames, {BEYOND_FIT}", *notes)
    on_strings = sum(operation.receiver.type == "str" for step in made for operation in step)
    if risk_map or difficulty is not None:
        features = program_features(trace, risk, on_strings, difficulty)
        risk = risk_map.risk(features) if risk_map else shipped_panel_map().risk(features)
    return Assessment(risk, found, findings, "trace", (*trace.labels, *notes), trace, vocabulary, on_strings)


def _weighed(
    source: str, call: str, trace: Trace, seconds: float, tokenizer: Tokenizer, weights: RiskWeights
) -> tuple[tuple[AssessedStep, ...], Sequence[Sequence[RecordedOperation]]] | str:
    """Returns the steps with their risks, and their operations, or why these are unknown."""
    try:
        why_not = _why_not(source, call, trace, seconds)
        made = None if why_not else record_operations(trace, seconds=seconds)
        if made is None:
            return why_not or "its operations cannot be recorded"
        features = step_features(trace.frames, made.operations, tokenizer)
        return assess_steps(trace, made, features, weights), made.operations
    except OutOfTimeError as error:
        return error.message


def _why_not(source: str, call: str, trace: Trace, seconds: float) -> str:
    """Returns why there is no complete reference trace; empty if there is one."""
    if not trace.has_ended:
        return trace.outcome.detail or trace.outcome.status
    if trace.cut is not None:
        return f"its trace is incomplete: {trace.cut_reason}"
    raised = ": ".join(trace.outcome.exception or ("it does not load",))
    if not trace.frames:
        return f"the call was never made: {raised}"
    entered = sum(frame.event == "call" for frame in trace.frames) > 1  # the first is that of `main`
    if trace.outcome.status == "raised" and not entered:
        return f"the call fails before the program is entered: {raised}"
    nondeterminism = dependences(source, call, seconds=seconds)
    return f"its result depends on {' and '.join(nondeterminism)}" if nondeterminism else ""


def _findings(source: str, call: str, tokenizer: Tokenizer) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Returns the hazards of a program and its call, and what could not be checked."""
    bad: list[BadRow] = []
    found: list[Finding] = []
    with suppress(InputError):  # nothing could be checked: `bad` has the reasons
        found.extend(audit([{"source": source, "call": call}], tokenizer, on_bad=bad.append))
    return tuple(found), tuple(row.reason for row in bad)
