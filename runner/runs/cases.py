"""The cases of a run, from a benchmark or a data set, deduplicated.

Unreadable rows and rows that repeat an earlier one are reported as messages. No program is executed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from analyze.auditing.duplicates import DuplicateIndex
from corpora import BadRow, Case, case_from_row
from corpora.errors import InputError, did_you_mean
from corpora.reading.streams import STANDARD_INPUT
from runner.inputs.benchmarks import benchmark_cases, benchmark_names, option_flag
from runner.inputs.datasets import RowTally, data_rows
from runner.records.samples import case_key

IN_MEMORY = "rows"
"""The name of a data set that is given in memory."""


@dataclass(frozen=True)
class Cases:
    """The cases of a run.

    Attributes:
        cases: the cases, without duplicates, in the order of the data.
        places: where each case was read, such as "cases.jsonl:7", by its key.
        bad: one message per unreadable row.
        repeated: one message per row that repeats an earlier row or its id.
    """

    cases: tuple[Case, ...]
    places: Mapping[str, str]
    bad: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """A SHA-256 digest of the cases and their order, whatever their source."""
        content = json.dumps([asdict(case) for case in self.cases])
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    def duplicates(self) -> DuplicateIndex:
        """Cases that repeat a program under another id; those with the same input first."""
        found = DuplicateIndex()
        for number, (where, case) in enumerate(zip(self.places.values(), self.cases, strict=True), 1):
            found.add(number, where, case.source, case.call)
        found.listed.sort(key=lambda duplicate: not duplicate.same_input)
        return found

    def sharing_ids(self) -> Iterator[tuple[Case, Case]]:
        """Pairs of cases with the same id but different programs, calls or grading."""
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
    generator_options: Mapping[str, int] | None = None,
) -> Cases:
    """Reads the cases of a benchmark or data set.

    Args:
        data: a benchmark, the value of a DATASET argument, or rows in memory.
        mapping: values of `--column`.
        limit: number of rows (default: all).
        max_bad: value of `--max-bad`.
        seed: value of `--seed`.
        generator_options: the given values of `--num-programs` (as "size"), `--length` and `--depth`.

    Raises:
        InputError: the name is unknown, no row has a case, too many rows are unreadable, or an option does not apply.
    """
    if isinstance(data, str) and data in benchmark_names():
        cases = benchmark_cases(data, limit, seed, **(generator_options or {}))
        return _once((f"{data}:{number}", case) for number, case in enumerate(cases, 1))
    for option, value in {**({"seed": seed} if seed else {}), **(generator_options or {})}.items():
        reason = "does not apply to a data set, only to generated benchmarks"
        raise InputError(reason, where=f"{option_flag(option)} {value}")
    if isinstance(data, str):
        _check_name(data)
    tally = RowTally(data if isinstance(data, str) else IN_MEMORY)
    found = _once(_rows(data, mapping, limit, tally))
    tally.check(max_bad)
    return found


def _check_name(name: str) -> None:
    if name != STANDARD_INPUT and not {"/", ":"} & set(name) and not Path(name).exists():
        known = benchmark_names()
        reason = f"no such file or benchmark{did_you_mean(name, known)}; benchmarks are {', '.join(known)}"
        raise InputError(reason, where=name)


def _rows(
    data: str | Iterable[object], mapping: list[str], limit: int | None, tally: RowTally
) -> Iterator[tuple[str, Case | BadRow]]:
    benchmark = (
        IN_MEMORY if not isinstance(data, str) else Path(data).name if data != STANDARD_INPUT else "standard input"
    )
    for row in islice(data_rows(data, mapping), limit):
        case = row if isinstance(row, BadRow) else case_from_row(row, benchmark)
        tally.add(case if isinstance(case, BadRow) else None)
        yield row.where, case


def _once(rows: Iterable[tuple[str, Case | BadRow]]) -> Cases:
    """Deduplicates rows by content: rows with the same id but another program, call or grading are all kept."""
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
            other = "" if case.expected == cases[key].expected else ", different expected result"
            repeated.append(
                f"{where}: duplicate of {places[key]} (id {case.id}, same program and call{other}); asked once"
            )
            continue
        cases[key], places[key] = case, where
        if case.id in first:
            sharing.append(f"{where} has the same id as {first[case.id]} ({case.id})")
        first.setdefault(case.id, where)
    return Cases(tuple(cases.values()), places, tuple(bad), (*repeated, *_shared_id_message(sharing)))


def _shared_id_message(sharing: Sequence[str]) -> Iterator[str]:
    """One message for all rows with the id of an earlier one: some data sets number programs, not inputs."""
    if sharing:
        others = f" ({len(sharing) - 1} more rows share ids)" if len(sharing) > 1 else ""
        yield f"{sharing[0]} but different content{others}; all are asked, and `case_key` identifies their records"
