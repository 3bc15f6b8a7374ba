"""String composition (the paper's section 3.2 and Table 1): what a model gets right alone, and nested 1 to 5 deep.

First each of the 25 functions alone, ten calls each. Those that the model gets right nine times of ten are composed,
100 programs a depth. Beside the accuracies stands what they would be if every call were as hard as alone and failed
independently: the mean, over the programs, of the product of their functions' accuracies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from statistics import fmean

from corpora import load
from corpora.benchmarks.composition import composed
from runner.experiments import Ask, Options
from runner.experiments.findings import Curve, Findings, Point, point
from runner.inputs.benchmarks import token_limit
from runner.records.samples import ORIGINAL, Sample

SUMMARY = "string functions alone, then those that are right nested 1 to 5 deep (paper, section 3.2)"
NEEDS = "nothing: the programs are drawn"
TAKES = ("size", "depth")
DEPTHS = (1, 2, 3, 4, 5)
SIZE = 100
ALONE = 10
"""Calls of each function alone, and no more than `--num-programs`."""
KEPT = 90
"""Percent of the calls alone that must be right."""


def conduct(ask: Ask, options: Options) -> Findings:
    """A point a depth, the line of independent failures, and which functions were kept."""
    limit = token_limit("composition")
    size = SIZE if options.size is None else options.size
    alone = ask("atomic", list(load("atomic", size=min(ALONE, size), seed=options.seed)), limit)
    atomic = [point("alone", name, group) for name, group in _by_kind(alone).items()]
    kept = {str(one.x): one.accuracy / 100 for one in atomic if one.accuracy is not None and one.accuracy >= KEPT}
    said = tuple(_told(atomic, kept))
    if not kept:
        return Findings("string functions alone", "", tuple(atomic), sentences=said)
    depths = options.depths or DEPTHS
    pool = ",".join(kept)
    drawn = {depth: list(load("composition", pool=pool, depth=depth, size=size, seed=options.seed)) for depth in depths}
    samples = ask("composition", [case for cases in drawn.values() for case in cases], limit)
    nested = _by_kind(samples)
    points = [point("nested", depth, nested.get(f"string, depth {depth}", [])) for depth in depths]
    line = [(depth, 100 * fmean(_alone(case.source, kept) for case in cases)) for depth, cases in drawn.items()]
    curve = Curve("product of the accuracies alone, by depth", tuple(line))
    return Findings("string composition", "depth", tuple(points), (curve,), said, beside=tuple(atomic))


def _by_kind(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    groups: dict[str, list[Sample]] = {}
    for sample in samples:
        if sample.attempt == ORIGINAL:
            groups.setdefault(sample.kind, []).append(sample)
    return groups


def _alone(source: str, kept: Mapping[str, float]) -> float:
    """What a composition would be right with, were its calls independent."""
    return prod(kept[name] for name in composed(source))


def _told(atomic: Sequence[Point], kept: Mapping[str, float]) -> list[str]:
    mean = f", {100 * fmean(kept.values()):.1f} % on average" if kept else ""
    said = [f"{len(kept)} of {len(atomic)} functions are right in {KEPT} % of their calls alone or more{mean}."]
    silent = [str(one.x) for one in atomic if not one.asked]
    if silent:
        said.append(f"No call of these was answered, so that they are not composed: {', '.join(silent)}.")
    if not kept:
        said.append("So there is nothing to compose: the table is of the functions alone.")
    return said
