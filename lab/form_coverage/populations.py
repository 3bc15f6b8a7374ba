"""Programs whose operations are counted. None was selected by what a model answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from corpora.benchmarks import humaneval


@dataclass(frozen=True)
class CalledProgram:
    """A program with one call.

    Attributes:
        id: Its name in the population.
        source: The program.
        call: Its first call.
    """

    id: str
    source: str
    call: str


def _cruxeval(data: Path) -> Iterator[CalledProgram]:
    for row in _rows(data / "cruxeval_even.jsonl"):
        yield CalledProgram(row["id"], row["code"], f"f({row['input']})")


def _mbpp(data: Path) -> Iterator[CalledProgram]:
    for row in _rows(data / "mbpp_even.jsonl"):
        source = "\n".join(filter(None, (row["setup"], row["code"]))).replace("\r\n", "\n") + "\n"
        yield CalledProgram(row["id"], source, row["tests"][0]["call"])


def _humaneval(data: Path) -> Iterator[CalledProgram]:
    for case in humaneval.cases(per_problem=1):
        yield CalledProgram(case.id, case.source, case.call)


MBPP = "mbpp"
POPULATIONS: Mapping[str, Callable[[Path], Iterator[CalledProgram]]] = MappingProxyType(
    {"cruxeval": _cruxeval, "humaneval": _humaneval, MBPP: _mbpp}
)
"""CruxEval's and MBPP's even halves, and HumanEval, by name; each reads the folder of the data."""


def _rows(path: Path) -> Iterator[dict]:  # type: ignore[type-arg]
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
