"""Recorded outputs as rows with their programs, for commands that diagnose each output alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analyze.diagnosis.recorded_outputs import OUTPUT
from corpora import BadRow, Case, Row
from corpora.errors import InputError
from corpora.outputs import plain
from corpora.outputs.format import program_of
from corpora.outputs.inspect_ai import SUFFIX
from corpora.outputs.matching import CaseIndex
from corpora.outputs.reading import RecordedOutputs, read_outputs
from runner.inputs.datasets import data_rows
from runner.inputs.program_files import column_mapping
from runner.inputs.python_files import is_python_file
from runner.records.run_folder import SAMPLES_FILE
from runner.runs.cases import load_cases

_DOCUMENTS = (SUFFIX, ".json")
"""Files that are no data sets of rows: what is wrong with one is said by the reader of logs."""


def read_harness_file(path: Path) -> RecordedOutputs | None:
    """Reads a file that an evaluation harness wrote; returns None for any other data set.

    Raises:
        InputError: The file is a log or a JSON document that cannot be read.
    """
    if not path.is_file():
        return None
    try:
        outputs = read_outputs(path)
    except InputError:
        if path.suffix in _DOCUMENTS:
            raise
        return None
    return None if outputs.format == plain.FORMAT.name else outputs


def rows_with_programs(rows: Iterable[Row | BadRow], cases: Iterable[Case]) -> Iterator[Row | BadRow]:
    """Yields the rows, each with a program and a call; a BadRow with the reason if no case fits one.

    Args:
        rows: Rows with an output. Those that have a program and a call keep them.
        cases: What the other rows may be about.
    """
    index = CaseIndex(cases)
    for row in rows:
        if isinstance(row, BadRow) or program_of(row.fields):
            yield row
            continue
        case = index.case_of(row)
        if isinstance(case, BadRow):
            yield case
            continue
        found = {"source": case.source, "call": case.call, "benchmark": case.benchmark, "expected": case.expected}
        yield Row(row.number, row.where, {"id": case.id, **row.fields, **found})


@dataclass(frozen=True)
class OutputRows:
    """Rows with outputs.

    Attributes:
        rows: the rows.
        column: the column of the outputs.
        is_of_harness: whether another evaluation harness wrote the file.
    """

    rows: tuple[Row | BadRow, ...]
    column: str
    is_of_harness: bool


def refuse_program(name: str) -> None:
    """Raises InputError for a Python file, which is no recording."""
    if is_python_file(name):
        reason = (
            "is a program, not a recording: outputs are the folder of a run, or rows with `code`, `call` and `output`"
        )
        raise InputError(reason, where=name)


def read_output_rows(name: str, mapping: list[str], benchmarks: Sequence[str]) -> OutputRows:
    """Reads the outputs of a run, of a file of another evaluation harness, or of any data set.

    Args:
        name: the folder of a run, or a file.
        mapping: the values of `--column`; with any, the file is read as a data set.
        benchmarks: names of benchmarks with the programs of outputs that are recorded without.

    Raises:
        InputError: the rows cannot be read.
    """
    refuse_program(name)
    columns = column_mapping(mapping)
    column = columns.pop(OUTPUT, OUTPUT)
    source = _records(name)
    recorded = None if mapping else read_harness_file(Path(source))
    rows = recorded.rows if recorded else data_rows(source, columns)
    if recorded or benchmarks:
        cases = [case for benchmark in benchmarks for case in load_cases(benchmark, [], None).cases]
        rows = rows_with_programs(rows, cases)
    return OutputRows(tuple(rows), column, recorded is not None)


def _records(name: str) -> str:
    """The file of the records if `name` is the folder of a run, else `name`."""
    if not Path(name).is_dir():
        return name
    records = Path(name) / SAMPLES_FILE
    if not records.is_file():
        raise InputError("is not the folder of a run (no samples.jsonl)", where=name)
    return str(records)
