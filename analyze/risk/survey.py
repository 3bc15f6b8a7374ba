"""Assessments at scale: a data set over all cores, resumed where it was cut off (`analyze.auditing.resume`).

A folder holds `assessment.json` (what was asked), `assessments/part-00000.jsonl` (a record for each row, also
for one that could not be assessed), a marker for each part, and at the end `bad.jsonl` and `summary.json`.
What it does not do: assess (`analyze.risk.assessment`) or show anything.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from heapq import nlargest
from pathlib import Path
from typing import Any

from analyze.auditing.resume import Done, Kept, Shard, Spread, shards, write_whole
from analyze.risk.model import FILE
from analyze.risk.program_map import load_program_map
from analyze.risk.records import BUDGETS, Record, record_of
from analyze.risk.rows import assess_case
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row, case_from_row
from corpora.deadline import time_limit
from corpora.errors import InputError
from corpora.execute import allow_weak_isolation

ROWS_PER_SHARD = 10
BAD_HELD = 1000
SECONDS_A_ROW = 60.0
BANDS = (0.5, 0.2, 0.1, 0.05, 0.0)
"""Risks are counted by the highest of these that they reach."""


@dataclass(frozen=True)
class Request:
    """What is asked of a data set, in names that travel between processes.

    source: a path or id; mapping: field to column; budgets: in tokens; steps: how many of a row's riskiest are kept;
    seconds: limit of a row, all of its runs together; risk_map: file of another model's map, "" for that of CWM.
    """

    source: str
    mapping: tuple[tuple[str, str], ...] = ()
    tokenizer: str = "llama-3"
    budgets: tuple[int, ...] = BUDGETS
    steps: int = 5
    seconds: float = SECONDS_A_ROW
    rows_per_shard: int = ROWS_PER_SHARD
    weak_isolation: bool = False
    risk_map: str = ""


@dataclass
class Survey:
    """Counts over rows; those of shards add up.

    unknown: rows whose risk is unknown; expected: the sum of the known risks, the failures to be expected; worst: the
    highest known risk; bands: rows of known risk by the highest of BANDS that it reaches; fits: budget to [rows that
    fit, rows of which it is known]; reasons: what stands first for a row's riskiest step; unread: rows that are no
    program with its call or failed.
    """

    rows: int = 0
    unread: int = 0
    unknown: int = 0
    expected: float = 0.0
    worst: float = 0.0
    bands: Counter[str] = field(default_factory=Counter)
    fits: dict[str, list[int]] = field(default_factory=dict)
    reasons: Counter[str] = field(default_factory=Counter)
    bad: list[BadRow] = field(default_factory=list)

    @property
    def assessed(self) -> int:
        """Rows that were assessed, those of unknown risk among them."""
        return self.rows - self.unread

    @property
    def known(self) -> int:
        """Rows whose risk is known."""
        return self.assessed - self.unknown

    def reaches(self, risk: float) -> bool:
        """Whether some row's risk is at least this, or unknown."""
        return self.unknown > 0 or self.worst >= risk

    def count(self, record: Record) -> None:
        """Counts a row that was assessed."""
        risk = record["risk"]
        if risk is None:
            self.unknown += 1
        else:
            self.expected += risk
            self.worst = max(self.worst, risk)
            self.bands[f"{next(band for band in BANDS if risk >= band):.2f}"] += 1
        for budget, fit in record["fits"].items():
            known = self.fits.setdefault(budget, [0, 0])
            known[0] += fit is True
            known[1] += fit is not None
        for step in record["steps"][:1]:
            self.reasons.update(reason.partition(" (")[0] for reason in step["why"][:1])

    def add(self, other: Survey) -> None:
        """Adds the counts of other rows."""
        self.rows += other.rows
        self.unread += other.unread
        self.unknown += other.unknown
        self.expected += other.expected
        self.worst = max(self.worst, other.worst)
        self.bands.update(other.bands)
        self.reasons.update(other.reasons)
        self.bad = sorted([*self.bad, *other.bad], key=lambda bad: bad.number)[:BAD_HELD]
        for budget, (fit, known) in other.fits.items():
            mine = self.fits.setdefault(budget, [0, 0])
            mine[0] += fit
            mine[1] += known

    def to_json(self) -> dict[str, Any]:
        """A JSON object; `from_json` reads it."""
        return {**vars(self), "bad": [asdict(row) for row in self.bad]}

    @staticmethod
    def from_json(value: dict[str, Any]) -> Survey:
        """What `to_json` wrote."""
        counters = {name: Counter(value[name]) for name in ("bands", "reasons")}
        return Survey(**{**value, **counters, "bad": [BadRow(**row) for row in value["bad"]]})


