"""The cases of a run: those of a benchmark by name or of a data set, each once, and where each stands.

Rows that cannot be read, and rows that repeat an earlier one, are told in words. No program is run here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from corpora import BadRow, Case, case_from_row, read_rows
from corpora.errors import InputError
from runner.benchmarks import benchmark_cases, benchmark_names
from runner.samples import case_key


@dataclass(frozen=True)
class Cases:
    """What a run is about. places: "cases.jsonl:7" by the key of the case; bad, repeated: a line each."""

    cases: tuple[Case, ...]
    places: Mapping[str, str]
    bad: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Equal for the same cases in the same order, wherever they were read from."""
        content = json.dumps([asdict(case) for case in self.cases])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    def sharing(self) -> Iterator[tuple[Case, Case]]:
        """Pairs of cases with one id and different programs, calls or grading."""
        first: dict[str, Case] = {}
        for case in self.cases:
            if case.id in first:
                yield first[case.id], case
            first.setdefault(case.id, case)


def load_cases(name: str, mapping: Mapping[str, str], limit: int | None) -> Cases:
    """The first `limit` cases. Raises InputError for an unknown name and for a data set without any case."""
    if name in benchmark_names():
        return _once((f"{name}:{number}", case) for number, case in enumerate(benchmark_cases(name, limit), 1))
    if "/" not in name and not Path(name).exists():
        raise InputError(f"no such file or benchmark; there are {', '.join(benchmark_names())}", where=name)
    found = _once(_rows(name, mapping, limit))
    if not found.cases:
        raise InputError(f"no case in it ({len(found.bad)} rows could not be read)", where=name)
    return found


def _rows(name: str, mapping: Mapping[str, str], limit: int | None) -> Iterator[tuple[str, Case | BadRow]]:
    for row in islice(read_rows(name, mapping), limit):
        yield row.where, row if isinstance(row, BadRow) else case_from_row(row, benchmark=Path(name).name)


def _once(rows: Iterable[tuple[str, Case | BadRow]]) -> Cases:
    """Rows with one id are told apart by what they ask; a row that asks the same under the same id is asked once."""
    cases: dict[str, Case] = {}
    places: dict[str, str] = {}
    bad: list[str] = []
    repeated: list[str] = []
    for where, case in rows:
        if isinstance(case, BadRow):
            bad.append(f"{where}: {case.reason}")
            continue
        key = case_key(case)
        if key in cases:
            other = "" if case.expected == cases[key].expected else ", but another expected result"
            repeated.append(f"{where}: repeats {places[key]} (id {case.id}, same program and call{other}): asked once")
        else:
            cases[key], places[key] = case, where
    return Cases(tuple(cases.values()), places, tuple(bad), tuple(repeated))
