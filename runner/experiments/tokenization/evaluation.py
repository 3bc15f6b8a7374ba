"""Asks every trained model about the unseen programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.program import Case
from runner.pocket.data import MAX_TOKENS
from runner.pocket.findings.training import TrainingRun
from runner.records.samples import Sample
from runner.runs.evaluation import evaluate

STOP_AFTER = 1.25
"""An answer is aborted beyond this multiple of its reference trace."""


@dataclass(frozen=True)
class Answers:
    """The answers of one model.

    Attributes:
        run: The model.
        samples: A record for each unseen program, in the same order for every model.
    """

    run: TrainingRun
    samples: tuple[Sample, ...]


def evaluate_run(run: TrainingRun, cases: Sequence[Case]) -> Answers:
    """Asks one model, greedily; answers that are recorded already are not asked again.

    Raises:
        InputError: If the model's folder has no weights, or records of other weights.
    """
    samples = evaluate(
        str(run.folder),
        cases,
        output=run.folder / "answers",
        recipes=(),
        max_tokens=MAX_TOKENS,
        stop_after=STOP_AFTER,
    )
    return Answers(run, tuple(samples))
