"""Fits the weights of the planner: `python -m rewrite.planner.fit [--write]`.

`effects`: among the published failures whose program the paper's recipe for nested expressions changed, the fraction
that was then right, with half a failure and half a success added (Jeffreys' prior), is used for `expressions`. An
operation that `idioms` or `methods` replace keeps no risk (`REPLACED`): its steps have their own, which the planner
measures.

`price`: the largest one of GRID, which gives the cheapest plans, at which the lower confidence bound (Wilson's
interval, one-sided, 90 %) of the exposed fraction is at least MIN_EXPOSED. A failure is exposed if the line of its
first wrong value is materialized. CruxEval's failures are used; their risks are predicted by weights fitted without
them. The exposed fraction at a price chosen without the failure is printed, too. Needs `pip install '.[fit]'`.
`bench/planned.py` evaluates plans with these weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

from analyze.risk.fit import fit as fit_risk
from analyze.risk.labelled_traces import LabelledTrace, read_labelled_traces
from analyze.risk.model import RiskWeights
from corpora.dataset import Row, read_rows
from corpora.errors import InputError
from corpora.published_data import add_data_option
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.exposure import find_diverging_line
from rewrite.planner.materialization import measure_alone, select_by_gain
from rewrite.planner.planning import Planner
from rewrite.planner.weights import FILE, PlannerWeights, published, risk_weights_digest

GRID = (0.002, 0.005, 0.01, 0.02, 0.03, 0.042, 0.06, 0.1)
MIN_EXPOSED, NORMAL_QUANTILE, FOLDS = 0.85, 1.282, 10
REPLACED = {"idioms": 1.0, "methods": 1.0}


def fit_effects(failures: Sequence[Mapping[str, str]]) -> dict[str, float]:
    """The effect of temporaries: the fraction of failures that they recovered, among those that they change."""
    tried = [row for row in failures if row["recovered_by"] == "expression" or _changes(row["code"], "expressions")]
    right = sum(row["recovered_by"] == "expression" for row in tried)
    return {"expressions": round((right + 0.5) / (len(tried) + 1), 3)}


def _changes(source: str, recipe: str) -> bool:
    return rewrite_once(source, recipe, RewriteContext(), options={}).changed


@dataclass(frozen=True)
class FailureExposure:
    """A failure at each price of GRID.

    Attributes:
        exposed: Whether the line of the first wrong value is materialized.
        costs: Tokens of the plan, as a multiple of the original's.
    """

    exposed: tuple[bool, ...]
    costs: tuple[float, ...]


def measure_failure(
    source: str, call: str, output: str, risk: RiskWeights, weights: PlannerWeights
) -> FailureExposure | None:
    """Measure one failure; None if the first divergence is no value, or the program is over budget."""
    line = find_diverging_line(source, call, output)
    planning = Planner(source, (call,), weights=weights, risk_weights=risk) if line is not None else None
    if planning is None or planning.original is None or not planning.fits:
        return None
    original = planning.original
    found = measure_alone(planning.offered(), planning.tokens, planning.gain, original, planning.limit)
    plans = [select_by_gain(found, planning.limit - original, price, original)[0] for price in GRID]
    return FailureExposure(
        tuple(line in {one.line for one, _ in plan} for plan in plans),
        tuple(1 + sum(added for _, added in plan) / original for plan in plans),
    )


def held_out_risk_weights(data: Path) -> dict[str, RiskWeights]:
    """For each program of CruxEval's even half, risk weights that were fitted without it."""
    programs: list[LabelledTrace] = read_labelled_traces(data)
    found: dict[str, RiskWeights] = {}
    for fold in range(FOLDS):
        weights = fit_risk([one for number, one in enumerate(programs) if number % FOLDS != fold])
        found |= {one.case.id: weights for number, one in enumerate(programs) if number % FOLDS == fold}
    return found


def best_price_index(failures: Sequence[FailureExposure]) -> int:
    """The index in GRID of the largest price that exposes enough; that of the smallest price if none does."""
    places = (
        place
        for place in range(len(GRID))
        if lower_confidence_bound([one.exposed[place] for one in failures]) >= MIN_EXPOSED
    )
    return max(places, default=0)


def lower_confidence_bound(exposed: Sequence[bool]) -> float:
    """The lower end of Wilson's interval for a fraction (E. B. Wilson, 1927), one-sided; 0 for an empty sample."""
    count = len(exposed)
    if not count:
        return 0.0
    share, square = sum(exposed) / count, NORMAL_QUANTILE**2 / count
    return (share + square / 2 - sqrt(square * (share * (1 - share) + square / 4))) / (1 + square)


def held_out_exposure(failures: Sequence[FailureExposure]) -> float:
    """The fraction that is exposed at a price chosen without the failure's fold."""
    folds = [failures[start::FOLDS] for start in range(min(FOLDS, len(failures)))]
    shown = 0
    for number, fold in enumerate(folds):
        place = best_price_index([one for other, rest in enumerate(folds) if other != number for one in rest])
        shown += sum(one.exposed[place] for one in fold)
    return shown / len(failures)


def report_lines(failures: Sequence[FailureExposure]) -> Iterator[str]:
    """One line for each price, and one for the chosen price."""
    for place, price in enumerate(GRID):
        shares = [one.exposed[place] for one in failures]
        costs = sorted(one.costs[place] for one in failures)
        bound = lower_confidence_bound(shares)
        yield f"price {price:g}: {sum(shares)} of {len(shares)} exposed, lower confidence bound {bound:.0%}; "
        median, high = costs[len(costs) // 2], costs[int(0.9 * (len(costs) - 1))]
        yield f"tokens {median:.2f} (median), {high:.2f} (90th percentile)\n"
    chosen, exposure = GRID[best_price_index(failures)], held_out_exposure(failures)
    yield f"chosen {chosen:.1e}; chosen without the failure, {exposure:.0%} are exposed\n"


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a data file. Raises InputError if it does not exist."""
    return [{name: str(value) for name, value in row.fields.items()} for row in read_rows(path) if isinstance(row, Row)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the weights; with --write save them."""
    parser = argparse.ArgumentParser(prog="python -m rewrite.planner.fit", description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument(
        "--write", action="store_true", help=f"save the weights in {FILE.name}, also the price, which was set by hand"
    )
    options = parser.parse_args(arguments)
    try:
        failures = read(options.data / "cwm_failures_even.jsonl")
        risk = held_out_risk_weights(options.data)
    except InputError as error:
        parser.error(str(error))
    weights = replace(published(), effects={**fit_effects(failures), **REPLACED}, price=GRID[0])
    rows = [row for row in failures if row["id"] in risk and row["output"]]
    made = [measure_failure(row["code"], row["call"], row["output"], risk[row["id"]], weights) for row in rows]
    found = [one for one in made if one is not None]
    sys.stderr.writelines(report_lines(found))
    content = {
        "made_by": "python -m rewrite.planner.fit --write",
        "made_from": f"{len(failures)} published failures, {len(found)} of CruxEval with a wrong value",
        "risk_weights": risk_weights_digest(),
        "effects": weights.effects,
        "price": GRID[best_price_index(found)],
        "most": weights.most,
        "spare": weights.spare,
        "least": weights.least,
    }
    sys.stdout.write(json.dumps(content, indent=1) + "\n")
    if options.write:
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
