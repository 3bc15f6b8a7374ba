"""Trace tokens of a rewrite relative to the original, by recipe, on published failures and on benchmarks.

    python bench/density.py                               the failures, with calls
    python bench/density.py failures cruxeval humaneval --every 4
    python bench/density.py --recipe decompose --without-calls

Prints one Markdown table per data set. Tokens are those of `trace_call(...).tokens`, rewritten over original, on every
program, changed or not. "no longer fits": the trace of the original fits into 8,192 tokens, that of the rewrite does
not. "bound methods": a state contains a method or an address (`at 0x…`) that no state of the original contains. "type
tests": the code tests a type that the original does not test. Failures and CruxEval are read from the
folder of published data. HumanEval contributes each task with its first call.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.progress import track

from analyze import trace_call
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS
from analyze.tokens.tokenizer import default_tokenizer
from corpora import load
from corpora.errors import InputError
from lab.published_data import add_data_option
from rewrite import recipe_names, rewrite_source
from runner.terminal.console import error_console

BUDGET = 8192
NAMES = ("failures", "cruxeval", "humaneval")
_BOUND = re.compile(r"<(?:built-in |bound )?method [^>]*>?|at 0x[0-9a-f]+")
_TYPE_TEST = re.compile(r"\btype\(\w+\) is \w+")
HEAD = ("changed", "median", "mean", "90 %", "worst", "no longer fits", "bound methods", "type tests")


@dataclass(frozen=True)
class RewriteCost:
    """The cost of one program under one recipe.

    Attributes:
        changed: Whether the rewrite differs from the original.
        ratio: Trace tokens relative to the original.
        overflows: Whether only the original fits into the budget.
        binds: Whether a state contains a method or an address that no state of the original contains.
        tests: Whether the code tests a type that the original does not test.
        error: Why there is no ratio.
    """

    changed: bool = False
    ratio: float | None = None
    overflows: bool = False
    binds: bool = False
    tests: bool = False
    error: str = ""


def failures(folder: Path) -> Iterator[tuple[str, str]]:
    """The programs that the model answered wrongly, each with its call."""
    for row in _lines(folder / "cwm_failures_even.jsonl"):
        if row["status"] == "wrong":
            yield row["code"], row["call"]


def cruxeval(folder: Path) -> Iterator[tuple[str, str]]:
    for row in _lines(folder / "cruxeval_even.jsonl"):
        yield row["code"], f"f({row['input']})"


def humaneval(folder: Path) -> Iterator[tuple[str, str]]:
    tasks: dict[str, tuple[str, str]] = {}
    for case in load("humaneval"):
        tasks.setdefault(case.source, (case.source, case.call))
    yield from tasks.values()


def _lines(path: Path) -> Iterator[dict[str, str]]:
    if not path.is_file():
        sys.stderr.write(f"left out: there is no {path}\n")
        return
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def measure(program: tuple[str, str], recipe: str, *, with_calls: bool) -> RewriteCost:
    """The cost of one program."""
    source, call = program
    try:
        made = rewrite_source(source, recipe, calls=[call] if with_calls else None)
    except InputError as error:
        return RewriteCost(error=str(error))
    before, after = trace_call(source, call), trace_call(made.source, call)
    tokens = [trace.count_tokens(default_tokenizer(), MAX_COUNTED_TOKENS) for trace in (before, after)]
    if tokens[0] is None or before.cut is not None:
        return RewriteCost(made.changed, error="the original's trace is too long to be counted")
    if tokens[1] is None or after.cut is not None:
        return RewriteCost(made.changed, error="the rewrite's trace is too long to be counted")
    shown = [set(_BOUND.findall(trace.text)) for trace in (before, after)]
    tests = [set(_TYPE_TEST.findall(text)) for text in (source, made.source)]
    return RewriteCost(
        made.changed,
        tokens[1] / tokens[0],
        tokens[0] <= BUDGET < tokens[1],
        bool(shown[1]) and not shown[0],
        bool(tests[1] - tests[0]),
    )


def row(recipe: str, found: list[RewriteCost]) -> str:
    """One row of the table."""
    ratios = sorted(one.ratio for one in found if one.ratio is not None)
    figures = [
        f"{statistics.median(ratios):.2f}",
        f"{statistics.mean(ratios):.2f}",
        f"{ratios[min(len(ratios) - 1, int(0.9 * len(ratios)))]:.1f}",
        f"{ratios[-1]:.1f}",
    ]
    counts = [sum(getattr(one, name) for one in found) for name in ("overflows", "binds", "tests")]
    return f"| `{recipe}` | {' | '.join(map(str, [sum(one.changed for one in found), *figures, *counts]))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", default=["failures"], metavar="NAME", help=f"{', '.join(NAMES)} (default: failures)"
    )
    parser.add_argument("--recipe", action="append", metavar="R", help="use only this recipe; may be repeated")
    parser.add_argument("--without-calls", action="store_true", help="rewrite without calls: prove or guard types")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use only every Nth program (default: 1)")
    add_data_option(parser)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(2) as pool:
        for name in arguments.names:
            programs = list({"failures": failures, "cruxeval": cruxeval, "humaneval": humaneval}[name](arguments.data))
            programs = programs[:: arguments.every]
            if not programs:
                continue
            how = "without calls" if arguments.without_calls else "with calls"
            print(f"\n{name}, {len(programs)} programs, {how}:\n")
            print(f"| recipe | {' | '.join(HEAD)} |")
            print(f"|---|{'--:|' * len(HEAD)}")
            for recipe in arguments.recipe or recipe_names():
                made = pool.map(partial(measure, recipe=recipe, with_calls=not arguments.without_calls), programs)
                found = list(track(made, f"{name}, {recipe}", len(programs), console=error_console()))
                print(row(recipe, found), flush=True)
                for reason in sorted({one.error for one in found if one.error}):
                    count = sum(one.error == reason for one in found)
                    sys.stderr.write(f"{name}, {recipe}: {count} not counted: {reason}\n")


if __name__ == "__main__":
    main()
