"""CruxEval programs that a second rewrite with the same calls and token limit changes again.

python bench/second_rewrite.py CRUXEVAL.jsonl [--recipe decompose] [--cost 4] [--cost 1.3] [--names readable]
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpora.benchmarks import load
from corpora.program import Case
from rewrite import rewrite_source


def is_changed_again(case: Case, recipe: str, cost: float, names: str) -> bool:
    once = rewrite_source(case.source, recipe=recipe, calls=[case.call], cost=cost, names=names)
    return rewrite_source(once.source, recipe=recipe, calls=[case.call], cost=cost, names=names).changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--recipe", default="decompose")
    parser.add_argument("--cost", type=float, action="append")
    parser.add_argument("--names", choices=("short", "readable"), default="short")
    arguments = parser.parse_args()
    cases = list(load("cruxeval", path=str(arguments.cases)))
    with ProcessPoolExecutor() as pool:
        for cost in arguments.cost or [4.0, 2.0, 1.3]:
            found = pool.map(
                partial(is_changed_again, recipe=arguments.recipe, cost=cost, names=arguments.names), cases
            )
            names = [case.id for case, changed in zip(cases, found, strict=True) if changed]
            print(f"--cost {cost:g}: {len(names)} of {len(cases)} change again {' '.join(names)}")


if __name__ == "__main__":
    main()
