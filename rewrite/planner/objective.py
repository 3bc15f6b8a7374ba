"""The objective of a plan: the probability that a model gets the trace of a call right, as `assess` predicts it.

That is the product of 1 − risk over all steps. Its negative logarithm is a sum over steps, so what a rewrite gains is
the difference of two sums, with all steps that it adds.

The reliability map was fitted on few failures, so a small gain may be one of the fit. `refits.json` has the weights of
fits on samples of its programs, drawn with replacement (B. Efron's bootstrap, 1979). They give a gain's standard error,
by the derivative of the sum with respect to the weights. `python -m lab.exposure.refits --write` makes them.

For a model that answers in words, the risk is that of its map (`analyze.risk.program_map`), and a rewrite costs the
measured price of what it changes (`analyze.risk.prices`). Prices were measured on such models alone, and the frames
that a rewrite adds are steps of the other map already, so nothing is subtracted from that map's risk.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp, hypot, inf, log1p, sqrt
from pathlib import Path
from typing import NamedTuple

from analyze.gold_trace.trace import Trace
from analyze.risk.assessed_steps import AssessedStep, assess_steps
from analyze.risk.features import FEATURE_DESCRIPTIONS, step_features
from analyze.risk.prices import price
from analyze.risk.program_map import ReliabilityMap, program_features
from analyze.risk.risk_model import RiskWeights, published_weights
from analyze.risk.steps import RecordedOperation, record_operations
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from rewrite.planner.repair import StepHazard

FILE = Path(__file__).with_name("refits.json")
DOUBT = 0.5
"""A gain below this number of standard errors is left: plans then cost a quarter less and keep most of their gain, as a
map sees it that was fitted on other programs (`python bench/planned.py --doubt 0 0.5 1.28 --every 8`)."""
FEW = 5
"""An operation that fewer programs of the map have is named where a prediction depends on it."""
LOG_ODDS = "shipped_log_odds"
_WEIGHTS = ("", *FEATURE_DESCRIPTIONS)  # the bias first
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
        derivative: Of the total with respect to the weight of each feature, and to the bias ("").
        operations: The operations of the steps, as `operation_names` writes them.
        steps: The steps, by call.
        changes: What differs from the original, by kind of change with a price; empty where nothing has a price.
    """

    total: float
    lines: Mapping[int, float]
    runs: Mapping[int, float]
    why: Mapping[int, str]
    derivative: Mapping[str, float] = field(default_factory=dict)
    operations: frozenset[str] = frozenset()
    steps: tuple[tuple[StepHazard, ...], ...] = ()
    changes: Mapping[str, float] = field(default_factory=dict)

    @property
    def cost(self) -> float:
        """What a plan minimizes: the total and the price of the changes."""
        return self.total + price(self.changes).estimate

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
    traces: Sequence[Trace],
    weights: RiskWeights | None = None,
    tokenizer: Tokenizer | None = None,
    risk_map: ReliabilityMap | None = None,
) -> ProgramRisk | None:
    """Predict the risk of a program from the reference traces of its calls; None if it cannot be predicted.

    Args:
        traces: Complete traces, at least one.
        weights: Weights of the reliability map (default: the published ones).
        tokenizer: The model's tokenizer (default: Llama-3's).
        risk_map: The map that gives the total (default: the sum over the steps).
    """
    found = [_TraceRisk.predict(trace, weights, tokenizer, risk_map) for trace in traces]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    lines: defaultdict[int, float] = defaultdict(float)
    runs: defaultdict[int, float] = defaultdict(float)
    derivative: defaultdict[str, float] = defaultdict(float)
    for one in known:
        for step in one.hazards:
            if step.line is not None:
                lines[step.line] += step.hazard / len(known)
                runs[step.line] += 1 / len(known)
        for name, value in one.derivative.items():
            derivative[name] += value / len(known)
    operations = frozenset[str]().union(*(one.operations for one in known))
    total = sum(one.total for one in known) / len(known)
    hazards = tuple(one.hazards for one in known)
    return ProgramRisk(
        total, lines, runs, _reasons([step for one in known for step in one.steps]), derivative, operations, hazards
    )


