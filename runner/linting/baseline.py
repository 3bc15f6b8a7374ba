"""Baselines: findings that are accepted, so that only new ones are listed and fail.

A finding is known by its file, class, operation, string, pattern, context and tokenizer, not by its line: code above it
may move. If a file has more findings of one kind than the baseline, the last of them are new. Only findings of classes
that can fail are recorded: those with a measured effect, and those that `--fail-on` names.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from analyze.auditing.resume import write_atomically
from corpora.errors import InputError
from runner.linting.diagnostics import Diagnostic

VERSION = 1


def fingerprint(one: Diagnostic) -> str:
    """Returns what identifies a finding across versions of a file: 24 hexadecimal digits."""
    path = one.path if "://" in one.path else Path(os.path.relpath(one.path)).as_posix()
    parts = [path, one.code, *(one.finding.get(name) for name in ("method", "text", "pattern", "context", "tokenizer"))]
    if not one.finding:
        parts.append(one.message)
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=12).hexdigest()


def write_baseline(file: Path, found: Mapping[str, Sequence[Diagnostic]]) -> int:
    """Records all findings in a file and returns their number. Lines are sorted, so that versions can be compared."""
    entries = sorted(
        (
            {"path": one.path, "code": code, "digest": fingerprint(one), "count": one.count}
            for code in found
            for one in found[code]
        ),
        key=lambda entry: (entry["path"], entry["code"], entry["digest"]),
    )
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    try:
        write_atomically(file, f'{{"version": {VERSION}, "findings": [\n{lines}\n]}}')
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=str(file)) from error
    return sum(one.count for code in found for one in found[code])


def read_baseline(file: Path) -> dict[str, int]:
    """Returns the number of accepted findings by fingerprint.

    Raises:
        InputError: If there is no such file, or it is no baseline.
    """
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        if content["version"] != VERSION:
            raise InputError(
                f"is of version {content['version']}: write it again with --update-baseline", where=str(file)
            )
        return {entry["digest"]: int(entry["count"]) for entry in content["findings"]}
    except FileNotFoundError:
        raise InputError("no such file: write it with --update-baseline", where=str(file)) from None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"is no baseline of spellout audit: {error}", where=str(file)) from None


def without_accepted(
    found: Mapping[str, Sequence[Diagnostic]], accepted: Mapping[str, int]
) -> dict[str, list[Diagnostic]]:
    """Returns the findings that the baseline does not have, with the number of new ones."""
    new: dict[str, list[Diagnostic]] = {}
    for code, diagnostics in found.items():
        for one in diagnostics:
            count = one.count - accepted.get(fingerprint(one), 0)
            if count > 0:
                new.setdefault(code, []).append(replace(one, count=count))
    return new
