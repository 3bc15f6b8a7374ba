"""Makes the weights of the planner: `python -m rewrite.planner.fit ../shared/data [--write]`.

effects: of the published failures whose program a recipe of the paper changed, the share that was then right, with half
a failure and half a success added (Jeffreys' prior), as nobody has asked the model with other recipes yet: that of
nested expressions for `expressions`, that of string operations for `letters` and `methods`. worth: the least of GRID at
which the median of the tokens, over those of the original, is at most MEDIAN, and the 90th percentile at most NINETY,
on every fourth program of CruxEval's even half and on the failures.
What it does not do: say what plans are worth (`bench/planned.py`).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from corpora.dataset import Row, read_rows
from corpora.errors import InputError
from rewrite.evidence.given import Given
from rewrite.once import rewrite_once
from rewrite.planner.plan import plan_rewrite
from rewrite.planner.weights import FILE, Weights

GRID = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2)
MEDIAN, NINETY, MOST = 1.5, 3.0, 3.0
PAPER = {
    "expressions": ("expression", "expressions"),
    "letters": ("string", "strings"),
    "methods": ("string", "strings"),
}
"""By kind of candidate: how the data calls the recipe that recovered a failure, and the recipe that would apply."""


def effects(failures: Sequence[Mapping[str, str]]) -> dict[str, float]:
    """The share of failures that a recipe recovered, among those that it changes."""
    found = {}
    for kind, (told, recipe) in PAPER.items():
        tried = [row for row in failures if row["recovered_by"] == told or _changes(row["code"], recipe)]
        right = sum(row["recovered_by"] == told for row in tried)
        found[kind] = round((right + 0.5) / (len(tried) + 1), 3)
    return found


def _changes(source: str, recipe: str) -> bool:
    return rewrite_once(source, recipe, Given(), options={}).changed


def costs(programs: Sequence[tuple[str, str]], weights: Weights) -> Iterator[float]:
    """The tokens of plans over those of the originals, of what can be counted."""
    for source, call in programs:
        plan = plan_rewrite(source, [call], weights=weights)
        if plan.tokens is not None and plan.original_tokens:
            yield plan.tokens / plan.original_tokens


def worth(programs: Sequence[tuple[str, str]], weights: Weights) -> float:
    """The least of GRID at which plans are not too dear; the greatest, where none is."""
    for value in GRID:
        ratios = list(costs(programs, replace(weights, worth=value)))
        sys.stderr.write(f"worth {value}: median {median(ratios):.2f}, 90 % {quantiles(ratios, n=10)[-1]:.2f}\n")
        if median(ratios) <= MEDIAN and quantiles(ratios, n=10)[-1] <= NINETY:
            return value
    return GRID[-1]


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a file of the data. Raises InputError where it is missing."""
    return [{name: str(value) for name, value in row.fields.items()} for row in read_rows(path) if isinstance(row, Row)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the weights; with --write keep them."""
    parser = argparse.ArgumentParser(prog="python -m rewrite.planner.fit", description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder of cruxeval_even.jsonl and cwm_failures_even.jsonl")
    parser.add_argument("--write", action="store_true", help=f"keep the weights in {FILE.name}")
    options = parser.parse_args(arguments)
    try:
        failures = read(options.data / "cwm_failures_even.jsonl")
        cases = read(options.data / "cruxeval_even.jsonl")[::4]
    except InputError as error:
        parser.error(str(error))
    programs = [(row["code"], row["call"]) for row in failures] + [(row["code"], f"f({row['input']})") for row in cases]
    weights = Weights(effects(failures), GRID[0], MOST)
    weights = replace(weights, worth=worth(programs, weights))
    content = {
        "made_by": "python -m rewrite.planner.fit DATA --write",
        "made_from": f"{len(failures)} published failures and {len(cases)} programs of CruxEval",
        "effects": weights.effects,
        "worth": weights.worth,
        "most": weights.most,
    }
    sys.stdout.write(json.dumps(content, indent=1) + "\n")
    if options.write:
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
