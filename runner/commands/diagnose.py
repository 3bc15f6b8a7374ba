"""`spellout diagnose`: where recorded outputs of a code world model first part from the true traces.

Reads rows with a program, a call and an output; runs the program, asks no model.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console
from rich.table import Table

from analyze import Diagnosis, diagnose, trace_call
from analyze.divergence import KINDS
from analyze.trace import COUNTED
from corpora import BadRow, Row, case_from_row, dependences, read_rows
from runner.console import error_console, output_console, progress_bar, warn
from runner.programs import column_mapping
from runner.report import on_one_line

SUMMARY = "diagnose recorded outputs: the first frame that is wrong, and how"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout diagnose outputs.jsonl
  spellout diagnose outputs.jsonl --budget 8192 --json | head -1
  spellout diagnose outputs.jsonl --map output=completion
Rows have `code`, `call` (or `input`) and `output`, and perhaps `id`; the output may have lost its special tokens.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout diagnose`."""
    parser.add_argument("file", metavar="FILE", help="JSONL, Parquet, or a Hugging Face data set")
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="rename columns")
    parser.add_argument("--budget", type=int, default=8192, metavar="N", help="tokens that an output could have (8192)")
    parser.add_argument("--json", action="store_true", help="one JSON object a row, and no table")


def run(arguments: argparse.Namespace) -> int:
    """Prints a line a row and a table by kind, or JSON lines. Rows that cannot be read are reported and counted."""
    errors, console = error_console(), output_console()
    kinds: Counter[str] = Counter()
    bad = right = 0
    for name, found in _diagnoses(arguments):
        if isinstance(found, BadRow):
            bad += 1
            errors.print(
                f"{found.where}: {found.reason}", style="yellow", markup=False, highlight=False, soft_wrap=True
            )
            continue
        kinds[found.kind] += 1
        right += found.correct
        _show(name, found, console, as_json=arguments.json)
    if not arguments.json:
        console.print(_table(kinds, right))
    if bad:
        warn(errors, f"{bad} rows could not be judged")
    return 0


def _diagnoses(arguments: argparse.Namespace) -> Iterator[tuple[str, Diagnosis | BadRow]]:
    rows = list(read_rows(arguments.file, column_mapping(arguments.map)))
    with progress_bar() as progress:
        for row in progress.track(rows, description="running the programs"):
            yield _diagnosis(row, arguments.budget)


def _diagnosis(row: Row | BadRow, budget: int) -> tuple[str, Diagnosis | BadRow]:
    if isinstance(row, BadRow):
        return "", row
    output = row.fields.get("output")
    if not isinstance(output, str):
        return "", BadRow(row.number, row.where, "has no text in the field output")
    # `output` is the model's here, while CruxEval's rows keep the expected result under that name.
    fields = {name: value for name, value in row.fields.items() if name != "output"}
    case = case_from_row(Row(row.number, row.where, fields))
    if isinstance(case, BadRow):
        return "", case
    unsteady = dependences(case.source, case.call)
    if unsteady:
        reason = f"there is no one true trace: depends on {' and '.join(unsteady)}"
        return case.id, BadRow(row.number, row.where, reason)
    trace = trace_call(case.source, case.call, case.grading)
    if not trace.frames:
        return case.id, BadRow(row.number, row.where, f"no true trace: {trace.outcome.detail or trace.outcome.status}")
    return case.id, diagnose(trace, output, budget=budget)


def _show(name: str, found: Diagnosis, console: Console, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"id": name, **asdict(found)}) + "\n")
        return
    verdict = "right" if found.correct else "wrong" if found.answer is not None else "no answer"
    tokens = f"more than {COUNTED}" if found.true_tokens is None else str(found.true_tokens)
    fits = "" if found.fits else f", and the true trace needs {tokens} tokens"
    console.print(f"{name}: {verdict}; {found.kind} at frame {found.frame}{fits}", markup=False, highlight=False)
    if found.kind not in {"none", "cut off while right"}:
        console.print(f"    true      {on_one_line(found.true)}", markup=False, highlight=False, soft_wrap=True)
        console.print(f"    predicted {on_one_line(found.predicted)}", markup=False, highlight=False, soft_wrap=True)


def _table(kinds: Counter[str], right: int) -> Table:
    table = Table("first divergence", "outputs")
    for kind in KINDS:
        table.add_row(kind, str(kinds[kind]))
    table.add_section()
    table.add_row("all", str(kinds.total()))
    table.add_row("right by the final RETURN frame", str(right))
    return table
