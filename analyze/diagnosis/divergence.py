"""Finds the first divergence of a model's output from the reference trace, and whether its answer is correct.

Frames are compared as text, without memory addresses and module paths, whether the output is ids, text with special
tokens, or text without them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from typing import Any, Literal, NamedTuple, get_args

from analyze.diagnosis.answer_comparison import answer_block, final_answer, same_value
from analyze.diagnosis.parse_output import ParsedOutput, parse_output
from analyze.gold_trace.frames import Frame
from analyze.gold_trace.reprs_310 import strip_addresses
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace, physical_lines
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.data_frames import data_frame, table_html

DivergenceKind = Literal[
    "return value", "state", "action", "event", "format", "no trace", "cut off while right", "none"
]
DIVERGENCE_KINDS: tuple[DivergenceKind, ...] = get_args(DivergenceKind)
"""In the order of tables: wrong values first, right traces last."""
NO_TRACE: DivergenceKind = "no trace"
CUT_OFF_WHILE_RIGHT: DivergenceKind = "cut off while right"


@dataclass(frozen=True)
class WrongAction:
    """The first step of an output that differs from the reference: another source line, or another event on it.

    Attributes:
        frame: Index of the frame, from 0.
        true: Event and line of the reference.
        predicted: Event and line of the output.
        after_wrong_state: Whether an earlier state or value was wrong, of which the action may be the correct
            consequence.
        in_program: Whether the program has such a line.
    """

    frame: int
    true: str
    predicted: str
    after_wrong_state: bool
    in_program: bool


_STOPS = ("<|end_of_text|>", "<|eot_id|>", "<|eom_id|>")
_VALUED = ("return", "exception")


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """The first divergence of an output from the reference trace. A notebook shows its fields as a table.

    Attributes:
        kind: Which part of the frame differs: "state", "action" (the source line) or "return value" if only that part
            does; "event" if it is another step altogether (another event, state and source both wrong, or a frame too
            many or too few); "format" if something else than a frame follows right frames; "no trace" if the output
            begins with something else, such as a value; "cut off while right" if the output ends early without an
            error, or is empty; "none" if the whole trace is correct.
        frame: Index, from 0, of the first wrong or missing frame: the number of correct frames before it.
        true: The part of the reference frame that differs, as CWM writes it ("" if there is none).
        predicted: The same part of the output.
        truth: The final value of the reference trace, a repr.
        answer: The final value of the output; None if its frames reach no final RETURN.
        correct: Whether both are the same value.
        block: The answer in the output's [ANSWER] block, if it has one.
        block_correct: Whether that answer is correct.
        true_frames: Number of frames in the reference trace.
        predicted_frames: Number of frames in the output.
        true_tokens: Length of the reference trace in tokens; None without a budget, or if it exceeds both the budget
            and `MAX_COUNTED_TOKENS`.
        fits: Whether the reference trace is within the budget (None without one).
        action: The first wrong action; None if each action in the output is correct.
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

    def __repr__(self) -> str:
        """Whether the answer is correct, and where the output diverges; not the values."""
        return f"Diagnosis({'correct' if self.correct else 'incorrect'}, {self.where})"

    @property
    def where(self) -> str:
        """Where the output diverges, in words: the kind of the divergence and its frame."""
        if self.kind == "none":
            return "no divergence"
        if self.kind == CUT_OFF_WHILE_RIGHT and not self.frame and not self.predicted:
            return "the output is empty"
        return NO_TRACE if self.kind == NO_TRACE else f"{self.kind} at frame {self.frame}"

    def to_frame(self) -> Any:
        """Returns a pandas data frame with one row, its fields. Raises InputError if pandas is not installed."""
        return data_frame([asdict(self)])

    def _repr_html_(self) -> str:
        return table_html(("field", "value"), asdict(self).items())


def diagnose(
    trace: Trace, output: str | Sequence[int], tokenizer: Tokenizer | None = None, *, budget: int | None = None
) -> Diagnosis:
    """Compares an output with the reference trace.

    Args:
        trace: The reference trace.
        output: Token ids, text, or text whose special tokens were stripped.
        tokenizer: The tokenizer of the ids (default: Llama-3's).
        budget: The maximum length of the output in tokens (default: none; `fits` and `true_tokens` are then None).
    """
    vocabulary = tokenizer or default_tokenizer()
    parsed = parse_output(output, vocabulary, trace)
    diagnosis = _graded(trace, parsed, _first_divergence(trace, parsed))
    if budget is None:
        return diagnosis
    tokens = trace.count_tokens(vocabulary, max(budget, MAX_COUNTED_TOKENS))
    fits = tokens is not None and tokens <= budget and trace.cut is None
    return replace(diagnosis, true_tokens=tokens, fits=fits)


class _Divergence(NamedTuple):
    kind: DivergenceKind
    frame: int
    true: str = ""
    predicted: str = ""


