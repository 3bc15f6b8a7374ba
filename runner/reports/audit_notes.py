"""What `spellout audit` says on standard error, so that findings can be piped: what was not judged, labels, rates."""

from __future__ import annotations

from pathlib import Path

from analyze.auditing.duplicates import DuplicateIndex, format_count
from analyze.auditing.findings import AuditSummary
from runner.terminal.console import note, warn

BAD_SHOWN = 20
DUPLICATES_SHOWN = 5


def report_unjudged(summary: AuditSummary, folder: Path | None) -> None:
    """Reports how many rows and strings were not judged, and lists the first ones."""
    warn(*(f"{bad.where}: {bad.reason}" for bad in summary.bad[:BAD_SHOWN]))
    if summary.bad:
        rest = f"; all are listed in {folder / 'bad.jsonl'}" if folder else ""
        count = "1 row or string" if summary.bad_count == 1 else f"{summary.bad_count:,} rows or strings"
        note(f"{count} could not be judged{rest}")
    if summary.unlisted:
        count = format_count(summary.unlisted, "finding")
        note(f"{count} counted but not listed, because their rows already have many")


def report_rate(summary: AuditSummary, elapsed: float, unit: str) -> None:
    """Reports how much was audited, and how fast."""
    rate = summary.rows / max(elapsed, 1e-3)
    counts = f"{format_count(summary.rows, unit)}, {format_count(summary.units, 'string')}"
    note(f"audited {counts}, in {elapsed:.1f} s ({rate:,.{0 if rate >= 10 else 1}f} {unit}s/s)")


def report_labels(summary: AuditSummary) -> None:
    """Reports contradicted labels."""
    if summary.labels:
        warn(*summary.label_checks[:BAD_SHOWN])
        _report_omitted(len(summary.label_checks), "labels.jsonl")
        unsure = f", {summary.unsure:,} could not be judged" if summary.unsure else ""
        note(f"labels: execution contradicts {summary.contradicted:,} of {summary.labels:,}{unsure}")


def report_duplicates(duplicates: DuplicateIndex) -> None:
    """Reports duplicate rows of a data set. Equal Python files, such as empty ones, are no fault."""
    if duplicates.programs:
        note(*duplicates.listed[:DUPLICATES_SHOWN])
        _report_omitted(duplicates.programs, "duplicates.jsonl", DUPLICATES_SHOWN)
        note(f"duplicates: {duplicates}")


def _report_omitted(count: int, file: str, most: int = BAD_SHOWN) -> None:
    if count > most:
        note(f"… and {count - most:,} more; with --output, {file} lists all")
