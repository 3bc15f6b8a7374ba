"""The frames of a reference trace with their risks, by the weights of the reliability map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analyze.gold_trace.frames import Event, Frame
from analyze.gold_trace.trace import Trace
from analyze.risk.features import StepFeatures
from analyze.risk.risk_model import RiskWeights
from analyze.risk.steps import PROMPT_FRAMES, TraceOperations


@dataclass(frozen=True)
class AssessedStep:
    """One frame of the reference trace with its risk.

    Attributes:
        index: Index of the frame, from 0.
        event: Its event.
        line: Its line in the traced source, from 1 (None if unknown).
        source: That line.
        risk: The probability, in 0..1, that this frame is wrong if all earlier frames are correct.
        why: What adds most to the risk, in words.
        made_by: The line whose execution produces this frame (a frame names the line that runs next).
        values: What the frame writes, as (name, repr), with "" for a result.
    """

    index: int
    event: Event
    line: int | None
    source: str
    risk: float
    why: tuple[str, ...]
    made_by: int | None = None
    values: tuple[tuple[str, str], ...] = ()


def assess_steps(
    trace: Trace, made: TraceOperations, features: Iterable[StepFeatures], weights: RiskWeights
) -> tuple[AssessedStep, ...]:
    """Returns the frames of a reference trace with their risks.

    Args:
        trace: The trace.
        made: The operations of each frame.
        features: The features of each frame.
        weights: The weights of the features.
    """
    rows = zip(trace.frames, features, made.lines, _makers(trace.frames, made.lines), strict=True)
    steps = []
    for index, (frame, step, line, maker) in enumerate(rows):
        # A frame that the prompt contains has no risk.
        risk, why = (0.0, ()) if index < PROMPT_FRAMES else (weights.risk(step), weights.why(step))
        steps.append(AssessedStep(index, frame.event, line, frame.source, risk, why, maker, tuple(_new(frame))))
    return tuple(steps)


def _makers(frames: Sequence[Frame], lines: Sequence[int | None]) -> Iterator[int | None]:
    """Yields, for each frame, the line whose execution leads to it: the current line of its function or caller."""
    at: list[int | None] = [None]  # by call depth
    for frame, line in zip(frames, lines, strict=True):
        yield at[-1]
        if frame.event == "call":
            at.append(line)
        elif frame.event == "return" and len(at) > 1:
            at.pop()
        else:
            at[-1] = line


def _new(frame: Frame) -> Iterator[tuple[str, str]]:
    """Yields the values that a frame writes in full."""
    if frame.value is not None:
        yield "", frame.value
    yield from frame.shown
