"""Fits a reliability map for a model to its recorded outputs, and validates it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from analyze.risk.assessment import assess
from analyze.risk.map_fit import fit_program_map
from analyze.risk.map_validation import MapValidation, cross_validate
from analyze.risk.panel import Panel
from analyze.risk.program_map import FEATURES, ReliabilityMap, program_features
from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.records.samples import ORIGINAL, Sample

_Call = tuple[tuple[str, str], list[Sample]]
Track = Callable[[list[_Call]], Iterable[_Call]]


@dataclass(frozen=True)
class FittedMap:
    """A map with its validation.

    Attributes:
        risk_map: fitted on all outputs.
        validation: by cross-validation on the same outputs, without the panel.
        with_panel: the same with the panel, on the programs that it has; None without a panel.
        skipped: calls whose risk is unknown, so that they have no features.
    """

    risk_map: ReliabilityMap
    validation: MapValidation
    with_panel: MapValidation | None
    skipped: int


def fit_map(
    samples: Iterable[Sample], tokenizer: Tokenizer, seconds: float, track: Track = iter, panel: Panel | None = None
) -> FittedMap:
    """Fits a map to graded outputs.

    Args:
        samples: graded outputs; those after a rewrite are ignored.
        tokenizer: of the model.
        seconds: time limit of a run.
        track: passes the calls on as they are assessed, to show progress (default: shows none).
        panel: results of other models on the same programs, by id; runs of the models of `samples` do not count.

    Raises:
        InputError: the panel is about other programs; there are too few outputs for a fit, or too few to beat the
            shipped map.
    """
    answers: defaultdict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.asked and sample.attempt == ORIGINAL:
            answers[sample.source, sample.call].append(sample)
    models = tuple(sorted({sample.model for graded in answers.values() for sample in graded}))
    difficulty = panel.without(models).difficulty if panel else {}
    features, failed, programs = [], [], []
    for (source, call), graded in track(list(answers.items())):
        found = assess(source, call, tokenizer, grading=graded[0].grading, seconds=seconds)  # type: ignore[arg-type]
        if found.risk is None:
            continue
        name = graded[0].id
        if panel and panel.contradicts(name, found.trace.outcome.value):
            raise InputError(f"its right answer to {name} is not its result: another benchmark?", where=panel.where)
        features.append(program_features(found.trace, found.risk, found.string_operations, difficulty.get(name)))
        failed.append(np.mean([sample.verdict != "correct" for sample in graded]))
        programs.append(source)
    if not features:
        raise InputError("no output is about a program whose trace is known")
    rows, shares, names = np.array(features), np.array(failed), np.array(programs)
    validation = cross_validate(rows, shares, programs)
    _check(validation)
    fitted_on = f"{sum(map(len, answers.values()))} outputs of {', '.join(models)} for {len(failed)} calls"
    fitted, skipped = fit_program_map(rows, shares, fitted_on), len(answers) - len(failed)
    if not panel:
        return FittedMap(ReliabilityMap(fitted, None, models), validation, None, skipped)
    known = ~np.isnan(rows[:, -1])
    if not known.any():
        raise InputError("has no row for any of these samples", where=panel.where)
    second = cross_validate(rows[known], shares[known], names[known].tolist(), names=tuple(FEATURES))
    with_panel = fit_program_map(
        rows[known], shares[known], f"{fitted_on}, {known.sum()} in the panel", tuple(FEATURES)
    )
    return FittedMap(ReliabilityMap(fitted, with_panel, models), validation, second, skipped)


def _check(validation: MapValidation) -> None:
    if not validation.beats_shipped:
        raise InputError(
            f"too few outputs to beat the shipped map: mean squared error {validation.brier:.3f} in cross-validation, "
            f"shipped map {validation.shipped_brier:.3f}, mean failure rate {validation.base_rate_brier:.3f} "
            f"({validation.programs} calls)"
        )


def validation_lines(fitted: FittedMap) -> list[str]:
    """The validation as people read it."""
    lines = _lines(fitted.validation)
    if fitted.with_panel is not None:
        lines += ["", "with panel difficulty:", *_lines(fitted.with_panel)]
    if fitted.skipped:
        lines.append(f"{fitted.skipped} calls without a known risk were left out")
    return lines


def _lines(found: MapValidation) -> list[str]:
    low, high = found.auroc_interval
    return [
        f"{found.programs} calls, {found.failures:.1f} failures; 10-fold cross-validation by program",
        f"AUROC {found.auroc:.3f} [{low:.3f}, {high:.3f}]",
        *(f"  {name}: {value:.3f}" for name, value in found.baselines.items()),
        f"mean squared error (Brier) {found.brier:.3f}; shipped map {found.shipped_brier:.3f}, "
        f"mean failure rate {found.base_rate_brier:.3f}",
        f"expected failures {found.expected:.1f}, observed {found.failures:.1f}",
        "by quarter of predicted risk: "
        + ", ".join(f"predicted {part.predicted:.0%} observed {part.observed:.0%}" for part in found.quarters),
    ]
