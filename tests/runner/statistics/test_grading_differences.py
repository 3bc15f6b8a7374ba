"""Both gradings of one run, on records counted by hand."""

from dataclasses import replace
from typing import Any

import pytest

from runner.records.samples import Sample
from runner.reports.run_report import RunInfo, as_json, as_markdown
from runner.runs.grading import grade_answer_block
from runner.statistics.grading_differences import describe_difference, grading_differences, regraded
from runner.statistics.summary import summarize
from tests.runner.records.test_samples import SAMPLE


def graded(name: str, verdict: str, answer: str | None, **fields: Any) -> Sample:
    return replace(
        SAMPLE,
        **{"id": name, "case_key": name, "source": name, "key": name, "verdict": verdict, "answer_verdict": answer}
        | {"expected": "1", "reference": "1"}
        | fields,
    )


SAMPLES = [
    graded("both", "correct", "correct"),
    graded("frame", "correct", "truncated", answer_block=None),
    graded("label", "correct", "incorrect", answer_block="1", expected="2"),
    graded("block", "incorrect", "correct", answer_block="1"),
    graded("none", "incorrect", "incorrect", answer_block="3"),
]
INFO = RunInfo("", "m", 8192, (), (), 0.0)


def test_the_difference_has_its_size_and_its_reasons() -> None:
    (found,) = grading_differences(SAMPLES)
    assert (found.graded, found.by_return, found.by_answer) == (5, 3, 2)
    assert (found.only_return, found.only_answer, found.no_block, found.wrong_labels) == (2, 1, 1, 1)
    said = describe_difference(found)
    assert "60.0 % of 5 answers" in said and "40.0 % by their [ANSWER] block" in said
    assert "2 right by the frame alone, 1 by the block alone; 1 without a block; 1 with a label" in said


def test_a_benchmark_without_any_block_has_no_difference() -> None:
    assert grading_differences([graded("frame", "correct", "truncated", answer_block=None)]) == ()


def test_regrading_exchanges_the_verdicts() -> None:
    samples = regraded(SAMPLES, "answer")
    (row,) = summarize(samples).rows
    assert (row.correct, row.incorrect, row.truncated, row.other_correct) == (2, 2, 1, 3)
    assert regraded(samples, "answer") == SAMPLES and regraded(SAMPLES, "return") == SAMPLES


def test_a_sample_without_a_block_keeps_its_verdict() -> None:
    bare = graded("bare", "correct", None)
    assert regraded([bare], "answer") == [bare]
    (row,) = summarize([bare]).rows
    assert row.other_correct is None
    assert "by [ANSWER]" not in as_markdown([bare], INFO)


def test_a_benchmark_without_any_block_has_a_dash_for_the_other_grading() -> None:
    bare = graded("bare", "correct", "truncated", answer_block=None, benchmark="bare")
    rows = {row.benchmark: row.other_correct for row in summarize([*SAMPLES, bare]).rows}
    assert (rows["bare"], rows[SAMPLE.benchmark]) == (None, 2)


def test_the_report_has_a_column_for_the_other_grading() -> None:
    page = as_markdown(SAMPLES, INFO)
    assert "| by [ANSWER] |" in page.replace("\\", "") and "right by their last RETURN frame" in page
    other = as_markdown(SAMPLES, replace(INFO, grade="answer"))
    assert "by RETURN" in other and "60.0 % of 5 answers" in other
    figures = as_json(SAMPLES, INFO)
    gradings: Any = figures["gradings"]
    assert gradings[0]["by_answer"] == 2


@pytest.mark.parametrize(
    ("label", "block", "stopped", "verdict"),
    [
        ("'a'", '"a"', "answer", "correct"),
        ("1", "True", "answer", "incorrect"),
        ("1", None, "limit", "truncated"),
        ("1", None, "end", "incorrect"),
        ("1", "1", "failed", "not asked"),
    ],
)
def test_a_block_is_graded_by_value(label: str, block: str | None, stopped: str, verdict: str) -> None:
    why: Any = stopped
    assert grade_answer_block(label, block, why) == verdict
