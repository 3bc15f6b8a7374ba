"""Baselines: findings that are accepted, so that only new ones are listed and fail.

A finding is known by its file, class, operation, string, pattern, context and tokenizer, not by its line: code above it
may move. Only findings of classes that can fail are recorded: warnings, and classes that `--fail-on` names. Memory
grows by about 200 bytes for each distinct finding of these classes.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from analyze.auditing.audit import path_of
from corpora.errors import InputError
from corpora.writing.targets import replacing_file
from runner.linting.fail_conditions import Gate

VERSION = 1
Accepted = tuple[str, str, str]
"""Path, class, fingerprint."""


def fingerprint(code: str, path: str, finding: Mapping[str, Any], message: str = "") -> str:
    """Returns what identifies a finding across versions of a file: 24 hexadecimal digits."""
    place = path if "://" in path else Path(os.path.relpath(path)).as_posix()
    shown = [finding.get(name) for name in ("method", "text", "pattern", "context", "tokenizer")]
    parts = [place, code, *shown, message]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=12).hexdigest()


def finding_fingerprint(finding: Mapping[str, Any]) -> str:
    """Returns the fingerprint of a finding of the audit."""
    return fingerprint(finding["hazard"], path_of(finding["where"]), finding)


def count_findings(findings: Iterable[Mapping[str, Any]], gate: Gate) -> tuple[Counter[Accepted], set[str]]:
    """Returns how often each finding of the classes that can fail occurs, and the fingerprints of those that fail."""
    counts: Counter[Accepted] = Counter()
    failing = set()
    for finding in findings:
        if finding["hazard"] in gate.gated:
            digest = finding_fingerprint(finding)
            counts[path_of(finding["where"]), finding["hazard"], digest] += finding["count"]
            if gate.fails(finding["hazard"], finding["severity"]):
                failing.add(digest)
    return counts, failing


def write_baseline(file: Path, counts: Mapping[Accepted, int]) -> int:
    """Records findings in a file and returns their number. Lines are sorted, so that versions can be compared."""
    names = ("path", "code", "digest", "count")
    try:
        with replacing_file(file) as out:
            out.write(f'{{"version": {VERSION}, "findings": ['.encode())
            for number, (entry, count) in enumerate(sorted(counts.items())):
                line = json.dumps(dict(zip(names, (*entry, count), strict=True)))
                out.write(f"{',' if number else ''}\n{line}".encode())
            out.write(b"\n]}\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", where=str(file)) from error
    return sum(counts.values())


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


def new_findings(counts: Mapping[Accepted, int], accepted: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Returns what the baseline does not have: by class, the fingerprints and how many of each are new."""
    new: dict[str, dict[str, int]] = {}
    for (_, code, digest), count in counts.items():
        if count > accepted.get(digest, 0):
            new.setdefault(code, {})[digest] = count - accepted.get(digest, 0)
    return new
