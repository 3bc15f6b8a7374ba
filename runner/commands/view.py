"""`spellout view`: one page to explore runs in a browser: every sample with its program, traces, tokens and attempts.

Executes the programs again for their reference traces and risks. The page needs no network and no server.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from analyze.auditing.duplicates import format_count
from analyze.tokens.tokenizer import load_tokenizer
from corpora.errors import InputError
from corpora.foreign_text import one_line
from runner.interchange.graded import BENCHMARK_HELP, read_graded, run_names
from runner.records.samples import Sample
from runner.reports.report_files import write_file
from runner.reports.viewer.collection import Collection, collect
from runner.reports.viewer.page import page_html
from runner.reports.viewer.server import HOST, page_server
from runner.terminal.console import note, progress_bar, warn
from runner.terminal.options import JOBS_HELP, TOKENIZER_HELP, add_number, add_seconds_option

SUMMARY = "explore runs in a browser: samples, programs with risk, aligned traces, token boundaries, rewrites"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout view runs/demo
  spellout view runs/demo --out demo.html
  spellout view runs/before runs/after --port 8000
  spellout view generations.json --benchmark cruxeval.jsonl
The page is one HTML file. It loads nothing, and can be sent to others. Press ? in it for the keys.
"""
SECONDS = 60.0
UNREAD_SHOWN = 20


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout view`."""
    parser.add_argument(
        "runs", nargs="+", type=Path, metavar="RUN|OUTPUTS", help="folder of a run, or a file of recorded outputs"
    )
    target = parser.add_mutually_exclusive_group()
    target.add_argument(
        "--output",
        "--out",
        type=Path,
        metavar="FILE",
        help="HTML file to write (default: NAME.html, with the name of the first run)",
    )
    add_number(
        target, "--port", f"serve the page at {HOST}:N until Ctrl-C instead of writing it; 0 takes a free port", least=0
    )
    parser.add_argument("--tokenizer", default="llama-3", metavar="T", help=TOKENIZER_HELP)
    parser.add_argument("--benchmark", metavar="NAME|DATASET", help=BENCHMARK_HELP)
    add_seconds_option(parser, SECONDS, "time limit of each record; the risk of a program over it is unknown")
    add_number(parser, "--jobs", JOBS_HELP, 0, least=0)


def run(arguments: argparse.Namespace) -> int:
    """Writes the page, or serves it until it is interrupted."""
    tokenizer = load_tokenizer(arguments.tokenizer)  # an unknown tokenizer ends the command before programs are run
    given: dict[Path, list[Sample]] = {}
    for path in arguments.runs:
        if path in given:
            raise InputError("is given twice", where=str(path))
        given[path] = read_graded(path, arguments.benchmark)
    runs = dict(zip(run_names([*given]), given.values(), strict=True))
    with progress_bar() as progress:
        task = progress.add_task("executing programs", total=None)
        found = collect(
            runs,
            arguments.tokenizer,
            arguments.seconds,
            arguments.jobs,
            lambda done, total: progress.update(task, advance=done, total=total),
        )
    _report_unread(found)
    page = page_html(found, one_line(f"{', '.join(runs)} · Spellout"), tokenizer.name)
    if arguments.port is not None:
        return _serve(page, arguments.port)
    path = arguments.output or Path(f"{arguments.runs[0].resolve().name}.html")
    write_file(path, page)
    count = format_count(found.attempts, "attempt")
    note(f"wrote {path}: {count}, {len(page) / 1e6:.1f} MB")
    return 0


def _report_unread(found: Collection) -> None:
    warn(*(f"not analyzed: {line}" for line in found.unread[:UNREAD_SHOWN]))
    if len(found.unread) > UNREAD_SHOWN:
        warn(f"not analyzed: {len(found.unread) - UNREAD_SHOWN:,} more")


def _serve(page: str, port: int) -> int:
    try:
        server = page_server(page, port)
    except (OSError, OverflowError) as error:
        raise InputError(f"cannot be used: {error}", where=f"--port {port}") from error
    with server:
        note(f"http://{HOST}:{server.server_address[1]}/ (Ctrl-C ends it)")
        server.serve_forever()
    return 0
