"""`spellout plan`: what to spell out where in a program, for the tokens there are.

Reads the command line and shows plans; the work is in `rewrite.planner`. The rows of a data set are planned each with
its own calls, over all cores.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from rich.table import Table

from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora import BadRow, Row
from corpora.errors import InputError
from rewrite.planner.plan import Plan
from rewrite.price.limit import BUDGET
from runner.commands.trace import check_call
from runner.console import error_console, output_console, progress_bar, shown, warn
from runner.datasets import DATA_HELP, Tally, add_data_options, data_rows
from runner.options import whole
from runner.programs import read_program
from runner.rewrite_rows import PROGRAM, calls_of, in_order, program_field
from runner.rewriters import shared

SUMMARY = "spell a program out where a model is at risk, within the tokens there are; shorten it where it does not fit"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout plan program.py --call "f('banana')"
  spellout plan program.py --call "f(1)" --call "f(2)" --budget 2000
  spellout plan program.py --call "f('banana')" --json | jq -r .source
  spellout plan cases.jsonl --limit 20 --json > plans.jsonl
Exit status: 0 done; 2 wrong usage, input of which nothing (or, with --max-bad, too little) could be read.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout plan`."""
    parser.add_argument("source", metavar="FILE|DATASET", help=f"a Python file (with --call), or {DATA_HELP}")
    parser.add_argument(
        "--call", action="append", default=[], metavar="CALL", help='such as "f(1, 2)"; may be repeated'
    )
    parser.add_argument("--budget", type=whole(1), default=BUDGET, metavar="N", help=f"tokens of a trace ({BUDGET})")
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help="id, tokenizer.json, encoding (llama-3)")
    parser.add_argument("--json", action="store_true", help="a JSON object a line, for each program")
    add_data_options(parser)
    parser.add_argument("--limit", type=whole(1), metavar="N", help="the first N rows")


def run(arguments: argparse.Namespace) -> int:
    """Plan and show."""
    if arguments.source.endswith(".py") and not arguments.call:
        raise InputError('a program needs a call, such as --call "f(1)"', where=arguments.source)
    tokenizer = load_tokenizer(arguments.tokenizer)
    if not arguments.call:
        return _rows(arguments, tokenizer)
    for call in arguments.call:
        check_call(call)
    plan = shared().plan(read_program(arguments.source), arguments.call, arguments.budget, tokenizer)
    if arguments.json:
        sys.stdout.write(json.dumps(_record(plan)) + "\n")
    else:
        _show(plan, arguments.budget)
    return 0


def _rows(arguments: argparse.Namespace, tokenizer: Tokenizer) -> int:
    tally = Tally(arguments.source)
    rows = islice(data_rows(arguments.source, arguments.map), arguments.limit)
    plans: list[Plan] = []
    with progress_bar() as progress:
        task = progress.add_task("programs planned", total=arguments.limit)
        for where, made in in_order(lambda row: _planned(row, arguments.budget, tokenizer), rows):
            tally.add(made if isinstance(made, BadRow) else None)
            progress.advance(task)
            if isinstance(made, BadRow):
                warn(error_console(), f"{made.where}: {made.reason}")
                continue
            plans.append(made)
            if arguments.json:
                sys.stdout.write(json.dumps({"where": where, **_record(made)}) + "\n")
    tally.check(arguments.max_bad)
    if not arguments.json:
        _summary(plans, arguments.budget)
    return 0


def _planned(row: Row | BadRow, budget: int, tokenizer: Tokenizer) -> tuple[str, Plan | BadRow]:
    if isinstance(row, BadRow):
        return row.where, row
    name, calls = program_field(row), calls_of(row)
    if name is None or not calls:
        missing = " or ".join(PROGRAM) if name is None else "call, calls or input"
        return row.where, BadRow(row.number, row.where, f"no text in {missing}")
    try:
        return row.where, shared().plan(str(row.fields[name]), calls, budget, tokenizer)
    except InputError as error:
        return row.where, BadRow(row.number, row.where, str(error))


def _record(plan: Plan) -> dict[str, object]:
    return {
        "source": plan.source,
        "tokens": plan.tokens,
        "original_tokens": plan.original_tokens,
        "risk": plan.risk,
        "original_risk": plan.original_risk,
        "choices": [one._asdict() for one in plan.choices],
        "assumes": [one._asdict() for one in plan.assumes],
        "left": [one._asdict() for one in plan.left],
    }


def _show(plan: Plan, budget: int) -> None:
    """The program on standard output; what was done and what it costs beside it, on standard error."""
    sys.stdout.write(plan.source if plan.source.endswith("\n") else plan.source + "\n")
    console = error_console()
    if plan.choices:
        table = Table(show_edge=False, pad_edge=False)
        for column in ("line", "tokens", "risk"):
            table.add_column(column, justify="right")
        table.add_column("what", overflow="fold")
        table.add_column("why", overflow="fold")
        for one in plan.choices:
            risk = f"-{one.risk:.1%}" if one.risk else ""
            table.add_row(str(one.line), f"{one.tokens:+,}", risk, shown(one.what), shown(one.why))
        console.print(table)
    for told in plan.left:
        console.print(f"line {told.line}: {told.reason}", markup=False, highlight=False, soft_wrap=True)
    for assumed in plan.assumes:
        console.print(f"assumed {assumed}", markup=False, highlight=False, soft_wrap=True)
    console.print(_line(plan, budget), markup=False, highlight=False, soft_wrap=True)


def _line(plan: Plan, budget: int) -> str:
    def told(tokens: int | None) -> str:
        return "unknown" if tokens is None else f"{tokens:,}"

    return (
        f"tokens {told(plan.original_tokens)} -> {told(plan.tokens)} of {budget:,}; "
        f"predicted risk {plan.original_risk:.1%} -> {plan.risk:.1%}"
    )


def _summary(plans: list[Plan], budget: int) -> None:
    """How many programs were changed, what that costs, and how many fit before and after."""
    known = [plan for plan in plans if plan.tokens is not None and plan.original_tokens]
    ratios = sorted((plan.tokens or 0) / (plan.original_tokens or 1) for plan in known)
    table = Table(show_edge=False, pad_edge=False, show_header=False)
    for row in _told(plans, known, ratios, budget):
        table.add_row(*row)
    output_console().print(table)


def _told(plans: list[Plan], known: list[Plan], ratios: list[float], budget: int) -> Iterator[tuple[str, str]]:
    def fitting(tokens: Any) -> int:
        return sum(tokens(plan) is not None and tokens(plan) <= budget for plan in plans)

    yield "programs", f"{len(plans):,}"
    yield "changed", f"{sum(bool(plan.choices) for plan in plans):,}"
    yield f"fit {budget:,} tokens before", f"{fitting(lambda plan: plan.original_tokens):,}"
    yield "fit after", f"{fitting(lambda plan: plan.tokens):,}"
    if ratios:
        yield "tokens after over before, median", f"{ratios[len(ratios) // 2]:.2f}"
        yield "90 % at most", f"{ratios[int(0.9 * (len(ratios) - 1))]:.2f}"
        risks = [sum(values) / len(known) for values in zip(*((p.original_risk, p.risk) for p in known), strict=True)]
        yield "predicted risk, mean, before and after", f"{risks[0]:.1%}, {risks[1]:.1%}"
