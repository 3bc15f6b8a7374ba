"""The `repr` of a result is one short line without programs, outputs and states, and a frame has its content."""

from dataclasses import replace

import pytest

from analyze import assess, audit, diagnose, trace_call
from corpora import run_call
from rewrite import check_equivalence, plan_rewrite, rewrite_source
from rewrite.testing.check_report import InterventionFailure, Report
from runner import compare, report
from tests.runner.records.test_samples import SAMPLE

SOURCE = "def f(xs):\n    return sorted(xs)[0]\n"
CALL = "f([1, 1, 3])"


def test_results_have_a_short_repr() -> None:
    different = check_equivalence("def f(x): return x > 0", "def f(x): return x >= 0", ["f(0)"], examples=0)
    wrong = replace(SAMPLE, verdict="incorrect")
    found = {
        "Diagnosis(incorrect, no trace)": diagnose(trace_call(SOURCE, CALL), "nothing"),
        "Verdict(equivalent=False, why='they differ in value', call='f(0)')": different,
        "Verdict(equivalent=True, why='the two programs are identical')": check_equivalence(SOURCE, SOURCE),
        "Rewritten(1 changed, 0 left, 0 assumed)": rewrite_source(SOURCE),
        "Rewritten(unchanged, 0 changed, 0 left, 0 assumed)": rewrite_source("x = 1\n"),
        f"Sample({SAMPLE.id!r}, original: {SAMPLE.verdict})": SAMPLE,
        "RunComparison('this run' with 'the other run': 1 samples in both, 1 gained, 0 lost)": compare(
            [replace(wrong, verdict="correct")], [wrong]
        ),
        "Report(name: failed (3 drawn, 2 changed, 1 compared, 0 reached by a call, 0 composed))": Report(
            "name", 3, 2, 1, 0, failures=(InterventionFailure("error", "it fails", SOURCE),)
        ),
        "<AuditFindings: an iterator of Finding; list() or .to_frame() reads it>": audit([{"code": SOURCE}]),
    }
    assert [*map(repr, found.values())] == [*found]


@pytest.mark.parametrize(
    "result",
    [trace_call(SOURCE, CALL), assess(SOURCE, CALL), plan_rewrite(SOURCE, [CALL], examples=0), report([SAMPLE])],
    ids=lambda result: type(result).__name__,
)
def test_a_repr_is_one_line(result: object) -> None:
    assert len(repr(result)) < 100 and "\n" not in repr(result)


def test_an_outcome_is_shown_without_its_snapshot() -> None:
    assert "snapshot" not in repr(run_call(SOURCE, CALL))


def test_a_diagnosis_is_a_frame_of_one_row() -> None:
    pytest.importorskip("pandas")
    frame = diagnose(trace_call(SOURCE, CALL), "nothing").to_frame()
    assert len(frame) == 1
    assert frame.kind[0] == "no trace"
