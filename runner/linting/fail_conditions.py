"""The conditions of `--fail-on`: severities, levels, classes, labels and unused comments."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass

from analyze.auditing.duplicates import format_count
from analyze.auditing.findings import AuditSummary
from analyze.auditing.suppressions import CODE_UNUSED
from analyze.hazards.base import all_hazards
from corpora.errors import InputError, did_you_mean
from runner.terminal.options import severity

LABELS = "labels"
WARNING = "warning"


@dataclass(frozen=True)
class Gate:
    """When an audit fails.

    No severity and no level makes an informational class fail. It fails only if it is named.

    Attributes:
        warnings: The classes that are warnings.
        least: Severity from which a finding of these classes fails; None if severities do not.
        codes: Classes of which every finding fails.
        labels: Whether a label that execution contradicts fails.
    """

    warnings: frozenset[str] = frozenset()
    least: float | None = None
    codes: frozenset[str] = frozenset()
    labels: bool = False

    @staticmethod
    def parse(conditions: Iterable[str], warnings: frozenset[str]) -> Gate:
        """Reads conditions: a severity, `warning`, a class, or `labels`, each possibly several with commas.

        Raises:
            InputError: If a condition is none of these.
        """
        words = [word.strip() for condition in conditions for word in condition.split(",") if word.strip()]
        known = {kind.name for kind in all_hazards()} | {CODE_UNUSED}
        least: list[float] = []
        codes = set()
        for word in words:
            if word in known:
                codes.add(word)
            elif word != LABELS:
                least.append(0.0 if word == WARNING else _severity(word, known))
        return Gate(warnings, min(least, default=None), frozenset(codes), LABELS in words)

    def fails(self, code: str, worst: float) -> bool:
        """Whether a finding of this class and severity fails. A match has severity 0 and is no finding."""
        if worst <= 0:
            return False
        return code in self.codes or (self.least is not None and code in self.warnings and worst >= self.least)

    def failing_codes(self, summary: AuditSummary, tokenizer: str) -> dict[str, int]:
        """Returns the classes that fail with the tokenizer, with the number of their findings."""
        mine = [(key[2], count) for key, count in summary.counts.items() if key[0] == tokenizer]
        codes = {code for code, count in mine if self.fails(code, count.worst)}
        failing = {code: sum(count.findings for one, count in mine if one == code) for code in codes}
        if CODE_UNUSED in self.codes and summary.unused_count:
            failing[CODE_UNUSED] = summary.unused_count
        return failing

    def describe(self, code: str, count: int, kind: str) -> str:
        """Returns what fails of a class, in words; of findings of at least a severity, no number is known.

        >>> Gate(least=0.2).describe("ABSENT", 3, "finding"), Gate(least=0.0).describe("ABSENT", 3, "finding")
        ('findings of ABSENT of severity 0.2 or more', '3 findings of ABSENT')
        """
        if code in self.codes or not self.least:
            return f"{format_count(count, kind)} of {code}"
        return f"{kind}s of {code} of severity {self.least:g} or more"

    @property
    def gated(self) -> frozenset[str]:
        """The classes that can fail: warnings, and those that are named."""
        return self.warnings | self.codes


def _severity(word: str, known: Iterable[str]) -> float:
    try:
        return severity(word)
    except argparse.ArgumentTypeError:
        hint = did_you_mean(word, (*known, WARNING, LABELS))
        raise InputError(
            f"{word!r} is not a severity from 0 to 1, '{WARNING}', a class or '{LABELS}'{hint}", where="--fail-on"
        ) from None
