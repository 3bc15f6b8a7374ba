"""Assesses the programs of records: each is executed for its reference trace, its risk and the causes of failures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from analyze.gold_trace.trace import Trace
from analyze.risk.assessment import Assessment, assess
from analyze.risk.program_map import load_reliability_map
from analyze.tokens.tokenizer import Tokenizer
from corpora.dataset import BadRow, Row, case_from_row
from corpora.deadline import OutOfTimeError, time_limit
from corpora.errors import UnavailableError
from corpora.failures import WorkFailure, contain, failure_reason
from corpora.program import Grading, Outcome, trace_context
from runner.records.samples import Sample
from runner.reports.viewer.attempt_json import FailureAnalysis, analyze_failure

ProgramKey = tuple[str, str, str]
"""Program, call and grading."""


def program_key(sample: Sample) -> ProgramKey:
    """What the reference trace of a record depends on."""
    return sample.source, sample.call, sample.grading


class ProgramAssessments:
    """Assessments by program, so that attempts with the same program share one.

    Args:
        tokenizer: of the model, for hazards and token boundaries.
        seconds: time limit of a record.

    Attributes:
        unread: one line per record whose program or failure could not be analyzed.
    """

    def __init__(self, tokenizer: Tokenizer, seconds: float) -> None:
        self.unread: list[str] = []
        self._tokenizer = tokenizer
        self._seconds = seconds
        self._known: dict[tuple[str, ...], Assessment] = {}

    def find(self, sample: Sample, risk_map: str = "") -> tuple[Assessment, FailureAnalysis | None]:
        """Returns the assessment of a record's program, and why the attempt failed; None if it did not, or unknown.

        Args:
            sample: The record.
            risk_map: One of the shipped maps (default: that of models that write states).

        Raises:
            UnavailableError: no program can be run.
        """
        with time_limit(self._seconds):
            key = (*program_key(sample), risk_map)
            if key not in self._known:
                self._known[key] = self._assess(sample, risk_map)
            try:
                return self._known[key], analyze_failure(sample, self._known[key].trace)
            except OutOfTimeError as error:
                self._add_unread(sample, error.message)
            except UnavailableError:
                raise
            except Exception as error:  # noqa: BLE001 - one record must not end the command
                self._add_unread(sample, failure_reason(error))
        return self._known[key], None

    def _add_unread(self, sample: Sample, reason: str) -> None:
        self.unread.append(f"{sample.id} ({sample.attempt}): {reason}")

    def _assess(self, sample: Sample, risk_map: str) -> Assessment:
        grading: Grading = "state" if sample.grading == "state" else "return"
        case = case_from_row(Row(1, "", {"source": sample.source, "call": sample.call}))
        reason = case.reason if isinstance(case, BadRow) else ""
        if not reason:
            chosen = load_reliability_map(Path(risk_map)) if risk_map else None
            work = partial(assess, sample.source, sample.call, self._tokenizer, grading=grading, risk_map=chosen)
            found = contain(partial(work, seconds=self._seconds))
            if not isinstance(found, WorkFailure):
                return found
            reason = found.reason
        self._add_unread(sample, reason)
        context = trace_context(sample.source, sample.call, grading)
        trace = Trace(context, (), Outcome("refused", detail=reason), grading, "refused")
        return Assessment(None, (), (), "none", (f"risk unknown: {reason}",), trace, self._tokenizer)
