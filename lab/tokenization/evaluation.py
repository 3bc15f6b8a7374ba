"""Asks every trained model about the unseen programs."""

from __future__ import annotations

from collections.abc import Sequence

from corpora.program import Case
from lab.tokenization.results import Answer, ModelResult
from runner.pocket import folder
from runner.pocket.data import MAX_TOKENS
from runner.pocket.findings.training import TrainingRun
from runner.records.samples import Sample
from runner.runs.evaluation import evaluate

STOP_AFTER = 1.25
"""An answer is aborted beyond this multiple of its reference trace."""


def evaluate_run(run: TrainingRun, cases: Sequence[Case]) -> ModelResult:
    """Asks one model, greedily; answers that are recorded already are not asked again.

    Raises:
        InputError: If the model's folder has no weights, or records of other weights.
    """
    samples = evaluate(
        str(run.folder), cases, output=run.folder / "answers", recipes=(), max_tokens=MAX_TOKENS, stop_after=STOP_AFTER
    )
    last = folder.lines(run.folder)[-1]
    hours = round(last["seconds"] / 3600, 2)
    answers = tuple(map(_answer, samples))
    return ModelResult(run.arm, run.seed, last["documents"], last["tokens"], hours, last["loss"], answers)


def _answer(sample: Sample) -> Answer:
    wrong = sample.diagnosis is not None and sample.verdict != "correct"
    return Answer(sample.id, sample.kind, sample.verdict, sample.diagnosis.kind if wrong and sample.diagnosis else "")
