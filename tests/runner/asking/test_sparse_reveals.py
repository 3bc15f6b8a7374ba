"""Sparse reveals: which states are shown, what ".." stands for in them, and that the answer stays."""

from pathlib import Path

import pytest

from analyze import trace_call
from analyze.diagnosis.answer_comparison import final_answer
from corpora import load
from corpora.errors import InputError
from runner.asking.sparse_reveals import NEVER, sparse_trace
from runner.runs.model_evaluation import evaluate
from tests.models import SMALL_TRACER

CASE = next(iter(load("permutations", length=4, size=1)))
TRACE = trace_call(CASE.source, CASE.call, CASE.grading)


def test_every_line_is_the_trace_itself() -> None:
    assert sparse_trace(TRACE, 1).trace is TRACE and not sparse_trace(TRACE, 1).hidden


@pytest.mark.parametrize("spacing", [2, 3, 4, 8, NEVER])
def test_the_last_state_is_shown_whole_and_the_answer_stays(spacing: int) -> None:
    found = sparse_trace(TRACE, spacing)
    lines = [number for number, frame in enumerate(TRACE.frames) if frame.event == "line" and frame.state is not None]
    assert lines[-1] not in found.hidden and all(not found.trace.frames[number].state for number in found.hidden)
    assert final_answer(found.trace.frames, "state") == final_answer(TRACE.frames, "state")
    assert [frame.source for frame in found.trace.frames] == [frame.source for frame in TRACE.frames]
    if spacing:
        assert set(lines) - found.hidden == {*lines[spacing - 1 :: spacing], lines[-1]}


def test_values_of_hidden_states_are_written_out_where_they_are_next_revealed() -> None:
    source = "def f():\n    a = 1\n    b = 2\n    c = 3\n    return a\n"
    full = trace_call(source, "f()")
    sparse = sparse_trace(full, NEVER).trace
    last = max(number for number, frame in enumerate(full.frames) if frame.event == "line")
    assert dict(full.frames[last].state or ()) == {"a": "..", "b": "..", "c": "3"}
    assert dict(sparse.frames[last].state or ()) == {"a": "1", "b": "2", "c": "3"}


def test_sparser_traces_are_shorter() -> None:
    lengths = [len(sparse_trace(TRACE, spacing).trace.text) for spacing in (1, 2, 4, NEVER)]
    assert lengths == sorted(lengths, reverse=True) and len(set(lengths)) == 4


@pytest.mark.medium
def test_hidden_states_are_injected(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    samples = evaluate(
        str(SMALL_TRACER), [CASE], output=tmp_path, recipes=(), mode="forced-actions", reveal_every=4, max_tokens=2000
    )
    (sample,) = samples
    states = sample.output.count("<|line_sep|>{}")
    assert sample.mode == "forced-actions" and states >= len(sparse_trace(TRACE, 4).hidden)


def test_they_need_forced_actions() -> None:
    with pytest.raises(InputError, match="sparse reveals need --mode forced-actions"):
        evaluate(str(SMALL_TRACER), [CASE], recipes=(), reveal_every=2)
