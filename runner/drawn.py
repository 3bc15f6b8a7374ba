"""Several answers to each sample: what they say together, and how sure an accuracy over them is.

An accuracy is the share of right answers: where every sample has as many, the mean over the seeds. Answers to one
sample, and to samples of one program, fall and stand together, so that its interval is the bootstrap over programs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from runner.intervals import Interval, clustered, wilson_percent
from runner.samples import Sample


@dataclass(frozen=True)
class Drawn:
    """Several answers to each of some samples. All but the temperature are counts.

    seeds: the most answers that one has; right_once, right_always: samples of whose answers at least one is right
    (with all of `seeds`: pass@seeds), or all are.
    """

    temperature: float
    seeds: int
    samples: int
    right_once: int
    right_always: int


def drawn(asked: Sequence[Sample]) -> Drawn | None:
    """What the answers to the samples have in common; None where none was asked for more than one."""
    answers: dict[str, list[bool]] = {}
    for sample in asked:
        answers.setdefault(sample.case or sample.of, []).append(sample.verdict == "correct")
    most = max(map(len, answers.values()), default=0)
    if most < 2:
        return None
    right_once, right_always = sum(map(any, answers.values())), sum(map(all, answers.values()))
    return Drawn(asked[0].temperature, most, len(answers), right_once, right_always)


def accuracy_interval(asked: Sequence[Sample], recovered: Collection[str] = ()) -> Interval | None:
    """Of the share of right answers, 95 %, in percent: Wilson's where each sample has one, else over programs.

    recovered: samples (`Sample.of`) that count as right as well. None of no answers, and where all programs have the
    same share, as then the bootstrap says nothing; but where all or none are right, Wilson's for so many programs.
    """
    right = [sample.verdict == "correct" or sample.of in recovered for sample in asked]
    if drawn(asked) is None:
        return wilson_percent(sum(right), len(asked))
    programs = by_program(asked, right)
    found = _over(programs)
    if found is not None:
        return found
    return wilson_percent(len(programs) if right[0] else 0, len(programs)) if len(set(right)) == 1 else None


def by_program(asked: Sequence[Sample], right: Sequence[bool]) -> dict[str, list[bool]]:
    """Whether each answer was right, by the program that it is about."""
    programs: dict[str, list[bool]] = {}
    for sample, is_right in zip(asked, right, strict=True):
        programs.setdefault(sample.source, []).append(is_right)
    return programs


def over_programs(asked: Sequence[Sample]) -> tuple[int, Interval | None]:
    """How many programs the answers are about, and the interval of their share over whole programs, in percent.

    None where every program was asked about once, or several answers were drawn (`accuracy_interval` is over programs
    then), and where all programs have the same share.
    """
    programs = by_program(asked, [sample.verdict == "correct" for sample in asked])
    alone = len(programs) == len(asked) or drawn(asked) is not None
    return len(programs), None if alone else _over(programs)


def _over(programs: Mapping[str, Sequence[bool]]) -> Interval | None:
    found = clustered([sum(answers) for answers in programs.values()], [len(answers) for answers in programs.values()])
    return found and (100 * found[0], 100 * found[1])


def told(found: Drawn) -> str:
    """A sentence without its beginning and end."""
    once, always = (f"{100 * count / found.samples:.1f} %" for count in (found.right_once, found.right_always))
    return (
        f"up to {found.seeds} answers were drawn to each of {found.samples} samples, at temperature "
        f"{found.temperature:g}; at least one is right for {once} of them (pass@{found.seeds}), all are for {always}"
    )
