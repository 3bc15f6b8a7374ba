"""SARIF 2.1.0, which GitHub code scanning and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from analyze.auditing.suppressions import CODE_UNUSED
from analyze.hazards.base import all_hazards
from analyze.hazards.class_levels import format_difference, level
from runner.linting.baseline import fingerprint
from runner.linting.diagnostics import Diagnostic

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
MAX_RESULTS = 25_000
"""Results of one run that GitHub accepts; the most severe are written."""
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def write_sarif(file: TextIO, diagnostics: Sequence[Diagnostic], family: str) -> int:
    """Writes one run with its rules and results, and returns the number of results that it leaves out."""
    kept = diagnostics[:MAX_RESULTS]
    rules = [_rule(kind.name, kind.summary, family) for kind in all_hazards()]
    rules.append(_rule(CODE_UNUSED, "A comment `# spellout: ignore` that suppresses no finding.", family))
    driver: dict[str, Any] = {"name": "spellout", "informationUri": "https://arxiv.org/abs/2602.07672", "rules": rules}
    with suppress(metadata.PackageNotFoundError):  # a checkout without installation has no version
        driver["semanticVersion"] = metadata.version("spellout")
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, index[one.code]) for one in kept],
    }
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, file, indent=1)
    file.write("\n")
    return len(diagnostics) - len(kept)


def _rule(code: str, summary: str, family: str) -> dict[str, Any]:
    measured = f" Difference in failure rate: {format_difference(code, family)} percentage points."
    return {
        "id": code,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": summary + ("" if code == CODE_UNUSED else measured)},
        "defaultConfiguration": {"level": _LEVELS["info" if code == CODE_UNUSED else level(code, family)]},
    }


def _result(one: Diagnostic, index: int) -> dict[str, Any]:
    text = one.message + (f" — {one.suggestion}" if one.suggestion else "")
    region: dict[str, int] = {}
    if one.row:
        region = {"startLine": one.row}
    elif one.line:
        region = {"startLine": one.line, "startColumn": max(1, one.column)}
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(one.path)}}
    if region:
        place["region"] = region
    digest = fingerprint(one.code, one.path, one.finding, "" if one.finding else one.message)
    return {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": _LEVELS[one.level],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"spellout/v1": digest},
        "occurrenceCount": one.count,
    }


def _uri(path: str) -> str:
    if "://" in path:
        return path
    relative = os.path.relpath(path) if not path.startswith("/") else path
    return Path(path).as_uri() if path.startswith("/") else quote(Path(relative).as_posix())
