"""Merges findings of the same class, string and operation, so that a data set of any size has a bounded list of them.

`DistinctFindings` merges the findings of one shard; `runner.linting` merges those of all shards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from analyze.auditing.audit import path_of
from analyze.auditing.findings import Finding

MAX_SAMPLES = 20
"""Samples that a shard keeps of a class; the summary counts all of its findings."""
DistinctKey = tuple[str | None, ...]
"""tokenizer, context, hazard, method, string, pattern, path"""


def distinct_key(finding: Mapping[str, Any]) -> DistinctKey:
    """Returns what two findings have in common if they are merged."""
    values = (finding[name] for name in ("tokenizer", "context", "hazard", "method", "text", "pattern"))
    return (*values, path_of(finding["where"]))


class DistinctFindings:
    """Collects findings, merged by `distinct_key`.

    Args:
        complete: Classes of which all distinct findings are kept.
    """

    def __init__(self, complete: Iterable[str] = ()) -> None:
        self._complete = frozenset(complete)
        self._found: dict[DistinctKey, Finding] = {}
        self._samples: dict[tuple[str, str, str], int] = {}

    def add(self, findings: Iterable[Finding]) -> None:
        """Adds findings. The most severe of those that are merged is kept, with the number of all."""
        for finding in findings:
            key = distinct_key(vars(finding))
            known = self._found.get(key)
            if known is not None:
                kept = finding if finding.severity > known.severity else known
                self._found[key] = replace(kept, count=known.count + finding.count)
            elif self._has_room(finding):
                self._found[key] = finding

    def _has_room(self, finding: Finding) -> bool:
        kind = (finding.tokenizer, finding.context, finding.hazard)
        self._samples[kind] = self._samples.get(kind, 0) + 1
        return self._samples[kind] <= MAX_SAMPLES or finding.hazard in self._complete

    def take(self) -> list[Finding]:
        """Returns the merged findings, in the order in which they were first added."""
        return list(self._found.values())
