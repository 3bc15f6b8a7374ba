"""Writes an audit as one self-contained HTML page: each finding with its token boundaries and the pattern's own tokens.

Contradicted labels, duplicate rows and rows that could not be checked follow. The template is `page.html`. Nothing is
fetched, and the content of data sets is only ever inserted as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TextIO

from analyze.auditing.distinct import DistinctKey, distinct_key
from analyze.auditing.duplicates import DuplicateIndex, format_count
from analyze.auditing.findings import AuditSummary, Finding
from analyze.hazards.base import all_hazards
from analyze.hazards.class_levels import level, priority
from analyze.hazards.measured_effects import measured_effects
from analyze.tokens.tokenizer import Tokenizer

MAX_FINDINGS = 300
"""Maximum number of findings of a class on a page, the most severe ones, so that the page of any data set stays small.
The folder of an audit has all.
"""
BAD_MOST = LABELS_MOST = 200
_HIDDEN = frozenset({"row", "id", "column", "start", "end", "token_ids", "query"})
_SHOWN = tuple(name for name in Finding.__dataclass_fields__ if name not in _HIDDEN)


def write_page(
    file: TextIO,
    findings: Iterable[Mapping[str, Any]],
    summary: AuditSummary,
    source: str,
    tokenizers: Sequence[Tokenizer],
    duplicates: DuplicateIndex | None = None,
    *,
    family: str = "cwm",
    has_baseline: bool = False,
) -> None:
    """Writes the page. Findings are streamed, and at most `MAX_FINDINGS` of each class are listed.

    Args:
        file: Where to write.
        findings: The findings to list.
        summary: The summary of all findings.
        source: What was audited.
        tokenizers: The tokenizers; the table of classes is about the first.
        duplicates: The rows that repeat others.
        family: The family of models whose measured effects are shown; "" for all of them.
        has_baseline: Whether `findings` are only those that a baseline does not have.
    """
    by_name = {tokenizer.name: tokenizer for tokenizer in tokenizers}
    kept = sample_by_class(findings, family)
    total = sum(count.findings for count in summary.counts.values() if count.worst > 0)
    is_sample = not has_baseline and sum(one["count"] for one in kept) < total
    data = {
        "about": f"{source.replace(chr(10), ', ')}: {format_count(summary.rows, 'row')}, "
        f"{summary.units:,} strings and operations, tokenizer {', '.join(by_name)}.",
        "limits": _limits(len(kept), tokenizers[0].name, is_sample, has_baseline),
        "atleast": is_sample,
        "family": family or "all families",
        "hazards": _hazards(summary, tokenizers[0].name, family),
        "findings": [_entry(finding, by_name[finding["tokenizer"]], family) for finding in kept],
        "changes": _changes(summary, list(by_name)),
        "badcount": summary.bad_count,
        "labels": _labels(summary),
        "labelslisted": [str(check) for check in summary.label_checks[:LABELS_MOST]],
        "duplicates": str(duplicates) if duplicates and duplicates.programs else "",
        "duplicateslisted": [str(one) for one in duplicates.listed[:LABELS_MOST]] if duplicates else [],
        "bad": [f"{bad.where}: {bad.reason}" for bad in summary.bad[:BAD_MOST]],
    }
    write_template(file, files("analyze.auditing"), data)


def write_template(file: TextIO, package: Traversable, data: Mapping[str, Any]) -> None:
    """Writes a package's `page.html` with its data, in which no text of a data set can close the script element."""
    before, after = (package / "page.html").read_text(encoding="utf-8").split("__DATA__")
    file.write(before + json.dumps(data).replace("<", "\\u003c") + after)


def _limits(listed: int, tokenizer: str, is_sample: bool, has_baseline: bool) -> str:
    """Says what the list of findings leaves out, which the table of classes counts."""
    table = f"the table counts all findings with {tokenizer}."
    if has_baseline:
        return f"The list has only findings that the baseline does not have; {table}"
    shown = f"The list has {format_count(listed, 'different finding')}, the most severe of each class (at most "
    return f"{shown}{MAX_FINDINGS}); {table}" if is_sample else ""


