"""What an audit gives: findings, one for each place where a hazard stands, and their summary.

What it does not do: find them (`analyze.auditing.audit`) or show them (`analyze.tokens.token_strips`,
`analyze.auditing.html_report`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from analyze.auditing.label_errors import CONTRADICTED, LabelCheck
from corpora.dataset import BadRow


@dataclass(frozen=True)
class Finding:
    """One hazard at one place. The names are those of the JSON lines and the Parquet columns.

    row: its number from 1; where: FILE:LINE of the row; id: the row's own; field: literal, input, target, operation or
    execution; line: of the program (0 outside); step: number of the operation in the execution (0 where not executed);
    method: of the string operation ("" for a string that is only looked at); start, end: the bytes in `text`, or in
    `pattern` where `of` says so; token_ids: of the tokens that touch it; query: ids of the pattern alone; written: what
    the context writes; written_start, written_end: the bytes in it; boundaries: where its tokens end, in bytes.
    """

    row: int
    where: str
    id: str
    field: str
    line: int
    step: int
    method: str
    hazard: str
    severity: float
    tokenizer: str
    context: str
    text: str
    pattern: str | None
    of: str
    start: int
    end: int
    token_ids: tuple[int, ...]
    query: tuple[int, ...]
    written: str
    written_start: int
    written_end: int
    boundaries: tuple[int, ...]
    why: str


Key = tuple[str, str, str, str, str]
"""tokenizer, context, hazard, method, field"""


@dataclass
class Count:
    """How often, in how many rows, and how bad at worst."""

    findings: int = 0
    rows: int = 0
    worst: float = 0.0


@dataclass
class Summary:
    """Counts by tokenizer, context, hazard, method and field, with what was read; summaries of shards add up."""

    rows: int = 0
    units: int = 0
    counts: dict[Key, Count] = field(default_factory=dict)
    hazard_rows: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """(tokenizer, context, hazard) to the number of rows that carry it anywhere."""
    verdicts: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    """(tokenizer, context, other context) to the operations with occurrences, and those with other classes there."""
    bad: list[BadRow] = field(default_factory=list)
    bad_count: int = 0
    """How often something could not be judged; `bad` holds these, or the first of them."""
    unread: int = 0
    """Rows that could not be read as a program with its call, so that little or nothing in them was judged."""
    labels: int = 0
    """Rows with a label (`expected`, or CruxEval's `output`) that was held against what the call gives."""
    contradicted: int = 0
    unsure: int = 0
    """Of these labels: those that execution contradicts, and those that could not be judged."""
    label_checks: list[LabelCheck] = field(default_factory=list)
    """The contradicted and the unsure ones, or the first of them."""
    unlisted: int = 0
    """Findings that are counted and not listed, because their row lists so much text already."""

    def add(self, other: Summary) -> None:
        """Adds another part's counts, whose rows are not in this one."""
        self.rows += other.rows
        self.units += other.units
        self.bad += other.bad
        self.bad_count += other.bad_count
        self.unread += other.unread
        self.labels += other.labels
        self.contradicted += other.contradicted
        self.unsure += other.unsure
        self.label_checks += other.label_checks
        self.unlisted += other.unlisted
        for key, count in other.counts.items():
            mine = self.counts.setdefault(key, Count())
            mine.findings += count.findings
            mine.rows += count.rows
            mine.worst = max(mine.worst, count.worst)
        for name, rows in other.hazard_rows.items():
            self.hazard_rows[name] = self.hazard_rows.get(name, 0) + rows
        for pair, (compared, different) in other.verdicts.items():
            before = self.verdicts.get(pair, (0, 0))
            self.verdicts[pair] = (before[0] + compared, before[1] + different)

    def judge_not(self, row: BadRow) -> None:
        """Lists something that could not be judged."""
        self.bad.append(BadRow(row.number, row.where, row.reason))
        self.bad_count += 1

    def judge_label(self, check: LabelCheck) -> None:
        """Counts a label, and lists it unless it is right."""
        self.labels += 1
        self.contradicted += check.verdict in CONTRADICTED
        self.unsure += check.verdict == "unsure"
        if check.verdict != "right":
            self.label_checks.append(check)

    def bad_rows(self, rows: Iterable[BadRow]) -> None:
        """Lists several of them."""
        for row in rows:
            self.judge_not(row)

    def keep_first(self, most: int) -> None:
        """Holds at most so many of what could not be judged, the first by row."""
        self.bad.sort(key=lambda bad: bad.number)
        del self.bad[most:]
        self.label_checks.sort(key=lambda check: check.number)
        del self.label_checks[most:]

    def count(self, key: Key, row_is_new: bool, hazard_is_new: bool, severity: float) -> None:
        """Counts one finding of the row at hand."""
        mine = self.counts.setdefault(key, Count())
        mine.findings += 1
        mine.rows += row_is_new
        mine.worst = max(mine.worst, severity)
        if hazard_is_new:
            name = key[:3]
            self.hazard_rows[name] = self.hazard_rows.get(name, 0) + 1

    @property
    def worst(self) -> float:
        """The highest severity found, 0 where nothing was."""
        return max((count.worst for count in self.counts.values()), default=0.0)

    def to_json(self) -> dict[str, Any]:
        """A JSON object; `from_json` reads it."""
        return {
            "rows": self.rows,
            "units": self.units,
            "counts": [[*key, *asdict(count).values()] for key, count in sorted(self.counts.items())],
            "hazard_rows": [[*key, rows] for key, rows in sorted(self.hazard_rows.items())],
            "verdicts": [[*key, *counts] for key, counts in sorted(self.verdicts.items())],
            "bad_count": self.bad_count,
            "bad": [asdict(row) for row in self.bad],
            "unread": self.unread,
            "labels": self.labels,
            "contradicted": self.contradicted,
            "unsure": self.unsure,
            "label_checks": [asdict(check) for check in self.label_checks],
            "unlisted": self.unlisted,
        }

    @staticmethod
    def from_json(value: dict[str, Any]) -> Summary:
        """What `to_json` wrote."""
        return Summary(
            rows=value["rows"],
            units=value["units"],
            counts={tuple(entry[:5]): Count(*entry[5:]) for entry in value["counts"]},
            hazard_rows={tuple(entry[:3]): entry[3] for entry in value["hazard_rows"]},
            verdicts={tuple(entry[:3]): tuple(entry[3:]) for entry in value["verdicts"]},
            bad=[BadRow(**row) for row in value["bad"]],
            bad_count=value["bad_count"],
            unread=value["unread"],
            labels=value["labels"],
            contradicted=value["contradicted"],
            unsure=value["unsure"],
            label_checks=[LabelCheck(**check) for check in value["label_checks"]],
            unlisted=value["unlisted"],
        )
