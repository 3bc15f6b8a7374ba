"""Compares two runs sample by sample with a paired test.

Samples are paired by id, call, original program and attempt. Several sampled answers to one question count as the
fraction of correct ones. Runs with different settings are compared on the samples that both asked;
`runner.records.run_folder.setting_differences` lists the settings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from fractions import Fraction
from typing import Any

from corpora.data_frames import data_frame
from runner.records.samples import ORIGINAL, Sample, originals
from runner.reports.html_page import as_fragment
from runner.reports.recipe_table import difference, paired_cells
from runner.statistics.groups import grouped
from runner.statistics.paired import AnswerPair, PairedComparison, compare_pairs
from runner.terminal.markdown import plain
from runner.terminal.tables import Cells, markdown_table

NAMES = ("the other run", "this run")
"""How runs without a name are called: the one that is compared against, and the one that is compared."""
SampleIdentity = tuple[str, str, str, str]
"""Identifies a sample in any run: id, call, original program, attempt."""
Answers = Mapping[SampleIdentity, Sequence[Sample]]


@dataclass(frozen=True)
class VerdictChange:
    """A sample whose verdict differs between the runs.

    Attributes:
        id: id of the sample.
        attempt: "original" or a recipe.
        before: verdict in the run that is compared against.
        after: verdict in this run.
    """

    id: str
    attempt: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.id} ({self.attempt}): {self.before} → {self.after}"


@dataclass(frozen=True)
class GroupComparison:
    """One attempt at one benchmark, in both runs.

    Attributes:
        benchmark: name of the benchmark.
        attempt: "original" or a recipe.
        paired: counts, accuracies and paired test; its p is None unless `fair`.
        only_before: samples with an answer only in the run that is compared against.
        only_after: samples with an answer only in this run.
        fair: whether all samples were asked in both runs; after rewriting, only with `--full`.
    """

    benchmark: str
    attempt: str
    paired: PairedComparison
    only_before: int
    only_after: int
    fair: bool


@dataclass(frozen=True, repr=False)
class RunComparison:
    """The comparison of two runs. `str(comparison)` is what it says in sentences, and a notebook shows its table.

    Attributes:
        groups: Benchmarks and attempts, in order of appearance.
        changes: The samples whose verdicts differ.
        names: Name of the run that is compared against, and of the run.
    """

    groups: tuple[GroupComparison, ...]
    changes: tuple[VerdictChange, ...]
    names: tuple[str, str] = field(default=NAMES, compare=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The titles of the columns of `rows`."""
        before, after = self.names
        return ("samples", "both asked", f"correct in {before}", f"correct in {after}", "gained", "lost", "p")

    def to_frame(self) -> Any:
        """Returns a pandas data frame with a row for each change. Raises InputError if pandas is not installed."""
        return data_frame(map(asdict, self.changes), [one.name for one in fields(VerdictChange)])

    def __repr__(self) -> str:
        """The names and the counts, not the samples."""
        both, gained, lost = (
            sum(getattr(group.paired, name) for group in self.groups) for name in ("samples", "gained", "lost")
        )
        before, after = self.names
        return f"RunComparison({after!r} with {before!r}: {both} samples in both, {gained} gained, {lost} lost)"

    def __str__(self) -> str:
        """The differences with their intervals and tests, and the changed verdicts, a line each."""
        return "\n".join((*sentences(self), *map(str, self.changes)))

    def _repr_html_(self) -> str:
        lines = [*markdown_table(self.columns, rows(self)), "", *(f"- {plain(one)}" for one in sentences(self))]
        return as_fragment("\n".join(lines))


def compare_runs(before: Sequence[Sample], after: Sequence[Sample]) -> RunComparison:
    """Compares two runs on the samples that both have an answer for."""
    old, new = _answered(before), _answered(after)
    every = {**old, **new}  # the later run names the benchmark
    groups = grouped(every, lambda key: (every[key][0].benchmark, key[3]))
    full = _asked_right_ones_again(before) and _asked_right_ones_again(after)
    found = [_group(name, keys, old, new, fair=full or name[1] == ORIGINAL) for name, keys in groups.items()]
    changed = [(key, old[key], new[key]) for key in new if key in old and _changed(old[key], new[key])]
    return RunComparison(
        tuple(found), tuple(VerdictChange(key[0], key[3], *map(_verdict, pair)) for key, *pair in changed)
    )


def _answered(samples: Sequence[Sample]) -> dict[SampleIdentity, list[Sample]]:
    sources = {sample.pairing_key: sample.program for sample in originals(samples)}
    answered = (sample for sample in samples if sample.asked)
    return grouped(answered, lambda one: (one.id, one.call, sources.get(one.pairing_key, ""), one.attempt))


def _right(answers: Sequence[Sample]) -> Fraction:
    """The fraction of correct answers to one sample."""
    return Fraction(sum(answer.is_correct for answer in answers), len(answers))


def _changed(old: Sequence[Sample], new: Sequence[Sample]) -> bool:
    """Whether the verdict differs or, for several sampled answers, the fraction of correct ones."""
    return _verdict(old) != _verdict(new) if len(old) == len(new) == 1 else _right(old) != _right(new)


def _verdict(answers: Sequence[Sample]) -> str:
    right = sum(answer.is_correct for answer in answers)
    return answers[0].verdict if len(answers) == 1 else f"{right} of {len(answers)} correct"


def _asked_right_ones_again(samples: Sequence[Sample]) -> bool:
    """Whether the run asked correct samples again too; also true without correct samples or rewrites."""
    right = {sample.pairing_key for sample in originals(samples) if sample.is_correct}
    again = {sample.pairing_key for sample in samples if sample.attempt != ORIGINAL}
    return not right or not again or bool(right & again)


def _group(
    name: tuple[str, str], keys: list[SampleIdentity], old: Answers, new: Answers, *, fair: bool
) -> GroupComparison:
    both = [key for key in keys if key in old and key in new]
    pairs = [AnswerPair(_right(old[key]), _right(new[key]), key[2]) for key in both]
    only_before, only_after = sum(key not in new for key in keys), sum(key not in old for key in keys)
    return GroupComparison(*name, compare_pairs(pairs, tested=fair), only_before, only_after, fair)


def rows(comparison: RunComparison) -> list[Cells]:
    """The table's rows, in the order of its columns."""
    return [(_title(group), *paired_cells(group.paired)) for group in comparison.groups if group.paired.samples]


def _title(group: GroupComparison) -> str:
    return group.benchmark if group.attempt == ORIGINAL else f"  {group.attempt}"


def sentences(comparison: RunComparison) -> Iterator[str]:
    """Sentences below the table: differences with intervals, samples of only one run, and changed verdicts."""
    before, after = comparison.names
    for group in comparison.groups:
        name = f"{group.benchmark}, {group.attempt}"
        if group.paired.samples:
            yield f"{name}: {difference(group.paired)}."
            if not group.fair:
                yield f"{name}: no paired test, because only failures were asked again (`run --full` asks all)."
        else:
            yield f"{name}: no sample was answered in both runs."
        if group.only_before or group.only_after:
            only = f"{group.only_after} in {after}, {group.only_before} in {before}"
            yield f"{name}: excluded, because only one run has an answer: {only}."
    counts = Counter((change.before, change.after) for change in comparison.changes)
    for (was, now), count in counts.most_common():
        yield f"{was} → {now}: {count}"
