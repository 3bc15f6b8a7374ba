"""A record of a run as JSON for the page: aligned frames, the diff of its rewrite, the cause of the failure."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from typing import Any

from analyze.diagnosis.divergence import diagnose
from analyze.diagnosis.failing_operation import find_failing_operation
from analyze.diagnosis.parse_output import parse_output
from analyze.gold_trace.trace import Trace, physical_lines
from analyze.risk.failure_statistics import FailureCase, failure_case
from analyze.tokens.tokenizer import Tokenizer
from corpora.program import Case
from runner.records.samples import Sample
from runner.reports.viewer.alignment import align
from runner.reports.viewer.program_json import MAX_FRAMES, Json, predicted_json

_OMITTED = {"benchmark", "case_key", "decode", "diagnosis", "grading", "kind", "margin", "version"}
"""Fields of a record that the page does not have."""


@dataclass(frozen=True)
class FailureAnalysis:
    """Why an attempt failed.

    Attributes:
        failure: the classified failure.
        operations: the operations that may have produced the first wrong value, as JSON.
        undecided: why the evidence names no single operation; "" if it does.
    """

    failure: FailureCase
    operations: tuple[Json, ...] = ()
    undecided: str = ""


def analyze_failure(sample: Sample, trace: Trace) -> FailureAnalysis | None:
    """Returns why an attempt failed; None if it did not, was not asked, or has no reference trace."""
    if not sample.asked or sample.is_correct or not trace.frames:
        return None
    grading = trace.grading
    case = Case(sample.id, sample.source, sample.call, sample.expected, sample.benchmark, sample.kind, grading)
    diagnosis = diagnose(trace, sample.output)
    failure = failure_case(case, trace, diagnosis, sample.stopped)
    if diagnosis.kind not in ("state", "return value"):
        return FailureAnalysis(failure)
    found = find_failing_operation(trace, diagnosis)
    operations = tuple(
        {name: value for name, value in asdict(one).items() if name != "recorded"} for one in found.operations
    )
    return FailureAnalysis(failure, operations, found.reason)


def attempt_json(
    sample: Sample, original: Sample | None, trace: Trace, analysis: FailureAnalysis | None, tokenizer: Tokenizer
) -> Json:
    """Returns an attempt as a JSON object.

    Its fields are those of the record, except `_OMITTED`, and

        divergence   the first divergence; None if there is none
        aligned      [reference frame, predicted frame, kind of the difference] of each pair of frames; the predicted
                     frame is 0 if it is written like the reference
        rest         the output after its last complete frame
        diff         operations that turn the original program into this one: [tag, i, i end, j, j end]
        operations   what may have produced the first wrong value

    Args:
        sample: the record.
        original: the record of the original program, which the rewrite is compared with.
        trace: the reference trace of the record's program.
        analysis: why it failed.
        tokenizer: whose token boundaries are shown.
    """
    aligned, rest = _aligned(sample, trace, tokenizer)
    record = asdict(sample)
    if sample.rewrite is not None:
        before = original.source if original else None
        record["rewrite"] |= {"before": before, "diff": _diff(before, sample.source)}
    return {
        **{name: value for name, value in record.items() if name not in _OMITTED},
        "divergence": record["diagnosis"],
        "aligned": aligned,
        "rest": rest,
        "cause": analysis.failure.cause if analysis else "",
        "cause_line": analysis.failure.line if analysis else "",
        "operations": analysis.operations if analysis else (),
        "undecided": analysis.undecided if analysis else "",
    }


def _aligned(sample: Sample, trace: Trace, tokenizer: Tokenizer) -> tuple[list[list[Any]], str]:
    """The aligned frames of an output, and what follows its last frame; no predicted frames if nothing was asked."""
    if not sample.asked:
        return [[index, None, None] for index in range(min(len(trace.frames), MAX_FRAMES))], ""
    parsed = parse_output(sample.output, None, trace)
    rows: list[list[Any]] = []
    for one in align(trace.frames, parsed.frames, stripped=parsed.stripped)[:MAX_FRAMES]:
        true = None if one.reference is None else trace.frames[one.reference]
        predicted = None if one.predicted is None else parsed.frames[one.predicted]
        same = predicted is not None and predicted == true
        written = None if predicted is None else 0 if same else predicted_json(predicted, tokenizer)
        rows.append([one.reference, written, one.kind])
    return rows, parsed.rest


def _diff(before: str | None, after: str) -> list[list[Any]]:
    if before is None:
        return []
    return [
        list(code)
        for code in SequenceMatcher(None, physical_lines(before), physical_lines(after), autojunk=False).get_opcodes()
    ]
