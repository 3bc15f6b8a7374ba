"""`spellout plan`: selects rewrites by predicted risk under a token budget, and shortens programs over the budget.

The planner itself is in `rewrite.planner`. Each row of a data set is planned with its own calls, on all CPU cores.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from rich.table import Column, Table

from analyze.risk.program_map import WORDS
from analyze.tokens.tokenizer import load_tokenizer
from corpora import BadRow, Row
from corpora.calls import check_call
from corpora.errors import InputError
from corpora.failures import DIED
from corpora.foreign_text import one_line
from corpora.process_pool import map_over_cores
from corpora.rows import FailedRow
from rewrite.cost.budget import BUDGET
from rewrite.planner.line_forms import UNTRIED
from rewrite.planner.plan import DEFAULT_EXAMPLES, RIGHT, AppliedPass, Plan, RejectedPass
from rewrite.planner.rows import plan_row
from runner.batch_rewriting.process import SECONDS, shared_process
from runner.inputs.datasets import DATA_HELP, LIMIT_HELP, RowTally, add_data_options, data_rows
from runner.inputs.program_files import missing_call, read_output, read_program
from runner.terminal.console import error_console, output_console, print_lines, progress_bar, styled, warn
from runner.terminal.data import write_data
from runner.terminal.options import TOKENIZER_HELP, add_flag, add_number, add_repeatable, add_seconds_option
from runner.terminal.waiting import show_waiting

OBSERVERS = (
    "rewrite.evidence.value_observer:ValueObserver",
    "analyze.gold_trace.tracer:Tracer",
    "analyze.risk.operations:OperationObserver",
    "rewrite.equivalence.path_observer:PathObserver",
)
SUMMARY = (
    "rewrite a program where a model is likely to fail, within a token budget; shorten it if its trace is too long"
)
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout plan program.py --call "f('banana')"
  spellout plan program.py --call "f(1)" --call "f(2)" --budget 2000
  spellout plan program.py --call "f('banana')" --json | jq -r .source
  spellout plan program.py --call "f('banana')" --explain
  spellout plan program.py --call "f('banana')" --failed             the model got it wrong
  spellout plan outputs.jsonl --failed                               with the model's outputs
  spellout plan cases.jsonl --limit 20 --json > plans.jsonl

exit status:
  0  the planned program (of a data set: every one) fits the budget
  1  a program is over budget
  2  wrong usage, no readable row, or a row that fails (--max-bad tolerates some)
  3  no program is over budget, but some have no complete trace
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout plan`."""
    parser.add_argument("source", metavar="FILE|DATASET", help=f"a Python file (with --call), or {DATA_HELP}")
    add_repeatable(parser, "--call", "CALL", 'a call such as "f(1, 2)"; repeatable')
    add_number(parser, "--budget", f"token budget of a trace (default: {BUDGET})", BUDGET)
    add_number(
        parser,
        "--examples",
        f"generated inputs to compare the plan with the original on (default: {DEFAULT_EXAMPLES})",
        DEFAULT_EXAMPLES,
        least=0,
    )
    add_flag(
        parser, "--failed", "the model got the program wrong: plan for the largest chance that it gets the plan right"
    )
    parser.add_argument(
        "--answer",
        type=Path,
        metavar="FILE",
        help="with --failed: read what the model wrote for the first call from FILE; a data set has it in `output`",
    )
    add_seconds_option(parser, SECONDS, "time limit per program, in seconds; a program over it is left unchanged")
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help=TOKENIZER_HELP)
    parser.add_argument(
        "--risk-map",
        choices=(WORDS,),
        help="words: for models that answer in words instead of states; subtracts the measured prices of changes "
        "(default: the map of the 32B CWM, which writes states)",
    )
    add_flag(parser, "--explain", "list the rejected candidates with reasons")
    add_flag(parser, "--json", "print one JSON object per program")
    add_data_options(parser)
    add_number(parser, "--limit", LIMIT_HELP)


