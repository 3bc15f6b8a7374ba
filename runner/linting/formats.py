"""Machine-readable outputs: one JSON document, and the workflow commands of GitHub Actions. `sarif` has SARIF."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TextIO

from analyze.auditing.findings import AuditSummary
from runner.linting.diagnostics import Diagnostic


def write_json(file: TextIO, summary: AuditSummary, diagnostics: Sequence[Diagnostic]) -> None:
    """Writes one object: the summary, and the diagnostics."""
    document = {"summary": summary.to_json(), "diagnostics": [one.to_json() for one in diagnostics]}
    file.write(json.dumps(document, indent=1) + "\n")


def github_lines(diagnostics: Iterable[Diagnostic]) -> Iterable[str]:
    """Yields a workflow command for each diagnostic, which GitHub shows at its line.

    https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
    """
    for one in diagnostics:
        command = "notice" if one.level == "info" else one.level
        line = one.row or one.line
        place = f",line={line}" if line else ""
        column = f",col={one.column}" if one.column and not one.row else ""
        title = _property(f"spellout ({one.code})")
        message = f"{one.place}: {one.code} {one.message}" + (f" — {one.suggestion}" if one.suggestion else "")
        yield f"::{command} title={title},file={_property(one.path)}{place}{column}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
