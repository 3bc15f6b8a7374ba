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
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from math import log1p
from pathlib import Path
from statistics import median, quantiles

from harness import command, measured, population, print_table, ratio
from measured_row import seconds

from analyze import assess, default_tokenizer, trace_call
from analyze.diagnosis.failing_operation import OperationDiagnosis
from analyze.risk.program_map import WORDS, load_reliability_map
from analyze.risk.risk_model import RiskWeights
from corpora.errors import InputError
from lab.exposure.bound import bound_table, exposed_rewrites
from lab.exposure.diverging_line import find_diverging_line
from lab.exposure.held_out_weights import held_out_risk_weights
from lab.exposure.operation_level import ExposureLevels, diagnose_operation, exposure_levels
from lab.populations import CalledProgram
from lab.published_data import add_data_option
from lab.risk.fit import fit
from lab.risk.labelled_traces import read_labelled_traces
from rewrite import rewrite_source
from rewrite.cost.budget import BUDGET
from rewrite.planner import objective
from rewrite.planner.changes import priced_changes
from rewrite.planner.planning import plan_rewrite

FAILED, DIVERGED = "planned, failed", "planned, output known"
NAMES = ("failures", "cruxeval", "humaneval")
RECIPES = ("none", "paper", "decompose", "letters", "methods", "planned")
AFTER_FAILURE = (FAILED, DIVERGED)
"""Plans that know that CWM failed, and plans that know its output: of the published failures only."""
COLUMNS = ("recipe", "changed", "median", "90 %", "worst", "stop fitting", "newly fit")
EXPOSURE_COLUMNS = {"cruxeval": "exposed, CruxEval", "humaneval": "HumanEval"}
LEVEL_COLUMNS = ["recipe", "tokens, median", "level 2", "level 1", "level 0", "not recorded", "outermost", "best"]
DOUBT_COLUMNS = ("standard errors", "changed", "rise", "gain", "gain by the other map", "added tokens, relative")


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


@cache
def _wrong_line(program: CalledProgram) -> int | None:
    return find_diverging_line(program.source, program.call, program.output)


@cache
def _wrong_operation(program: CalledProgram) -> OperationDiagnosis | None:
    return diagnose_operation(program.source, program.call, program.output)


def measure(task: tuple[CalledProgram, str], risk: dict[str, RiskWeights]) -> Measurement:
    """Measure one program under one recipe."""
    program, recipe = task
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
        None if wrong is None else exposure_levels(wrong, program.source, source, program.call),
        wrong is not None and not wrong.reason,
    )


def _rewritten(program: CalledProgram, recipe: str) -> tuple[int | None, int | None, str, set[int]]:
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


def row(name: str, results: Sequence[Measurement], benchmarks: Iterable[str] = ()) -> tuple[object, ...]:
    """The row of a recipe, with the exposure in these benchmarks."""
    ratios = costs(results)
    ninety = quantiles(ratios, n=10)[-1] if len(ratios) > 1 else ratios[0]
    stopped = sum(fits(one.before) and not fits(one.after) for one in results)
    newly = sum(fits(one.after) and not fits(one.before) for one in results)
    figures = (f"{figure:.2f}" for figure in (median(ratios), ninety, max(ratios)))
    exposed = (exposure(results, benchmark) for benchmark in benchmarks)
    return name, sum(one.changed for one in results), *figures, stopped, newly, *exposed


def fits(tokens: int | None) -> bool:
    """Whether a trace was counted and is within the budget."""
    return tokens is not None and tokens <= BUDGET


def costs(results: Sequence[Measurement]) -> list[float]:
    """Tokens relative to the original, of all programs whose traces were counted."""
    return [one.after / one.before for one in results if one.after is not None and one.before]


def exposure(results: Sequence[Measurement], benchmark: str) -> str:
    """At how many of the steps at which CWM predicted a wrong value the line is exposed."""
    found = [one.exposed for one in results if one.benchmark == benchmark and one.exposed is not None]
    return ratio(sum(found), len(found))


def print_tables(
    name: str, programs: Sequence[CalledProgram], recipes: Sequence[str], risk: dict[str, RiskWeights]
) -> None:
    """Print the tables of one set of programs."""
    print(f"\n{name}: {len(programs)} programs\n")
    exposed = EXPOSURE_COLUMNS if any(program.output for program in programs) else {}
    tasks = [(program, recipe) for recipe in recipes for program in programs]
    made = measured(partial(measure, risk=risk), tasks, name, 2)
    found: dict[str, list[Measurement]] = {}

    def rows() -> Iterator[tuple[object, ...]]:
        for recipe in recipes:
            found[recipe] = list(islice(made, len(programs)))
            yield row(recipe, found[recipe], exposed)

    print_table((*COLUMNS, *exposed.values()), rows())
    if any(one.levels is not None for results in found.values() for one in results):
        print(
            "\nOperations with CWM's first wrong value, by exposure level: of several suspects the lowest, in brackets"
        )
        print("those that the output decides; then those at level 2 by the outermost and by the best suspect\n")
        print_table(LEVEL_COLUMNS, levels(found))


def levels(found: Mapping[str, Sequence[Measurement]]) -> Iterator[tuple[object, ...]]:
    """The rows of the table of exposure by operation."""
    known = max(sum(one.levels is not None for one in results) for results in found.values())
    for recipe, results in found.items():
        exposed = [(one.levels, one.is_decided) for one in results if one.levels is not None]
        counts = []
        for level in (2, 1, 0):
            decided = [sole for one, sole in exposed if one.lowest == level]
            counts.append(f"{len(decided)} ({sum(decided)})")
        others = (sum(one.outermost == 2 for one, _ in exposed), sum(one.best == 2 for one, _ in exposed))
        yield recipe, f"{median(costs(results)):.2f}", *counts, known - len(exposed), *others


