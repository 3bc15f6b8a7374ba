"""The predicted risk of each line of a program under its calls, by the reliability map (`analyze.risk`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log1p

from analyze.gold_trace.trace import Trace
from analyze.risk.assessment import Assessment, assess
from analyze.risk.features import step_features
from analyze.risk.labelled_traces import PROMPT_FRAMES
from analyze.risk.model import RiskWeights, published_weights
from analyze.risk.steps import record_operations
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer

MAX_CALLS = 4
"""Number of calls, those with the longest traces, whose risk is computed."""


@dataclass(frozen=True)
class LineRisks:
    """The predicted risk of a program and of its lines.

    Attributes:
        lines: By line, the sum of −log(1 − risk) over the steps that the line executes, averaged over the calls.
        overall: The sum over all steps of the call with the highest risk; None if the risk of a call is not predicted
            from a reference trace.
        why: By line, the reason for its riskiest step.
    """

    lines: Mapping[int, float]
    overall: float | None
    why: Mapping[int, str]

    def without(self, removed: float) -> float | None:
        """The predicted risk, 0..1, after removing a part of `overall`; None if it is unknown."""
        return None if self.overall is None else 1 - exp(-max(self.overall - removed, 0.0))


def assess_lines(
    source: str, calls: Sequence[str], weights: RiskWeights | None = None, tokenizer: Tokenizer | None = None
) -> LineRisks:
    """Predict the risk of each line.

    Args:
        source: The program.
        calls: Its calls, the longest trace first.
        weights: Weights of the reliability map (default: the published ones).
        tokenizer: The model's tokenizer (default: Llama-3's).
    """
    found = [assess(source, call, tokenizer, weights=weights) for call in calls[:MAX_CALLS]]
    lines: defaultdict[int, float] = defaultdict(float)
    for assessment in found:
        for line, logs in _logs(assessment).items():
            lines[line] += logs / len(found)
    known = bool(found) and all(one.basis == "trace" for one in found)
    overall = max(sum(_log(step.risk) for step in one.steps) for one in found) if known else None
    return LineRisks(lines, overall, _reasons(found))


def excess_risk(
    traces: Sequence[Trace], weights: RiskWeights | None = None, tokenizer: Tokenizer | None = None
) -> float | None:
    """The sum of −log(1 − risk) over the steps of traces, beyond that of a step that does nothing, averaged over them.

    A plain step is safe, so that a longer trace is not riskier by its length alone: in a rewrite, it only passes on
    values that other steps have computed. None if the operations of a trace cannot be recorded.
    """
    used, vocabulary = weights or published_weights(), tokenizer or default_tokenizer()
    plain = _log(1 / (1 + exp(-used.bias)))
    total = 0.0
    for trace in traces:
        made = record_operations(trace) if trace.cut is None else None
        if made is None:
            return None
        features = list(step_features(trace.frames, made.operations, vocabulary))[PROMPT_FRAMES:]
        total += sum(max(_log(used.risk(step)) - plain, 0.0) for step in features)
    return total / max(len(traces), 1)


def _logs(assessment: Assessment) -> dict[int, float]:
    logs: defaultdict[int, float] = defaultdict(float)
    for step in assessment.steps:
        if step.made_by is not None:
            logs[step.made_by] += _log(step.risk)
    return logs


def _log(risk: float) -> float:
    return -log1p(-risk) if risk < 1 else inf


def _reasons(found: Sequence[Assessment]) -> dict[int, str]:
    """By line, the first reason of its riskiest step."""
    best: dict[int, tuple[float, str]] = {}
    for step in (step for one in found for step in one.steps):
        if step.made_by is not None and step.why and step.risk > best.get(step.made_by, (0.0, ""))[0]:
            best[step.made_by] = step.risk, step.why[0]
    return {line: why for line, (_, why) in best.items()}
