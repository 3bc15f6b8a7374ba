"""Fits a reliability map for a model to its recorded outputs, and validates it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from analyze.risk.assessment import assess
from analyze.risk.map_validation import MapValidation, cross_validate
from analyze.risk.program_map import ProgramMap, fit_program_map, program_features
from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.records.samples import ORIGINAL, Sample

_Call = tuple[tuple[str, str], list[Sample]]
Track = Callable[[list[_Call]], Iterable[_Call]]


@dataclass(frozen=True)
class FittedMap:
    """A map with its validation.

    Attributes:
        program_map: fitted on all outputs.
        validation: by cross-validation on the same outputs.
        models: whose outputs they are.
        skipped: calls whose risk is unknown, so that they have no features.
    """

    program_map: ProgramMap
    validation: MapValidation
    models: tuple[str, ...]
    skipped: int


def fit_map(
    samples: Iterable[Sample],
    tokenizer: Tokenizer,
    seconds: float,
    track: Track = iter,
) -> FittedMap:
    """Fits a map to graded outputs.

    Args:
        samples: graded outputs; those after a rewrite are ignored.
        tokenizer: of the model.
        seconds: time limit of a run.
        track: passes the calls on as they are assessed, to show progress (default: shows none).

    Raises:
        InputError: there are too few outputs for a fit, or too few to beat the shipped map.
    """
    answers: defaultdict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.asked and sample.attempt == ORIGINAL:
            answers[sample.source, sample.call].append(sample)
    features, failed, programs = [], [], []
    for (source, call), graded in track(list(answers.items())):
        found = assess(source, call, tokenizer, grading=graded[0].grading, seconds=seconds)  # type: ignore[arg-type]
        if found.risk is None:
            continue
        features.append(program_features(found.trace, found.risk, tokenizer))
        failed.append(np.mean([sample.verdict != "correct" for sample in graded]))
        programs.append(source)
    models = tuple(sorted({sample.model for graded in answers.values() for sample in graded}))
    if not features:
        raise InputError("no output is about a program whose trace is known")
    rows, shares = np.array(features), np.array(failed)
    validation = cross_validate(rows, shares, programs)
    _check(validation)
    fitted_on = f"{sum(map(len, answers.values()))} outputs of {', '.join(models)} for {len(failed)} calls"
    return FittedMap(fit_program_map(rows, shares, fitted_on), validation, models, len(answers) - len(failed))


def _check(validation: MapValidation) -> None:
    if not validation.beats_shipped:
        raise InputError(
            f"too few outputs to beat the shipped map: mean squared error {validation.brier:.3f} in cross-validation, "
            f"shipped map {validation.shipped_brier:.3f}, mean failure rate {validation.base_rate_brier:.3f} "
            f"({validation.programs} calls)"
        )


def validation_lines(fitted: FittedMap) -> list[str]:
    """The validation as people read it."""
    found = fitted.validation
    low, high = found.auroc_interval
    lines = [
        f"{found.programs} calls, {found.failures:.1f} failures; 10-fold cross-validation by program",
        f"AUROC {found.auroc:.3f} [{low:.3f}, {high:.3f}]",
        *(f"  {name}: {value:.3f}" for name, value in found.baselines.items()),
        f"mean squared error (Brier) {found.brier:.3f}; shipped map {found.shipped_brier:.3f}, "
        f"mean failure rate {found.base_rate_brier:.3f}",
        f"expected failures {found.expected:.1f}, observed {found.failures:.1f}",
        "by quarter of predicted risk: "
        + ", ".join(f"predicted {part.predicted:.0%} observed {part.observed:.0%}" for part in found.quarters),
    ]
    if fitted.skipped:
        lines.append(f"{fitted.skipped} calls without a known risk were left out")
    return lines