def _first_divergence(trace: Trace, parsed: ParsedOutput) -> _Divergence:
    pairs = zip_longest(trace.frames, parsed.frames)
    for index, (true, predicted) in enumerate(pairs):
        if true is None or predicted is None:
            return _missing_or_extra(index, true, predicted, parsed)
        kind = frame_difference(true, predicted, parsed.stripped)
        if kind is not None:
            return _Divergence(kind, index, _part(true, kind), _part(predicted, kind))
    return _Divergence("none", len(trace.frames))


def _first_action(trace: Trace, parsed: ParsedOutput) -> WrongAction | None:
    wrong_before = False
    for index, (true, predicted) in enumerate(zip(trace.frames, parsed.frames, strict=False)):
        kind = frame_difference(true, predicted, parsed.stripped)
        if kind in {"action", "event"}:
            lines = {line.rstrip() for line in physical_lines(trace.context)}
            return WrongAction(index, *_steps(true, predicted), wrong_before, predicted.source.rstrip() in lines)
        wrong_before = wrong_before or kind is not None
    return None


def _steps(true: Frame, predicted: Frame) -> tuple[str, str]:
    """Describes event and line of both frames, as literals if they differ in whitespace only."""
    shown = f"{true.event}: {true.source.strip()}", f"{predicted.event}: {predicted.source.strip()}"
    if shown[0] != shown[1]:
        return shown
    return f"{true.event}: {true.source!r}", f"{predicted.event}: {predicted.source!r}"


def frame_difference(true: Frame, predicted: Frame, stripped: bool) -> DivergenceKind | None:
    """Returns which part of a frame is wrong; None if it is correct.

    Args:
        true: The frame of the reference trace.
        predicted: The frame of the output.
        stripped: Whether the special tokens of the output are missing (`ParsedOutput.stripped`).
    """
    if true.event != predicted.event and not (stripped and _alike(true, predicted)):
        return "event"
    source = true.source == predicted.source
    if true.state is not None:
        state = _normal(true.state) == _normal(predicted.state or ())
        return None if source and state else "state" if source else "action" if state else "event"
    value = strip_addresses(true.value or "") == strip_addresses(predicted.value or "")
    return None if source and value else "return value" if source else "action" if value else "event"


def _alike(true: Frame, predicted: Frame) -> bool:
    """Whether both frames look alike without special tokens: CALL like LINE, RETURN like EXCEPTION."""
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
        return _Divergence(CUT_OFF_WHILE_RIGHT, index, true.text, "")
    expected = "".join(text for text, special in true.pieces() if not (special and parsed.stripped))
    if strip_addresses(expected).startswith(strip_addresses(rest)):
        return _Divergence(CUT_OFF_WHILE_RIGHT, index, true.text, rest)
    if rest.strip().startswith(_STOPS):
        return _Divergence("event", index, true.text, rest.strip())
    if parsed.ending == "cut" and not (index == 0 and parsed.stripped and _is_object(rest)):
        return _Divergence(_kind_of_cut(true, rest, parsed.stripped), index, true.text, rest)
    return _Divergence("format" if index else NO_TRACE, index, true.text, rest[:1000])


def _is_object(text: str) -> bool:
    """Whether a text is a whole JSON object, such as `{"answer": "1"}`: it is a value, no state that was cut off."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _kind_of_cut(true: Frame, rest: str, stripped: bool) -> DivergenceKind:
    """Returns the kind of a wrong frame that the output's end cut off, by the part of its first wrong character."""
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
    block = answer_block(parsed.rest, trace.call)
    return Diagnosis(
        *parting,
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
    """Whether a frame is a RETURN from a line like that of `main`.

    The last of them in the reference trace ends it: the answer is read there, and later frames are ignored.
    """
    return frame.event == "return" and frame.source.strip() == trace.frames[-1].source.strip()


def count_main_returns(trace: Trace) -> int:
    """Returns how many RETURNs are from a line like that of `main`: several if a function makes the same call."""
    return max(1, sum(returns_from_main(trace, frame) for frame in trace.frames))


def _whole(parsed: ParsedOutput, trace: Trace) -> tuple[Frame, ...]:
    """Returns the predicted frames up to the RETURN of `main`; empty if they never reach it."""
    frames = parsed.frames
    if not trace.frames:
        return ()
    ends = [index for index, frame in enumerate(frames) if returns_from_main(trace, frame)]
    if ends:
        return frames[: ends[: count_main_returns(trace)][-1] + 1]
    # A trace may also end elsewhere if prose or <|end_of_text|> follows.
    ended = parsed.ending == "end" and parsed.rest.strip() and frames and frames[-1].event == "return"
    return frames if ended and not _begins_frame(parsed, trace) else ()


def _begins_frame(parsed: ParsedOutput, trace: Trace) -> bool:
    """Whether the text after the last frame of an output without special tokens is the beginning of a RETURN.

    That is a line of the program, or the beginning of one, and the beginning of a quoted value.
    """
    line, newline, value = parsed.rest.partition("\n")
    lines = [known.rstrip("\n") for known in physical_lines(trace.context)]
    if newline:
        return parsed.stripped and line in filter(str.strip, lines) and (not value or value.startswith('"'))
    return parsed.stripped and any(known.startswith(line) for known in lines)
