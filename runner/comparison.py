"""Two runs sample by sample: what both asked, who was right, and whether the difference is more than chance.

Samples are paired by id, call, program as it came, and attempt. Runs of other settings are compared all the same, on
what both asked and nothing else; `runner.folder.differences` says which settings those are. No files are read here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runner.intervals import bounds, wilson_percent
from runner.layout import Cells
from runner.paired import Pair, Paired, compare, told
from runner.recipe_table import difference
from runner.samples import ORIGINAL, Sample

COLUMNS = ("samples", "both asked", "right there", "right here", "gained", "lost", "p")
Name = tuple[str, str, str, str]
"""Of a sample in any run: id, call, program as it came, attempt."""


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
    in both, so that McNemar's test means something (after rewriting, in the full protocol alone).
    """

    benchmark: str
    attempt: str
    paired: Paired
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
    for key, sample in {**old, **new}.items():  # what the benchmark was called counts here
        groups.setdefault((sample.benchmark, sample.attempt), []).append(key)
    full = _asked_right_ones_again(before) and _asked_right_ones_again(after)
    found = [_group(name, keys, old, new, fair=full or name[1] == ORIGINAL) for name, keys in groups.items()]
    changed = [(key, old[key], new[key]) for key in new if key in old and old[key].verdict != new[key].verdict]
    return Comparison(tuple(found), tuple(Change(key[0], key[3], o.verdict, n.verdict) for key, o, n in changed))


def _answered(samples: Sequence[Sample]) -> dict[Name, Sample]:
    sources = {sample.of: sample.source for sample in samples if sample.attempt == ORIGINAL}
    return {(s.id, s.call, sources.get(s.of, ""), s.attempt): s for s in samples if s.asked}


def _asked_right_ones_again(samples: Sequence[Sample]) -> bool:
    """Whether a run rewrote more than its failures; one without a right answer, or a rewrite, counts as such."""
    right = {sample.of for sample in samples if sample.attempt == ORIGINAL and sample.verdict == "correct"}
    again = {sample.of for sample in samples if sample.attempt != ORIGINAL}
    return not right or not again or bool(right & again)


def _group(
    name: tuple[str, str], keys: list[Name], old: dict[Name, Sample], new: dict[Name, Sample], *, fair: bool
) -> Group:
    both = [key for key in keys if key in old and key in new]
    pairs = [Pair(old[key].verdict == "correct", new[key].verdict == "correct", key[2]) for key in both]
    only_before, only_after = sum(key not in new for key in keys), sum(key not in old for key in keys)
    return Group(*name, compare(pairs), only_before, only_after, fair)


def rows(comparison: Comparison) -> list[Cells]:
    """The table's rows, in the order of COLUMNS."""
    return [_row(group) for group in comparison.groups if group.paired.samples]


def _row(group: Group) -> Cells:
    paired = group.paired
    shares = (_share(count, paired.samples) for count in (paired.before, paired.after))
    p = told(paired.p).removeprefix("p = ") if group.fair else "—"
    return (_title(group), str(paired.samples), *shares, str(paired.gained), str(paired.lost), p)


def _title(group: Group) -> str:
    return group.benchmark if group.attempt == ORIGINAL else f"  {group.attempt}"


def _share(count: int, samples: int) -> str:
    return f"{100 * count / samples:.1f}%{bounds(wilson_percent(count, samples), 0)}"


def sentences(comparison: Comparison) -> Iterator[str]:
    """What the table leaves unsaid: differences and their intervals, what only one run asked, changed verdicts."""
    for group in comparison.groups:
        name = f"{group.benchmark}, {group.attempt}"
        if group.paired.samples:
            said = difference(group.paired)
            yield f"{name}: {said if group.fair else said.partition('; McNemar')[0]}."
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
