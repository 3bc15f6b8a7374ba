"""Reference traces with sparse reveals: states on every k-th line frame only, the others empty.

A state that is revealed writes ".." for what the last revealed state shows, as a full trace does for the last line.
States of CALL frames (arguments) and the last state always stay. The idea is the blog's "reveal spacing": 1 is the
dense supervision that CWM was trained with, and no reveals is a standard language model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyze import Trace
from analyze.diagnosis.answer_comparison import value_in_force
from analyze.gold_trace.frames import UNCHANGED, Frame

NEVER = 0
"""The spacing that reveals the last state alone."""


@dataclass(frozen=True)
class SparseTrace:
    """A trace with hidden states.

    Attributes:
        trace: the frames that a model is shown and judged by.
        hidden: numbers of the frames whose state is empty and injected.
    """

    trace: Trace
    hidden: frozenset[int]


def sparse_trace(trace: Trace, reveal_every: int) -> SparseTrace:
    """The trace with a state on each `reveal_every`-th line frame.

    Args:
        trace: the reference trace.
        reveal_every: the spacing from 1 (every line), or `NEVER`.
    """
    if reveal_every == 1:
        return SparseTrace(trace, frozenset())
    lines = [number for number, frame in enumerate(trace.frames) if frame.event == "line" and frame.state is not None]
    revealed = {number for place, number in enumerate(lines, 1) if reveal_every and place % reveal_every == 0}
    hidden = frozenset(set(lines) - revealed - set(lines[-1:]))
    frames: list[Frame] = []
    for number, frame in enumerate(trace.frames):
        if number in hidden:
            frames.append(replace(frame, state=()))
        else:
            frames.append(_since_last_reveal(trace, number, frames) if hidden and frame.state else frame)
    return SparseTrace(replace(trace, frames=tuple(frames)), hidden)


def _since_last_reveal(trace: Trace, number: int, shown: list[Frame]) -> Frame:
    """The frame with each value written out, unless the last revealed state of these frames has it."""
    frame = trace.frames[number]
    state: list[tuple[str, str]] = []
    for name, written in frame.state or ():
        value = value_in_force(trace.frames, number, name) or written
        probe = [*shown, replace(frame, state=((name, UNCHANGED),))]
        known = value_in_force(probe, number, name)
        state.append((name, UNCHANGED if known == value else value))
    return replace(frame, state=tuple(state))
