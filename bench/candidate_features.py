"""Measures what each feature of the risk is worth, and what candidates that were left out would add.

    .venv/bin/python bench/candidate_features.py    # docs/risk.md: about five minutes

The measure is the rank correlation of the risk of programs outside the fit with the panel's failure rates (Spearman;
ten folds by program). The last table repeats the choice within the training programs of each fold, from the shipped
features and the candidates together: a feature is kept if the risk without it has a lower correlation in an inner
cross-validation. The list of candidates was drawn up by people who had seen failures on these programs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from math import log1p

import numpy as np
from harness import command, print_table
from numpy.typing import NDArray
from scipy.stats import spearmanr  # type: ignore[import-untyped]

from analyze.risk.features import FEATURE_DESCRIPTIONS
from analyze.risk.steps import RecordedOperation
from lab.published_data import add_data_option
from lab.risk.fit import FOLDS, fit, folds, program_risk
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces
from lab.risk.validate import auroc

Floats = NDArray[np.float64]
INNER_FOLDS = 3
MOVES = {"insert", "pop", "remove"}
ITERATORS = {"iter", "next", "zip", "map", "filter", "reversed", "enumerate"}


def by_step(feature: Callable[[RecordedOperation], bool]) -> Callable[[LabelledTrace], Sequence[float]]:
    """A column: how many operations of each step have a property, log(1 + n)."""
    return lambda program: [log1p(sum(map(feature, made))) for made in program.operations]


def is_unchanged(operation: RecordedOperation) -> bool:
    """Whether a string method returns its receiver as it is."""
    on_string = operation.kind == "method" and operation.receiver.type == "str" == operation.result.type
    return on_string and operation.receiver.value == operation.result.value


def is_move(operation: RecordedOperation) -> bool:
    """Whether an operation moves items of a list."""
    return operation.kind == "method" and operation.receiver.type == "list" and operation.name in MOVES


def changed_in_loop(program: LabelledTrace) -> Sequence[float]:
    """Steps that move items, in programs that iterate over a list and change it in the loop."""
    loops = [node for node in ast.walk(ast.parse(program.case.source)) if isinstance(node, ast.For)]
    changes = any(
        isinstance(part, ast.Attribute) and part.attr in MOVES and ast.dump(part.value) == ast.dump(loop.iter)
        for loop in loops
        for part in ast.walk(loop)
    )
    return [float(changes and any(map(is_move, made))) for made in program.operations]


def index_after_move(program: LabelledTrace) -> Sequence[float]:
    """Steps that read an item of a list after items moved."""
    moves = (any(map(is_move, made)) for made in program.operations)
    moved = [False, *accumulate(moves, max)]
    reads = [any(one.kind == "item" and one.receiver.type == "list" for one in made) for made in program.operations]
    return [float(one and two) for one, two in zip(reads, moved, strict=False)]


def states(program: LabelledTrace) -> list[list[str]]:
    """The values that each frame writes."""
    return [[value for _, value in frame.shown] for frame in program.trace.frames]


CANDIDATES: dict[str, Callable[[LabelledTrace], Sequence[float]]] = {
    "a list that is changed while it is iterated": changed_in_loop,
    "an index after items moved": index_after_move,
    "a string method that changes nothing": by_step(is_unchanged),
    "an iterator": by_step(lambda one: one.name in ITERATORS),
    "a `try` block": lambda program: [
        float(frame.source.split()[:1] in (["try:"], ["except"], ["except:"])) for frame in program.trace.frames
    ],
    "an object whose fields no state shows": lambda program: [
        float(any(value.startswith("<") for value in values)) for values in states(program)
    ],
    "state load": lambda program: [
        log1p(size) for size in accumulate(sum(map(len, values)) for values in states(program))
    ],
}
"""Features that were left out, by name: a number for each frame of a program."""
NAMES = (*FEATURE_DESCRIPTIONS, *CANDIDATES)


def extended(program: LabelledTrace) -> LabelledTrace:
    """The program with the candidates as further columns."""
    further = np.array([column(program) for column in CANDIDATES.values()], dtype=np.float64)
    return replace(program, features=np.hstack([program.features, further.T]))


def fold_risk(
    programs: Sequence[LabelledTrace], names: Sequence[str], train: Sequence[int], test: Sequence[int]
) -> list[float]:
    """The risk of the programs at `test` by these features, fitted on those at `train`."""
    columns = [NAMES.index(name) for name in names]
    narrow = [replace(program, features=program.features[:, columns]) for program in programs]
    weights = fit([narrow[at] for at in train], names)
    return [program_risk(weights, narrow[at]) for at in test]


def held_out(programs: Sequence[LabelledTrace], names: Sequence[str], count: int = FOLDS) -> Floats:
    """The risk of each program by these features, outside the fit."""
    found = np.zeros(len(programs))
    for train, test in folds(len(programs), count):
        found[test] = fold_risk(programs, names, train, test)
    return found


def correlation(programs: Sequence[LabelledTrace], risk: Floats) -> float:
    """The rank correlation of a risk with the panel's failure rates."""
    return float(spearmanr(risk, [program.difficulty for program in programs]).statistic)


def chosen(programs: Sequence[LabelledTrace]) -> list[str]:
    """The features without which the correlation is lower, in cross-validation within these programs."""
    every = correlation(programs, held_out(programs, NAMES, INNER_FOLDS))

    def without(left_out: str) -> float:
        kept = [name for name in NAMES if name != left_out]
        return correlation(programs, held_out(programs, kept, INNER_FOLDS))

    return [name for name in NAMES if without(name) < every]


def chosen_in_the_loop(programs: Sequence[LabelledTrace]) -> tuple[Floats, list[int]]:
    """The risk of each program by features that were chosen without it, and how many they were."""
    found, counts = np.zeros(len(programs)), []
    for train, test in folds(len(programs), FOLDS):
        names = chosen([programs[at] for at in train])
        found[test] = fold_risk(programs, names, train, test)
        counts.append(len(names))
    return found, counts


def main() -> None:
    """Prints three tables as Markdown."""
    data = command(__doc__, add_data_option).parse_args().data
    programs = [extended(program) for program in read_labelled_traces(data) if program.difficulty is not None]
    failed = np.array([program.failed for program in programs])
    names = tuple(FEATURE_DESCRIPTIONS)
    shipped = held_out(programs, names)
    base = correlation(programs, shipped)

    def change(features: Sequence[str]) -> str:
        return f"{correlation(programs, held_out(programs, features)) - base:+.4f}"

    added = ((name, change((*names, name))) for name in CANDIDATES)
    print_table(("candidate", "added to the shipped features"), added)
    print()
    left_out = ((FEATURE_DESCRIPTIONS[name], change([one for one in names if one != name])) for name in names)
    print_table(("shipped feature", "correlation without it"), left_out)
    print()
    inside, counts = chosen_in_the_loop(programs)
    sets = (
        ("shipped", len(names), shipped),
        ("shipped and all candidates", len(NAMES), held_out(programs, NAMES)),
        ("chosen in each fold from these", f"{min(counts)} to {max(counts)}", inside),
    )
    judged = (
        (what, number, f"{correlation(programs, risk):.3f}", f"{auroc(failed, risk[None]):.3f}")
        for what, number, risk in sets
    )
    print_table(("features", "number", "rank correlation with the panel", "AUROC, 32B CWM"), judged)


if __name__ == "__main__":
    main()
