"""`assess`: where a model's simulation of one call cannot be trusted, step by step, before anyone asks the model.

Runs the call in the sandbox for its true trace, weighs every step of it, and says whether the trace fits a budget.
Without a whole true trace the risk is unknown (None), never a low number. What it does not do: ask a model, or rewrite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from analyze.auditing.audit import audit
from analyze.auditing.findings import Finding
from analyze.cost.patterns import Pattern, patterns
from analyze.cost.token_budget import Budget, trace_budget
from analyze.gold_trace.frames import Event, Frame
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace, trace_call
from analyze.risk.features import Step, features
from analyze.risk.judged import GIVEN
from analyze.risk.model import Weights, published, sample_risk
from analyze.risk.program_map import ProgramMap, program_features
from analyze.risk.steps import Recorded, recorded
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.dataset import BadRow, Row, case_from_row
from corpora.deadline import OutOfTimeError
from corpora.errors import InputError
from corpora.execute import SECONDS
from corpora.nondeterminism import dependences
from corpora.program import Grading, Outcome, trace_context


@dataclass(frozen=True)
class AssessedStep:
    """One frame of the true trace.

    index: of the frame, from 0; line: of the traced text, from 1 (None where it is not known); source: that line; risk:
    that this frame is wrong although all before it are right, 0..1; why: what adds most to it, in words; made_by: the
    line whose execution makes this frame (a frame names the line that runs next); values: what the frame writes out,
    (name, repr), with "" for a result.
    """

    index: int
    event: Event
    line: int | None
    source: str
    risk: float
    why: tuple[str, ...]
    made_by: int | None = None
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Assessment:
    """What is known of one call before the model is asked.

    risk: that some step goes wrong, 0..1; None where it is unknown: the call could not be run, did not end, never
    entered the program, has a trace beyond the limits, or is not the same in every run; the reason is the first of
    `notes`; steps: none where the risk is unknown; findings: the tokenization hazards of program and call; basis:
    "trace", or "none" where the risk is unknown; trace: as far as it was recorded.
    """

    risk: float | None
    steps: tuple[AssessedStep, ...]
    findings: tuple[Finding, ...]
    basis: Literal["trace", "none"]
    notes: tuple[str, ...]
    trace: Trace
    tokenizer: Tokenizer

    @cached_property
    def tokens(self) -> int | None:
        """The length of the reference trace; None without one, or if it is longer than `MAX_COUNTED_TOKENS`."""
        return self.trace.count_tokens(self.tokenizer, MAX_COUNTED_TOKENS) if self.trace.cut is None else None

    @property
    def least_tokens(self) -> int:
        """The tokens that the true trace has at least: `tokens`, or where that is None, those that were counted."""
        return self.budget.total if self.tokens is not None else self.budget.least

    @cached_property
    def budget(self) -> Budget:
        """The reference trace's tokens by frame, variable and line, counted up to `MAX_COUNTED_TOKENS`."""
        return trace_budget(self.trace, self.tokenizer, MAX_COUNTED_TOKENS)

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """The loops that make the true trace long, dearest first: growing list, nested loops, long input."""
        return patterns(self.trace, self.budget)

    def fits(self, budget: int) -> bool:
        """Whether the whole true trace is within so many tokens; counted no further than that."""
        if self.trace.cut is not None or not self.trace.frames:
            return False
        return self.trace.count_tokens(self.tokenizer, budget) is not None

    def riskiest(self, count: int = 3) -> tuple[AssessedStep, ...]:
        """The steps at which the model goes wrong first most probably, riskiest first."""
        return tuple(sorted(self.steps, key=lambda step: -step.risk)[:count])

    @property
    def lines(self) -> dict[int, float]:
        """By line of the traced text: the risk that some frame that it makes is wrong."""
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
    weights: Weights | None = None,
    risk_map: ProgramMap | None = None,
) -> Assessment:
    """The reliability map of one call, such as `f(1, [2])`. Never raises for what the program does.

    tokenizer: the model's (default: Llama-3's). weights: where not those of the 32B CWM on CruxEval
    (`analyze.risk.fit`), such as some that were fitted without this program. risk_map: of another model (`spellout
    assess --fit`); it gives the risk of the sample, and the steps keep theirs. seconds: limit of each run; all together
    end at the deadline (`corpora.deadline`), and the risk is then unknown. Raises InputError for a program or call that
    does not parse.

    >>> assess("def f(s):\\n    return s.rindex('a', 0, -2)", "f('banana')").riskiest(1)[0].why[0]
    'places are counted from the end or backwards'
    """
    case = case_from_row(Row(1, "", {"source": source, "call": call}))
    if isinstance(case, BadRow):
        raise InputError(case.reason)
    vocabulary = tokenizer or default_tokenizer()
    try:
        trace = trace_call(source, call, grading, seconds=seconds)
    except OutOfTimeError as error:
        context = trace_context(source, call, grading)
        trace = Trace(context, (), Outcome("timeout", detail=error.message), grading, "timeout")
    findings, notes = _findings(source, call, vocabulary)
    found = _weighed(source, call, trace, seconds, vocabulary, weights or published())
    if isinstance(found, str):
        notes = (f"risk unknown: {found}", *notes)
        return Assessment(None, (), findings, "none", notes, trace, vocabulary)
    risk = sample_risk(step.risk for step in found)
    if risk_map:
        risk = risk_map.risk(program_features(trace, risk, vocabulary))
    return Assessment(risk, found, findings, "trace", (*trace.labels, *notes), trace, vocabulary)


