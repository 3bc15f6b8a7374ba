"""Programs of benchmarks that a second rewrite with the same options changes again.

python bench/second_rewrite.py [--data FOLDER] [--recipe decompose] [--cost 4] [--cost none] [--names readable]
python bench/second_rewrite.py --no-calls

The programs are HumanEval, the even half of CruxEval and the even half of MBPP, as far as FOLDER has them
(`cruxeval_even.jsonl`, `mbpp_even.jsonl`; default: $SPELLOUT_DATA). A program that cannot be parsed is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from corpora.benchmarks import load
from corpora.errors import InputError
from lab.published_data import add_data_option
from rewrite import rewrite_source
from rewrite.pipeline.recipes import PLANNED, recipe_names


class Program(NamedTuple):
    """A program of a benchmark, and calls of it."""

    name: str
    source: str
    calls: tuple[str, ...]


def programs(data: Path) -> Iterator[Program]:
    for problem in {case.source: case for case in load("humaneval", per_problem=1)}.values():
        yield Program(problem.id, problem.source, (problem.call,))
    if (path := data / "cruxeval_even.jsonl").exists():
        yield from (Program(case.id, case.source, (case.call,)) for case in load("cruxeval", path=str(path)))
    if (path := data / "mbpp_even.jsonl").exists():
        for row in map(json.loads, path.read_text().splitlines()):
            source = "\n".join(filter(None, (row["setup"], row["code"]))).replace("\r\n", "\n").rstrip() + "\n"
            yield Program(row["id"], source, tuple(test["call"] for test in row["tests"]))


def is_changed_again(program: Program, recipe: str, cost: float | None, names: str, calls: bool) -> bool:
    given = program.calls if calls else ()
    rewrite = partial(rewrite_source, recipe=recipe, calls=given, cost=cost, names=names)
    try:
        once = rewrite(program.source).source
    except InputError:
        return False
    return rewrite(once).changed


def limit(text: str) -> float | None:
    return None if text == "none" else float(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data_option(parser)
    parser.add_argument("--recipe", action="append", help="(default: all with a stable result)")
    parser.add_argument("--cost", type=limit, action="append", help="token limits (default: none, 4, 2, 1.3)")
    parser.add_argument("--names", choices=("short", "readable"), default="short")
    parser.add_argument("--no-calls", action="store_true", help="rewrite without calls, and so without a token limit")
    parser.add_argument("--jobs", type=int, help="processes (default: one per CPU)")
    arguments = parser.parse_args()
    cases = list(programs(arguments.data))
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for recipe in arguments.recipe or [one for one in recipe_names() if one not in ("paper", PLANNED)]:
            for cost in [None] if arguments.no_calls else arguments.cost or [None, 4.0, 2.0, 1.3]:
                asked = partial(
                    is_changed_again, recipe=recipe, cost=cost, names=arguments.names, calls=not arguments.no_calls
                )
                found = pool.map(asked, cases, chunksize=8)
                again = [case.name for case, changed in zip(cases, found, strict=True) if changed]
                print(
                    f"{recipe}, limit {cost}: {len(again)} of {len(cases)} change again {' '.join(again)}", flush=True
                )


if __name__ == "__main__":
    main()
