"""Compares the paper's tool (reimplemented) with `decompose`: programs changed and broken, places that hide a value.

The programs are those of HumanEval and CruxEval; the places are those of
`lab.hidden_values.count_hidden_expressions`. A program counts as broken if the rewrite does not run, or if a
test or call gives another result. Prints a Markdown table. CruxEval is read from the
folder of published data.
"""

from __future__ import annotations

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from harness import command, population, print_table

from corpora.benchmarks import humaneval
from lab.hidden_values import count_hidden_expressions
from lab.published_data import add_data_option
from rewrite import Rewritten, rewrite_source

TOOLS: dict[str, Callable[[str], Rewritten]] = {
    "paper": partial(rewrite_source, recipe="paper"),
    "decompose": rewrite_source,
    "expressions, conditions=True": partial(rewrite_source, recipe="expressions", conditions=True),
}


def tested_programs(data: Path) -> Iterator[tuple[str, str]]:
    """Sources, each with a call or a test to run after it."""
    for problem in humaneval.problems():
        yield humaneval.program(problem), f"{problem['test']}\ncheck({problem['entry_point']})\n"
    for one in population("cruxeval", data):
        yield one.source, f"RESULT = {one.call}\n"


def outcome(source: str, test: str) -> str:
    names: dict[str, object] = {}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(f"{source}\n{test}", "<program>", "exec", dont_inherit=True), names)
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        return f"{type(error).__name__}: {error}"
    return repr(names.get("RESULT"))


def row(name: str, cases: Sequence[tuple[str, str]]) -> tuple[object, ...]:
    """The row of a tool."""
    changed = broken = hidden = 0
    for source, test in cases:
        try:
            after = TOOLS[name](source).source
        except Exception as error:  # noqa: BLE001 - a tool that fails breaks the program
            broken += 1
            sys.stderr.write(f"{name}: {type(error).__name__}: {error}\n")
            continue
        changed += after != source
        hidden += count_hidden_expressions(after)
        broken += outcome(source, test) != outcome(after, test)
    return f"`{name}`", changed, len(cases) - changed, broken, f"{hidden:,}"


def main() -> None:
    data = command(__doc__, add_data_option).parse_args().data
    warnings.simplefilter("ignore")
    cases = list(tested_programs(data))
    before = sum(count_hidden_expressions(source) for source, _ in cases)
    hides = f"places that hide a value: {before:,} before"
    columns = (f"{len(cases)} programs", "changes", "leaves", "breaks", hides)
    print_table(columns, (row(name, cases) for name in TOOLS), "---", "---:")


if __name__ == "__main__":
    main()
