"""The objective of a plan: the probability that a model gets the trace of a call right, as `assess` predicts it.

That is the product of 1 − risk over all steps. Its negative logarithm is a sum over steps, so what a rewrite gains is
the difference of two sums, with all steps that it adds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log1p

from analyze.gold_trace.trace import Trace
from analyze.risk.assessment import AssessedStep, assess_steps
from analyze.risk.model import RiskWeights, published_weights
from analyze.risk.steps import record_operations
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer

MAX_CALLS = 4
"""Number of calls, those with the longest traces, whose risk is predicted."""


@dataclass(frozen=True)
class ProgramRisk:
    """The predicted risk of a program under its calls.

    Attributes:
        total: The sum of −log(1 − risk) over the steps of a call, averaged over the calls.
        lines: The same by the line that makes the step.
        runs: By line, the number of its steps, averaged over the calls.
        why: By line, the reason for its riskiest step.
    """

    total: float
    lines: Mapping[int, float]
    runs: Mapping[int, float]
    why: Mapping[int, str]

    @property
    def risk(self) -> float:
        """The probability that a step goes wrong, 0..1; of several calls the geometric mean of their 1 − risk."""
        return probability(self.total)


def probability(total: float) -> float:
    """The risk of a sum of −log(1 − risk)."""
    return 1 - exp(-total)


def plain_step(weights: RiskWeights | None = None) -> float:
    """The part of a step that computes nothing and writes nothing new in the sum: the least that a new step adds."""
    return -log1p(-1 / (1 + exp(-(weights or published_weights()).bias)))


def predict_risk(
    traces: Sequence[Trace], weights: RiskWeights | None = None, tokenizer: Tokenizer | None = None
) -> ProgramRisk | None:
    """Predict the risk of a program from the reference traces of its calls; None if it cannot be predicted.

    Args:
        traces: Complete traces, at least one.
        weights: Weights of the reliability map (default: the published ones).
        tokenizer: The model's tokenizer (default: Llama-3's).
    """
    steps: list[AssessedStep] = []
    for trace in traces:
        made = record_operations(trace) if trace.cut is None else None
        if made is None:
            return None
        steps += assess_steps(trace, made, tokenizer or default_tokenizer(), weights or published_weights())
    logs = [_log(step.risk) / len(traces) for step in steps]
    lines: defaultdict[int, float] = defaultdict(float)
    runs: defaultdict[int, float] = defaultdict(float)
    for step, log in zip(steps, logs, strict=True):
        if step.made_by is not None:
            lines[step.made_by] += log
            runs[step.made_by] += 1 / len(traces)
    return ProgramRisk(sum(logs), lines, runs, _reasons(steps)) if traces else None


def _log(risk: float) -> float:
    return -log1p(-risk) if risk < 1 else inf


def _reasons(steps: Sequence[AssessedStep]) -> dict[int, str]:
    """By line, the first reason of its riskiest step."""
    told = [step for step in steps if step.made_by is not None and step.why]
    return {step.made_by: step.why[0] for step in sorted(told, key=lambda step: step.risk) if step.made_by is not None}
