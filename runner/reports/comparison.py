"""Two runs sample by sample: what both asked, who was right, and whether the difference is more than chance.

Samples are paired by id, call, program as it came, and attempt; several answers drawn to one are its share of right
ones. Runs of other settings are compared all the same, on what both asked and nothing else;
`runner.records.run_folder.differences` says which settings those are. No files are read here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from runner.records.samples import ORIGINAL, Sample
from runner.reports.recipe_table import accuracies, difference, p_cell
from runner.statistics.paired import Pair, PairedComparison, compare_pairs
from runner.terminal.tables import Cells

COLUMNS = ("samples", "both asked", "right there", "right here", "gained", "lost", "p")
Name = tuple[str, str, str, str]
"""Of a sample in any run: id, call, program as it came, attempt."""
Answers = Mapping[Name, Sequence[Sample]]


@dataclass(frozen=True)
class Change:
    """One sample that both runs asked, with its verdict in each."""

    id: str
    attempt: str
    before: str
    after: str


@dataclass(frozen=True)
class Group:
    """One attempt at one benchmark, in both runs.

    only_before, only_after: samples that just one of the runs has an answer for; fair: whether every sample was asked
    in both, so that a test means something (after rewriting, in the full protocol alone). paired.p is None where it is
    not.
    """

    benchmark: str
    attempt: str
    paired: PairedComparison
    only_before: int
    only_after: int
    fair: bool


@dataclass(frozen=True)
class Comparison:
    """All groups in order of appearance, and all samples whose verdicts differ."""

    groups: tuple[Group, ...]
    changes: tuple[Change, ...]


def compare_runs(before: Sequence[Sample], after: Sequence[Sample]) -> Comparison:
    """What two runs say of the samples that both have an answer for."""
    old, new = _answered(before), _answered(after)
    groups: dict[tuple[str, str], list[Name]] = {}
    for key, answers in {**old, **new}.items():  # what the benchmark was called counts here
        groups.setdefault((answers[0].benchmark, key[3]), []).append(key)
    full = _asked_right_ones_again(before) and _asked_right_ones_again(after)
    found = [_group(name, keys, old, new, fair=full or name[1] == ORIGINAL) for name, keys in groups.items()]
    changed = [(key, old[key], new[key]) for key in new if key in old and _changed(old[key], new[key])]
    return Comparison(tuple(found), tuple(Change(key[0], key[3], *map(_verdict, pair)) for key, *pair in changed))


def _answered(samples: Sequence[Sample]) -> dict[Name, list[Sample]]:
    sources = {sample.of: sample.source for sample in samples if sample.attempt == ORIGINAL}
    found: dict[Name, list[Sample]] = {}
    for sample in samples:
        if sample.asked:
            found.setdefault((sample.id, sample.call, sources.get(sample.of, ""), sample.attempt), []).append(sample)
    return found


def _right(answers: Sequence[Sample]) -> Fraction:
    """The share of right answers to one sample."""
    return Fraction(sum(answer.verdict == "correct" for answer in answers), len(answers))


def _changed(old: Sequence[Sample], new: Sequence[Sample]) -> bool:
    """Whether another verdict was given; where several answers were drawn, whether another share of them is right."""
    return _verdict(old) != _verdict(new) if len(old) == len(new) == 1 else _right(old) != _right(new)


def _verdict(answers: Sequence[Sample]) -> str:
    right = sum(answer.verdict == "correct" for answer in answers)
    return answers[0].verdict if len(answers) == 1 else f"{right} of {len(answers)} right"


def _asked_right_ones_again(samples: Sequence[Sample]) -> bool:
    """Whether a run rewrote more than its failures; one without a right answer, or a rewrite, counts as such."""
    right = {sample.of for sample in samples if sample.attempt == ORIGINAL and sample.verdict == "correct"}
    again = {sample.of for sample in samples if sample.attempt != ORIGINAL}
    return not right or not again or bool(right & again)


def _group(name: tuple[str, str], keys: list[Name], old: Answers, new: Answers, *, fair: bool) -> Group:
    both = [key for key in keys if key in old and key in new]
    pairs = [Pair(_right(old[key]), _right(new[key]), key[2]) for key in both]
    only_before, only_after = sum(key not in new for key in keys), sum(key not in old for key in keys)
    return Group(*name, compare_pairs(pairs, tested=fair), only_before, only_after, fair)


def rows(comparison: Comparison) -> list[Cells]:
    """The table's rows, in the order of COLUMNS."""
    return [_row(group) for group in comparison.groups if group.paired.samples]


def _row(group: Group) -> Cells:
    paired = group.paired
    return (
        _title(group),
        str(paired.samples),
        *accuracies(paired),
        str(paired.gained),
        str(paired.lost),
        p_cell(paired),
    )


def _title(group: Group) -> str:
    return group.benchmark if group.attempt == ORIGINAL else f"  {group.attempt}"


def sentences(comparison: Comparison) -> Iterator[str]:
    """What the table leaves unsaid: differences and their intervals, what only one run asked, changed verdicts."""
    for group in comparison.groups:
        name = f"{group.benchmark}, {group.attempt}"
        if group.paired.samples:
            yield f"{name}: {difference(group.paired)}."
            if not group.fair:
                yield f"{name}: only failures were asked again, so there is no test of it (`run --full` asks all)."
        else:
            yield f"{name}: no sample was answered in both runs."
        if group.only_before or group.only_after:
            only = f"{group.only_after} here, {group.only_before} there"
            yield f"{name}: left out, as only one run has an answer: {only}."
    counts = Counter((change.before, change.after) for change in comparison.changes)
    for (was, now), count in counts.most_common():
        yield f"{was} → {now}: {count}"
