"""Programs with calls that are measured: benchmarks, which no model's answers selected, and CWM's failures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType

from analyze.diagnosis.divergence import Diagnosis
from analyze.diagnosis.recorded_outputs import diagnosable_case, diagnose_case
from analyze.gold_trace.trace import Trace
from corpora.benchmarks import humaneval
from corpora.dataset import read_rows
from corpora.program import Case
from corpora.rows import Row

CRUXEVAL_FILE, MBPP_FILE, FAILURES_FILE = "cruxeval_even.jsonl", "mbpp_even.jsonl", "cwm_failures_even.jsonl"
"""The published files (docs/published_data.md)."""


@dataclass(frozen=True)
class CalledProgram:
    """A program with its calls.

    Attributes:
        id: Its name in the population.
        source: The program.
        call: Its first call.
        others: Its other calls (default: none).
        benchmark: Where it comes from; "" if it was made for a purpose.
        output: The model's output for the first call; "" if it is not known.
    """

    id: str
    source: str
    call: str
    others: tuple[str, ...] = ()
    benchmark: str = ""
    output: str = ""

    @property
    def calls(self) -> tuple[str, ...]:
        """All calls."""
        return (self.call, *self.others)


def cruxeval_programs(data: Path) -> Iterator[CalledProgram]:
    """CruxEval's even half, from the folder of the data."""
    for row in _rows(data / CRUXEVAL_FILE):
        yield CalledProgram(row["id"], row["code"], f"f({row['input']})", benchmark="cruxeval")


def mbpp_programs(data: Path) -> Iterator[CalledProgram]:
    """MBPP's even tasks, from the folder of the data."""
    for row in _rows(data / MBPP_FILE):
        source = "\n".join(filter(None, (row["setup"], row["code"]))).replace("\r\n", "\n") + "\n"
        first, *others = (test["call"] for test in row["tests"])
        yield CalledProgram(row["id"], source, first, tuple(others), MBPP)


def humaneval_programs() -> Iterator[CalledProgram]:
    """HumanEval's problems, each with its first literal assertions."""
    for _, group in groupby(humaneval.cases(), lambda case: case.id.rpartition("_")[0]):
        first, *others = group
        yield CalledProgram(first.id, first.source, first.call, tuple(one.call for one in others), "humaneval")


MBPP = "mbpp"
POPULATIONS: Mapping[str, Callable[[Path], Iterator[CalledProgram]]] = MappingProxyType(
    {"cruxeval": cruxeval_programs, "humaneval": lambda data: humaneval_programs(), MBPP: mbpp_programs}
)
"""CruxEval's and MBPP's even halves, and HumanEval, by name; each reads the folder of the data."""


def failed_programs(data: Path, *, truncated: bool = True) -> Iterator[CalledProgram]:
    """The published failures of CWM with their outputs.

    Args:
        data: The folder of the data.
        truncated: Whether those are included whose output was cut off, besides the wrong answers.
    """
    for row in _rows(data / FAILURES_FILE):
        if truncated or row["status"] == "wrong":
            yield CalledProgram(row["id"], row["code"], row["call"], (), row["benchmark"], row["output"])


@dataclass(frozen=True)
class DiagnosedFailure:
    """A published failure of CWM by Spellout's grading, under which it may be right.

    Attributes:
        case: The program, its call and the label.
        output: What the model wrote.
        trace: The reference trace.
        diagnosis: Of the output.
    """

    case: Case
    output: str
    trace: Trace
    diagnosis: Diagnosis


def diagnosed_failures(data: Path) -> Iterator[DiagnosedFailure]:
    """The published failures with an output that can be diagnosed."""
    for row in read_rows(data / FAILURES_FILE):
        case = diagnosable_case(row)
        found = diagnose_case(row, case) if isinstance(case, Case) else case
        if isinstance(row, Row) and isinstance(case, Case) and isinstance(found, tuple):
            yield DiagnosedFailure(case, str(row.fields["output"]), *found)


def _rows(path: Path) -> Iterator[dict]:  # type: ignore[type-arg]
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
