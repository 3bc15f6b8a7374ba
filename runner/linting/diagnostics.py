"""Findings merged by string and operation, with level, message and suggestion, in the order of a linter's output."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from analyze.auditing.audit import path_of
from analyze.auditing.distinct import DistinctKey, distinct_key
from analyze.auditing.suppressions import CODE_UNUSED, UnusedSuppression
from analyze.hazards.base import get_hazard
from analyze.hazards.class_levels import Level, level, priority

MAX_HELD = 5_000
"""Distinct findings of a class that are held to be listed; the summary counts all."""


@dataclass(frozen=True)
class Diagnostic:
    """A finding as a linter reports it.

    Attributes:
        path: The file.
        row: Number of the row in its data set; 0 for a Python file.
        line: Line of the program, from 1 (0 outside it).
        column: Column in characters, from 1 (0 outside the program).
        code: The hazard's name.
        level: "error", "warning" or "info" (`analyze.hazards.class_levels`).
        message: What was found, in one line.
        count: Number of findings with the same string and operation in this file.
        finding: The most severe of them, with the fields of `analyze.auditing.findings.Finding`; empty for an unused
            comment.
        suggestion: What to do, in one line; empty until `with_suggestion`.
        id: The row's own id; "" for a Python file.
    """

    path: str
    row: int
    line: int
    column: int
    code: str
    level: Level
    message: str
    count: int
    finding: Mapping[str, Any]
    suggestion: str = ""
    id: str = ""

    @property
    def place(self) -> str:
        """`path:line:column` in a Python file, `path:row` in a data set, with the row's id in parentheses."""
        if self.row:
            return f"{self.path}:{self.row}" + (f" ({self.id})" if self.id else "")
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path

    def with_suggestion(self, suggest: Callable[[Mapping[str, Any], str], str]) -> Diagnostic:
        """Returns the diagnostic with what `suggest` says about its finding and level."""
        return self if self.suggestion else replace(self, suggestion=suggest(self.finding, self.level))

    def to_json(self) -> dict[str, Any]:
        """Returns a JSON object."""
        names = ("field", "method", "text", "pattern", "severity", "tokenizer", "context", "token_ids", "query", "why")
        shown = {
            name: getattr(self, name) for name in ("path", "row", "id", "line", "column", "code", "level", "message")
        }
        details = {name: self.finding[name] for name in names} if self.finding else {}
        return shown | {"count": self.count, "suggestion": self.suggestion} | details


def merge_findings(findings: Iterable[Mapping[str, Any]], family: str) -> dict[str, list[Diagnostic]]:
    """Returns the diagnostics of an audit by class, each class in the order of its places.

    Errors come first, then warnings, then the most severe classes. A literal and an operation on it with the same
    message are one. At most `MAX_HELD` of each class are held.
    """
    found: dict[str, dict[DistinctKey, tuple[Mapping[str, Any], int]]] = {}
    for finding in findings:
        held = found.setdefault(finding["hazard"], {})
        key = distinct_key(finding)
        known = held.get(key)
        if known is not None:
            held[key] = (min(known[0], finding, key=_worst_first), known[1] + finding["count"])
        elif len(held) < MAX_HELD:
            held[key] = (finding, finding["count"])
    codes = sorted(found, key=lambda code: priority(code, family))
    return {code: sorted(_once(_diagnostics(found[code].values(), family)), key=_order) for code in codes}


def _once(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    once: dict[tuple[str, int, str], Diagnostic] = {}
    for one in diagnostics:
        key = (one.place, one.column, one.message)
        known = once.get(key)
        once[key] = one if known is None else replace(known, count=known.count + one.count)
    return list(once.values())


def _worst_first(finding: Mapping[str, Any]) -> tuple[float, int, int, int]:
    return -finding["severity"], finding["row"], finding["line"], finding["column"]


def _order(one: Diagnostic) -> tuple[float, str, int, int, int]:
    return -one.finding["severity"], one.path, one.row, one.line, one.column


def _diagnostics(merged: Iterable[tuple[Mapping[str, Any], int]], family: str) -> Iterator[Diagnostic]:
    for finding, count in merged:
        path, row = _path_and_row(finding["where"])
        yield Diagnostic(
            path=path,
            row=row,
            id=finding["id"] if row else "",
            line=finding["line"],
            column=finding["column"],
            code=finding["hazard"],
            level=level(finding["hazard"], family),
            message=get_hazard(finding["hazard"]).describe(finding["text"], finding["pattern"], finding["method"]),
            count=count,
            finding=finding,
        )


def _path_and_row(where: str) -> tuple[str, int]:
    path = path_of(where)
    return path, 0 if path == where else int(where[len(path) + 1 :])


def unused_diagnostic(comment: UnusedSuppression) -> Diagnostic:
    """Returns the diagnostic of a comment that suppresses nothing."""
    path, row = _path_and_row(comment.where)
    shown = f" of {', '.join(comment.codes)}" if comment.codes else ""
    return Diagnostic(
        path=path,
        row=row,
        line=comment.line,
        column=comment.column,
        code=CODE_UNUSED,
        level="info",
        message=f"the comment suppresses no finding{shown}",
        count=1,
        finding={},
        suggestion="remove it" if len(comment.codes) != 1 else f"remove {comment.codes[0]}",
    )