def assess_to(
    folder: Path,
    request: Request,
    rows: Iterable[Row | BadRow],
    *,
    spread: Spread | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Survey:
    """Assess rows into a folder, or go on with what is there; the counts of all of them.

    spread: what runs the shards (`analyze.auditing.executors`), this process where it is None; `on_progress` gets the
    number of rows of each shard as it is done. Raises InputError where the folder holds something else or cannot be
    written.
    """
    survey, kept = Survey(), _kept(folder)

    def take(done: Done[Survey]) -> None:
        survey.add(done.summary)
        on_progress(done.summary.rows)

    try:
        claim(folder, request)
        kept.over(shards(rows, request.rows_per_shard), partial(assess_shard, folder, request), spread, take)
        kept.list_all("bad")
        write_whole(folder / "summary.json", json.dumps(survey.to_json()))
    except OSError as error:  # a full disk, a folder that became read-only, here or in another process
        raise InputError(
            f"cannot be written: {error.strerror or error}", where=str(error.filename or folder)
        ) from error
    return survey


def claim(folder: Path, request: Request) -> None:
    """Raises InputError where the folder holds what was assessed otherwise, or something else."""
    files = {"weights": FILE} | ({"risk_map": Path(request.risk_map)} if request.risk_map else {})
    digests = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    _kept(folder).claim(asdict(request) | digests)


def assess_shard(folder: Path, request: Request, shard: Shard) -> Done[Survey]:
    """Assess one shard and write its records, then its marker; called in whatever process is free."""
    allow_weak_isolation(request.weak_isolation)

    def write_part(path: Path) -> Survey:
        survey = Survey()
        with path.open("w", encoding="utf-8") as file:
            for row in shard.rows:
                survey.rows += 1
                record = _record(row, request)
                if "error" in record:
                    survey.unread += 1
                    survey.bad.append(BadRow(row.number, row.where, record["error"]))
                else:
                    survey.count(record)
                file.write(json.dumps(record) + "\n")
        return survey

    return _kept(folder).keep(shard, write_part)


def _record(row: Row | BadRow, request: Request) -> Record:
    place: Record = {"row": row.number, "where": row.where}
    case = row if isinstance(row, BadRow) else case_from_row(row)
    if isinstance(case, BadRow):
        return {**place, "error": case.reason}
    place |= {"id": case.id, "call": case.call}
    with time_limit(request.seconds):
        risk_map = load_program_map(Path(request.risk_map)) if request.risk_map else None
        found = assess_case(row, case, load_tokenizer(request.tokenizer), risk_map=risk_map)
    if isinstance(found, BadRow):
        return {**place, "error": found.reason}
    return {**place, **record_of(found, request.budgets, request.steps)}


def records_in(folder: Path) -> Iterator[Record]:
    """The records of a finished folder, in the order of the rows."""
    for part in sorted((folder / "assessments").glob("part-*.jsonl")):
        with part.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def riskiest(records: Iterable[Record], most: int) -> list[Record]:
    """At most `most` records of unknown risk, then as many of the highest risk, riskiest first."""
    unknown: list[Record] = []

    def known() -> Iterator[Record]:
        for record in records:
            if record.get("risk") is not None:
                yield record
            elif "error" not in record and len(unknown) < most:
                unknown.append(record)

    highest = nlargest(most, known(), key=lambda record: float(record["risk"]))
    return [*unknown, *highest]


def _kept(folder: Path) -> Kept[Survey]:
    return Kept(folder, "assessment", "assessments", ".jsonl", Survey.from_json)
