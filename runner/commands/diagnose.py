"""`spellout diagnose`: where recorded outputs of a code world model first part from the true traces, and what failed.

Reads rows with a program, a call and an output, or the folder of a run; runs the programs, asks no model. `output` is
the model's; what the row expects is `expected`, or, where another column is read as `output`, a column `output`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from analyze import Diagnosis
from analyze.auditing.duplicates import Duplicates, counted
from analyze.auditing.label_errors import CONTRADICTED, LabelCheck, check_label
from analyze.diagnosis.divergence import DIVERGENCE_KINDS
from analyze.diagnosis.rows import BUDGET, diagnosable_case, diagnose_case
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.risk.failures import Judged, judged
from corpora import BadRow, Case, Row
from corpora.errors import InputError
from runner.inputs.datasets import DATA_HELP, Tally, add_data_options, data_rows
from runner.inputs.programs import column_mapping
from runner.records.samples import ORIGINAL
from runner.reports.failure_analyses import analyses_as_json, benchmark_types, print_analyses
from runner.statistics.grading import GRADES, Grade
from runner.terminal.console import error_console, output_console, progress_bar, warn
from runner.terminal.options import whole
from runner.terminal.tables import on_one_line

SUMMARY = "diagnose recorded outputs: the first frame that is wrong, and how"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout diagnose outputs.jsonl
  spellout diagnose runs/demo
  spellout diagnose outputs.jsonl --budget 8192 --json | head -1
  spellout diagnose failures.jsonl --summary --benchmark cruxeval=cruxeval.jsonl --benchmark humaneval=humaneval
  spellout diagnose runs/demo --catalogue                the failures by type and cause
  spellout diagnose cruxeval.jsonl --column output=completion
Rows have `code`, `call` (or `input`) and `output`, and perhaps `id` and `expected`; the output may have lost its
special tokens. Exit status: 0 done, 2 wrong usage, or input of which nothing (--max-bad: too little) could be read.
"""
LABELS_SHOWN = 20


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout diagnose`."""
    parser.add_argument("file", metavar="DATASET|RUN", help=f"the folder of a run, or {DATA_HELP}")
    add_data_options(parser)
    parser.add_argument(
        "--budget", type=whole(1), metavar="N", help=f"tokens that an output could have ({BUDGET}; the run's own)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a row, and no table")
    parser.add_argument(
        "--summary", action="store_true", help="only the tables; with --json, one object with all the analyses"
    )
    parser.add_argument(
        "--grade",
        choices=GRADES,
        default=GRADES[0],
        help="what the analyses count as wrong: the last RETURN frame against execution, or the [ANSWER] block against "
        "the label, as in the paper (default: %(default)s)",
    )
    parser.add_argument(
        "--catalogue", action="store_true", help="list the wrong answers too, by type and cause of the first error"
    )
    parser.add_argument(
        "--benchmark",
        action="append",
        default=[],
        metavar="[NAME=]DATASET",
        help="all rows of the benchmark, where the file has only its failures: the types of NAME are held against them",
    )


@dataclass
class _Found:
    """What all rows came to."""

    tally: Tally
    kinds: Counter[str] = field(default_factory=Counter)
    right: int = 0
    not_asked: int = 0
    labels: int = 0
    wrong_labels: list[LabelCheck] = field(default_factory=list)
    duplicates: Duplicates = field(default_factory=Duplicates)
    judged: list[Judged] = field(default_factory=list)


@dataclass(frozen=True)
class _Row:
    """A row's diagnosis, and its label where it has one."""

    name: str
    diagnosis: Diagnosis
    label: LabelCheck | None


def run(arguments: argparse.Namespace) -> int:
    """Prints a line a row and a table by kind, or JSON lines. Rows that cannot be read are reported and counted."""
    errors, console = error_console(), output_console()
    found = _Found(Tally(arguments.file))
    benchmarks = benchmark_types(arguments.benchmark)
    for item in _judged_rows(arguments, found):
        if isinstance(item, BadRow):
            warn(errors, f"{item.where}: {item.reason}")
            continue
        found.kinds[item.diagnosis.kind] += 1
        found.right += item.diagnosis.correct
        if not arguments.summary:
            _show(item.name, item.diagnosis, console, as_json=arguments.json)
    if found.not_asked and not found.tally.rows:
        raise InputError("no record in it has an output", where=arguments.file)
    found.tally.check(arguments.max_bad)
    if not arguments.json:
        console.print(_table(found.kinds, found.right))
        print_analyses(found.judged, benchmarks, console, catalogued=arguments.catalogue)
    elif arguments.summary:
        sys.stdout.write(json.dumps(analyses_as_json(found.judged, benchmarks)) + "\n")
    _remark(found, errors)
    return 0


def _judged_rows(arguments: argparse.Namespace, found: _Found) -> Iterator[_Row | BadRow]:
    columns = column_mapping(arguments.column)
    column = columns.pop("output", "output")
    source = _records(arguments.file)
    rows = list(data_rows(source, [f"{name}={other}" for name, other in columns.items()]))
    with progress_bar() as progress:
        for row in progress.track(rows, description="running the programs"):
            if isinstance(row, Row) and row.fields.get("verdict") == "not asked":
                found.not_asked += 1
                continue
            item = _judged(row, column, arguments.budget, found, arguments.grade)
            found.tally.add(item if isinstance(item, BadRow) else None)
            yield item


def _records(name: str) -> str:
    """The records of a run where it is the folder of one."""
    if not Path(name).is_dir():
        return name
    records = Path(name) / "samples.jsonl"
    if not records.is_file():
        raise InputError("no samples.jsonl there: not the folder of a run", where=name)
    return str(records)


def _judged(row: Row | BadRow, column: str, budget: int | None, found: _Found, grade: Grade) -> _Row | BadRow:
    case = diagnosable_case(row, column)
    if isinstance(case, BadRow):
        return case
    assert isinstance(row, Row)
    found.duplicates.add(row.number, row.where, case.source, case.call)
    result = diagnose_case(row, case, column, budget)
    if isinstance(result, BadRow):
        return result
    trace, diagnosis = result
    try:
        label = _label(row, case, trace, diagnosis, found)
        if row.fields.get("attempt", ORIGINAL) == ORIGINAL:
            stopped = row.fields.get("stopped")
            why = stopped if isinstance(stopped, str) else ""
            found.judged.append(judged(case, trace, diagnosis, why, by_answer_block=grade == "answer"))
    except InputError:
        raise  # no program can be run at all
    except Exception as error:  # noqa: BLE001 - one row must not end the command
        return BadRow(row.number, row.where, f"the diagnosis broke: {type(error).__name__}: {error}")
    return _Row(_name(row, case), diagnosis, label)


def _name(row: Row, case: Case) -> str:
    attempt = row.fields.get("attempt", ORIGINAL)
    return case.id if attempt == ORIGINAL else f"{case.id} ({attempt})"


def _label(row: Row, case: Case, trace: Trace, diagnosis: Diagnosis, found: _Found) -> LabelCheck | None:
    if case.expected is None or not case.expected.strip():
        return None
    outcome = trace.outcome
    if case.grading == "state" and outcome.status == "ok":
        outcome = replace(outcome, value=diagnosis.truth)
    verdict, gives = check_label(case.source, case.call, case.expected, outcome)
    check = LabelCheck(row.number, row.where, case.call, case.expected, gives, verdict)
    found.labels += 1
    if verdict in CONTRADICTED:
        found.wrong_labels.append(check)
    return check


def _remark(found: _Found, errors: Console) -> None:
    """On standard error: what the table alone would leave unsaid."""
    if found.tally.bad:
        warn(errors, f"{counted(found.tally.bad, 'row')} could not be judged")
    if found.not_asked:
        errors.print(f"{found.not_asked} records have no output: these were never asked")
    if found.kinds and found.kinds["format"] == found.kinds.total():
        warn(errors, "no output begins with a frame of a trace: is it the model's? (--column output=COLUMN)")
    if found.labels:
        for check in found.wrong_labels[:LABELS_SHOWN]:
            warn(errors, str(check))
        errors.print(f"labels: execution contradicts {len(found.wrong_labels)} of {found.labels}")
    if found.duplicates.programs:
        errors.print(f"duplicates: {found.duplicates}")


def _show(name: str, found: Diagnosis, console: Console, *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"id": name, **asdict(found)}) + "\n")
        return
    verdict = "right" if found.correct else "wrong" if found.answer is not None else "no answer"
    tokens = f"more than {MAX_COUNTED_TOKENS}" if found.true_tokens is None else str(found.true_tokens)
    fits = "" if found.fits else f", and the true trace needs {tokens} tokens"
    console.print(f"{name}: {verdict}; {found.kind} at frame {found.frame}{fits}")
    if found.kind not in {"none", "cut off while right"}:
        console.print(f"    true      {on_one_line(found.true)}", soft_wrap=True)
        console.print(f"    predicted {on_one_line(found.predicted)}", soft_wrap=True)


def _table(kinds: Counter[str], right: int) -> Table:
    table = Table("first divergence", "outputs")
    for kind in DIVERGENCE_KINDS:
        table.add_row(kind, str(kinds[kind]))
    table.add_section()
    table.add_row("all", str(kinds.total()))
    table.add_row("right by the final RETURN frame", str(right))
    return table
