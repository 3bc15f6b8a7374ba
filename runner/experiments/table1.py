"""The paper's Table 1: CruxEval-O, HumanEval, the Composition Zoo and string compositions, before and after rewriting.

Sizes and limits are the paper's: 800 samples of CruxEval, 707 of HumanEval (the paper has 723, by a selection that it
does not print), 10 programs per category of the zoo at depth 5, and 100 compositions per depth. The recipes rewrite the
failures, or everything with `--full`, which adds a control. The published values are those of CWM (32B) and of the
paper's own rewriting.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from corpora import Case, load
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.accuracy_results import AccuracyPoint, AccuracyResults, ReferenceCurve, accuracy_point
from runner.experiments.published import CRUXEVAL, HUMANEVAL, TABLE_1, TABLE_1_NOTE, ZOO
from runner.inputs.benchmarks import token_limit
from runner.records.samples import CONTROLS, ORIGINAL, Sample, originals
from runner.reports.recipe_table import recipe_remarks
from runner.runs.cases import load_cases
from runner.statistics.grading_differences import GRADE_NAMES, Grade, describe_difference, grading_differences, regraded
from runner.statistics.groups import grouped
from runner.statistics.recipe_effects import recipe_effects
from runner.statistics.summary import summarize

SUMMARY = "accuracy on all benchmarks, before and after rewriting (paper, Table 1)"
NEEDS = "CruxEval: --data cruxeval.jsonl, or a network; --data none leaves it out"
TAKES = ("size", "depth", "data", "recipe", "full", "grade")
DEPTHS = (2, 3, 4, 5)
ZOO_DEPTH = 5
NONE = "none"


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """A point per benchmark, category of the zoo and depth: before and after rewriting, and under the other grading."""
    stages = dict(_stages(options))
    rows: dict[str, list[Sample]] = {}
    every: list[Sample] = []
    for stage, cases in stages.items():
        samples = ask(stage, cases, token_limit("composition" if stage == "composition" else ""))
        every += samples
        for sample in regraded(samples, options.grade):
            rows.setdefault(row_of(stage, sample.kind), []).append(sample)
    before, after = before_and_after(rows)
    said = (
        f"Graded by the {GRADE_NAMES[options.grade]}; the other grading is in the rows below.",
        *map(describe_difference, grading_differences(every)),
        *recipe_remarks(recipe_effects(regraded(every, options.grade))),
        TABLE_1_NOTE,
    )
    other: Grade = "answer" if options.grade == "return" else "return"
    also = (_otherwise(name, own, f"graded by the {GRADE_NAMES[other]}") for name, own in rows.items())
    regraded_points = tuple(filter(None, also))
    return AccuracyResults(
        "Table 1",
        "",
        (*before, *after),
        published(list(rows)),
        said if regraded_points else said[1:],
        table_points=regraded_points,
    )


def _otherwise(name: str, samples: Sequence[Sample], series: str) -> AccuracyPoint | None:
    """The same answers under the other grading; None if none of them has both grades."""
    graded = [replace(s, verdict=s.answer_verdict) for s in originals(samples) if s.answer_verdict is not None]
    return accuracy_point(series, name, graded) if graded else None


def _stages(options: ExperimentOptions) -> Iterator[tuple[str, list[Case]]]:
    if options.data != NONE:
        rows = load_cases(options.data, list(options.mapping), options.size).cases if options.data else load("cruxeval")
        yield "cruxeval", [replace(case, benchmark="cruxeval") for case in islice(rows, options.size)]
    yield "humaneval", list(islice(load("humaneval"), options.size))
    size = {} if options.size is None else {"size": options.size}
    yield "zoo", list(load("zoo", depth=ZOO_DEPTH, seed=options.seed, **size))
    depths = options.depths or DEPTHS
    yield (
        "composition",
        [case for depth in depths for case in load("composition", depth=depth, seed=options.seed, **size)],
    )


def row_of(benchmark: str, kind: str) -> str:
    """The row of Table 1 for a benchmark and kind, by the paper's name; the benchmark itself if the paper has none."""
    family, _, depth = kind.partition(", ")
    named = {"zoo": f"zoo, {family}", "composition": f"strings, {depth}", "humaneval": HUMANEVAL}
    return CRUXEVAL if benchmark.startswith("cruxeval") else named.get(benchmark, benchmark)


def by_row(samples: Iterable[Sample]) -> dict[str, list[Sample]]:
    """The samples by the row of Table 1 that they belong to."""
    return grouped(samples, lambda sample: row_of(sample.benchmark, sample.kind))


def before_and_after(
    rows: Mapping[str, Sequence[Sample]], whose: str = ""
) -> tuple[list[AccuracyPoint], list[AccuracyPoint]]:
    """The points of the rows with the original programs, and after rewriting where failures were asked again.

    Args:
        rows: the samples of each row, with all attempts.
        whose: prefix of the names of both series, such as the name of the run and a comma (default: none).
    """
    before = [accuracy_point(f"{whose}as it stands", name, originals(own)) for name, own in rows.items()]
    after = [
        _after(f"{whose}after rewriting what failed", name, own)
        for name, own in rows.items()
        if any(row.asked_again for row in summarize(own).rows)
    ]
    return before, after


def _after(series: str, name: str, samples: Sequence[Sample]) -> AccuracyPoint:
    """The paper's count: right as it stands, or right after some rewrite of a failure."""
    recovered = {s.pairing_key for s in samples if s.attempt not in {ORIGINAL, *CONTROLS} and s.is_correct}
    firsts = originals(samples)
    counted = [replace(s, verdict="correct") if s.asked and s.pairing_key in recovered else s for s in firsts]
    return accuracy_point(series, name, counted)


def published(names: Sequence[str]) -> tuple[ReferenceCurve, ...]:
    """The paper's values for these rows, as it stands and after its own rewriting; nothing for rows of our own."""
    known = TABLE_1 | {name: (ZOO, None) for name in names if name.startswith("zoo")}  # the paper prints "—" after
    sides = zip(("the paper: CWM, as it stands", "the paper: after its rewriting"), (0, 1), strict=True)
    curves = (
        ReferenceCurve(
            series, tuple((name, y) for name in names if name in known and (y := known[name][at]) is not None)
        )
        for series, at in sides
    )
    return tuple(curve for curve in curves if curve.values)