class _TraceRisk(NamedTuple):
    """The risk of one call: its steps, with hazards, and total, derivative and operations as in `ProgramRisk`."""

    steps: tuple[AssessedStep, ...]
    hazards: tuple[StepHazard, ...]
    total: float
    derivative: Mapping[str, float]
    operations: frozenset[str]

    @classmethod
    def predict(
        cls, trace: Trace, weights: RiskWeights | None, tokenizer: Tokenizer | None, risk_map: ReliabilityMap | None
    ) -> _TraceRisk | None:
        """The risk; None if the trace is incomplete or its operations cannot be recorded."""
        made = record_operations(trace) if trace.cut is None else None
        if made is None:
            return None
        features = list(step_features(trace.frames, made.operations, tokenizer or default_tokenizer()))
        steps = assess_steps(trace, made, features, weights or published_weights())
        derivative: defaultdict[str, float] = defaultdict(float)
        for made_of, step in zip(features, steps, strict=True):  # of −log(1 − risk), where risk is logistic
            for name, value in (("", 1.0), *made_of.values.items()):
                derivative[name] += step.risk * value
        performed = zip(steps, map(frozenset, made.operations), strict=True)
        hazards = tuple(StepHazard(_log(step.risk), those, step.made_by) for step, those in performed)
        total = sum(one.hazard for one in hazards)
        found = cls(steps, hazards, total, derivative, frozenset(operation_names(made.operations)))
        return found.by_map(risk_map, trace, made.operations) if risk_map else found

    def by_map(self, risk_map: ReliabilityMap, trace: Trace, made: Sequence[Sequence[RecordedOperation]]) -> _TraceRisk:
        """The same with the total of a map, one of whose features is the log-odds of the risk of the steps."""
        on_strings = sum(one.receiver.type == "str" for step in made for one in step)
        risk, chosen = probability(self.total), risk_map.program_map
        total = _log(risk_map.risk(program_features(trace, risk, on_strings)))
        slope = chosen.weights.get(LOG_ODDS, 0.0) / chosen.scales.get(LOG_ODDS, 1.0)
        factor = probability(total) * slope / risk if risk else 0.0  # the derivative of the log-odds is 1 / risk
        return self._replace(total=total, derivative={name: factor * value for name, value in self.derivative.items()})


def operation_names(made: Iterable[Iterable[RecordedOperation]]) -> set[str]:
    """The operations of some steps, with the type of what they work on, such as "str.split" and "list(str)"."""
    found = {(one.kind, one.name, one.receiver.type) for step in made for one in step}
    return {f"{on}.{name}" if kind == "method" else f"{name or kind}({on})" for kind, name, on in found}


def standard_error(before: ProgramRisk, after: ProgramRisk) -> float:
    """The standard error of the difference of two costs, as far as it comes from the weights of the map and prices."""
    fit = _error({name: _slope(after, name) - _slope(before, name) for name in _WEIGHTS})
    kinds = before.changes.keys() | after.changes.keys()
    priced = price({kind: after.changes.get(kind, 0.0) - before.changes.get(kind, 0.0) for kind in kinds})
    return hypot(fit, priced.error)


def least_gain(before: ProgramRisk, after: ProgramRisk) -> float:
    """The lower bound of what a rewrite gains: the difference of the costs, less DOUBT standard errors."""
    return before.cost - after.cost - DOUBT * standard_error(before, after)


def support(before: ProgramRisk, after: ProgramRisk) -> str:
    """How far the map supports what it predicts of a rewrite, in words.

    Args:
        before: The program.
        after: Its rewrite.
    """
    change = {
        name: (1 - after.risk) * _slope(after, name) - (1 - before.risk) * _slope(before, name) for name in _WEIGHTS
    }
    programs, seen = _fits().programs, _fits().seen
    few = sorted(one for one in after.operations - before.operations if seen.get(one, 0) < FEW)
    counts = ", ".join(f"{seen.get(one, 0)} have {one}" for one in few)
    rare = f"; of the {programs} programs behind it, {counts}" if few else ""
    return f"standard error of the change of the risk, from the fit of the map: {100 * _error(change):.1f} pp{rare}"


def left_alone(before: ProgramRisk, after: ProgramRisk) -> str:
    """Why a rewrite is not returned: what it gains may be nothing.

    Args:
        before: The program.
        after: Its rewrite.
    """
    removed, cost, error = before.total - after.total, price(after.changes).estimate, standard_error(before, after)
    priced = f", for changes with a price of {cost:.3f}" if cost else ""
    return (
        f"left as it is: the best rewrite removes {removed:.3f} of -log(1 - risk){priced}; "
        f"the standard error of the difference is {error:.3f}"
    )


class _Fits(NamedTuple):
    """The content of `refits.json`.

    Attributes:
        programs: The number of programs of the map.
        seen: The number of programs with each operation.
        shifts: For each refit, the difference of each weight to the mean of all refits; "" is the bias.
    """

    programs: int
    seen: Mapping[str, int]
    shifts: tuple[Mapping[str, float], ...]


def _slope(one: ProgramRisk, name: str) -> float:
    return one.derivative.get(name, 0.0)


def _error(change: Mapping[str, float]) -> float:
    shifts = [sum(shift[name] * value for name, value in change.items()) for shift in _fits().shifts]
    return sqrt(sum(shift * shift for shift in shifts) / len(shifts))


@cache
def _fits() -> _Fits:
    content = json.loads(FILE.read_text(encoding="utf-8"))
    refits = content["refits"]
    means = {name: sum(one[name] for one in refits) / len(refits) for name in _WEIGHTS}
    shifts = tuple({name: one[name] - mean for name, mean in means.items()} for one in refits)
    return _Fits(content["programs"], content["seen"], shifts)


def _log(risk: float) -> float:
    return -log1p(-risk) if risk < 1 else inf


def _reasons(steps: Sequence[AssessedStep]) -> dict[int, str]:
    """By line, the first reason of its riskiest step."""
    told = [step for step in steps if step.made_by is not None and step.why]
    return {step.made_by: step.why[0] for step in sorted(told, key=lambda step: step.risk) if step.made_by is not None}
