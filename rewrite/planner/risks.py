"""The risk of each line of a program under its calls, by the reliability map (`analyze.risk`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log1p

from analyze.risk.assessment import Assessment, assess
from analyze.risk.model import Weights
from analyze.tokens.tokenizer import Tokenizer

MAX_CALLS = 4
"""Of so many calls, the longest ones, the risks are worked out."""


@dataclass(frozen=True)
class LineRisks:
    """What is at risk, and where.

    Attributes:
        lines: By line, the mean over the calls of −log(1 − risk) of the steps that it makes.
        overall: The same of all steps of the call at most risk; None if the risk of a call is not predicted from a
            reference trace.
        why: By line, what adds most, in words.
    """

    lines: Mapping[int, float]
    overall: float | None
    why: Mapping[int, str]

    def without(self, removed: float) -> float | None:
        """The predicted risk, 0..1, when so much of `overall` is removed; None if it is unknown."""
        return None if self.overall is None else 1 - exp(-max(self.overall - removed, 0.0))


def assess_lines(
    source: str, calls: Sequence[str], weights: Weights | None = None, tokenizer: Tokenizer | None = None
) -> LineRisks:
    """The risks under the calls. weights: of the risk of a step, where not the published ones."""
    found = [assess(source, call, tokenizer, weights=weights) for call in calls[:MAX_CALLS]]
    lines: defaultdict[int, float] = defaultdict(float)
    for assessment in found:
        for line, logs in _logs(assessment).items():
            lines[line] += logs / len(found)
    known = bool(found) and all(one.basis == "trace" for one in found)
    overall = max(sum(_log(step.risk) for step in one.steps) for one in found) if known else None
    return LineRisks(lines, overall, _reasons(found))


def _logs(assessment: Assessment) -> dict[int, float]:
    logs: defaultdict[int, float] = defaultdict(float)
    for step in assessment.steps:
        if step.made_by is not None:
            logs[step.made_by] += _log(step.risk)
    return logs


def _log(risk: float) -> float:
    return -log1p(-risk) if risk < 1 else inf


def _reasons(found: Sequence[Assessment]) -> dict[int, str]:
    """Of each line, the first reason of its riskiest step."""
    best: dict[int, tuple[float, str]] = {}
    for step in (step for one in found for step in one.steps):
        if step.made_by is not None and step.why and step.risk > best.get(step.made_by, (0.0, ""))[0]:
            best[step.made_by] = step.risk, step.why[0]
    return {line: why for line, (_, why) in best.items()}