def run(arguments: argparse.Namespace) -> int:
    """Plans and prints."""
    if arguments.source.endswith(".py") and not arguments.call:
        raise missing_call(arguments.source)
    if arguments.answer and not (arguments.failed and arguments.call):
        raise InputError("needs --failed, and the call of a program with --call", where="--answer")
    source = read_program(arguments.source) if arguments.call else ""
    load_tokenizer(arguments.tokenizer)  # reports an unknown one before any program runs
    if not arguments.call:
        return _rows(arguments)
    for call in arguments.call:
        check_call(source, call, where=f"--call {call}")
    output = read_output(arguments.answer) if arguments.answer else None
    with show_waiting("planning"):
        plan = _make_plan(source, arguments.call, output, **_settings(arguments))
    if arguments.json:
        sys.stdout.write(json.dumps(_record(plan)) + "\n")
    else:
        _show(plan, explain=arguments.explain)
    return _status([plan])


def _status(plans: Sequence[Plan]) -> int:
    """1 if a program is over budget, else 3 if the token count of one is unknown, else 0."""
    if any(plan.is_over_budget for plan in plans):
        return 1
    return 3 if any(plan.tokens is None for plan in plans) else 0


def _rows(arguments: argparse.Namespace) -> int:
    tally = RowTally(arguments.source)
    rows = islice(data_rows(arguments.source, arguments.column), arguments.limit)
    plans: list[Plan] = []
    job = partial(_planned, **_settings(arguments))
    with progress_bar() as progress:
        task = progress.add_task("programs planned", total=arguments.limit)
        for (name, where), planned in map_over_cores(job, rows, ordered=True, on_death=_lost):
            tally.add(planned if isinstance(planned, BadRow) else None)
            progress.advance(task)
            if isinstance(planned, BadRow):
                warn(f"{planned.where}: {planned.reason}")
                continue
            plans.append(planned)
            if arguments.json:
                sys.stdout.write(json.dumps({"where": where, "id": name, **_record(planned)}) + "\n")
            else:
                print_lines(output_console(), f"{name}: {_line(planned)}")
    tally.check(arguments.max_bad)
    if not arguments.json:
        _summary(plans, arguments.budget)
    return _status(plans)


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of `_make_plan`."""
    given = ("tokenizer", "budget", "risk_map", "examples", "seconds", "failed")
    return {name: getattr(arguments, name) for name in given}


def _make_plan(
    source: str,
    calls: Sequence[str],
    output: str | Sequence[int] | None,
    *,
    tokenizer: str,
    budget: int,
    risk_map: str | None,
    examples: int,
    seconds: float,
    failed: bool,
) -> Plan:
    return shared_process().plan(
        source,
        calls,
        budget,
        load_tokenizer(tokenizer),
        in_words=risk_map == WORDS,
        examples=examples,
        seconds=seconds,
        failed=failed,
        output=output,
    )


def _planned(row: Row | BadRow, **settings: Any) -> tuple[tuple[str, str], Plan | BadRow]:
    """The id and position of a row, and its plan."""
    name = str(row.fields.get("id") or row.where) if isinstance(row, Row) else row.where
    return (name, row.where), plan_row(row, partial(_make_plan, **settings), failed=settings["failed"])


def _lost(row: Row | BadRow, _: object) -> tuple[tuple[str, str], BadRow]:
    """A row whose worker process died."""
    return (row.where, row.where), FailedRow(row.number, row.where, DIED)


def _record(plan: Plan) -> dict[str, object]:
    return {
        "source": plan.source,
        "tokens": plan.tokens,
        "original_tokens": plan.original_tokens,
        "risk": plan.risk,
        "original_risk": plan.original_risk,
        "repair": plan.repair,
        "choices": [one._asdict() for one in plan.choices],
        "assumes": [one._asdict() for one in plan.assumes],
        "left": [one._asdict() for one in plan.left],
        "notes": list(plan.notes),
        "support": plan.support,
        "budget": plan.budget,
        "compared": plan.compared,
    }


def _show(plan: Plan, *, explain: bool) -> None:
    """Prints the program on standard output, and the selected candidates with their costs on standard error."""
    write_data(plan.source if plan.source.endswith("\n") else plan.source + "\n")
    console = error_console()
    if plan.choices:
        names = ("line", "tokens", "risk") if plan.repair is None else ("line", "tokens", "risk", "repair")
        figures = (Column(name, justify="right") for name in names)
        words = (Column(name, overflow="fold") for name in ("what", "why"))
        table = Table(*figures, *words, show_edge=False, pad_edge=False)
        for one in plan.choices:
            risk = "unknown" if one.risk is None else f"{-100 * one.risk:+.1f} pp"
            chance = () if one.repair is None else (f"{100 * one.repair:+.1f} pp",)
            table.add_row(_numbers(one), f"{one.tokens:+,}", risk, *chance, styled(one.what), styled(one.why))
        console.print(table)
    dropped = [one for one in plan.left if one.reason.startswith("dropped")]
    lists_all = explain or plan.is_over_budget
    lines = [f"line{'s' * bool(one.siblings)} {_numbers(one)}: {one}" for one in (plan.left if lists_all else dropped)]
    if len(plan.left) > len(dropped) and not lists_all:
        untried = sum(one.reason == UNTRIED for one in plan.left)
        cut = f"; {untried:,} of them {UNTRIED}" if untried else ""
        lines.append(f"{len(plan.left) - len(dropped):,} candidates or lines left alone (--explain lists them){cut}")
    lines += [
        *(f"line {one.line}: assumed: {one.expression} {one.what}" for one in plan.assumes),
        *map(one_line, plan.notes),
        *filter(None, [plan.support]),
    ]
    if plan.compared:
        lines.append(f"compared with the original on {plan.compared:,} inputs: no difference")
    print_lines(console, *lines, _line(plan))


def _numbers(one: AppliedPass | RejectedPass) -> str:
    return ", ".join(map(str, sorted({one.line, *one.siblings})))


def _line(plan: Plan) -> str:
    def count(tokens: int | None) -> str:
        return "unknown" if tokens is None else f"{tokens:,}"

    known = plan.original_risk is not None and plan.risk is not None
    risk = f"{plan.original_risk:.1%} -> {plan.risk:.1%}" if known else "unknown"
    chance = "" if plan.repair is None else f"; chance that it repairs the failure {plan.repair:.0%}"
    over = f", over budget by {plan.tokens - plan.budget:,}" if plan.is_over_budget and plan.tokens else ""
    tokens = f"tokens {count(plan.original_tokens)} -> {count(plan.tokens)} of {plan.budget:,}{over}"
    right = "; the output is right" if RIGHT in plan.notes else ""
    return f"{tokens}; predicted risk {risk}{chance}{right}"


def _summary(plans: list[Plan], budget: int) -> None:
    """Prints how many programs changed, at what cost, and how many fit the budget before and after."""
    table = Table(show_edge=False, pad_edge=False, show_header=False)
    for row in _summary_rows(plans, budget):
        table.add_row(*row)
    output_console().print(table)


def _summary_rows(plans: list[Plan], budget: int) -> Iterator[tuple[str, str]]:
    from statistics import median  # a single plan has no summary

    def fitting(tokens: Any) -> int:
        return sum(tokens(plan) is not None and tokens(plan) <= budget for plan in plans)

    yield "programs", f"{len(plans):,}"
    yield "changed", f"{sum(bool(plan.choices) for plan in plans):,}"
    yield f"within {budget:,} tokens before", f"{fitting(lambda plan: plan.original_tokens):,}"
    yield "within the budget after", f"{fitting(lambda plan: plan.tokens):,}"
    known = [plan for plan in plans if plan.tokens is not None and plan.original_tokens]
    ratios = sorted((plan.tokens or 0) / (plan.original_tokens or 1) for plan in known)
    if ratios:
        yield "token ratio, median", f"{median(ratios):.2f}"
        yield "token ratio, 90th percentile", f"{ratios[math.ceil(0.9 * len(ratios)) - 1]:.2f}"
    risks = [(plan.original_risk, plan.risk) for plan in plans if plan.original_risk is not None]
    if risks:
        before, after = (sum(value or 0.0 for value in values) / len(risks) for values in zip(*risks, strict=True))
        yield "mean predicted risk before, after", f"{before:.1%}, {after:.1%}"
    chances = [plan.repair for plan in plans if plan.repair is not None]
    if chances:
        yield "mean chance of a repair", f"{sum(chances) / len(chances):.1%} of {len(chances):,}"
    if len(risks) < len(plans):
        yield "predicted risk unknown", f"{len(plans) - len(risks):,}"
