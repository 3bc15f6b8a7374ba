"""`spellout diagnose`: compares recorded outputs with the reference traces, and reports the first divergence of each.

Reads rows with a program, a call and an output, the folder of a run, or a file of another evaluation harness. It
executes the programs and needs no model. An output that is no trace is graded by the value that it predicts.
The field `output` is the model's output. The label is `expected`; if `--column output=…` names another column for the
output, the column `output` is the label, as in CruxEval.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from rich.console import Console
from rich.table import Table

from analyze import Diagnosis
from analyze.auditing.duplicates import DuplicateIndex, format_count
from analyze.auditing.label_errors import CONTRADICTED, LabelCheck, check_label
from analyze.diagnosis.divergence import DIVERGENCE_KINDS, NO_TRACE
from analyze.diagnosis.failing_operation import OperationDiagnosis, find_failing_operation
from analyze.diagnosis.recorded_outputs import BUDGET, diagnosable_case, diagnose_case
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.risk.failure_statistics import FailureCase, Status, failure_case
from corpora import BadRow, Case, Row
from corpora.deadline import OutOfTimeError, time_limit
from corpora.errors import InputError
from corpora.failures import contain_row
from corpora.outputs.format import PREDICTS
from runner.inputs.datasets import DATA_HELP, RowTally, add_data_options
from runner.interchange.recorded_rows import read_output_rows
from runner.interchange.recorded_samples import OutputGrade, grade_steps, grade_untraced
from runner.records.samples import ORIGINAL, Verdict
from runner.reports.failure_analyses import analyses_as_json, benchmark_types, operation_lines, print_analyses
from runner.statistics.grading_differences import GRADES
from runner.terminal.console import note, output_console, print_lines, progress_bar, warn
from runner.terminal.options import add_flag, add_number, add_repeatable, add_seconds_option
from runner.terminal.tables import on_one_line

SUMMARY = "score recorded outputs without a model: the first divergence of each from the reference trace"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout diagnose outputs.jsonl
  spellout diagnose runs/demo
  spellout diagnose generations.json --benchmark cruxeval.jsonl
  spellout diagnose outputs.jsonl --budget 8192 --json | head -1
  spellout diagnose failures.jsonl --summary --benchmark cruxeval=cruxeval.jsonl --benchmark humaneval=humaneval
  spellout diagnose runs/demo --catalogue                lists the failures by type and cause
  spellout diagnose cruxeval.jsonl --column output=completion
Rows have the fields `code`, `call` (or `input`) and `output`, optionally `id` and `expected`. Outputs may lack the
special tokens.

exit status:
  0  success
  2  wrong usage, no readable row, or a row that fails (--max-bad tolerates some)
"""
_STATUS: dict[Verdict, Status] = {"correct": "right", "incorrect": "wrong"}
LABELS_SHOWN = 20
SECONDS = 60.0


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout diagnose`."""
    parser.add_argument(
        "file", metavar="DATASET|RUN", help=f"the folder of a run, a file of another evaluation harness, or {DATA_HELP}"
    )
    add_data_options(parser)
    add_number(parser, "--budget", f"token limit of the outputs (default: the limit of the run, else {BUDGET})")
    add_seconds_option(parser, SECONDS, "time limit of each row; a row beyond it is not diagnosed, and counts as bad")
    add_flag(parser, "--json", "print one JSON object per row instead of tables")
    add_flag(parser, "--summary", "print only the tables; with --json, one object with all analyses")
    parser.add_argument(
        "--grade",
        choices=GRADES,
        default=GRADES[0],
        help="what the analyses count as wrong: the last RETURN frame against execution, or the [ANSWER] block against "
        "the label, as in the paper (default: %(default)s)",
    )
    add_flag(parser, "--catalogue", "also list the wrong answers by output type and cause")
    add_repeatable(
        parser,
        "--benchmark",
        "[NAME=]DATASET",
        "the complete benchmark: compares its output types with those of the failures, and has the programs of "
        "outputs that were recorded without them; repeatable",
    )


@dataclass
class _DiagnosisTotals:
    """Totals over all rows: first divergences, correct answers, contradicted labels and duplicates.

    `values` counts the verdicts of outputs that are no traces.
    """

    tally: RowTally
    is_of_harness: bool = False
    kinds: Counter[str] = field(default_factory=Counter)
    values: Counter[str] = field(default_factory=Counter)
    right: int = 0
    not_asked: int = 0
    labels: int = 0
    wrong_labels: list[LabelCheck] = field(default_factory=list)
    duplicates: DuplicateIndex = field(default_factory=DuplicateIndex)
    judged: list[FailureCase] = field(default_factory=list)


@dataclass(frozen=True)
class _DiagnosedRow:
    """The diagnosis of a row, and the operations that failed; None where there are none.

    `value` is the grade of an output that is no trace.
    """

    name: str
    diagnosis: Diagnosis
    operations: OperationDiagnosis | None
    value: OutputGrade | None


def run(arguments: argparse.Namespace) -> int:
    """Prints one line per row and tables, or JSON lines. Unreadable rows are reported and counted."""
    console = output_console()
    found = _DiagnosisTotals(RowTally(arguments.file))
    benchmarks = benchmark_types(arguments.benchmark)
    for item in _judged_rows(arguments, found):
        if isinstance(item, BadRow):
            warn(f"{item.where}: {item.reason}")
            continue
        found.kinds[item.diagnosis.kind] += 1
        found.right += item.diagnosis.correct and item.value is None
        found.values.update([item.value.verdict] if item.value else [])
        if not arguments.summary:
            _show(item, console, as_json=arguments.json)
    if found.not_asked and not found.tally.rows:
        raise InputError("no record has an output", where=arguments.file)
    found.tally.check_readable(arguments.max_bad)
    if not arguments.json:
        console.print(_table(found))
        _print_failures(found, benchmarks, console, catalogued=arguments.catalogue)
    elif arguments.summary:
        sys.stdout.write(json.dumps(analyses_as_json(found.judged, benchmarks)) + "\n")
    _remark(found)
    found.tally.check_failed(arguments.max_bad)
    return 0


def _print_failures(
    found: _DiagnosisTotals, benchmarks: Mapping[str, Sequence[str]], console: Console, *, catalogued: bool
) -> None:
    """Prints the analyses of failures, unless most outputs are unread: the others are no sample of all."""
    unread = found.values["not asked"]
    if 2 * unread > found.kinds.total():
        warn(f"no rates: no answer could be read from {unread} of {format_count(found.kinds.total(), 'output')}")
    else:
        print_analyses(found.judged, benchmarks, console, catalogued=catalogued)


def _judged_rows(arguments: argparse.Namespace, found: _DiagnosisTotals) -> Iterator[_DiagnosedRow | BadRow]:
    names = [text.rpartition("=")[2] for text in arguments.benchmark]
    outputs = read_output_rows(arguments.file, arguments.column, names)
    found.is_of_harness = outputs.is_of_harness
    with progress_bar() as progress:
        for row in progress.track(outputs.rows, description="executing programs"):
            if isinstance(row, Row) and row.fields.get("verdict") == "not asked":
                found.not_asked += 1
                continue
            with time_limit(arguments.seconds):
                item = _judged(row, outputs.column, arguments, found)
            found.tally.add(item if isinstance(item, BadRow) else None)
            yield item


def _judged(
    row: Row | BadRow, column: str, arguments: argparse.Namespace, found: _DiagnosisTotals
) -> _DiagnosedRow | BadRow:
    case = diagnosable_case(row, column)
    if isinstance(case, BadRow):
        return case
    assert isinstance(row, Row)
    found.duplicates.add(row.number, row.where, case.source, case.call)
    return contain_row(lambda: _diagnosed(row, case, column, arguments, found), row)


def _diagnosed(
    row: Row, case: Case, column: str, arguments: argparse.Namespace, found: _DiagnosisTotals
) -> _DiagnosedRow | BadRow:
    result = diagnose_case(row, case, column, arguments.budget)
    if isinstance(result, BadRow):
        return result
    trace, diagnosis = result
    operations, output = None, row.fields[column]
    predicts = row.fields.get(PREDICTS)
    if predicts is not None:
        value: OutputGrade | None = grade_steps(diagnosis, str(predicts))
    elif value := grade_untraced(row, output, diagnosis, trace):
        diagnosis = replace(diagnosis, kind=NO_TRACE)  # a JSON object looks like a state that was cut off
    try:
        if not arguments.summary and diagnosis.kind in ("state", "return value"):
            operations = find_failing_operation(trace, diagnosis)
        _check_label(row, case, trace, diagnosis, found)
        attempt = row.fields.get("attempt", ORIGINAL)
        if attempt == ORIGINAL:
            stopped = row.fields.get("stopped")
            why = stopped if isinstance(stopped, str) else ""
            judged = failure_case(case, trace, diagnosis, why, by_answer_block=arguments.grade == "answer")
            if value and arguments.grade != "answer":
                judged = replace(judged, status=_STATUS.get(value.verdict, "wrong"), predicted=value.predicted)
            if predicts is None and (value is None or value.read_by):  # an unread answer is in no rate
                found.judged.append(judged)
    except OutOfTimeError as error:
        return BadRow(row.number, row.where, f"not diagnosed: {error.message}")
    name = case.id if attempt == ORIGINAL else f"{case.id} ({attempt})"
    return _DiagnosedRow(name, diagnosis, operations, value)


def _check_label(row: Row, case: Case, trace: Trace, diagnosis: Diagnosis, found: _DiagnosisTotals) -> None:
    if case.expected is None or not case.expected.strip():
        return
    outcome = trace.outcome
    if case.grading == "state" and outcome.status == "ok":
        outcome = replace(outcome, value=diagnosis.truth)
    verdict, gives = check_label(case.source, case.call, case.expected, outcome)
    found.labels += 1
    if verdict in CONTRADICTED:
        found.wrong_labels.append(LabelCheck(row.number, row.where, case.call, case.expected, gives, verdict))


def _remark(found: _DiagnosisTotals) -> None:
    """Reports on standard error what the tables do not show."""
    if found.tally.bad:
        warn(f"{format_count(found.tally.bad, 'row')} could not be judged")
    if found.not_asked:
        note(f"{found.not_asked} records have no output, because they were not asked")
    if found.values:
        unread, every = found.values["not asked"], found.values.total()
        verb = "has no readable answer and is" if unread == 1 else "have no readable answer and are"
        said = f"; {unread} of them {verb} in no rate" if unread else ""
        note(f"{format_count(every, 'output')} without a trace: graded by value{said}")
    if found.kinds and found.kinds[NO_TRACE] == found.kinds.total() and not found.is_of_harness:
        warn(
            "no output starts with a trace frame; name the column of the model's outputs with --column output=COLUMN",
        )
    if found.labels:
        warn(*found.wrong_labels[:LABELS_SHOWN])
        note(f"labels: execution contradicts {len(found.wrong_labels)} of {found.labels}")
    if found.duplicates.programs:
        note(f"duplicates: {found.duplicates}")


def _show(row: _DiagnosedRow, console: Console, *, as_json: bool) -> None:
    found = row.diagnosis
    if as_json:
        operations = None if row.operations is None else asdict(row.operations)
        value = {key: getattr(row.value, key) for key in ("verdict", "predicted", "read_by")} if row.value else None
        record = {"id": row.name, **asdict(found), "failing_operations": operations, "value": value}
        sys.stdout.write(json.dumps(record) + "\n")
        return
    if row.value is not None:
        read_by = f"read from {row.value.read_by}" if row.value.read_by else row.value.reason
        print_lines(console, f"{row.name}: {row.value.verdict if row.value.read_by else 'unread'}; no trace, {read_by}")
        if row.value.divergence and found.kind != "none":
            console.print(f"    first divergence: {found.where}")
            _print_both(console, found.true, found.predicted)
        elif row.value.verdict == "incorrect":
            _print_both(console, found.truth or "", row.value.predicted or "")
        return
    verdict = "correct" if found.correct else "incorrect" if found.answer is not None else "no answer"
    tokens = f"more than {MAX_COUNTED_TOKENS}" if found.true_tokens is None else str(found.true_tokens)
    fits = "" if found.fits else f"; the reference trace needs {tokens} tokens"
    right = f" in {found.frame} frames" if found.kind == "none" else ""
    console.print(f"{row.name}: {verdict}; {found.where}{right}{fits}")
    if found.kind not in {"none", "cut off while right"}:
        _print_both(console, found.true, found.predicted)
    if row.operations is not None:
        print_lines(console, *(f"    {line}" for line in operation_lines(row.operations)))


def _print_both(console: Console, reference: str, predicted: str) -> None:
    print_lines(console, f"    reference {on_one_line(reference)}", f"    predicted {on_one_line(predicted)}")


def _table(found: _DiagnosisTotals) -> Table:
    has_traces = found.kinds.total() > found.kinds[NO_TRACE] or not found.values
    table = Table("first divergence" if has_traces else "", "outputs")
    if has_traces:
        for kind in DIVERGENCE_KINDS:
            table.add_row(kind, str(found.kinds[kind]))
        table.add_section()
    table.add_row("all", str(found.kinds.total()))
    if has_traces:
        table.add_row("correct by the final RETURN frame", str(found.right))
    if found.values:
        read = found.values.total() - found.values["not asked"]
        table.add_row("correct by value, without a trace", f"{found.values['correct']} of {read} read")
    return table
