"""The two forced modes, which inject parts of the reference trace into an answer (teacher forcing).

forced-actions  the events and source lines of the reference trace are injected. The model writes every state and
                returned value, after its own earlier ones. A state ends at the first special token that the model
                writes, which the separator of the reference trace replaces.
forced          the whole reference trace is injected. The model's choice in place of each token, given the reference
                trace before it, is recorded and graded alone (`analyze.diagnosis.predictions`).

A forced trace is also a draft for speculative verification: it proposes the injected tokens and the reference states.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence

from analyze import Tokenizer, Trace
from analyze.diagnosis.predictions import TracePart, frame_parts
from runner.asking.drafts import TraceDraft
from runner.asking.generation import stop_ids
from runner.records.samples import Mode

_WRITTEN = {"state", "return value"}
_LEAST = 48
"""Minimum length of a proposal: injected tokens are always accepted and cheap to verify."""


class ForcedTrace:
    """The reference trace in one of the forced modes, for one answer.

    Attributes:
        mode: "forced-actions" or "forced".
        chosen: in mode forced, the model's choices so far.
        ended: whether the whole trace is written.
        cut: whether the reference trace is truncated.
    """

    def __init__(self, trace: Trace, mode: Mode, tokenizer: Tokenizer, hidden: frozenset[int] = frozenset()) -> None:
        """A script for one answer.

        Args:
            trace: the reference trace.
            mode: one of the two forced modes.
            tokenizer: of the model.
            hidden: numbers of the frames whose state is injected in mode `forced-actions`, too.
        """
        self._hidden = hidden
        self.mode = mode
        self.chosen: list[int] = []
        self._tokenizer = tokenizer
        self._special = frozenset(tokenizer.special_tokens.values())
        self._stops = stop_ids(tokenizer)
        self._trace = trace
        self._frames = 0  # number of frames with known parts
        self._parts: list[TracePart] = []
        self._part = 0
        self._own: list[int] = []  # tokens of the current part so far
        self._guess: TraceDraft | None = None
        self._proposed = 0
        self._placed = 0
        self._trust: int | None = None
        self.cut = trace.cut is not None
        self.ended = self._at(0) is None

    @property
    def key(self) -> str:
        """Identifies the mode and trace, for the cache of answers."""
        return f"{self.mode} {hashlib.sha256(self._trace.text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @property
    def is_choosing(self) -> bool:
        """Whether the model's choice at this position matters."""
        return self.mode == "forced" or self._free()

    def accept(self, token: int) -> int:
        """The token to write where the model chose `token`. Must not be called after the end of the trace."""
        part = self._at(self._part)
        assert part is not None
        self._placed += 1
        if self._free() and token not in self._special:
            self._own.append(token)
            return token
        if self.mode == "forced":
            self.chosen.append(min(self._stops) if token in self._stops else token)
        placed = part.ids[-1] if self._free() else part.ids[len(self._own)]
        self._own.append(placed)
        if self._free() or len(self._own) == len(part.ids):
            self._part, self._own, self._guess = self._part + 1, [], None
            self.ended = self._at(self._part) is None
        return placed

    def injected_tokens(self) -> list[int]:
        """The tokens that are injected next; empty where the model writes."""
        part = self._at(self._part)
        return [] if part is None or self._free() else list(part.ids[len(self._own) :])

    def propose(self, written: Sequence[int], most: int) -> Sequence[int]:
        """At most `most` tokens: injected ones, and those of the reference trace where the model writes."""
        if self._trust is not None:
            right = self._placed >= self._proposed
            self._trust = 2 * self._trust if right else max(_LEAST, min(self._trust, 2 * self._placed))
        found = list(self._ahead(most if self._trust is None else min(most, self._trust)))
        self._trust = self._trust or max(_LEAST, len(found))
        self._proposed, self._placed = len(found), 0
        return found

    def encode_continuation(self, text: str) -> list[int]:
        """The token ids of a continuation from a server that returns only text.

        A part ends with its JSON value or, if it has none, at the first special token in the text.
        """
        part = self._at(self._part)
        assert part is not None
        before = self._tokenizer.decode(self._own)
        try:
            _, end = json.JSONDecoder().raw_decode(before + text)
        except (ValueError, RecursionError):
            ends = [place for name in self._tokenizer.special_tokens if (place := text.find(name)) >= 0]
            if not ends:
                return self._tokenizer.encode(text)
            end = len(before) + min(ends)
        return [*self._tokenizer.encode((before + text)[len(before) : end]), part.ids[-1]]

    def _ahead(self, most: int) -> Iterator[int]:
        left, number = most, self._part
        part = self._at(number)
        if part is None or left <= 0:
            return
        rest: Sequence[int] = part.ids[len(self._own) :]
        if self._free() and tuple(self._own) != part.ids[: len(self._own)]:
            if self._guess is None:
                self._guess = TraceDraft(part.ids)
                self._guess.propose((), len(part.ids))
            rest = self._guess.propose(self._own, left)
            if not rest or rest[-1] != part.ids[-1]:
                yield from rest
                return
        while True:
            yield from rest[:left]
            left, number = left - len(rest), number + 1
            part = self._at(number) if left > 0 else None
            if part is None:
                return
            rest = part.ids

    def _free(self) -> bool:
        """Whether the model writes the current part, as only in mode `forced-actions`."""
        part = self._at(self._part)
        if part is None or self.mode == "forced" or part.kind not in _WRITTEN:
            return False
        return part.kind != "state" or part.frame not in self._hidden

    def _at(self, number: int) -> TracePart | None:
        """A part of the trace. Parts are tokenized lazily, because some traces are megabytes."""
        while len(self._parts) <= number:
            if self._frames == len(self._trace.frames):
                return None
            self._parts += frame_parts(self._frames, self._trace.frames[self._frames], self._tokenizer)
            self._frames += 1
        return self._parts[number]
