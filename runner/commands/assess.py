"""`spellout assess`: predicts which steps of a trace a code world model will get wrong, and why.

The assessment itself is in `analyze.risk`. A program with calls is assessed like a data set with one row per call.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from itertools import islice
from pathlib import Path

from analyze.cost.growth import growth
from analyze.cost.token_budget import WINDOWS
from analyze.risk.answer_maps import STATES, map_of_outputs
from analyze.risk.assessment_folder import (
    SECONDS_A_ROW,
    AssessmentRequest,
    AssessmentSummary,
    assess_to,
    claim_folder,
    records_in,
    riskiest,
)
from analyze.risk.html_report import write_page
from analyze.risk.panel import read_panel
from analyze.risk.program_map import load_reliability_map
from analyze.risk.risk_model import published_weights
from analyze.tokens.tokenizer import load_tokenizer
from corpora.calls import check_call
from corpora.dataset import BadRow, Row
from corpora.deadline import time_limit
from corpora.errors import InputError
from corpora.shard_executors import over_cores
from corpora.temporary_folders import temporary_folder
from runner.inputs.datasets import DATA_HELP, LIMIT_HELP, RowTally, add_data_options, data_rows
from runner.inputs.program_files import column_mapping, missing_call, read_program
from runner.interchange.graded import BENCHMARK_HELP, read_graded
from runner.interchange.map_fitting import fit_map, validation_lines
from runner.reports.risk_map import print_growth, print_map, print_survey, risk_note
from runner.terminal.console import error_console, note, output_console, progress_bar, warn
from runner.terminal.options import (
    JOBS_HELP,
    TOKENIZER_HELP,
    add_number,
    add_repeatable,
    add_seconds_option,
    at_least,
    risk,
)
from runner.terminal.tables import print_sentences
from runner.terminal.waiting import show_waiting

OBSERVERS = (
    "analyze.gold_trace.tracer:Tracer",
    "analyze.risk.operations:OperationObserver",
)
SUMMARY = "predict where a model will fail: the risk of each line, step and sample, and the tokens of the trace"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout assess program.py --call "f('banana')"
  spellout assess program.py --call "f(1)" --call "f(2)" --budget 2000
  spellout assess program.py --call "f('banana')" --format html > map.html
  spellout assess cases.jsonl --output risks/cases --show 20
  spellout assess solutions.parquet --column code=solution --json | jq 'select(.risk == null or .risk >= 0.5).where'
  spellout assess cases.jsonl --limit 100 --fail-on 0.9
  spellout assess --fit generations.json --benchmark cruxeval.jsonl --save map.json
  spellout assess cases.jsonl --risk-map map.json
  spellout assess cruxeval.jsonl --panel panel.jsonl.gz
The risk of a sample is unknown if its call has no complete trace (it does not end, crashes, is nondeterministic, …).

exit status:
  0  success
  1  the risk of a sample is at least --fail-on, or unknown
  2  wrong usage, no readable row, a row that fails (--max-bad tolerates some), or unwritable output
"""
OUTPUTS_READ = 100
"""Outputs of a run whose form chooses the map."""
BAD_SHOWN = 20
STEPS_OF_PROGRAM = 2000


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout assess`."""
    parser.add_argument(
        "source", nargs="?", metavar="FILE|DATASET", help=f"a Python file (with --call), or {DATA_HELP}"
    )
    add_repeatable(parser, "--call", "CALL", 'a call such as "f(1, 2)"; repeatable')
    add_repeatable(
        parser,
        "--budget",
        "N",
        "also report whether each trace fits N tokens; repeatable "
        f"(default: {' and '.join(map(str, WINDOWS))}, always included)",
        type=at_least(1),
    )
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help=TOKENIZER_HELP)
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="save one record per sample; the same command resumes"
    )
    parser.add_argument(
        "--format", choices=("table", "json", "html"), default="table", help="output format (default: table)"
    )
    parser.add_argument("--json", action="store_const", const="json", dest="format", help="same as --format json")
    parser.add_argument(
        "--fail-on",
        type=risk,
        metavar="RISK",
        help="exit with status 1 if the risk of a sample is RISK or more, or unknown",
    )
    add_data_options(parser)
    add_number(parser, "--limit", LIMIT_HELP)
    add_number(parser, "--show", "show the N riskiest samples or steps (default: 10)", 10, least=0)
    add_seconds_option(
        parser,
        SECONDS_A_ROW,
        "time limit per sample, in seconds, with its growth analysis; the risk of a sample over it is unknown",
    )
    add_number(parser, "--jobs", JOBS_HELP, 0, least=0)
    parser.add_argument(
        "--risk-map",
        metavar="states|words|FILE",
        default="",
        help="states: of the 32B CWM; words: for models that answer in words instead of states; or a map that --fit "
        "saved (default: by the form of the outputs in the records of a run, else states)",
    )
    parser.add_argument(
        "--panel",
        metavar="FILE",
        default="",
        help="results of other models on the same samples, as rows with `run`, `id` and `right` (default: none)",
    )
    fit = parser.add_argument_group("fit a map for your model to its recorded outputs")
    fit.add_argument(
        "--fit", type=Path, nargs="+", default=[], metavar="OUTPUTS", help="runs, or files of recorded outputs"
    )
    fit.add_argument("--benchmark", metavar="NAME|DATASET", help=BENCHMARK_HELP)
    fit.add_argument(
        "--save", type=Path, metavar="FILE", help="where the map is written (default: it is validated only)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Assesses and prints. Returns 1 if the risk of a sample reaches `--fail-on` or is unknown."""
    if arguments.fit:
        return _fit(arguments)
    if arguments.source is None:
        raise InputError("assess needs a program or a data set, or --fit OUTPUTS")
    rows = _rows(arguments)
    arguments.risk_map = _risk_map(arguments)
    request = _request(arguments)
    if arguments.risk_map:
        load_reliability_map(Path(arguments.risk_map))
    if arguments.panel:
        read_panel(Path(arguments.panel))
    published_weights()  # weights that cannot be read, or an unknown tokenizer, end the command before the first row
    load_tokenizer(arguments.tokenizer)
    with temporary_folder("assess") as temporary:
        folder = arguments.output or temporary
        claim_folder(folder, request)  # before any progress is shown
        waiting = show_waiting("assessing") if arguments.call else nullcontext()
        with waiting, progress_bar(shown=not arguments.call) as progress:
            task = progress.add_task("samples assessed", total=arguments.limit)
            survey = assess_to(
                folder,
                request,
                rows,
                spread=over_cores(arguments.jobs),
                on_progress=lambda done: progress.advance(task, done),
            )
        _warn(survey, folder if arguments.output else None)
        first, unread = survey.bad[0] if survey.bad else None, survey.unread - survey.failed
        tally = RowTally(arguments.source, survey.rows, unread, first, survey.failed)
        tally.check_readable(arguments.max_bad)
        _show(arguments, survey, folder)
    tally.check_failed(arguments.max_bad)
    return int(arguments.fail_on is not None and survey.reaches(arguments.fail_on))


def _fit(arguments: argparse.Namespace) -> int:
    """Fits a map, prints its validation, and saves it."""
    if arguments.source is not None:
        raise InputError("is not assessed together with --fit", where=arguments.source)
    tokenizer = load_tokenizer(arguments.tokenizer)
    panel = read_panel(Path(arguments.panel)) if arguments.panel else None
    samples = [sample for path in arguments.fit for sample in read_graded(path, arguments.benchmark)]
    with progress_bar() as progress:
        track = partial(progress.track, description="assessing")
        fitted = fit_map(samples, tokenizer, arguments.seconds, track, panel)
    print_sentences(output_console(), *validation_lines(fitted))
    if arguments.save:
        fitted.risk_map.save(arguments.save)
        print_sentences(
            error_console(), f"saved in {arguments.save}: spellout assess DATASET --risk-map {arguments.save}"
        )
    return 0


def _request(arguments: argparse.Namespace) -> AssessmentRequest:
    return AssessmentRequest(
        source="\n".join([arguments.source, *arguments.call]),
        mapping=tuple(column_mapping(arguments.column).items()),
        tokenizer=arguments.tokenizer,
        budgets=tuple(sorted({*WINDOWS, *arguments.budget})),
        steps=STEPS_OF_PROGRAM if arguments.call else 5,
        seconds=arguments.seconds,
        risk_map=arguments.risk_map,
        panel=arguments.panel,
        weak_isolation=arguments.allow_weak_isolation,
    )


def _risk_map(arguments: argparse.Namespace) -> str:
    """The map by name or file; "" for the default one. Without `--risk-map`, the outputs of a run decide."""
    if arguments.risk_map or arguments.call or not Path(arguments.source).is_file():
        return "" if arguments.risk_map == STATES else str(arguments.risk_map)
    rows = islice(data_rows(arguments.source, arguments.column), OUTPUTS_READ)
    recorded = (row.fields.get("output") for row in rows if isinstance(row, Row) and "verdict" in row.fields)
    found = map_of_outputs(recorded)
    if found:
        note(f"its outputs are answers in words: --risk-map {found} (--risk-map {STATES} overrides)")
    return found


def _rows(arguments: argparse.Namespace) -> Iterator[Row | BadRow]:
    """The rows of the data set, or one row per call of the program. Raises InputError for unreadable input."""
    if arguments.source.endswith(".py") and not arguments.call:
        raise missing_call(arguments.source)
    if not arguments.call:
        return islice(data_rows(arguments.source, arguments.column), arguments.limit)
    source = read_program(arguments.source)
    for call in arguments.call:
        check_call(source, call, where=f"--call {call}")
    rows = [{"id": call, "source": source, "call": call} for call in arguments.call]
    return (Row(number, arguments.source, fields) for number, fields in enumerate(rows, 1))


def _warn(survey: AssessmentSummary, folder: Path | None) -> None:
    """Reports on standard error how many rows could not be assessed, and lists the first ones."""
    warn(*(f"{bad.where}: {bad.reason}" for bad in survey.bad[:BAD_SHOWN]))
    if survey.unread:
        rest = f"; all are listed in {folder / 'bad.jsonl'}" if folder else ""
        note(f"{survey.unread:,} of {survey.rows:,} rows could not be assessed{rest}")


def _show(arguments: argparse.Namespace, survey: AssessmentSummary, folder: Path) -> None:
    if arguments.format == "json":
        sys.stdout.writelines(json.dumps(record) + "\n" for record in records_in(folder))
    elif arguments.format == "html":
        page = (folder / "report.html").open("w", encoding="utf-8") if arguments.output else nullcontext(sys.stdout)
        with page as file:
            write_page(file, records_in(folder), survey, arguments.source, arguments.risk_map)
    elif arguments.call:
        for record in records_in(folder):
            if "error" in record:  # `_warn` has said why
                continue
            print_map(output_console(), record, arguments.show)
            if record["basis"] == "trace" and record["least_tokens"] is not None:  # its tokens can be counted
                tokenizer = load_tokenizer(arguments.tokenizer)
                with time_limit(arguments.seconds), show_waiting("measuring the growth of the trace"):
                    found = growth(record["text"], record["call"], tokenizer)
                print_growth(output_console(), found)
    else:
        print_survey(output_console(), survey, arguments.source, riskiest(records_in(folder), arguments.show))
    if arguments.format == "table":
        print_sentences(error_console(), risk_note(arguments.risk_map))
    if arguments.output:
        note(f"wrote one record per sample to {folder / 'assessments'}")