def _weighed(
    source: str, call: str, trace: Trace, seconds: float, tokenizer: Tokenizer, weights: Weights
) -> tuple[AssessedStep, ...] | str:
    """The steps with their risks, or why these are unknown."""
    try:
        why_not = _why_not(source, call, trace, seconds)
        made = None if why_not else recorded(trace, seconds=seconds)
        if made is None:
            return why_not or "its operations cannot be recorded"
        return _from_trace(trace, made, tokenizer, weights)
    except OutOfTimeError as error:
        return error.message


def _why_not(source: str, call: str, trace: Trace, seconds: float) -> str:
    """Why there is no true trace to weigh; "" where there is one."""
    if trace.outcome.status not in ("ok", "raised"):
        return trace.outcome.detail or trace.outcome.status
    if trace.cut is not None:
        return f"its trace is cut short: {trace.cut_reason}"
    raised = ": ".join(trace.outcome.exception or ("it does not load",))
    if not trace.frames:
        return f"the call was never made: {raised}"
    entered = sum(frame.event == "call" for frame in trace.frames) > 1  # the first is that of `main`
    if trace.outcome.status == "raised" and not entered:
        return f"the call fails before the program is entered: {raised}"
    nondeterminism = dependences(source, call, seconds=seconds)
    return f"its result depends on {' and '.join(nondeterminism)}" if nondeterminism else ""


def _from_trace(trace: Trace, made: Recorded, tokenizer: Tokenizer, weights: Weights) -> tuple[AssessedStep, ...]:
    weighed = features(trace.frames, made.operations, tokenizer)
    makers = list(_makers(trace.frames, made.lines))
    return tuple(
        _step(index, made.lines[index], makers[index], frame, step, weights, given=index < GIVEN)
        for index, (frame, step) in enumerate(zip(trace.frames, weighed, strict=True))
    )


def _makers(frames: Sequence[Frame], lines: Sequence[int | None]) -> Iterator[int | None]:
    """For each frame, the line whose execution leads to it: the one that its function, or its caller, is at."""
    at: list[int | None] = [None]  # by depth of calls
    for frame, line in zip(frames, lines, strict=True):
        yield at[-1]
        if frame.event == "call":
            at.append(line)
        elif frame.event == "return" and len(at) > 1:
            at.pop()
        else:
            at[-1] = line


def _step(
    index: int, line: int | None, maker: int | None, frame: Frame, step: Step, weights: Weights, *, given: bool
) -> AssessedStep:
    """given: the prompt says this frame, so that nothing of it is the model's to work out."""
    risk, why = (0.0, ()) if given else (weights.risk(step), weights.why(step))
    return AssessedStep(index, frame.event, line, frame.source, risk, why, maker, tuple(_new(frame)))


def _new(frame: Frame) -> Iterator[tuple[str, str]]:
    """The values that a frame shows and does not leave out as known."""
    if frame.value is not None:
        yield "", frame.value
    yield from (pair for pair in frame.state or () if pair[1] != "..")


def _findings(source: str, call: str, tokenizer: Tokenizer) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """The hazards of a program and its call, and what of them could not be judged."""
    bad: list[BadRow] = []
    found: list[Finding] = []
    with suppress(InputError):  # nothing of it could be judged: `bad` says why
        found.extend(audit([{"source": source, "call": call}], tokenizer, on_bad=bad.append))
    return tuple(found), tuple(row.reason for row in bad)
