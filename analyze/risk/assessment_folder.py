"""Assesses a data set into a folder: on all cores, resumable (`corpora.shard_store`).

The folder holds `assessment.json` (the request), `assessments/part-00000.jsonl` (a record for each row, also for one
that could not be assessed), a marker for each part, and at the end `bad.jsonl` and `summary.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from heapq import nlargest
from pathlib import Path
from typing import Any

from analyze.cost.token_budget import WINDOWS
from analyze.risk.assessed_rows import assess_case, other_models
from analyze.risk.panel import Panel, read_panel
from analyze.risk.program_map import SHIPPED_MAPS, ReliabilityMap, load_reliability_map
from analyze.risk.records import Record, assessment_record
from analyze.risk.risk_model import FILE
from analyze.tokens.tokenizer import load_tokenizer
from corpora.atomic_files import write_atomically
from corpora.dataset import BadRow, Row, case_from_row
from corpora.deadline import time_limit
from corpora.execute import allow_weak_isolation
from corpora.rows import FailedRow
from corpora.shard_store import FinishedShard, Shard, ShardExecutor, ShardStore, split_shards

ROWS_PER_SHARD = 10
MAX_BAD_HELD = 1000
SECONDS_A_ROW = 60.0
BANDS = (0.5, 0.2, 0.1, 0.05, 0.0)
"""Risks are counted by the highest of these thresholds that they reach."""


def risk_band(risk: float) -> str:
    """Returns the highest threshold of BANDS that a risk reaches, as a key of counts."""
    return f"{next(band for band in BANDS if risk >= band):.2f}"


@dataclass(frozen=True)
class AssessmentRequest:
    """The parameters of an assessment, in values that can be sent between processes.

    Attributes:
        source: A path or id.
        mapping: Field to column.
        tokenizer: Name of the model's tokenizer.
        budgets: Token budgets.
        steps: How many of a row's riskiest steps are recorded.
        seconds: Time limit of a row, for all of its runs together.
        rows_per_shard: Size of a shard.
        weak_isolation: Whether programs may run at isolation level C.
        risk_map: File of another model's map (default: "", the map of the 32B CWM).
        panel: File of a panel (default: "", none).
    """

    source: str
    mapping: tuple[tuple[str, str], ...] = ()
    tokenizer: str = "llama-3"
    budgets: tuple[int, ...] = WINDOWS
    steps: int = 5
    seconds: float = SECONDS_A_ROW
    rows_per_shard: int = ROWS_PER_SHARD
    weak_isolation: bool = False
    risk_map: str = ""
    panel: str = ""


@dataclass
class AssessmentSummary:
    """Counts over rows; summaries of shards can be added.

    Attributes:
        rows: Rows that were read.
        unread: Rows that are not a program with its call, or failed.
        failed: Those that failed (`corpora.failures`).
        unknown: Rows whose risk is unknown.
        expected: The expected number of failures: the sum of the known risks.
        worst: The highest known risk.
        bands: Rows of known risk by the highest of BANDS that it reaches.
        fits: Budget to [rows that fit, rows for which this is known].
        reasons: The first reason of each row's riskiest step.
        bad: The first rows that could not be assessed.
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
    failed: int = 0

    @property
    def assessed(self) -> int:
        """Rows that were assessed, including those of unknown risk."""
        return self.rows - self.unread

    @property
    def known(self) -> int:
        """Rows whose risk is known."""
        return self.assessed - self.unknown

    def reaches(self, risk: float) -> bool:
        """Returns whether any row's risk is at least `risk`, or unknown."""
        return self.unknown > 0 or self.worst >= risk

    def count(self, record: Record) -> None:
        """Counts a row that was assessed."""
        risk = record["risk"]
        if risk is None:
            self.unknown += 1
        else:
            self.expected += risk
            self.worst = max(self.worst, risk)
            self.bands[risk_band(risk)] += 1
        for budget, fit in record["fits"].items():
            known = self.fits.setdefault(budget, [0, 0])
            known[0] += fit is True
            known[1] += fit is not None
        for step in record["steps"][:1]:
            self.reasons.update(reason.partition(" (")[0] for reason in step["why"][:1])

    def add(self, other: AssessmentSummary) -> None:
        """Adds the counts of other rows."""
        self.rows += other.rows
        self.unread += other.unread
        self.failed += other.failed
        self.unknown += other.unknown
        self.expected += other.expected
        self.worst = max(self.worst, other.worst)
        self.bands.update(other.bands)
        self.reasons.update(other.reasons)
        self.bad = sorted([*self.bad, *other.bad], key=lambda bad: bad.number)[:MAX_BAD_HELD]
        for budget, (fit, known) in other.fits.items():
            mine = self.fits.setdefault(budget, [0, 0])
            mine[0] += fit
            mine[1] += known

    def to_json(self) -> dict[str, Any]:
        """Returns a JSON object, which `from_json` reads."""
        return {**vars(self), "bad": [asdict(row) for row in self.bad]}

    @staticmethod
    def from_json(value: dict[str, Any]) -> AssessmentSummary:
        """Reads what `to_json` returned."""
        counters = {name: Counter(value[name]) for name in ("bands", "reasons")}
        return AssessmentSummary(**{**value, **counters, "bad": [BadRow(**row) for row in value["bad"]]})


