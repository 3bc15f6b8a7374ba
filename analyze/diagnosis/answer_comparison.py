"""The answer that a trace gives, the answer that a model states after it, and the comparison of two answers.

Nothing is run: values are compared as they are written (`analyze.diagnosis.written_values`).
"""

from __future__ import annotations

from collections.abc import Sequence

from analyze.diagnosis.stated_value import stated_value
from analyze.diagnosis.written_values import are_equal, read_answer_value, read_repr
from analyze.gold_trace.frames import UNCHANGED, Frame
from analyze.gold_trace.reprs_310 import strip_addresses
from corpora.outputs.marks import first_block
from corpora.program import Grading


def final_answer(frames: Sequence[Frame], grading: Grading) -> str | None:
    """Returns the answer of a complete trace.

    This is the value of the final RETURN or, graded by state, the last state as a dict's repr. If an exception ends
    `main`, it is the value of its EXCEPTION frame, because the RETURN of the unwinding is always "None".

    Returns:
        The answer as a repr; None if the frames give none: no frames, no final RETURN, or a ".." without an earlier
            value.
    """
    index = answer_frame(frames, grading)
    if index is None:
        return None
    if grading == "return":
        return frames[index].value if frames[-1].event == "return" else None
    values = [(name, value_in_force(frames, index, name)) for name, _ in frames[index].state or ()]
    if not values or any(value is None for _, value in values):
        return None
    return "{" + ", ".join(f"{name!r}: {value}" for name, value in values) + "}"


def answer_frame(frames: Sequence[Frame], grading: Grading) -> int | None:
    """Returns the index of the frame that holds the answer: the last state, or the end of `main`; None without one."""
    if grading == "state":
        return next((i for i in reversed(range(len(frames))) if frames[i].state is not None), None)
    if not frames:
        return None
    raised = len(frames) > 1 and frames[-2].event == "exception" and frames[-2].source == frames[-1].source
    return len(frames) - (2 if raised and frames[-1].value == "None" else 1)


def value_in_force(frames: Sequence[Frame], index: int, name: str) -> str | None:
    """Returns the value behind "..": the last one shown before, without a RETURN in between; None if unknown.

    Args:
        frames: The frames of one trace.
        index: Index of the frame with the state.
        name: The variable.
    """
    for frame in reversed(frames[: index + 1]):
        if frame.event == "return":
            return None
        shown = dict(frame.state or ()).get(name, UNCHANGED)
        if shown != UNCHANGED:
            return shown
    return None


def answer_block(text: str, call: str = "") -> str | None:
    """Returns the value that the first [ANSWER] block gives, or without one its text; None without a block.

    Args:
        text: What follows a trace.
        call: The call under test (default: unknown).

    >>> answer_block("[ANSWER]\\nassert f('==') == 3\\n[/ANSWER]"), answer_block("[ANSWER] len(f(1)) == 3", "f(1)")
    ('3', 'len(f(1)) == 3')
    """
    block = first_block(text, "[ANSWER]")
    return None if block is None else stated_value(block, call) or block.strip()


def same_value(truth: str, answer: str) -> bool:
    """Returns whether an answer is the text of a repr (ignoring addresses), or an equal value of equal types.

    Equal means Python's `==`, with which benchmarks grade: the order of a set or dictionary does not matter, and 0.0
    equals -0.0. The answer may be an expression of literals (`analyze.diagnosis.written_values`).
    `rewrite.equivalence` is stricter, since it claims that programs behave alike: there they differ.

    Args:
        truth: A repr.
        answer: What was written for it.

    >>> same_value("{'a': 1, 'b': 2}", '{"b": 2, "a": 1}'), same_value("1", "True"), same_value("-0.0", "0.0")
    (True, False, True)
    >>> same_value("2.0", "4 / 2"), same_value("2", "4 / 2")
    (True, False)
    """
    if strip_addresses(truth) == strip_addresses(answer):
        return True
    value = read_repr(truth)
    claimed = None if value is None else read_answer_value(answer)
    return value is not None and claimed is not None and are_equal(value.value, claimed.value)
