"""`spellout debug`: steps through the trace that a model wrote, aligned with the reference trace, like `pdb`.

The output comes from a model that is asked, from a file, or from recorded outputs. Commands come from the terminal, or
from a pipe (`runner.reports.debugger`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analyze.auditing.duplicates import format_count
from analyze.diagnosis.divergence import NO_TRACE
from analyze.diagnosis.recorded_outputs import BUDGET, OUTPUT, diagnosable_case, diagnose_case
from corpora import BadRow, Case, Row
from corpora.calls import check_call
from corpora.errors import InputError, did_you_mean
from corpora.outputs.format import PREDICTS
from runner.backends import load_model
from runner.inputs.datasets import add_column_option
from runner.inputs.program_files import read_output, read_program
from runner.interchange.graded import BENCHMARK_HELP
from runner.interchange.recorded_rows import read_output_rows
from runner.interchange.recorded_samples import grade_untraced
from runner.records.samples import ORIGINAL
from runner.reports.debugger.believed_trace import BelievedTrace, believed_trace
from runner.reports.debugger.shell import DebuggerShell
from runner.runs.model_evaluation import evaluate
from runner.terminal.console import error_console, output_console
from runner.terminal.options import add_number, add_repeatable
from runner.terminal.waiting import show_waiting

SUMMARY = "step through what a model believes a program does, aligned with the reference trace"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout debug program.py --call "f([1, 1, 3])" --model pocket
  spellout debug program.py --call "f([1, 1, 3])" --answer output.txt
  spellout debug outputs.jsonl --id sample_150
  spellout debug runs/demo --id sample_4 --attempt decompose
  printf 'until divergence\\nwhy\\n' | spellout debug outputs.jsonl --id sample_150
`help` in the debugger lists its commands: step, next, out, back, until, print and others.

exit status:
  0  success, whether or not the output is correct
  2  wrong usage or unreadable input; from a pipe also a command that cannot be executed
"""
IDS_SHOWN = 3
_NEEDS = {"attempt": "id", "column": "id", "benchmark": "id", "max_tokens": "model"}
"""Options that have an effect only with another one."""
_DATA_SETS = (".jsonl", ".json", ".gz", ".zst", ".csv", ".tsv", ".parquet", ".eval")


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout debug`."""
    parser.add_argument(
        "file",
        metavar="FILE|OUTPUTS|RUN",
        help="a Python file; or with --id, recorded outputs with their programs, or the folder of a run",
    )
    parser.add_argument("--call", metavar="CALL", help='the call of the program, such as "f(1, 2)"')
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--model", metavar="MODEL", help="the model to ask, as in `spellout run`, such as pocket")
    source.add_argument("--answer", type=Path, metavar="FILE", help="read what the model wrote from FILE (text)")
    source.add_argument(
        "--id", metavar="ID", help="the recorded output to step through; ID#N for number N of several sampled answers"
    )
    parser.add_argument(
        "--attempt",
        metavar="RECIPE",
        help="with --id, the attempt of the run: original, or a recipe (default: original)",
    )
    add_number(parser, "--max-tokens", f"with --model, limit of new tokens (default: {BUDGET})")
    add_column_option(parser, "with --id, read FIELD from COLUMN of the data set; repeatable")
    add_repeatable(parser, "--benchmark", "NAME|DATASET", f"with --id, {BENCHMARK_HELP}; repeatable")


def run(arguments: argparse.Namespace) -> int:
    """Reads the output, and executes commands until the input ends."""
    if arguments.file == "-":
        raise InputError("standard input has the commands; write the program to a file", where="-")
    _check_options(arguments)
    shown = _recorded(arguments) if arguments.id is not None else _of_program(arguments)
    DebuggerShell(shown, output_console(), error_console(), sys.stdin).cmdloop()
    return 0


def _check_options(arguments: argparse.Namespace) -> None:
    """Refuses options that would have no effect."""
    for option, needed in _NEEDS.items():
        if vars(arguments)[option] not in (None, []) and vars(arguments)[needed] is None:
            raise InputError(f"needs --{needed}", where=f"--{option.replace('_', '-')}")
    if arguments.call is not None and arguments.id is not None:
        raise InputError("does not apply to --id, whose outputs have their own calls", where="--call")


def _of_program(arguments: argparse.Namespace) -> BelievedTrace:
    if arguments.call is None:
        raise InputError("name the call of a program with --call, or a recorded output with --id", where=arguments.file)
    if arguments.model is None and arguments.answer is None:
        raise InputError("name a model with --model, or a file with its answer with --answer", where=arguments.file)
    source = read_program(arguments.file)
    check_call(source, arguments.call, where=f"--call {arguments.call}")
    case = Case(arguments.file, source, arguments.call)
    output = _read(arguments.answer) if arguments.answer else _asked(case, arguments)
    return _diagnosed(Row(1, arguments.file, {OUTPUT: output}), case, OUTPUT)


def _asked(case: Case, arguments: argparse.Namespace) -> str:
    with show_waiting(f"loading {arguments.model}"):
        backend = load_model(arguments.model)
    [sample] = evaluate(backend, [case], recipes=(), max_tokens=arguments.max_tokens or BUDGET)
    if not sample.asked:
        raise InputError(f"was not asked: {sample.reason}", where=arguments.file)
    return sample.output


def _read(path: Path) -> str:
    if path.suffix in _DATA_SETS:
        raise InputError(f"is a data set; `spellout debug {path} --id ID` reads one of its outputs", where=str(path))
    return read_output(path)


def _recorded(arguments: argparse.Namespace) -> BelievedTrace:
    outputs = read_output_rows(arguments.file, arguments.column, arguments.benchmark)
    rows = [row for row in outputs.rows if isinstance(row, Row)]
    bad = [row for row in outputs.rows if isinstance(row, BadRow)]
    if bad and not rows:
        raise InputError(bad[0].reason, where=bad[0].where)
    attempt = arguments.attempt or ORIGINAL
    found = [row for row in rows if arguments.id in _names(row) and row.fields.get("attempt", ORIGINAL) == attempt]
    if not found:
        raise InputError(_unknown(rows, arguments.id, attempt) + _unread(bad), where=arguments.file)
    if len(found) > 1:
        raise InputError(_several(found, arguments.id), where=arguments.file)
    [row] = found
    case = diagnosable_case(row, outputs.column)
    if isinstance(case, BadRow):
        raise InputError(case.reason, where=case.where)
    return _diagnosed(row, case, outputs.column)


def _names(row: Row) -> tuple[str, str]:
    """Its id ("" without one), without and with the number of a sampled answer."""
    found, number = row.fields.get("id"), row.fields.get("answer_index")
    name = "" if found is None else str(found)
    return name, name if number is None else f"{name}#{number}"


def _unknown(rows: Sequence[Row], name: str, attempt: str) -> str:
    """Says which ids there are, or which attempts at the sample with this id."""
    attempts = dict.fromkeys(str(row.fields.get("attempt", ORIGINAL)) for row in rows if name in _names(row))
    if attempts:
        return f"{name} has no attempt {attempt!r}; it has: {', '.join(attempts)}"
    ids = [*filter(None, (_names(row)[0] for row in rows))]
    if not ids:
        return "no row has the field `id`"
    return f"no output has the id {name!r}{did_you_mean(name, ids)}; the ids are: {_some(ids)}"


def _several(rows: Sequence[Row], name: str) -> str:
    """Says how to choose one of several outputs with the same id."""
    names = [_names(row)[1] for row in rows]
    if len(set(names)) == len(names):
        return f"{len(rows)} outputs have the id {name!r}; choose one: {_some(names)}"
    return f"{len(rows)} outputs have the id {name!r}: number them (answer_index)"


def _some(names: Sequence[str]) -> str:
    known = list(dict.fromkeys(names))
    return f"{', '.join(known[:IDS_SHOWN])}{' …' if len(known) > IDS_SHOWN else ''}"


def _unread(bad: Sequence[BadRow]) -> str:
    if not bad:
        return ""
    return f"; {format_count(len(bad), 'row')} cannot be read, the first: {bad[0].where}: {bad[0].reason}"


def _diagnosed(row: Row, case: Case, column: str) -> BelievedTrace:
    if row.fields.get(PREDICTS) is not None:
        raise InputError("predicts no trace; `spellout diagnose` shows where it diverges", where=row.where)
    found = diagnose_case(row, case, column)
    if isinstance(found, BadRow):
        raise InputError(found.reason, where=found.where)
    trace, diagnosis = found
    output = row.fields[column]
    assert isinstance(output, str | list), "diagnosable_case checked it"
    value = grade_untraced(row, output, diagnosis, trace)
    if value is None:
        return believed_trace(trace, output, diagnosis)
    diagnosis = replace(diagnosis, kind=NO_TRACE, answer=value.predicted, correct=value.verdict == "correct")
    return believed_trace(trace, output, diagnosis, value.read_by)
