"""`spellout trace`: prints the reference trace of one call in CWM's format, as a table, or as JSON.

The trace comes from `analyze.gold_trace.trace`; no model is needed.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict

from rich.console import Console
from rich.table import Column, Table

from analyze import Trace, default_tokenizer, trace_call
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS
from corpora.calls import check_call
from corpora.foreign_text import one_line
from runner.inputs.program_files import read_program
from runner.terminal.console import error_console, output_console, styled
from runner.terminal.data import write_data
from runner.terminal.options import add_seconds_option
from runner.terminal.tables import print_sentences
from runner.terminal.waiting import show_waiting

OBSERVERS = ("analyze.gold_trace.tracer:Tracer",)
SUMMARY = "print the reference trace of a call, with CPython 3.10 semantics"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout trace program.py --call "f(1, 2)"
  spellout trace program.py --call "f('a-b')" --format table
  spellout trace - --call "f(3)" --format json < program.py

exit status:
  0  the trace is complete, also if it ends with an exception
  2  wrong usage or unreadable input
  3  the trace is incomplete: a limit was reached, or the process of the program crashed
"""

TABLE_FRAMES = 10_000
TABLE_CHARACTERS = 1_000_000
"""Limits of a table. Other formats print all frames."""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout trace`."""
    parser.add_argument("file", metavar="FILE", help="a Python file, or - for standard input")
    parser.add_argument("--call", required=True, metavar="CALL", help='the call to trace, such as "f(1, 2)"')
    parser.add_argument(
        "--format", choices=("cwm", "table", "json"), default="cwm", help="output format (default: cwm)"
    )
    add_seconds_option(parser, 5.0, "time limit of the program, in seconds; the trace until then is printed")


def run(arguments: argparse.Namespace) -> int:
    """Prints the trace, and on standard error the outcome of the program. Returns 3 if the trace is incomplete."""
    source = read_program(arguments.file)
    check_call(source, arguments.call, where=f"--call {arguments.call}")
    with show_waiting("tracing"):
        trace = trace_call(source, arguments.call, seconds=arguments.seconds)
    {"cwm": _cwm, "table": _table, "json": _json}[arguments.format](trace)
    _remark(trace, error_console())
    return 3 if trace.cut else 0


def _cwm(trace: Trace) -> None:
    write_data(trace.text + "\n")


def _json(trace: Trace) -> None:
    for frame in trace.frames:
        sys.stdout.write(json.dumps(asdict(frame)) + "\n")


def _table(trace: Trace) -> None:
    """Prints the frames up to the limits of a table, which takes 0.4 ms per frame."""
    columns = (Column(name, overflow="fold") for name in ("", "event", "action", "state or value"))
    table = Table(*columns, show_edge=False, pad_edge=False)
    characters = 0
    for index, frame in enumerate(trace.frames):
        value = frame.value if frame.state is None else "  ".join(f"{name} = {text}" for name, text in frame.state)
        characters += len(value or "")
        if index == TABLE_FRAMES or characters > TABLE_CHARACTERS:
            shown = f"the table shows the first {index:,} of {len(trace.frames):,} frames; --format json prints all"
            print_sentences(error_console(), shown)
            break
        table.add_row(str(index), frame.event, styled(frame.source.rstrip("\n")), styled(value or ""))
    output_console().print(table)


def _remark(trace: Trace, console: Console) -> None:
    outcome = trace.outcome
    ended = f": {': '.join(outcome.exception)} ({outcome.detail})" if outcome.exception else ""
    cut = f", trace incomplete: {trace.cut_reason}" if trace.cut else ""
    # Tokens are counted up to a limit, because tokenizing a trace of megabytes takes minutes.
    counted = trace.count_tokens(default_tokenizer(), MAX_COUNTED_TOKENS)
    tokens = f"over {MAX_COUNTED_TOKENS}" if counted is None else str(counted)
    size = f"{len(trace.frames)} frames, {tokens} tokens (Llama-3)"
    console.print(one_line(f"{size}, {outcome.status}{ended}{cut}, isolation {outcome.isolation}"))
    for label in trace.labels:
        console.print(f"may differ from CPython 3.10: {label}")
