"""Where a model's output first parts from the true trace, and whether its answer is right.

Compared frame by frame as text, without memory addresses and module paths, whether the output is ids, text with special
tokens, or text without. What it does not do: run programs (`analyze.gold_trace.trace`) or explain an error by hazards.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from analyze.diagnosis.answers import answer_block, final_answer, same_value
from analyze.diagnosis.parse_output import ParsedOutput, parse_output
from analyze.gold_trace.frames import Frame
from analyze.gold_trace.reprs_310 import strip_addresses
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer

DivergenceKind = Literal["none", "action", "state", "return value", "event", "format", "cut off while right"]
DIVERGENCE_KINDS: tuple[DivergenceKind, ...] = (
    "return value",
    "state",
    "action",
    "event",
    "format",
    "cut off while right",
    "none",
)
"""In the order of the format's own table of failures."""


@dataclass(frozen=True)
class WrongAction:
    """The first step of an output that is not the true one: another source line, or another event of it.

    true, predicted: event and line, as people read them; after_wrong_state: whether a state or value before it was
    wrong already, of which the action may be the right consequence; in_program: whether the program has such a line.
    """

    frame: int
    true: str
    predicted: str
    after_wrong_state: bool
    in_program: bool


_STOPS = ("<|end_of_text|>", "<|eot_id|>", "<|eom_id|>")
_VALUED = ("return", "exception")


@dataclass(frozen=True)
class Diagnosis:
    """The first divergence of an output from the true trace.

    kind: "state", "action" (the source line) or "return value" where only that part of the frame is wrong; "event"
    where it is another step altogether (another event, or state and source both wrong, or a frame too many or too few);
    "format" where no frame stands where one should; "cut off while right" where the output ends too early with nothing
    wrong; "none" where the whole trace is right.
    frame: the index, from 0, of the first wrong or missing frame, which is the number of right ones before it.
    true, predicted: the part of that frame which is wrong, as CWM writes it ("" where there is none).
    truth, answer: the final value (a repr), true and predicted; answer is None where the output's frames reach no final
    RETURN. correct: they are the same value. block, block_correct: the same of the [ANSWER] block, told apart.
    fits: whether the true trace is within the budget (None without one); true_tokens: its length in tokens, None
    without a budget, and where it is beyond both the budget and `MAX_COUNTED_TOKENS`: it is counted no further.
    action: the first hallucinated action, None where each one that was written is the true one.
    """

    kind: DivergenceKind
    frame: int
    true: str
    predicted: str
    truth: str
    answer: str | None
    correct: bool
    block: str | None = None
    block_correct: bool | None = None
    true_frames: int = 0
    predicted_frames: int = 0
    true_tokens: int | None = None
    fits: bool | None = None
    action: WrongAction | None = None


def diagnose(
    trace: Trace, output: str | Sequence[int], tokenizer: Tokenizer | None = None, *, budget: int | None = None
) -> Diagnosis:
    """Compare an output (token ids, text, or text whose special tokens were stripped) with the true trace.

    tokenizer: the one that the ids are of (default: Llama-3's); budget: the tokens that the output could have had.
    """
    vocabulary = tokenizer or default_tokenizer()
    parsed = parse_output(output, vocabulary)
    diagnosis = _graded(trace, parsed, _first_divergence(trace, parsed))
    if budget is None:
        return diagnosis
    tokens = trace.count_tokens(vocabulary, max(budget, MAX_COUNTED_TOKENS))
    fits = tokens is not None and tokens <= budget and trace.cut is None
    return replace(diagnosis, true_tokens=tokens, fits=fits)


@dataclass(frozen=True)
class _Divergence:
    kind: DivergenceKind
    frame: int
    true: str = ""
    predicted: str = ""


def _first_divergence(trace: Trace, parsed: ParsedOutput) -> _Divergence:
    pairs = zip_longest(trace.frames, parsed.frames)
    for index, (true, predicted) in enumerate(pairs):
        if true is None or predicted is None:
            return _missing_or_extra(index, true, predicted, parsed)
        kind = _difference(true, predicted, parsed.stripped)
        if kind is not None:
            return _Divergence(kind, index, _part(true, kind), _part(predicted, kind))
    return _Divergence("none", len(trace.frames))


def _first_action(trace: Trace, parsed: ParsedOutput) -> WrongAction | None:
    wrong_before = False
    for index, (true, predicted) in enumerate(zip(trace.frames, parsed.frames, strict=False)):
        kind = _difference(true, predicted, parsed.stripped)
        if kind in {"action", "event"}:
            lines = {line.rstrip() for line in trace.context.splitlines()}
            return WrongAction(index, *_steps(true, predicted), wrong_before, predicted.source.rstrip() in lines)
        wrong_before = wrong_before or kind is not None
    return None


