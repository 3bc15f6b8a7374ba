"""The two forced modes: a true trace of which a model writes some parts, or none.

forced-actions  the true events and source lines are injected; the model writes every state and returned value, each
                behind its own earlier ones. A state ends with whatever special token the model ends it with; the true
                separator takes its place.
forced          the whole true trace is injected. What the model would have written in place of each token, given the
                truth before it, is kept, to be judged alone (`analyze.diagnosis.predictions`).

A script is a draft too: what it injects it proposes, and the true states with it, so that one pass over the true trace
says how far they are right. What it does not do: ask a model.
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
"""Tokens that are proposed though the last proposals were wrong: a script's own are right, and cost a pass little."""


class ForcedTrace:
    """One trace in one of the forced modes, for one answer.

    chosen: in mode forced, the model's choices so far; ended: whether all of the trace is written; cut: whether that is
    not all of the call.
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
        self._frames = 0  # of which the parts are known
        self._parts: list[TracePart] = []
        self._part = 0
        self._own: list[int] = []  # of the current part
        self._guess: TraceDraft | None = None
        self._proposed = 0
        self._placed = 0
        self._trust: int | None = None
        self.cut = trace.cut is not None
        self.ended = self._at(0) is None

    @property
    def key(self) -> str:
        """What tells two scripts apart, for a cache of answers."""
        return f"{self.mode} {hashlib.sha256(self._trace.text.encode('utf-8', 'surrogatepass')).hexdigest()}"

    @property
    def chooses(self) -> bool:
        """Whether what the model would write here matters."""
        return self.mode == "forced" or self._free()

    def place(self, token: int) -> int:
        """The token that stands where the model chose `token`; not to be asked for when it has ended."""
        part = self._at(self._part)
        assert part is not None
        self._placed += 1
        if self._free() and token not in self._special:
            self._own.append(token)
            return token
        if self.mode == "forced":
            self.chosen.append(min(self._stops) if token in self._stops else token)
        stands = part.ids[-1] if self._free() else part.ids[len(self._own)]
        self._own.append(stands)
        if self._free() or len(self._own) == len(part.ids):
            self._part, self._own, self._guess = self._part + 1, [], None
            self.ended = self._at(self._part) is None
        return stands

    def due(self) -> list[int]:
        """What is injected here, whatever the model chooses; nothing where it writes."""
        part = self._at(self._part)
        return [] if part is None or self._free() else list(part.ids[len(self._own) :])

    def propose(self, written: Sequence[int], most: int) -> Sequence[int]:
        """At most so many tokens: what is injected, and what the true trace has where the model writes."""
        if self._trust is not None:
            right = self._placed >= self._proposed
            self._trust = 2 * self._trust if right else max(_LEAST, min(self._trust, 2 * self._placed))
        found = list(self._ahead(most if self._trust is None else min(most, self._trust)))
        self._trust = self._trust or max(_LEAST, len(found))
        self._proposed, self._placed = len(found), 0
        return found

    def read(self, text: str) -> list[int]:
        """The ids of what a model wrote here, of which only the text is known.

        A part ends where its JSON does, or, where there is none, at the first special token that is spelled out.
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
        part = self._at(self._part)
        return self.mode == "forced-actions" and part is not None and self._is_written(part)

    def _is_written(self, part: TracePart) -> bool:
        """Whether the model writes this part in mode `forced-actions`."""
        return part.kind in _WRITTEN and not (part.kind == "state" and part.frame in self._hidden)

    def _at(self, number: int) -> TracePart | None:
        """A part of the trace, which is tokenized as far as it is needed: some are megabytes."""
        while len(self._parts) <= number:
            if self._frames == len(self._trace.frames):
                return None
            self._parts += frame_parts(self._frames, self._trace.frames[self._frames], self._tokenizer)
            self._frames += 1
        return self._parts[number]
