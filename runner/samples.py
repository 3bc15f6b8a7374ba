"""`samples.jsonl`: a record per sample and attempt, one JSON object a line, appended and never rewritten.

A record holds everything that a report or a later look needs: the program as asked, prompt, output, diagnosis, and
how the rewrite was checked. Its key is made of what was asked, so that a run can be resumed and never asks twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from corpora.errors import InputError

Verdict = Literal["correct", "incorrect", "truncated", "not asked"]
ORIGINAL = "original"


@dataclass(frozen=True)
class Divergence:
    """Where an output first parts from the true trace: frame index (from 0), kind, and the two texts there."""

    kind: str
    frame: int | None
    true: str
    predicted: str


@dataclass(frozen=True)
class Rewrite:
    """What a rewrite did and how it was checked. checked: "same" where both programs were executed and agreed."""

    applied: tuple[tuple[str, int], ...]
    left: tuple[tuple[int, str], ...]
    checked: str


@dataclass(frozen=True)
class Sample:
    """One attempt at one case. Token counts are in the model's own vocabulary, 0 where nothing was asked.

    truth, answer: the true result and the predicted one (reprs; S_n: the last state); block: what the `[ANSWER]` block
    says, which grading ignores; true_tokens: the true trace's length, to be held against max_tokens; labels: what of
    the true trace need not be as CPython 3.10 has it; reason: why nothing was asked; isolation: the sandbox level.
    """

    key: str
    id: str
    benchmark: str
    kind: str
    attempt: str
    model: str
    source: str
    call: str
    expected: str | None
    truth: str
    verdict: Verdict
    answer: str | None
    block: str | None
    reason: str
    prompt: str
    prompt_tokens: int
    true_tokens: int
    max_tokens: int
    output: str
    output_tokens: int
    stopped: str
    diagnosis: Divergence | None
    rewrite: Rewrite | None
    labels: tuple[str, ...]
    isolation: str


def sample_key(model: str, attempt: str, max_tokens: int, case_id: str, prompt: str) -> str:
    """Equal for equal questions: 16 hexadecimal digits of a SHA-256 over model, attempt, limit, case and prompt."""
    content = json.dumps([model, attempt, max_tokens, case_id, prompt])
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class SampleFile:
    """The records of one run, in memory by key and on disk by line."""

    def __init__(self, path: Path) -> None:
        """Reads what is there. A last line that was cut off by an interruption is dropped; others raise InputError."""
        self.path = path
        self.samples: dict[str, Sample] = {}
        if path.exists():
            _drop_cut_line(path)
            self.samples = {sample.key: sample for sample in read_samples(path)}

    def append(self, sample: Sample) -> None:
        """Writes one record through to the disk before it counts as done."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(sample)) + "\n")
        self.samples[sample.key] = sample


def read_samples(path: Path) -> Iterator[Sample]:
    """The records of a run. Raises InputError naming the line that is none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", where=str(path)) from error
    for number, line in enumerate(lines, 1):
        try:
            yield _from_json(json.loads(line))
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"not a record of a run ({error})", where=f"{path}:{number}") from error


def _from_json(row: dict[str, Any]) -> Sample:
    diagnosis = Divergence(**row.pop("diagnosis")) if row["diagnosis"] else row.pop("diagnosis")
    raw = row.pop("rewrite")
    rewrite = raw and Rewrite(
        applied=tuple((name, line) for name, line in raw["applied"]),
        left=tuple((line, reason) for line, reason in raw["left"]),
        checked=raw["checked"],
    )
    labels = tuple(row.pop("labels"))
    return Sample(**row, diagnosis=diagnosis, rewrite=rewrite, labels=labels)


def _drop_cut_line(path: Path) -> None:
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        with path.open("r+b") as file:
            file.truncate(len(whole))