def sample_by_class(findings: Iterable[Mapping[str, Any]], family: str) -> list[dict[str, Any]]:
    """Returns the most severe findings of each class, merged by string and operation.

    Warnings for the family come first, then the most severe findings.
    """
    held: dict[str, dict[DistinctKey, dict[str, Any]]] = {}
    for finding in findings:
        merged = held.setdefault(finding["hazard"], {})
        key = distinct_key(finding)
        known = merged.get(key)
        if known is not None:
            worst = finding if finding["severity"] > known["severity"] else known
            merged[key] = {**worst, "count": known["count"] + finding["count"]}
        else:
            merged[key] = dict(finding)
        if len(merged) > 2 * MAX_FINDINGS:
            held[finding["hazard"]] = _most_severe(merged)
    sampled = [one for merged in held.values() for one in _most_severe(merged).values()]
    return sorted(sampled, key=lambda one: (level(one["hazard"], family) == "info", -one["severity"]))


def _most_severe(merged: Mapping[DistinctKey, dict[str, Any]]) -> dict[DistinctKey, dict[str, Any]]:
    order = sorted(merged.items(), key=lambda entry: -entry[1]["severity"])
    return dict(order[:MAX_FINDINGS])


def _changes(summary: AuditSummary, tokenizers: Sequence[str]) -> dict[str, Any] | None:
    """What a switch from the first tokenizer to the second would change; None for a single tokenizer."""
    changes = [change for _, change in sorted(summary.changed.items()) if change.first or change.second]
    if len(tokenizers) < 2:
        return None
    return {"from": tokenizers[0], "to": tokenizers[1], "classes": [asdict(change) for change in changes]}


def _labels(summary: AuditSummary) -> str:
    """Summarizes the label checks; empty if no row has a label."""
    if not summary.labels:
        return ""
    unsure = f", {summary.unsure:,} could not be judged" if summary.unsure else ""
    return f"Execution contradicts {summary.contradicted:,} of {format_count(summary.labels, 'label')}{unsure}"


def _entry(finding: Mapping[str, Any], tokenizer: Tokenizer, family: str) -> dict[str, Any]:
    entry = {name: finding[name] for name in _SHOWN} | {"level": level(finding["hazard"], family)}
    if finding["query"]:
        pieces = [tokenizer.token_bytes(token) for token in finding["query"]]
        entry["alone"] = b"".join(pieces).decode("utf-8", errors="replace")
        entry["alone_ends"] = [sum(map(len, pieces[: i + 1])) for i in range(len(pieces))]
    return entry


def _difference(name: str, family: str) -> str:
    found = measured_effects().hazards.get(name)
    if found is None:
        return ""
    own = f"{found.families.get(family, found.panel)} / " if family else ""
    return f"{own}{found.panel}"


def _hazards(summary: AuditSummary, tokenizer: str, family: str) -> list[dict[str, Any]]:
    rows = []
    for kind in sorted(all_hazards(), key=lambda kind: priority(kind.name, family)):
        counts = [count for key, count in summary.counts.items() if (key[0], key[2]) == (tokenizer, kind.name)]
        rows_with_it = [n for key, n in summary.hazard_rows.items() if (key[0], key[2]) == (tokenizer, kind.name)]
        if counts:
            rows.append(
                {
                    "name": kind.name,
                    "level": level(kind.name, family),
                    "summary": kind.summary,
                    "findings": f"{sum(count.findings for count in counts):,}",
                    # A row may have the hazard in several contexts: the largest count in one context.
                    "rows": f"{max(rows_with_it):,}",
                    "worst": max(count.worst for count in counts),
                    "worth": _difference(kind.name, family),
                }
            )
    return rows
