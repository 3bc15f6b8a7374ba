"""Collects the records of runs for the page: a table of all attempts, and blocks with the details of some samples each.

The attempts at one sample, in all runs, are in one block, so that they can be shown side by side. Every program is
executed once for its reference trace and its risk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyze.risk.assessment import Assessment
from analyze.tokens.tokenizer import Tokenizer
from runner.records.samples import ORIGINAL, Sample
from runner.reports.viewer.assessments import ProgramAssessments, ProgramKey, program_key
from runner.reports.viewer.attempts import FailureAnalysis, attempt_json
from runner.reports.viewer.programs import Json, program_json

BLOCK_CHARACTERS = 500_000
"""A block ends after the sample with which it reaches this many characters of programs and outputs."""
COLUMNS = (
    "name",
    "id",
    "run",
    "benchmark",
    "kind",
    "attempt",
    "verdict",
    "divergence",
    "frame",
    "cause",
    "risk",
    "hazards",
    "reference_tokens",
    "output_tokens",
    "block",
    "place",
)
"""The columns of the table. `name` is the first part of a deep link; `block` and `place` say where the details are."""
AttemptGroup = list[tuple[int, Sample]]
"""The attempts at one sample, each with the index of its run."""


@dataclass
class Collection:
    """The content of a page.

    Attributes:
        runs: the names of the runs.
        columns: the table of all attempts, by `COLUMNS`.
        blocks: the details of samples: `programs`, and `samples` that refer to them.
        unread: one line per program that could not be assessed.
    """

    runs: tuple[str, ...]
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    blocks: list[Json] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    _names: Counter[str] = field(default_factory=Counter)

    def name_of(self, key: str) -> str:
        """The name of the next attempt with this key: the key itself, or with a number if another run has it too."""
        self._names[key] += 1
        return key if self._names[key] == 1 else f"{key}.{self._names[key]}"

    @property
    def attempts(self) -> int:
        """The number of attempts."""
        return len(self.columns["id"])


def group_attempts(runs: Mapping[str, Sequence[Sample]]) -> list[AttemptGroup]:
    """Groups the records of all runs by sample, in the order of the first run that has it."""
    groups: dict[str, AttemptGroup] = {}
    for number, samples in enumerate(runs.values()):
        for sample in samples:
            groups.setdefault(sample.pairing_key, []).append((number, sample))
    return list(groups.values())


def collect(
    runs: Mapping[str, Sequence[Sample]],
    tokenizer: Tokenizer,
    seconds: float,
    track: Callable[[list[AttemptGroup]], Iterable[AttemptGroup]] = iter,
) -> Collection:
    """Collects runs.

    Args:
        runs: the records of each run, by its name.
        tokenizer: whose token boundaries are shown, and with which hazards are found.
        seconds: time limit of each program; the risk of a program over it is unknown.
        track: passes the samples on as they are collected, to show progress (default: shows none).

    Raises:
        InputError: no program can be run.
    """
    found = Collection(tuple(runs))
    assessments = ProgramAssessments(tokenizer, seconds)
    block, size = _new_block(), 0
    for number, group in enumerate(track(group_attempts(runs))):
        _add_group(found, block, number, group, assessments, tokenizer)
        size += sum(len(sample.source) + len(sample.output) + len(sample.prompt) for _, sample in group)
        if size >= BLOCK_CHARACTERS:
            found.blocks.append(block)
            block, size = _new_block(), 0
    if block["samples"]:
        found.blocks.append(block)
    found.unread += assessments.unread
    return found


def _new_block() -> Json:
    return {"programs": [], "samples": []}


def _add_group(
    found: Collection,
    block: Json,
    number: int,
    group: AttemptGroup,
    assessments: ProgramAssessments,
    tokenizer: Tokenizer,
) -> None:
    """Adds the attempts at one sample to the table and to a block."""
    programs: dict[ProgramKey, int] = {}
    for run, sample in group:
        assessment, analysis = assessments.find(sample)
        key = program_key(sample)
        if key not in programs:
            programs[key] = len(block["programs"])
            block["programs"].append(program_json(assessment))
        content = attempt_json(sample, _original(run, group), assessment.trace, analysis, tokenizer)
        row, place = found.attempts, len(block["samples"])
        _add_row(found, run, sample, assessment, analysis, (len(found.blocks), place))
        block["samples"].append(content | {"program": programs[key], "group": number, "row": row})
    assessments.forget()


def _original(run: int, group: AttemptGroup) -> Sample | None:
    return next((one for of, one in group if of == run and one.attempt == ORIGINAL), None)


def _add_row(
    found: Collection,
    run: int,
    sample: Sample,
    assessment: Assessment,
    analysis: FailureAnalysis | None,
    place: tuple[int, int],
) -> None:
    hazards = sorted({one.hazard for one in assessment.findings if one.severity > 0})
    divergence = sample.diagnosis.kind if sample.diagnosis else ""
    attempt = sample.attempt if sample.answer_index is None else f"{sample.attempt} #{sample.answer_index}"
    values = (
        found.name_of(sample.key),
        sample.id,
        run,
        sample.benchmark,
        sample.kind,
        attempt,
        sample.verdict,
        divergence,
        sample.diagnosis.frame if sample.diagnosis else None,
        analysis.failure.cause if analysis else "",
        None if assessment.risk is None else round(assessment.risk, 4),
        " ".join(hazards),
        sample.reference_tokens,
        sample.output_tokens,
        *place,
    )
    for column, value in zip(COLUMNS, values, strict=True):
        found.columns[column].append(value)
