"""Single predictions of a model that is shown the true trace: which event, state, action and value it got right alone.

A trace is cut into parts, each with the token that ends it, so that every token belongs to one prediction. A part is
right if each of its tokens is the greedy choice given the reference trace before it; another split of the same text
into tokens counts as wrong. States are compared, not their notation: a written-out value in place of ".." is right if
it is the value (`analyze.diagnosis.state_notation`). Not in scope: answers that the model wrote by itself
(`divergence`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analyze.diagnosis.answers import final_answer
from analyze.diagnosis.state_notation import is_same_state
from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP, Frame
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer

PartKind = Literal["event", "state", "action", "return value"]
PART_KINDS: tuple[PartKind, ...] = ("event", "state", "action", "return value")


@dataclass(frozen=True)
class TracePart:
    """What is predicted in one go. ids: with the special token that ends it; frame: its number, from 0."""

    frame: int
    kind: PartKind
    ids: tuple[int, ...]


@dataclass(frozen=True)
class WrongPrediction:
    """A part that was not predicted. predicted: the greedy choices in its place, each given the truth before it."""

    frame: int
    kind: PartKind
    true: str
    predicted: str


@dataclass(frozen=True)
class PredictionScores:
    """Every prediction of one trace, judged alone. counts: by kind, how many were right, and how many were judged.

    answer, correct: the part that the answer is read from; None and False where it was not reached (`reached`).
    """

    counts: tuple[tuple[PartKind, int, int], ...]
    wrong: tuple[WrongPrediction, ...]
    truth: str
    answer: str | None
    correct: bool
    reached: bool


def frame_parts(number: int, frame: Frame, tokenizer: Tokenizer) -> list[TracePart]:
    """One frame in the order in which it is written. Raises what `frames_to_ids` raises.

    The event's token is a part, with the separator that follows at once where the frame has no state.
    """
    action = tokenizer.special_id(ACTION_SEP)
    event = tokenizer.special_id(EVENT_SEP[frame.event])
    ends = tokenizer.special_id(FRAME_SEP)
    source = tokenizer.encode(frame.source)
    if frame.state is not None:
        state = tokenizer.encode(json.dumps(dict(frame.state)))
        first = [TracePart(number, "event", (event,)), TracePart(number, "state", (*state, action))]
    else:
        first = [TracePart(number, "event", (event, action))]
    if frame.value is None:
        return [*first, TracePart(number, "action", (*source, ends))]
    value = TracePart(number, "return value", (*tokenizer.encode(json.dumps(frame.value)), ends))
    return [*first, TracePart(number, "action", (*source, tokenizer.special_id(ARG_SEP))), value]


def score_predictions(trace: Trace, chosen: Sequence[int], tokenizer: Tokenizer) -> PredictionScores:
    """chosen: the greedy choice in place of each token of the trace, from its first on; of a beginning of it too."""
    where = _answered_by(trace)
    counts = {kind: [0, 0] for kind in PART_KINDS}
    wrong: list[WrongPrediction] = []
    answer, correct, reached, place = None, False, False, 0
    for number, frame in enumerate(trace.frames):
        if place >= len(chosen):
            break
        for part in frame_parts(number, frame, tokenizer):
            said = tuple(chosen[place : place + len(part.ids)])
            place += len(part.ids)
            if len(said) < len(part.ids) and said == part.ids[: len(said)]:
                break  # right as far as it goes, which says nothing of the whole
            right = said == part.ids or (
                part.kind == "state" and is_same_state(part.ids, said, trace.frames, number, tokenizer)
            )
            counts[part.kind][0] += right
            counts[part.kind][1] += 1
            if not right:
                wrong.append(
                    WrongPrediction(
                        number, part.kind, _text(part.ids, part.kind, tokenizer), _text(said, part.kind, tokenizer)
                    )
                )
            if (number, part.kind) == where:
                reached, correct = True, right and trace.cut is None
                answer = final_answer(trace.frames, trace.grading) if right else _unquoted(wrong[-1].predicted)
    return PredictionScores(
        tuple((kind, right, judged) for kind, (right, judged) in counts.items()),
        tuple(wrong),
        final_answer(trace.frames, trace.grading) or "",
        answer,
        correct,
        reached,
    )


def _answered_by(trace: Trace) -> tuple[int, PartKind] | None:
    """The part that `final_answer` reads."""
    frames = trace.frames
    if trace.grading == "state":
        return next(((i, "state") for i in reversed(range(len(frames))) if frames[i].state is not None), None)
    if not frames:
        return None
    raised = len(frames) > 1 and frames[-2].event == "exception" and frames[-2].source == frames[-1].source
    return len(frames) - (2 if raised and frames[-1].value == "None" else 1), "return value"


def _text(ids: Sequence[int], kind: PartKind, tokenizer: Tokenizer) -> str:
    """As people read it: without the token that ends a part, but for an event, which is nothing else."""
    return tokenizer.decode(ids if kind == "event" else ids[:-1])


def _unquoted(text: str) -> str:
    """The repr that a value's JSON holds; the text as it is where it is no JSON string."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return found if isinstance(found, str) else text
