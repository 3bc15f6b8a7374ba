"""Collects the records of runs for the page: a table of all attempts, and blocks with the details of some samples each.

The attempts at one sample, in all runs, are in one block, so that they can be shown side by side. Every program is
executed for its reference trace and its risk, in as many processes as asked for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from analyze.risk.answer_maps import map_of_outputs
from analyze.risk.assessment import Assessment
from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora.failures import JobDiedError
from corpora.process_pool import map_over_cores
from runner.records.samples import ORIGINAL, Sample
from runner.reports.viewer.assessments import ProgramAssessments, ProgramKey, program_key
from runner.reports.viewer.attempt_json import FailureAnalysis, attempt_json
from runner.reports.viewer.program_json import Json, program_json

BLOCK_CHARACTERS = 500_000
"""A block ends after the sample with which it reaches this many characters of programs and outputs."""
AttemptGroup = list[tuple[int, Sample]]
"""The attempts at one sample, each with the index of its run."""
BATCH = 32
"""Samples that a process analyzes at a time. Starting a process takes about as long, so fewer samples start none."""


@dataclass(frozen=True)
class GroupContent:
    """The attempts at one sample as JSON.

    Attributes:
        rows: a row of the table per attempt, without `block` and `place`; its `name` is the key of the record.
        programs: the programs of the attempts.
        samples: the details of the attempts, with the index of their program.
        characters: size of programs, prompts and outputs.
    """

    rows: list[Json]
    programs: list[Json]
    samples: list[Json]
    characters: int


@dataclass
class Collection:
    """The content of a page.

    Attributes:
        runs: the names of the runs.
        columns: the table of all attempts, by column. `name` is the first part of a deep link; `block` and `place` say
            where the details are.
        blocks: the details of samples: `programs`, and `samples` that refer to them.
        unread: one line per program that could not be assessed.
    """

    runs: tuple[str, ...]
    columns: defaultdict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    blocks: list[Json] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    _names: Counter[str] = field(default_factory=Counter)
    _groups: int = 0
    _characters: int = 0

    def add(self, content: GroupContent) -> None:
        """Adds the attempts at one sample to the table, and to the last block or, if that is full, to a new one."""
        if not self.blocks or self._characters >= BLOCK_CHARACTERS:
            self.blocks.append({"programs": [], "samples": []})
            self._characters = 0
        block = self.blocks[-1]
        first = len(block["programs"])
        block["programs"] += content.programs
        for row, sample in zip(content.rows, content.samples, strict=True):
            place = {"program": first + sample["program"], "group": self._groups, "row": self.attempts}
            row |= {"name": self._name(row["name"]), "block": len(self.blocks) - 1, "place": len(block["samples"])}
            block["samples"].append(sample | place)
            for column, value in row.items():
                self.columns[column].append(value)
        self._groups += 1
        self._characters += content.characters

    def _name(self, key: str) -> str:
        """The name of the next attempt with this key: the key itself, or with a number if another run has it too."""
        self._names[key] += 1
        return key if self._names[key] == 1 else f"{key}.{self._names[key]}"

    @property
    def attempts(self) -> int:
        """The number of attempts."""
        return len(self.columns["name"])


def group_attempts(runs: Mapping[str, Sequence[Sample]]) -> list[AttemptGroup]:
    """Groups the records of all runs by sample, in the order of the first run that has it.

    Samples of different runs are the same if they have the same original program and call, whatever their names.
    """
    groups: dict[Hashable, AttemptGroup] = {}
    for number, samples in enumerate(runs.values()):
        keys = _group_keys(samples)
        for sample in samples:
            groups.setdefault(keys.get(sample.pairing_key, sample.pairing_key), []).append((number, sample))
    return list(groups.values())


def _group_keys(samples: Sequence[Sample]) -> dict[str, Hashable]:
    """By `Sample.pairing_key`: the original program and call of a sample, numbered if they are repeated in the run."""
    keys: dict[str, Hashable] = {}
    repeated: Counter[Hashable] = Counter()
    for sample in samples:
        if sample.attempt == ORIGINAL and sample.pairing_key not in keys:
            program = (sample.source.strip(), sample.call.strip(), sample.grading, sample.answer_index)
            keys[sample.pairing_key] = (program, repeated[program])
            repeated[program] += 1
    return keys


def collect(
    runs: Mapping[str, Sequence[Sample]],
    tokenizer: str,
    seconds: float,
    jobs: int = 1,
    on_group: Callable[[int, int], None] = lambda done, total: None,
) -> Collection:
    """Collects runs.

    Args:
        runs: the records of each run, by its name.
        tokenizer: name of the tokenizer whose token boundaries are shown, and with which hazards are found.
        seconds: time limit of each program; the risk of a program over it is unknown.
        jobs: number of processes; 0 for one per core (default: 1).
        on_group: called with the number of samples that were finished, and of all (default: does nothing).

    Raises:
        InputError: the tokenizer cannot be loaded, or no program can be run.
    """
    groups = group_attempts(runs)
    on_group(0, len(groups))
    batches = [groups[start : start + BATCH] for start in range(0, len(groups), BATCH)]
    found = Collection(tuple(runs))
    job = partial(_analyze_batch, tokenizer, seconds)
    for contents, unread in map_over_cores(job, batches, jobs, ordered=True, on_death=_without_lost_groups):
        for content in contents:
            found.add(content)
        found.unread += unread
        on_group(len(contents), len(groups))
    return found


def _without_lost_groups(
    batch: list[AttemptGroup], alone: Callable[[list[AttemptGroup]], tuple[list[GroupContent], list[str]]]
) -> tuple[list[GroupContent], list[str]]:
    """The contents of a batch that killed its process, without the groups that kill it by themselves."""
    contents: list[GroupContent] = []
    unread: list[str] = []
    for group in batch:
        try:
            content, reasons = alone([group])
        except JobDiedError as error:
            content, reasons = [], [f"{group[0][1].id}: {error}"]
        contents += content
        unread += reasons
    return contents, unread


def _analyze_batch(tokenizer: str, seconds: float, groups: list[AttemptGroup]) -> tuple[list[GroupContent], list[str]]:
    """The contents of some groups, and one line per record of theirs that could not be analyzed.

    Each program of theirs is executed once.
    """
    assessments = ProgramAssessments(load_tokenizer(tokenizer), seconds)
    contents = [_content(group, assessments, load_tokenizer(tokenizer)) for group in groups]
    return contents, assessments.unread


def _content(group: AttemptGroup, assessments: ProgramAssessments, tokenizer: Tokenizer) -> GroupContent:
    places: dict[ProgramKey, int] = {}
    characters = sum(len(sample.source) + len(sample.output) + len(sample.prompt) for _, sample in group)
    content = GroupContent([], [], [], characters)
    risk_map = map_of_outputs(sample.output for _, sample in group)
    for run, sample in group:
        assessment, analysis = assessments.find(sample, risk_map)
        key = program_key(sample)
        if key not in places:
            places[key] = len(places)
            content.programs.append(program_json(assessment))
        original = next((one for of, one in group if of == run and one.attempt == ORIGINAL), None)
        attempt = attempt_json(sample, original, assessment.trace, analysis, tokenizer)
        content.samples.append(attempt | {"program": places[key]})
        content.rows.append(_row(run, sample, assessment, analysis))
    return content


def _row(run: int, sample: Sample, assessment: Assessment, analysis: FailureAnalysis | None) -> Json:
    return {
        "name": sample.key,
        "id": sample.id,
        "run": run,
        "benchmark": sample.benchmark,
        "kind": sample.kind,
        "attempt": sample.attempt if sample.answer_index is None else f"{sample.attempt} #{sample.answer_index}",
        "verdict": sample.verdict,
        "divergence": sample.diagnosis.kind if sample.diagnosis else "",
        "frame": sample.diagnosis.frame if sample.diagnosis else None,
        "cause": analysis.failure.cause if analysis else "",
        "risk": None if assessment.risk is None else round(assessment.risk, 4),
        "hazards": " ".join(sorted({one.hazard for one in assessment.findings if one.severity > 0})),
        "reference_tokens": sample.reference_tokens,
        "output_tokens": sample.output_tokens,
    }