def risks(name: str, programs: Sequence[CalledProgram], *, in_words: bool = False) -> str:
    """What plans do to the risk that `assess` predicts for the first call, and how much they change with a price."""
    before, after, rises, changed = [], [], 0, Counter[str]()
    risk_map = load_reliability_map(Path(WORDS)) if in_words else None
    for program in programs:
        plan = plan_rewrite(program.source, program.calls[:1], in_words=in_words)
        pair = [assess(source, program.call, risk_map=risk_map).risk for source in (program.source, plan.source)]
        changed["changed"] += plan.source != program.source
        changed.update(kind for kind, count in priced_changes(program.source, plan.source).items() if count)
        if pair[0] is not None and pair[1] is not None:
            before.append(pair[0])
            after.append(pair[1])
            rises += pair[1] > pair[0]
    means = f"mean risk {sum(before) / len(before):.1%} -> {sum(after) / len(after):.1%}"
    counts = ", ".join(f"{kind} {count}" for kind, count in changed.items())
    return f"{name}: {len(before)} programs ({counts}), {means}; it rises in {rises}"


def doubts(programs: Sequence[CalledProgram], data: Path, values: Sequence[float]) -> Iterator[tuple[object, ...]]:
    """For each number of standard errors that a gain needs: what a map with other programs says of the plans."""
    labelled = read_labelled_traces(data)
    maps = [fit([one for one in labelled if _half(one.case.id) == half]) for half in (0, 1)]
    for value in values:
        objective.DOUBT = value
        found: list[tuple[float, float, float]] = []
        for program in programs:
            half = _half(program.id)
            plan = plan_rewrite(program.source, program.calls, risk_weights=maps[1 - half], examples=0)
            totals = [
                sum(-log1p(-step.risk) for step in assess(source, program.call, weights=weights).steps)
                for weights in (maps[1 - half], maps[half])
                for source in (program.source, plan.source)
            ]
            if plan.choices and plan.tokens and plan.original_tokens:
                added = plan.tokens / plan.original_tokens - 1
                found.append((totals[0] - totals[1], totals[2] - totals[3], added))
        rise, sums = sum(one[1] < 0 for one in found), (sum(one[column] for one in found) for column in range(3))
        yield f"{value:g}", len(found), rise, *(f"{total:.2f}" for total in sums)


def _half(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2


def bound(programs: Sequence[CalledProgram], risk: Mapping[str, RiskWeights]) -> Iterator[str]:
    """For how many of the failures with a known operation a rewrite exposes it."""
    known = [(one, wrong) for one in programs if (wrong := _wrong_operation(one)) is not None]
    return bound_table([exposed_rewrites(one.source, one.call, wrong, risk.get(one.id)) for one, wrong in known])


def timing(programs: Sequence[CalledProgram]) -> str:
    """Time per plan in a warm process."""
    plan_rewrite("def f(x):\n    return x + 1\n", ["f(1)"])
    taken = [seconds(partial(plan_rewrite, program.source, program.calls)) for program in programs]
    spread = f"{median(taken):.1f} s in the median, {quantiles(taken, n=10)[-1]:.1f} at 90 %, {max(taken):.1f} at worst"
    return f"{len(taken)} programs: {spread}"


def main() -> None:
    """Print the tables."""
    parser = command(__doc__, add_data_option)
    parser.add_argument(
        "--every", type=int, default=1, help="only every Nth program of CruxEval and HumanEval (default: 1)"
    )
    parser.add_argument("--recipes", nargs="*", default=RECIPES)
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--offset", type=int, default=0, help="the first program of these (default: 0)")
    parser.add_argument("--doubt", nargs="*", type=float, metavar="ERRORS", help="measure how many errors a gain needs")
    parser.add_argument("--risk", action="store_true", help="measure the predicted risk before and after")
    parser.add_argument("--bound", action="store_true", help="measure what any rewrite of the failures exposes")
    parser.add_argument("--seconds", action="store_true", help="measure the time per plan")
    arguments = parser.parse_args()
    data, every, offset = arguments.data, arguments.every, arguments.offset
    if arguments.seconds:
        print(timing(population("cruxeval", data, every)), timing(population("humaneval", data, every)), sep="\n")
    elif arguments.doubt is not None:
        print_table(DOUBT_COLUMNS, doubts(population("cruxeval", data, every, offset), data, arguments.doubt), "--:")
    elif arguments.risk:
        print(risks("CruxEval", population("cruxeval", data, every)))
        print(risks("CruxEval, in words", population("cruxeval", data, every), in_words=True))
        print(risks("HumanEval", population("humaneval", data, every)))
    elif arguments.bound:
        print(*bound(population("failures", data, every, offset), held_out_risk_weights(data)), sep="\n")
    else:
        print_costs(arguments)


def print_costs(arguments: argparse.Namespace) -> None:
    """Print the tables of cost and exposure."""
    risk = held_out_risk_weights(arguments.data)
    for name in (arguments.only,) if arguments.only else NAMES:
        is_failed = name == "failures"
        recipes = (*arguments.recipes, *AFTER_FAILURE) if is_failed else arguments.recipes
        print_tables(name, population(name, arguments.data, 1 if is_failed else arguments.every), recipes, risk)


if __name__ == "__main__":
    main()
