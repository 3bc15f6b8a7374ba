"""What an audit found: the findings in its folder, and with a baseline those that are new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyze.auditing.duplicates import DuplicateIndex
from analyze.auditing.findings import AuditSummary
from analyze.auditing.findings_io import findings_in
from analyze.auditing.suppressions import CODE_UNUSED
from analyze.tokens.tokenizer import load_tokenizer
from runner.linting.audit_plan import AuditPlan
from runner.linting.baseline import finding_fingerprint
from runner.linting.diagnostics import Diagnostic, merge_findings, unused_diagnostic

NewFindings = dict[str, dict[str, int]] | None
"""By class, the fingerprints of findings that the baseline does not have, with their numbers; None without one."""


@dataclass(frozen=True)
class AuditOutcome:
    """What an audit found.

    Attributes:
        plan: The audit.
        folder: Where its findings are.
        summary: Their numbers.
        duplicates: The rows that occur again.
        new: With a baseline, the findings that it does not have (default: None, without one).
    """

    plan: AuditPlan
    folder: Path
    summary: AuditSummary
    duplicates: DuplicateIndex
    new: NewFindings = None

    @property
    def tokenizers(self) -> list[str]:
        """The full names of the tokenizers, the one that is audited for first."""
        return [load_tokenizer(name).name for name in self.plan.request.tokenizers]

    def findings(self) -> Iterator[dict[str, Any]]:
        """The findings of the first tokenizer."""
        first = self.tokenizers[0]
        return (finding for finding in findings_in(self.folder) if finding["tokenizer"] == first)

    def is_new(self, finding: Mapping[str, Any]) -> bool:
        """Whether the baseline does not have a finding; True without a baseline."""
        return self.new is None or finding_fingerprint(finding) in self.new.get(finding["hazard"], ())

    def diagnostics(self) -> dict[str, list[Diagnostic]]:
        """The findings to list, merged, and the comments that suppress nothing."""
        found = merge_findings((one for one in self.findings() if self.is_new(one)), self.plan.family)
        unused = [unused_diagnostic(comment) for comment in self.summary.unused]
        return found | ({CODE_UNUSED: unused} if unused else {})
