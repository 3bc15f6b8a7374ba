"""Writes the reliability map as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import TextIO

from analyze.auditing.html_report import write_template
from analyze.risk.assessment_folder import BANDS, MAX_BAD_HELD, AssessmentSummary, riskiest
from analyze.risk.program_map import training_data
from analyze.risk.records import Record

MAX_SAMPLES = 500
"""Maximum number of samples on a page: those of unknown risk and the riskiest. The records have all."""


def write_page(file: TextIO, records: Iterable[Record], survey: AssessmentSummary, source: str, risk_map: str) -> None:
    """Writes the page. Records are streamed, and at most `MAX_SAMPLES` of them held."""
    kept = riskiest(records, MAX_SAMPLES)
    some = f"The {len(kept):,} samples of unknown or highest risk among {survey.assessed:,} are shown. "
    data = {
        "source": source,
        "survey": survey.to_json() | {"assessed": survey.assessed, "known": survey.known, "bad": []},
        "bands": BANDS,
        "limits": some if len(kept) < survey.assessed else "",
        "fitted_on": training_data(risk_map),
        "samples": kept,
        "badcount": survey.unread,
        "bad": [f"{bad.where}: {bad.reason}" for bad in survey.bad[:MAX_BAD_HELD]],
    }
    write_template(file, files("analyze.risk"), data)
