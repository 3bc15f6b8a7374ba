"""Recorded outputs are diagnosed row by row; rows that cannot be are named."""

import pytest

from analyze import diagnose, diagnose_rows, trace_call
from analyze.gold_trace.frames import frames_to_text
from corpora import BadRow

SOURCE = "def f(x):\n    return x + 1\n"
TRACE = trace_call(SOURCE, "f(1)")


def test_each_row_has_its_diagnosis_or_the_reason() -> None:
    row = {"code": SOURCE, "input": "1"}
    outputs = [TRACE.text, "nothing", None, [-1]]
    rows = [{**row, "completion": output} for output in outputs] + [{**row, "completion": "", "verdict": "not asked"}]
    right, wrong, missing, no_token, not_asked = diagnose_rows(rows, mapping={"output": "completion"})
    assert isinstance(right, tuple)
    assert right[1].kind == diagnose(TRACE, TRACE.text).kind
    assert isinstance(wrong, tuple)
    assert wrong[1].kind == "no trace"
    reasons = [row.reason for row in (missing, no_token, not_asked) if isinstance(row, BadRow)]
    assert reasons == [
        "has no output: field 'completion' is null",
        "its output has an unknown token id: -1",
        "has no output: it was not asked",
    ]


@pytest.mark.medium
def test_a_program_that_depends_on_more_than_its_input_has_no_diagnosis() -> None:
    source = "import random\ndef f():\n    return random.random()\n"
    [bad] = diagnose_rows([{"code": source, "call": "f()", "output": "x"}])
    assert isinstance(bad, BadRow)
    assert "has no unique reference trace" in bad.reason


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_program_without_an_end_has_no_diagnosis() -> None:
    [bad] = diagnose_rows([{"code": "def f():\n    while True: pass\n", "call": "f()", "output": "1"}])
    assert isinstance(bad, BadRow)
    assert bad.reason.startswith("no reference trace: ")


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_an_output_that_was_cut_off_before_the_frames_end_is_diagnosed_without_an_end_of_the_program() -> None:
    # Each line takes a millisecond, so that there are not 100,000 frames to read.
    source, call = "def f():\n    n = 0\n    while True:\n        n += sum(range(50_000))\n", "f()"
    frames = trace_call(source, call).frames
    for shown, kind in ((frames[:9], "cut off while right"), ((*frames[:8], frames[5]), "event")):
        [found] = diagnose_rows([{"code": source, "call": call, "output": frames_to_text(shown)}])
        assert not isinstance(found, BadRow)
        assert (found[1].kind, found[1].fits) == (kind, False)
    [bad] = diagnose_rows([{"code": source, "call": call, "output": "7"}])
    assert isinstance(bad, BadRow)
