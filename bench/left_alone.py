"""Counts what a rewrite leaves unchanged, by reason: HumanEval's solutions, CruxEval's programs, the standard library.

    python bench/left_alone.py [--data DIR] [--recipe decompose]

Prints a Markdown table. Eligible are every operation that is an operand of another one or whose value its statement
does not show (an `if` shows a comparison by the branch it takes), and every call that an intervention on strings
claims. Each is either materialized or left with a reason. The standard library is that of the running interpreter
without its tests. CruxEval is left out, with a message, if its file is missing.
"""

from __future__ import annotations

import sys
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from harness import command, measured, population, print_table

from corpora.benchmarks import humaneval
from corpora.errors import InputError
from lab.hidden_values import is_hidden
from lab.published_data import add_data_option
from rewrite import rewrite_source
from rewrite.interventions.remaining import REASONS

NOT_THEIRS = {"test", "tests", "idle_test", "site-packages", "lib2to3", "turtledemo"}


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


def rows(found: Sequence[Sequence[tuple[int, Counter[str]]]]) -> Iterator[tuple[object, ...]]:
    """The rows of the table, from what was counted in each source of each set."""
    done = [sum(applied for applied, _ in counts) for counts in found]
    left = [sum((reasons for _, reasons in counts), Counter[str]()) for counts in found]
    both = list(zip(done, left, strict=True))
    yield "programs", *map(len, found)
    yield "eligible", *(f"{applied + reasons.total():,}" for applied, reasons in both)
    yield "rewritten", *(f"{applied:,}" for applied in done)
    yield "**left alone**", *(_share(reasons.total(), applied) for applied, reasons in both)
    for reason, _ in sum(left, Counter[str]()).most_common():
        yield reason, *(reasons[reason] or "" for reasons in left)


def _share(left: int, done: int) -> str:
    return f"**{left} ({100 * left / max(1, left + done):.2f} %)**"


def main() -> None:
    parser = command(__doc__, add_data_option)
    parser.add_argument("--recipe", default="decompose")
    arguments = parser.parse_args()
    sources = {
        "HumanEval": list(map(humaneval.program, humaneval.problems())),
        "CruxEval (even)": [one.source for one in population("cruxeval", arguments.data)],
        f"standard library of {sys.version_info.major}.{sys.version_info.minor}": list(standard_library()),
    }
    measure = partial(count, recipe=arguments.recipe)
    found = [list(measured(measure, texts, name)) for name, texts in sources.items()]
    print_table((f"recipe `{arguments.recipe}`", *sources), rows(found), "---", "---:")


if __name__ == "__main__":
    main()
