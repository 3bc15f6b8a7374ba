"""Counts the intermediate values that stay hidden in runs after full decomposition, on HumanEval and CruxEval.

    python bench/hidden.py [--data DIR]

Rewrites with the recipe `expressions` and `conditions=True`, counts with `analyze.hidden_values` before and after, and
prints a Markdown table. Exits with status 1 if a program with no rejected candidates hides a value.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from analyze import hidden_values
from corpora import load
from corpora.errors import InputError
from lab.hidden_values import is_hidden
from lab.published_data import add_data_option
from rewrite import rewrite_source


def cruxeval(folder: Path) -> Iterator[tuple[str, str]]:
    path = folder / "cruxeval_even.jsonl"
    if not path.is_file():
        sys.stderr.write(f"no CruxEval: there is no {path}\n")
        return
    with path.open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            yield row["code"] + "\n", f"f({row['input']})"


def measure(case: tuple[str, str]) -> tuple[int, int, int] | None:
    """Hidden values before, after, and number of rejected candidates; None for a run that cannot be counted."""
    source, call = case
    result = rewrite_source(source, "expressions", conditions=True)
    try:
        return (
            hidden_values(source, call),
            hidden_values(result.source, call),
            sum(map(is_hidden, result.left)),
        )
    except InputError:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data_option(parser)
    arguments = parser.parse_args()
    sets = {
        "HumanEval": [(case.source, case.call) for case in load("humaneval")],
        "CruxEval (even)": list(cruxeval(arguments.data)),
    }
    print("| | runs | hidden before | hidden after | runs with values left alone | hidden in those | not counted |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    failed = False
    with ProcessPoolExecutor() as pool:
        for name, cases in sets.items():
            found = list(pool.map(measure, cases))
            counted = [one for one in found if one is not None]
            left = [after for _, after, kept in counted if kept]
            totals = (sum(before for before, _, _ in counted), sum(after for _, after, _ in counted))
            row = (len(cases), *totals, len(left), sum(left), len(found) - len(counted))
            print(f"| {name} | {' | '.join(f'{number:,}' for number in row)} |")
            failed = failed or any(after and not kept for _, after, kept in counted)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
