"""The cases of a run: those of a benchmark by name or of a data set, each once, and where each stands.

Rows that cannot be read, and rows that repeat an earlier one, are told in words. No program is run here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from analyze.auditing.duplicates import Duplicates
from corpora import BadRow, Case, case_from_row
from corpora.errors import InputError, did_you_mean
from corpora.reading.streams import STANDARD_INPUT
from runner.inputs.benchmarks import benchmark_cases, benchmark_names, flag
from runner.inputs.datasets import Tally, data_rows
from runner.records.samples import case_key

MEMORY = "rows"
"""What rows are called that come from no file."""


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

    def duplicates(self) -> Duplicates:
        """Cases that repeat a program, or a program with its input, under another id; those of the same input first."""
        found = Duplicates()
        for number, (where, case) in enumerate(zip(self.places.values(), self.cases, strict=True), 1):
            found.add(number, where, case.source, case.call)
        found.listed.sort(key=lambda duplicate: not duplicate.same_input)
        return found

    def sharing(self) -> Iterator[tuple[Case, Case]]:
        """Pairs of cases with one id and different programs, calls or grading."""
        first: dict[str, Case] = {}
        for case in self.cases:
            if case.id in first:
                yield first[case.id], case
            first.setdefault(case.id, case)


def load_cases(
    data: str | Iterable[object],
    mapping: list[str],
    limit: int | None,
    max_bad: int | None = None,
    *,
    seed: int = 0,
    drawn: Mapping[str, int] | None = None,
) -> Cases:
    """The cases of the first `limit` rows. mapping: options of `--column`; max_bad: of `--max-bad`; seed: of `--seed`.

    data: a benchmark's name, what stands for DATASET on a command line, or rows in memory;
    drawn: `--num-programs`, `--length` and `--depth`, those that were given. Raises InputError for an unknown name, for
    a data set without any case, for one with too many bad rows, and for an option that means nothing for it.
    """
    if isinstance(data, str) and data in benchmark_names():
        cases = benchmark_cases(data, limit, seed, **(drawn or {}))
        return _once((f"{data}:{number}", case) for number, case in enumerate(cases, 1))
    for option, value in {**({"seed": seed} if seed else {}), **(drawn or {})}.items():
        raise InputError("means nothing for a data set: only benchmarks are drawn", where=f"{flag(option)} {value}")
    if isinstance(data, str):
        _check_name(data)
    tally = Tally(data if isinstance(data, str) else MEMORY)
    found = _once(_rows(data, mapping, limit, tally))
    tally.check(max_bad)
    return found


def _check_name(name: str) -> None:
    if name != STANDARD_INPUT and not {"/", ":"} & set(name) and not Path(name).exists():
        known = benchmark_names()
        raise InputError(
            f"no such file or benchmark{did_you_mean(name, known)}; there are {', '.join(known)}", where=name
        )


def _rows(
    data: str | Iterable[object], mapping: list[str], limit: int | None, tally: Tally
) -> Iterator[tuple[str, Case | BadRow]]:
    benchmark = MEMORY if not isinstance(data, str) else Path(data).name if data != STANDARD_INPUT else "standard input"
    for row in islice(data_rows(data, mapping), limit):
        case = row if isinstance(row, BadRow) else case_from_row(row, benchmark)
        tally.add(case if isinstance(case, BadRow) else None)
        yield row.where, case


def _once(rows: Iterable[tuple[str, Case | BadRow]]) -> Cases:
    """Rows with one id are told apart by what they ask; a row that asks the same under the same id is asked once."""
    cases: dict[str, Case] = {}
    places: dict[str, str] = {}
    bad: list[str] = []
    repeated: list[str] = []
    first: dict[str, str] = {}
    sharing: list[str] = []
    for where, case in rows:
        if isinstance(case, BadRow):
            bad.append(f"{where}: {case.reason}")
            continue
        key = case_key(case)
        if key in cases:
            other = "" if case.expected == cases[key].expected else ", but another expected result"
            repeated.append(f"{where}: repeats {places[key]} (id {case.id}, same program and call{other}): asked once")
            continue
        cases[key], places[key] = case, where
        if case.id in first:
            sharing.append(f"{where} has the id {case.id} of {first[case.id]}")
        first.setdefault(case.id, where)
    return Cases(tuple(cases.values()), places, tuple(bad), (*repeated, *_told(sharing)))


def _told(sharing: Sequence[str]) -> Iterator[str]:
    """One line for all rows that have the id of an earlier one: a data set may number programs and not inputs."""
    if sharing:
        others = f" (and {len(sharing) - 1} more such rows)" if len(sharing) > 1 else ""
        yield f"{sharing[0]} and asks something else{others}: all are asked, and `case` tells their records apart"
