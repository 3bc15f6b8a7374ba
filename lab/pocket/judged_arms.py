"""Arms that are judged against the placebo: what the experiment and the test of repairs share.

The placebo is a control for a model only if renaming changes nothing and there is enough to lose and to gain, so a
comparison with it is shown, and a verdict given, only with the answers of the model's gate, and if the gate holds.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from corpora.errors import InputError
from lab.evidence.rewrite_effects import holm
from lab.pocket.answers import FILE, read_answers
from lab.pocket.gate import Answers, judge, print_table
from runner.records.samples import Sample, originals
from runner.statistics.intervals import FEWEST_PROGRAMS
from runner.statistics.paired import PairedComparison, compare_pairs, format_p
from runner.terminal.tables import Cells

ALL = "all"
LEVEL = 0.05
TEMPERATURE = 0.7
"""Of the sampled answers to unchanged programs."""
UNDECIDED = "undecided"
NO_PAIRS = compare_pairs([])
LESS_THE_PLACEBO = "less the placebo"
"""A column; those from it on compare with the placebo."""
WITHHELD = "no verdict, and no comparison with the placebo"


@dataclass(frozen=True)
class JudgedArm:
    """What an arm does to the answers of a population.

    Attributes:
        population: its name, or "all".
        arm: the recipe or control.
        own: the answers to the unchanged programs and the arm's.
        placebo: the placebo's answers and the arm's.
        redraw: the sampled answers to the unchanged programs and the arm's.
        own_p: of `own`, corrected for the number of recipes (Holm 1979); None if `arm` is not judged.
        p: the same of `placebo`.
        verdict: by the rule of the page.
    """

    population: str
    arm: str
    own: PairedComparison
    placebo: PairedComparison = NO_PAIRS
    redraw: PairedComparison = NO_PAIRS
    own_p: float | None = None
    p: float | None = None
    verdict: str = UNDECIDED


def with_all(runs: Answers) -> dict[str, Sequence[Sample]]:
    """The records of all populations together, and of each that has enough programs for an interval."""
    every = [replace(sample, benchmark=ALL) for samples in runs.values() for sample in samples]
    programs = {name: {one.program for one in originals(found)} for name, found in runs.items()}
    return {ALL: every, **{name: runs[name] for name, found in programs.items() if len(found) >= FEWEST_PROGRAMS}}


def judge_arms(arms: Iterable[JudgedArm], recipes: Collection[str], more: str, less: str) -> Iterator[JudgedArm]:
    """The arms of one population that have answers, with p-values and verdicts of the recipes.

    Args:
        arms: all arms of the population.
        recipes: those that are judged.
        more: the verdict if more is right than after the placebo.
        less: the verdict if less is.
    """
    asked = [one for one in arms if one.own.samples]
    own = _corrected({one.arm: one.own for one in asked if one.arm in recipes})
    against = _corrected({one.arm: one.placebo for one in asked if one.arm in recipes})
    for one in asked:
        p = against.get(one.arm)
        found = more if one.placebo.difference > 0 else less
        yield replace(one, own_p=own.get(one.arm), p=p, verdict=UNDECIDED if p is None or p >= LEVEL else found)


def _corrected(found: Mapping[str, PairedComparison]) -> dict[str, float]:
    known = {arm: paired.p for arm, paired in found.items() if paired.p is not None}
    return dict(zip(known, holm(list(known.values())), strict=True))


def verdicts(found: Iterable[JudgedArm]) -> Iterator[str]:
    """A sentence for each arm that is judged."""
    for one in found:
        if one.p is not None:
            yield f"{one.population}: {one.arm}: {one.verdict} (against the placebo, corrected {format_p(one.p)})."


def add_gate(parser: argparse.ArgumentParser) -> None:
    """Adds the option `--gate`."""
    parser.add_argument(
        "--gate",
        type=Path,
        metavar="FILE",
        help=f"{FILE} of lab.pocket.gate: if the gate holds, compare with the placebo",
    )


def why_withheld(gate: Path | None, runs: Answers) -> str:
    """Why nothing is compared with the placebo; empty if the gate holds.

    Args:
        gate: the file with the answers of the gate.
        runs: the answers that are judged.

    Raises:
        InputError: the file has no such answers, or those of another model.
    """
    if gate is None:
        return "--gate names no answers of the gate"
    known = read_answers(gate)
    if _models(known) != _models(runs):
        raise InputError(f"not of the same model: {_models(known)}, {_models(runs)}", where=str(gate))
    found = judge(known)
    return str(found) if found.failures else ""


def _models(runs: Answers) -> str:
    return ", ".join(sorted({one.model for samples in runs.values() for one in samples}))


def print_judged(columns: Cells, rows: Sequence[Cells], withheld: str, *sentences: str) -> None:
    """Prints a table and sentences, or why they and the columns from "less the placebo" on are withheld."""
    end = columns.index(LESS_THE_PLACEBO) if withheld else len(columns)
    shown = (f"{WITHHELD}: {withheld}",) if withheld else sentences
    print_table(columns[:end], [row[:end] for row in rows], *shown)