def assess_to(
    folder: Path,
    request: AssessmentRequest,
    rows: Iterable[Row | BadRow],
    *,
    spread: ShardExecutor | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> AssessmentSummary:
    """Assesses rows into a folder, or resumes the assessment in that folder.

    Args:
        folder: Where the records are written.
        request: The parameters.
        rows: The rows.
        spread: What runs the shards (default: this process; see `corpora.shard_executors`).
        on_progress: Called with the number of rows of each finished shard.

    Returns:
        The counts of all rows.

    Raises:
        InputError: If the folder holds something else or cannot be written.
    """
    survey, kept = AssessmentSummary(), _kept(folder)

    def take(done: FinishedShard[AssessmentSummary]) -> None:
        survey.add(done.summary)
        on_progress(done.summary.rows)

    with _opened(kept, request):
        kept.process(split_shards(rows, request.rows_per_shard), partial(assess_shard, folder, request), spread, take)
        kept.collect("bad")
        write_atomically(folder / "summary.json", json.dumps(survey.to_json()) + "\n")
    return survey


def claim_folder(folder: Path, request: AssessmentRequest) -> None:
    """Raises InputError if the folder holds another assessment or something else, or if another process writes it."""
    with _opened(_kept(folder), request):
        pass


def _opened(kept: ShardStore[AssessmentSummary], request: AssessmentRequest) -> AbstractContextManager[None]:
    named = {"risk_map": SHIPPED_MAPS.get(request.risk_map, request.risk_map), "panel": request.panel}
    files = {"weights": FILE} | {name: Path(path) for name, path in named.items() if path}
    digests = {f"{name}_digest": hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
    return kept.opened(asdict(request) | digests)


def assess_shard(folder: Path, request: AssessmentRequest, shard: Shard) -> FinishedShard[AssessmentSummary]:
    """Assesses one shard, writes its records and then its marker; called in any process."""
    allow_weak_isolation(request.weak_isolation)

    def write_part(path: Path) -> AssessmentSummary:
        survey = AssessmentSummary()
        with path.open("w", encoding="utf-8") as file:
            for row in shard.rows:
                survey.rows += 1
                record = _record(row, request)
                if isinstance(record, BadRow):
                    survey.unread += 1
                    survey.failed += isinstance(record, FailedRow)
                    survey.bad.append(BadRow(row.number, row.where, record.reason))
                    record = {"row": row.number, "where": row.where, "error": record.reason}
                else:
                    survey.count(record)
                file.write(json.dumps(record) + "\n")
        return survey

    return _kept(folder).write(shard, write_part)


def _record(row: Row | BadRow, request: AssessmentRequest) -> Record | BadRow:
    case = row if isinstance(row, BadRow) else case_from_row(row)
    if isinstance(case, BadRow):
        return case
    place: Record = {"row": row.number, "where": row.where, "id": case.id, "call": case.call}
    with time_limit(request.seconds):
        tokenizer, (risk_map, panel) = load_tokenizer(request.tokenizer), _maps(request.risk_map, request.panel)
        found = assess_case(row, case, tokenizer, risk_map=risk_map, panel=panel)
    if isinstance(found, BadRow):
        return found
    return {**place, **assessment_record(found, request.budgets, request.steps)}


@cache
def _maps(risk_map: str, panel: str) -> tuple[ReliabilityMap | None, Panel | None]:
    """Returns the map and the panel of the other models, read once per process."""
    read = load_reliability_map(Path(risk_map)) if risk_map else None
    return read, other_models(read_panel(Path(panel)) if panel else None, read)


def records_in(folder: Path) -> Iterator[Record]:
    """Yields the records of a finished folder, in the order of the rows."""
    for part in sorted((folder / "assessments").glob("part-*.jsonl")):
        with part.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def riskiest(records: Iterable[Record], most: int) -> list[Record]:
    """Returns at most `most` records of unknown risk, then at most `most` of the highest risk, riskiest first."""
    unknown: list[Record] = []

    def known() -> Iterator[Record]:
        for record in records:
            if record.get("risk") is not None:
                yield record
            elif "error" not in record and len(unknown) < most:
                unknown.append(record)

    highest = nlargest(most, known(), key=lambda record: float(record["risk"]))
    return [*unknown, *highest]


def _kept(folder: Path) -> ShardStore[AssessmentSummary]:
    return ShardStore(folder, "assessment", "assessments", ".jsonl", AssessmentSummary.from_json)
