"""Scores single predictions of a model that is shown the reference trace (teacher forcing).

A trace is split into parts (event, state, action, return value), each with the token that ends it, so that every token
belongs to one prediction. A part is correct if each of its tokens is the greedy choice after the reference tokens
before it. Another tokenization of the same text counts as wrong. States are compared, not their notation: a written
value instead of ".." is correct if it is the value (`analyze.diagnosis.state_notation`). `analyze.diagnosis.divergence`
judges answers that the model wrote by itself.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from analyze.diagnosis.answer_comparison import answer_frame, final_answer
from analyze.diagnosis.parse_output import quoted_value
from analyze.diagnosis.state_notation import is_same_state
from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP, Frame
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer

PartKind = Literal["event", "state", "action", "return value"]
PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)


@dataclass(frozen=True)
class TracePart:
    """A unit of prediction.

    Attributes:
        frame: Index of its frame, from 0.
        kind: What it holds.
        ids: Its token ids, including the special token that ends it.
    """

    frame: int
    kind: PartKind
    ids: tuple[int, ...]


@dataclass(frozen=True)
class WrongPrediction:
    """A part that the model did not predict.

    Attributes:
        frame: Index of its frame, from 0.
        kind: What it holds.
        true: The reference text.
        predicted: The greedy choices in its place, each after the reference tokens before it.
    """

    frame: int
    kind: PartKind
    true: str
    predicted: str


@dataclass(frozen=True)
class PredictionScores:
    """Scores of every prediction in one trace.

    Attributes:
        counts: (kind, number correct, number scored).
        wrong: The parts that were not predicted.
        truth: The reference answer.
        answer: The predicted answer; None if its part was not reached.
        correct: Whether the answer is correct.
        reached: Whether the part that holds the answer was reached.
    """

    counts: tuple[tuple[PartKind, int, int], ...]
    wrong: tuple[WrongPrediction, ...]
    truth: str
    answer: str | None
    correct: bool
    reached: bool


def frame_parts(number: int, frame: Frame, tokenizer: Tokenizer) -> list[TracePart]:
    """Splits a frame into parts in the order in which it is written. Raises what `frames_to_ids` raises.

    The event token is a part; if the frame has no state, the part includes the separator that follows at once.
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
    """Scores a model's greedy choices against the trace.

    Args:
        trace: The reference trace.
        chosen: The greedy choice in place of each token of the trace, from the first on; may be shorter than the trace.
        tokenizer: The model's tokenizer.
    """
    where = answer_frame(trace.frames, trace.grading), "state" if trace.grading == "state" else "return value"
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
                break  # an incomplete part is not scored
            is_state = part.kind == "state"
            right = said == part.ids or (is_state and is_same_state(part.ids, said, trace.frames, number, tokenizer))
            counts[part.kind][0] += right
            counts[part.kind][1] += 1
            if not right:
                texts = (_text(ids, part.kind, tokenizer) for ids in (part.ids, said))
                wrong.append(WrongPrediction(number, part.kind, *texts))
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


def _text(ids: Sequence[int], kind: PartKind, tokenizer: Tokenizer) -> str:
    """Returns the text of a part without the token that ends it; an event consists of that token only."""
    return tokenizer.decode(ids if kind == "event" else ids[:-1])


def _unquoted(text: str) -> str:
    """Returns the repr in a JSON string, or the text itself if it is not a JSON string."""
    found = quoted_value(text)
    return text if found is None else found
