"""`spellout assess`: which steps of a program's trace a code world model will probably get wrong, and why.

Reads the command line and ties the parts together; the work is in `analyze.risk`. A program with its calls is a data
set of a few rows, so that both go the same way.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from analyze.auditing.executors import over_cores
from analyze.cost.growth import growth
from analyze.risk.page import write_page
from analyze.risk.records import BUDGETS
from analyze.risk.survey import SECONDS_A_ROW, Request, Survey, assess_to, claim, records_in, riskiest
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row
from corpora.deadline import time_limit
from corpora.errors import InputError
from runner.commands.trace import check_call
from runner.inputs.datasets import DATA_HELP, Tally, add_data_options, data_rows
from runner.inputs.programs import column_mapping, read_program
from runner.reports.risk_map import caveat, print_growth, print_map, print_survey
from runner.terminal.console import error_console, output_console, progress_bar, warn
from runner.terminal.options import risk, seconds, whole

SUMMARY = "say before a model is asked where it will probably fail: risk of each line, step and sample, and tokens"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout assess program.py --call "f('banana')"
  spellout assess program.py --call "f(1)" --call "f(2)" --budget 2000
  spellout assess program.py --call "f('banana')" --format html > map.html
  spellout assess cases.jsonl --output risks/cases --show 20
  spellout assess cases.parquet --column code=solution --json | jq 'select(.risk == null or .risk >= 0.5).where'
  spellout assess cases.jsonl --limit 100 --fail-on 0.9
The risk of a sample is unknown without a whole trace of its call (it does not end, crashes, depends on chance, …).
Exit status: 0 done; 1 the risk of a sample is at least --fail-on, or unknown; 2 wrong usage, input of which nothing
(or, with --max-bad, too little) could be read, output that cannot be written.
"""
BAD_SHOWN = 20
STEPS_OF_PROGRAM = 2000


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout assess`."""
    parser.add_argument("source", metavar="FILE|DATASET", help=f"a Python file (with --call), or {DATA_HELP}")
    parser.add_argument(
        "--call", action="append", default=[], metavar="CALL", help='such as "f(1, 2)"; may be repeated'
    )
    parser.add_argument(
        "--budget", type=whole(1), action="append", default=[], metavar="N", help="tokens that a trace may have"
    )
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help="id, tokenizer.json, encoding (llama-3)")
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="keep a record of each sample; the same call resumes"
    )
    parser.add_argument("--format", choices=("table", "json", "html"), default="table", help="(table)")
    parser.add_argument(
        "--json", action="store_const", const="json", dest="format", help="a JSON object a line, for each sample"
    )
    parser.add_argument(
        "--fail-on", type=risk, metavar="RISK", help="exit with status 1 if a sample's risk is RISK or more, or unknown"
    )
    add_data_options(parser)
    parser.add_argument("--limit", type=whole(1), metavar="N", help="the first N rows")
    parser.add_argument(
        "--show", type=whole(), default=10, metavar="N", help="the N riskiest samples or steps (default: 10)"
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=SECONDS_A_ROW,
        metavar="S",
        help="time limit of each sample, all of its runs together, and of the analysis of its growth; after it, the "
        f"risk is unknown (default: {SECONDS_A_ROW:g})",
    )
    parser.add_argument("--workers", type=whole(), default=0, metavar="N", help="processes (one a core)")


def run(arguments: argparse.Namespace) -> int:
    """Assess and show; 1 where a sample's risk reaches --fail-on or is unknown."""
    request, rows = _request(arguments), _rows(arguments)
    load_tokenizer(arguments.tokenizer)  # one that cannot be had ends the command before anything is written
    with tempfile.TemporaryDirectory(prefix="spellout-assess-") as temporary:
        folder = arguments.output or Path(temporary)
        claim(folder, request)  # before any progress is shown
        with progress_bar(shown=not arguments.call) as progress:
            task = progress.add_task("samples assessed", total=arguments.limit)
            survey = assess_to(
                folder,
                request,
                rows,
                spread=over_cores(arguments.workers),
                on_progress=lambda done: progress.advance(task, done),
            )
        _warn(survey, folder if arguments.output else None)
        Tally(arguments.source, survey.rows, survey.unread, survey.bad[0] if survey.bad else None).check(
            arguments.max_bad
        )
        _show(arguments, survey, folder)
    return int(arguments.fail_on is not None and survey.reaches(arguments.fail_on))


def _request(arguments: argparse.Namespace) -> Request:
    return Request(
        source="\n".join([arguments.source, *arguments.call]),
        mapping=tuple(column_mapping(arguments.column).items()),
        tokenizer=arguments.tokenizer,
        budgets=tuple(sorted({*BUDGETS, *arguments.budget})),
        steps=STEPS_OF_PROGRAM if arguments.call else 5,
        seconds=arguments.seconds,
        weak_isolation=arguments.allow_weak_isolation,
    )


def _rows(arguments: argparse.Namespace) -> Iterator[Row | BadRow]:
    """The rows of a data set, or one for each call of a program. Raises InputError for what cannot be read."""
    if arguments.source.endswith(".py") and not arguments.call:
        raise InputError('a program needs a call, such as --call "f(1)"', where=arguments.source)
    if not arguments.call:
        return islice(data_rows(arguments.source, arguments.column), arguments.limit)
    for call in arguments.call:
        check_call(call)
    source = read_program(arguments.source)
    rows = [{"id": call, "source": source, "call": call} for call in arguments.call]
    return (Row(number, arguments.source, fields) for number, fields in enumerate(rows, 1))


def _warn(survey: Survey, folder: Path | None) -> None:
    """On standard error: how many rows could not be assessed, and the first of them."""
    errors = error_console()
    for bad in survey.bad[:BAD_SHOWN]:
        warn(errors, f"{bad.where}: {bad.reason}")
    if survey.unread:
        rest = f"; all are listed in {folder / 'bad.jsonl'}" if folder else ""
        errors.print(f"{survey.unread:,} of {survey.rows:,} rows could not be assessed{rest}", soft_wrap=True)


def _show(arguments: argparse.Namespace, survey: Survey, folder: Path) -> None:
    if arguments.format == "json":
        for record in records_in(folder):
            sys.stdout.write(json.dumps(record) + "\n")
    elif arguments.format == "html" and arguments.output:
        with (folder / "report.html").open("w", encoding="utf-8") as file:
            write_page(file, records_in(folder), survey, arguments.source)
    elif arguments.format == "html":
        write_page(sys.stdout, records_in(folder), survey, arguments.source)
    elif arguments.call:
        for record in records_in(folder):
            print_map(output_console(), record, arguments.show)
            if record["basis"] == "trace":
                with time_limit(arguments.seconds):
                    print_growth(output_console(), growth(record["text"], record["call"]))
    else:
        print_survey(output_console(), survey, arguments.source, riskiest(records_in(folder), arguments.show))
    if arguments.format == "table":
        error_console().print(caveat(), soft_wrap=True)
    if arguments.output:
        error_console().print(f"a record of each sample in {folder / 'assessments'}", soft_wrap=True)
