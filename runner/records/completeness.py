"""How many records a run still lacks, because it was stopped or is in progress."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rewrite.baselines import PLACEBO
from runner.records.run_folder import ORDER, read_run_content
from runner.records.samples import ORIGINAL, REDRAW, Sample, originals


def missing_records(folder: Path, samples: Sequence[Sample]) -> int:
    """The number of records that the same `spellout run` would add; 0 if `run.json` cannot be read.

    Args:
        folder: the folder of the run.
        samples: its records.
    """
    content = read_run_content(folder)
    sampled, full = bool(content.get("temperature")), bool(content.get("full"))
    answers = content.get("num_samples", 1) if sampled else 1
    attempts = [*content.get("recipes", ()), *([REDRAW if sampled else PLACEBO] if full else [])]
    first = originals(samples)
    again = sum(sample.is_asked_again(full=full) for sample in first)
    due = len(content.get(ORDER, ())) * answers + again * len(set(attempts))
    return max(0, due - len(first) - sum(sample.attempt != ORIGINAL for sample in samples)) if content else 0
