"""Exports a run as a log of inspect_ai (extra `inspect`), for its viewer, data frames and analyses.

A log has one attempt: the original programs, or one recipe. Several sampled answers to one question are epochs of one
sample. A question that was not asked has an error with the reason and no score, so inspect_ai excludes it from
accuracies too. The grades are those of the records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from corpora.errors import InputError
from corpora.reading.optional_packages import require_package
from runner.records.samples import Sample

EXTRA = "inspect"
SUFFIXES = (".eval", ".json")
SCORER = "spellout"
_STOPPED = {"limit": "max_tokens", "long": "max_tokens", "context": "model_length"}


def write_log(samples: Sequence[Sample], settings: Mapping[str, Any], finished: float, path: Path) -> None:
    """Writes the log of one attempt.

    Args:
        samples: records of the attempt.
        settings: content of `run.json`.
        finished: time of the run, in seconds since 1970.
        path: file to write, `.eval` or `.json`.

    Raises:
        InputError: the suffix is unknown, inspect_ai is not installed, or the file cannot be written.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"must end in {' or '.join(SUFFIXES)}", where=str(path))
    log = require_package("inspect_ai.log", EXTRA)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        log.write_eval_log(_log(samples, settings, finished), str(path))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(path)) from error


def _log(samples: Sequence[Sample], settings: Mapping[str, Any], finished: float) -> Any:
    log = require_package("inspect_ai.log", EXTRA)
    first = samples[0]
    names = _names(samples)
    created = datetime.fromtimestamp(finished, UTC).isoformat()
    epochs = max(sample.answer_index or 0 for sample in samples) + 1
    spec = log.EvalSpec(
        created=created,
        task=f"spellout/{first.benchmark or 'run'}",
        task_args={"attempt": first.attempt},
        dataset=log.EvalDataset(
            name=first.benchmark, samples=len(set(names)), sample_ids=list(dict.fromkeys(names)), shuffled=False
        ),
        model=f"spellout/{first.model}",
        model_args={},
        config=log.EvalConfig(epochs=epochs, epochs_reducer=["mean"]),
        packages={"spellout": str(settings.get("spellout", ""))},
        metadata={"spellout_run": dict(settings)},
    )
    return log.EvalLog(
        status="success",
        eval=spec,
        results=_results(samples),
        stats=log.EvalStats(started_at=created, completed_at=created),
        samples=[_sample(sample, name) for sample, name in zip(samples, names, strict=True)],
    )


def _names(samples: Sequence[Sample]) -> list[str]:
    """A unique name for each sample, because ids may repeat."""
    cases: dict[str, set[str]] = {}
    for sample in samples:
        cases.setdefault(sample.id, set()).add(sample.case_key)
    return [sample.id if len(cases[sample.id]) == 1 else f"{sample.id} {sample.case_key}" for sample in samples]


def _results(samples: Sequence[Sample]) -> Any:
    log = require_package("inspect_ai.log", EXTRA)
    verdicts = Counter(sample.verdict for sample in samples)
    asked = len(samples) - verdicts["not asked"]
    metrics = {"accuracy": log.EvalMetric(name="accuracy", value=verdicts["correct"] / asked)} if asked else {}
    score = log.EvalScore(
        name=SCORER,
        scorer=SCORER,
        scored_samples=asked,
        unscored_samples=verdicts["not asked"],
        metrics=metrics,
        metadata=dict(verdicts),
    )
    return log.EvalResults(total_samples=len(samples), completed_samples=asked, scores=[score])


def _sample(sample: Sample, name: str) -> Any:
    log, model = require_package("inspect_ai.log", EXTRA), require_package("inspect_ai.model", EXTRA)
    about = asdict(sample)
    for known in ("id", "prompt", "output", "reference", "answer_index"):
        del about[known]
    said = model.ModelOutput.from_content(
        sample.model, sample.output, stop_reason=_STOPPED.get(sample.stopped, "stop" if sample.asked else "unknown")
    )
    said.usage = model.ModelUsage(
        input_tokens=sample.prompt_tokens,
        output_tokens=sample.output_tokens,
        total_tokens=sample.prompt_tokens + sample.output_tokens,
    )
    error = None
    if not sample.asked:
        error = log.EvalError(message=f"not asked: {sample.reason}", traceback="", traceback_ansi="")
    return log.EvalSample(
        id=name,
        epoch=(sample.answer_index or 0) + 1,
        input=sample.prompt or sample.source,
        target=sample.reference,
        messages=[
            model.ChatMessageUser(content=sample.prompt or sample.source),
            *([said.message] if sample.asked else []),
        ],
        output=said,
        scores={SCORER: _score(sample)} if sample.asked else None,
        metadata=about,
        error=error,
    )


def _score(sample: Sample) -> Any:
    scorer = require_package("inspect_ai.scorer", EXTRA)
    found = sample.diagnosis
    where = f"{sample.verdict}; first divergence: {found.kind}, frame {found.frame}" if found else sample.verdict
    value = scorer.CORRECT if sample.verdict == "correct" else scorer.INCORRECT
    return scorer.Score(value=value, answer=sample.predicted, explanation=where, metadata={"verdict": sample.verdict})