def _steps(true: Frame, predicted: Frame) -> tuple[str, str]:
    """Event and line of both; as literals where nothing but spaces and line ends tells them apart."""
    told = f"{true.event}: {true.source.strip()}", f"{predicted.event}: {predicted.source.strip()}"
    return (
        told if told[0] != told[1] else (f"{true.event}: {true.source!r}", f"{predicted.event}: {predicted.source!r}")
    )


def _difference(true: Frame, predicted: Frame, stripped: bool) -> DivergenceKind | None:
    """Which part of a frame is wrong; None where it is right."""
    if true.event != predicted.event and not (stripped and _alike(true, predicted)):
        return "event"
    source = true.source == predicted.source
    if true.state is not None:
        state = _normal(true.state) == _normal(predicted.state or ())
        return None if source and state else "state" if source else "action" if state else "event"
    value = strip_addresses(true.value or "") == strip_addresses(predicted.value or "")
    return None if source and value else "return value" if source else "action" if value else "event"


def _alike(true: Frame, predicted: Frame) -> bool:
    """Without special tokens a CALL looks like a LINE, and a RETURN like an EXCEPTION."""
    return (true.event in _VALUED) == (predicted.event in _VALUED)


def _normal(state: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    return [(name, strip_addresses(shown)) for name, shown in state]


def _part(frame: Frame, kind: DivergenceKind) -> str:
    if kind == "action":
        return frame.source
    if kind == "state":
        return json.dumps(dict(frame.state or ()))
    return json.dumps(frame.value) if kind == "return value" else frame.text


def _missing_or_extra(index: int, true: Frame | None, predicted: Frame | None, parsed: ParsedOutput) -> _Divergence:
    if true is None:
        return _Divergence("event", index, "", predicted.text if predicted else "")
    rest = parsed.rest
    if not rest.strip():
        return _Divergence("cut off while right", index, true.text, "")
    expected = "".join(text for text, special in true.pieces() if not (special and parsed.stripped))
    if strip_addresses(expected).startswith(strip_addresses(rest)):
        return _Divergence("cut off while right", index, true.text, rest)
    if rest.strip().startswith(_STOPS):
        return _Divergence("event", index, true.text, rest.strip())
    if parsed.ending == "cut":
        return _Divergence(_kind_of_cut(true, rest, parsed.stripped), index, true.text, rest)
    return _Divergence("format", index, true.text, rest[:1000])


def _kind_of_cut(true: Frame, rest: str, stripped: bool) -> DivergenceKind:
    """The kind of a wrong frame that the output's end cut short: which part its first wrong character stands in."""
    pieces = [(text, special) for text, special in true.pieces() if not (stripped and special)]
    expected = "".join(text for text, _ in pieces)
    wrong = next((i for i, (one, other) in enumerate(zip(expected, rest, strict=False)) if one != other), len(expected))
    parts: list[DivergenceKind] = ["state", "action"] if true.state is not None else ["action", "return value"]
    another_form = stripped and true.state is None and rest.startswith("{")
    if another_form or (not stripped and wrong < len(pieces[0][0])):
        return "event"
    for text, special in pieces:
        wrong -= len(text)
        if wrong < 0:
            break
        if not special:
            parts = parts[1:] or parts
    return parts[0]


def _graded(trace: Trace, parsed: ParsedOutput, parting: _Divergence) -> Diagnosis:
    truth = final_answer(trace.frames, trace.grading) or ""
    frames = _whole(parsed, trace)
    answer = final_answer(frames, trace.grading) if frames else None
    block = answer_block(parsed.rest)
    return Diagnosis(
        kind=parting.kind,
        frame=parting.frame,
        true=parting.true,
        predicted=parting.predicted,
        truth=truth,
        answer=answer,
        correct=answer is not None and trace.cut is None and same_value(truth, answer),
        block=block,
        block_correct=None if block is None else same_value(truth, block),
        true_frames=len(trace.frames),
        predicted_frames=len(parsed.frames),
        action=_first_action(trace, parsed),
    )


def returns_from_main(trace: Trace, frame: Frame) -> bool:
    """Whether a predicted frame is the RETURN that ends a trace: the answer is read there, and what follows is not."""
    return frame.event == "return" and frame.source.strip() == trace.frames[-1].source.strip()


def _whole(parsed: ParsedOutput, trace: Trace) -> tuple[Frame, ...]:
    """The predicted frames up to the RETURN of `main`; empty where they never reach it."""
    frames = parsed.frames
    if not trace.frames:
        return ()
    for index, frame in enumerate(frames):
        if returns_from_main(trace, frame):
            return frames[: index + 1]
    # A trace may end elsewhere too, if the output says so: by prose or <|end_of_text|>.
    ended = parsed.ending == "end" and parsed.rest.strip() and frames and frames[-1].event == "return"
    return frames if ended else ()
