"""Frames, and how CWM writes them as text.

A frame is one event of a trace. As text, with special tokens spelled out, it is one of

    <|call_sep|>STATE<|action_sep|>SOURCE<|frame_sep|>
    <|line_sep|>STATE<|action_sep|>SOURCE<|frame_sep|>
    <|return_sep|><|action_sep|>SOURCE<|arg_sep|>VALUE<|frame_sep|>
    <|exception_sep|><|action_sep|>SOURCE<|arg_sep|>VALUE<|frame_sep|>

STATE and VALUE are JSON. What it does not do: read text and ids back (`analyze.diagnosis.parse_output`), or record
(`analyze.gold_trace.tracer`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from analyze.tokens.tokenizer import Tokenizer

Event = Literal["call", "line", "return", "exception"]
EVENTS: tuple[Event, ...] = ("call", "line", "return", "exception")

FRAME_SEP, ACTION_SEP, ARG_SEP = "<|frame_sep|>", "<|action_sep|>", "<|arg_sep|>"
_SHORT = 200
EVENT_SEP: dict[Event, str] = {event: f"<|{event}_sep|>" for event in EVENTS}


@dataclass(frozen=True, slots=True)
class Frame:
    r"""One event.

    source: the action, the physical line with its indentation and "\n"; state: (name, shown repr or "..") in order,
    None on return and exception; value: the repr returned or raised, None on call and line.

    >>> Frame("line", "    y = a\n", (("a", "'x'"),)).text
    '<|line_sep|>{"a": "\'x\'"}<|action_sep|>    y = a\n<|frame_sep|>'
    """

    event: Event
    source: str
    state: tuple[tuple[str, str], ...] | None = None
    value: str | None = None

    @property
    def text(self) -> str:
        """As CWM writes it, special tokens spelled out, the closing <|frame_sep|> included."""
        return "".join(piece for piece, _ in self.pieces())

    def pieces(self) -> list[tuple[str, bool]]:
        """The parts in order, each with whether it is a special token (else ordinary text)."""
        pieces = [(EVENT_SEP[self.event], True)]
        if self.state is not None:
            pieces.append((json.dumps(dict(self.state)), False))
        pieces += [(ACTION_SEP, True), (self.source, False)]
        if self.value is not None:
            pieces += [(ARG_SEP, True), (json.dumps(self.value), False)]
        return [*pieces, (FRAME_SEP, True)]


def frames_to_text(frames: Iterable[Frame]) -> str:
    """The text from the first event token to the last <|frame_sep|>."""
    return "".join(frame.text for frame in frames)


def frames_to_ids(frames: Iterable[Frame], tokenizer: Tokenizer) -> list[int]:
    """The token ids of `frames_to_text`: special ids by name, all else encoded as ordinary text, piece by piece.

    Raises InputError where the vocabulary lacks a special token, UnicodeEncodeError for lone surrogates in the source.
    """
    ids: list[int] = []
    for frame in frames:
        for text, special in frame.pieces():
            ids += [tokenizer.special_id(text)] if special else tokenizer.encode(text)
    return ids


def count_tokens(frames: Iterable[Frame], tokenizer: Tokenizer, most: int | None = None) -> int | None:
    """How many ids `frames_to_ids` gives; None as soon as they are known to be more than `most`.

    Counting stops there: of megabytes that do not fit, little more than what fits is tokenized. Raises what
    `frames_to_ids` raises.
    """
    limit = float("inf") if most is None else most
    total = 0
    lengths: dict[str, int] = {}  # of sources, which come again and again
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
