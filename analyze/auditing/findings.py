"""Findings of an audit, one per place and hazard, and their summary."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field
from html import escape
from typing import Any

from analyze.auditing.label_errors import CONTRADICTED, LabelCheck
from analyze.auditing.suppressions import UnusedSuppression
from analyze.tokens.token_strips import excerpt
from corpora.dataset import BadRow


@dataclass(frozen=True)
class Finding:
    """One hazard at one place. The attributes are the fields of the JSON lines and the Parquet columns.

    Attributes:
        row: Number of the row, from 1.
        where: `FILE:LINE` of the row.
        id: The row's own id.
        field: "literal", "input", "target", "operation" or "execution".
        line: Line of the program, from 1 (0 outside it).
        column: Column of that line in characters, from 1 (0 outside the program).
        step: Number of the operation in the execution (0 if not executed).
        method: The string operation ("" for a string that is only written).
        hazard: The hazard's name.
        severity: In 0..1.
        tokenizer: The tokenizer's name.
        context: The context of the string.
        text: The string.
        pattern: What the operation looks for; None without a pattern.
        of: Whether `start` and `end` count bytes of the "text" or of the "pattern".
        start: First byte.
        end: One past the last byte.
        token_ids: Ids of the tokens that touch these bytes.
        query: Ids of the pattern on its own.
        written: What the context writes.
        written_start: First byte in `written`.
        written_end: One past the last byte there.
        boundaries: The bytes at which the tokens of `written` end.
        why: The reason, in one line.
        count: Number of findings that this one stands for; more than 1 only if findings of the same string and
            operation were merged (`analyze.auditing.distinct`).
    """

    row: int
    where: str
    id: str
    field: str
    line: int
    column: int
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
    count: int = 1

    def _repr_html_(self) -> str:
        """The finding in a notebook: its place, its tokens with a mark below its bytes, and the reason."""
        above, below = excerpt(self.written, self.boundaries, self.written_start, self.written_end)
        place = escape(f"{self.where}, line {self.line}, column {self.column}" if self.line else self.where)
        strip = escape(f"{above}\n{below}")
        return f"<div>{place}: <b>{escape(self.hazard)}</b><pre>{strip}</pre><div>{escape(self.why)}</div></div>"


@dataclass(frozen=True)
class HazardChange:
    """What a switch from one tokenizer to another changes for a class, over strings and operations.

    Attributes:
        hazard: The class.
        first: Strings and operations that have it with the first tokenizer.
        second: With the second one.
        gained: With the second one only.
        lost: With the first one only.
        gained_examples: Some of those gained, each in one line.
        lost_examples: Some of those lost.
    """

    hazard: str
    first: int = 0
    second: int = 0
    gained: int = 0
    lost: int = 0
    gained_examples: tuple[str, ...] = ()
    lost_examples: tuple[str, ...] = ()

    def plus(self, other: HazardChange) -> HazardChange:
        """Returns the change over the places of both."""
        sums = [mine + theirs for mine, theirs in zip(astuple(self)[1:], astuple(other)[1:], strict=True)]
        return HazardChange(self.hazard, *sums[:4], *(examples[:MAX_EXAMPLES] for examples in sums[4:]))


MAX_EXAMPLES = 5
CountKey = tuple[str, str, str, str, str]
"""tokenizer, context, hazard, method, field"""


@dataclass
class HazardCount:
    """Number of findings, number of rows, and the highest severity."""

    findings: int = 0
    rows: int = 0
    worst: float = 0.0


@dataclass
class AuditSummary:
    """Counts of an audit; summaries of shards can be added.

    Attributes:
        rows: Rows that were read.
        units: Strings and operations that were checked.
        counts: Counts by tokenizer, context, hazard, method and field.
        hazard_rows: (tokenizer, context, hazard) to the number of rows with the hazard.
        verdicts: (tokenizer, context, other context) to the number of operations with occurrences, and of those whose
            classes differ between the contexts.
        bad_count: How often something could not be checked.
        bad: What could not be checked, or the first of it.
        unread: Rows that could not be read as a program with its call, or on which the audit failed.
        failed: Those on which it failed with an unexpected exception, or whose process died.
        labels: Labels (`expected`, or CruxEval's `output`) that were compared with the result of the call.
        contradicted: Labels that execution contradicts.
        unsure: Labels that could not be judged.
        label_checks: The contradicted and unjudged labels, or the first of them.
        unlisted: Findings that are counted but not listed, because their row lists too much text already.
        suppressed: Findings that a comment or a per-file exception suppresses; they are in no other count.
        unused: Comments that suppress nothing, or the first of them.
        unused_count: Number of those comments.
        changed: By class, what a switch from the first tokenizer to the second changes.
    """

    rows: int = 0
    units: int = 0
    counts: dict[CountKey, HazardCount] = field(default_factory=dict)
    hazard_rows: dict[tuple[str, str, str], int] = field(default_factory=dict)
    verdicts: dict[tuple[str, str, str], tuple[int, int]] = field(default_factory=dict)
    bad_count: int = 0
    bad: list[BadRow] = field(default_factory=list)
    unread: int = 0
    failed: int = 0
    labels: int = 0
    contradicted: int = 0
    unsure: int = 0
    label_checks: list[LabelCheck] = field(default_factory=list)
    unlisted: int = 0
    suppressed: int = 0
    unused: list[UnusedSuppression] = field(default_factory=list)
    unused_count: int = 0
    changed: dict[str, HazardChange] = field(default_factory=dict)

    def add(self, other: AuditSummary) -> None:
        """Adds the counts of other rows."""
        for attribute, value in vars(self).items():
            if isinstance(value, int | list):
                setattr(self, attribute, value + getattr(other, attribute))
        for change in other.changed.values():
            self.add_change(change)
        for key, count in other.counts.items():
            mine = self.counts.setdefault(key, HazardCount())
            mine.findings += count.findings
            mine.rows += count.rows
            mine.worst = max(mine.worst, count.worst)
        for name, rows in other.hazard_rows.items():
            self.hazard_rows[name] = self.hazard_rows.get(name, 0) + rows
        for pair, (compared, different) in other.verdicts.items():
            before = self.verdicts.get(pair, (0, 0))
            self.verdicts[pair] = (before[0] + compared, before[1] + different)

    def add_change(self, change: HazardChange) -> None:
        """Counts what a switch of the tokenizer changes for a class."""
        known = self.changed.get(change.hazard)
        self.changed[change.hazard] = change if known is None else known.plus(change)

    def add_bad(self, row: BadRow) -> None:
        """Lists something that could not be checked."""
        self.bad.append(BadRow(row.number, row.where, row.reason))
        self.bad_count += 1

    def add_label(self, check: LabelCheck) -> None:
        """Counts a label, and lists it unless it is correct."""
        self.labels += 1
        self.contradicted += check.verdict in CONTRADICTED
        self.unsure += check.verdict == "unsure"
        if check.verdict != "right":
            self.label_checks.append(check)

    def truncate_lists(self, most: int) -> None:
        """Keeps at most `most` entries of each list, the first by row."""
        self.bad.sort(key=lambda bad: bad.number)
        del self.bad[most:]
        self.label_checks.sort(key=lambda check: check.number)
        del self.label_checks[most:]
        del self.unused[most:]

    def count(self, key: CountKey, row_is_new: bool, hazard_is_new: bool, severity: float) -> None:
        """Counts one finding of the current row."""
        mine = self.counts.setdefault(key, HazardCount())
        mine.findings += 1
        mine.rows += row_is_new
        mine.worst = max(mine.worst, severity)
        if hazard_is_new:
            name = key[:3]
            self.hazard_rows[name] = self.hazard_rows.get(name, 0) + 1

    @property
    def worst(self) -> float:
        """The highest severity found; 0 without findings."""
        return max((count.worst for count in self.counts.values()), default=0.0)

    def to_json(self) -> dict[str, Any]:
        """Returns a JSON object, which `from_json` reads."""
        return vars(self) | {
            "counts": [[*key, *asdict(count).values()] for key, count in sorted(self.counts.items())],
            "hazard_rows": [[*key, rows] for key, rows in sorted(self.hazard_rows.items())],
            "verdicts": [[*key, *counts] for key, counts in sorted(self.verdicts.items())],
            "bad": [asdict(row) for row in self.bad],
            "label_checks": [asdict(check) for check in self.label_checks],
            "unused": [asdict(comment) for comment in self.unused],
            "changed": [asdict(change) for _, change in sorted(self.changed.items())],
        }

    @staticmethod
    def from_json(value: dict[str, Any]) -> AuditSummary:
        """Reads what `to_json` returned. Raises KeyError if an attribute is missing."""
        known = {name: value[name] for name in AuditSummary.__dataclass_fields__}
        read = {
            "counts": {tuple(entry[:5]): HazardCount(*entry[5:]) for entry in value["counts"]},
            "hazard_rows": {tuple(entry[:3]): entry[3] for entry in value["hazard_rows"]},
            "verdicts": {tuple(entry[:3]): tuple(entry[3:]) for entry in value["verdicts"]},
            "bad": [BadRow(**row) for row in value["bad"]],
            "label_checks": [LabelCheck(**check) for check in value["label_checks"]],
            "unused": [UnusedSuppression(**comment) for comment in value["unused"]],
            "changed": {entry["hazard"]: _change(entry) for entry in value["changed"]},
        }
        return AuditSummary(**known | read)


def _change(entry: dict[str, Any]) -> HazardChange:
    examples = {name: tuple(entry[name]) for name in ("gained_examples", "lost_examples")}
    return HazardChange(**(entry | examples))
