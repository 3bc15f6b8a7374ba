"""Frames, and how CWM writes them as text.

A frame is one event of a trace. As text, with special tokens by name, it is one of

    <|call_sep|>STATE<|action_sep|>SOURCE<|frame_sep|>
    <|line_sep|>STATE<|action_sep|>SOURCE<|frame_sep|>
    <|return_sep|><|action_sep|>SOURCE<|arg_sep|>VALUE<|frame_sep|>
    <|exception_sep|><|action_sep|>SOURCE<|arg_sep|>VALUE<|frame_sep|>

STATE and VALUE are JSON. `analyze.diagnosis.parse_output` reads frames back; `analyze.gold_trace.tracer` records them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from analyze.tokens.tokenizer import Tokenizer

Event = Literal["call", "line", "return", "exception"]
EVENTS: tuple[Event, ...] = ("call", "line", "return", "exception")

FRAME_SEP, ACTION_SEP, ARG_SEP = "<|frame_sep|>", "<|action_sep|>", "<|arg_sep|>"
UNCHANGED = ".."
"""What a state shows of a value that the last state before it shows too."""
_SHORT = 200
EVENT_SEP: dict[Event, str] = {event: f"<|{event}_sep|>" for event in EVENTS}


@dataclass(frozen=True, slots=True)
class Frame:
    r"""One event of a trace.

    Attributes:
        event: The kind of event.
        source: The action: the physical line with its indentation and "\n".
        state: (name, shown repr or UNCHANGED) in order; None on return and exception.
        value: The repr of what was returned or raised; None on call and line.

    Example:
        >>> Frame("line", "    y = a\n", (("a", "'x'"),)).text
        '<|line_sep|>{"a": "\'x\'"}<|action_sep|>    y = a\n<|frame_sep|>'
    """

    event: Event
    source: str
    state: tuple[tuple[str, str], ...] | None = None
    value: str | None = None

    @property
    def text(self) -> str:
        """The frame as CWM writes it, with special tokens by name, including the closing `<|frame_sep|>`."""
        return "".join(piece for piece, _ in self.pieces())

    @property
    def shown(self) -> tuple[tuple[str, str], ...]:
        """The variables and values that the state writes out."""
        return tuple(pair for pair in self.state or () if pair[1] != UNCHANGED)

    def pieces(self) -> list[tuple[str, bool]]:
        """Returns the parts in order, each with whether it is a special token."""
        pieces = [(EVENT_SEP[self.event], True)]
        if self.state is not None:
            pieces.append((json.dumps(dict(self.state)), False))
        pieces += [(ACTION_SEP, True), (self.source, False)]
        if self.value is not None:
            pieces += [(ARG_SEP, True), (json.dumps(self.value), False)]
        return [*pieces, (FRAME_SEP, True)]


def frames_to_text(frames: Iterable[Frame]) -> str:
    """Returns the text from the first event token to the last `<|frame_sep|>`."""
    return "".join(frame.text for frame in frames)


def frames_to_ids(frames: Iterable[Frame], tokenizer: Tokenizer) -> list[int]:
    """Returns the token ids of `frames_to_text`.

    Special tokens become special ids; the other pieces are encoded one by one.

    Raises:
        InputError: If the vocabulary lacks a special token.
        UnicodeEncodeError: If a source line holds lone surrogates.
    """
    ids: list[int] = []
    known: dict[tuple[str, bool], Sequence[int]] = {}  # of short pieces, mostly source lines, which repeat
    for piece in (piece for frame in frames for piece in frame.pieces()):
        found = known.get(piece)
        if found is None:
            text, special = piece
            found = (tokenizer.special_id(text),) if special else tokenizer.encode(text)
            if len(text) <= _SHORT:
                known[piece] = found
        ids += found
    return ids


def count_tokens(frames: Iterable[Frame], tokenizer: Tokenizer, most: int | None = None) -> int | None:
    """Returns the number of ids that `frames_to_ids` returns; None if it exceeds `most`.

    Counting stops at `most`, so that little more than that is tokenized of a long trace. Raises what `frames_to_ids`
    raises.
    """
    limit = float("inf") if most is None else most
    total = 0
    lengths: dict[str, int] = {}  # of short pieces, mostly source lines, which repeat
    for text, special in (piece for frame in frames for piece in frame.pieces()):
        if special:
            tokenizer.special_id(text)
            total += 1
        elif total + len(text) // tokenizer.max_token_bytes > limit:
            return None
        elif len(text) > _SHORT:
            total += len(tokenizer.encode(text))
        else:
            total += lengths[text] if text in lengths else lengths.setdefault(text, len(tokenizer.encode(text)))
        if total > limit:
            return None
    return total
