"""An answer in the making: what is asked, what is written so far, and when it ends.

The same for every backend that can be shown a draft: tokens that the model chose are taken one by one, in the order
and with the stops of plain greedy decoding. No model is asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyze.tokens.tokenizer import Tokenizer
from runner.asking.generation import END_OF_ANSWER, Generation, Scores, Stopped
from runner.asking.request import Request

# A stop text of nine characters spans at most as many tokens; a few more cover merges with what stands before it.
TAIL = 12


@dataclass
class Answer:
    """What stands so far: what the model has written, or what a script injected. stopped: None while it goes on."""

    request: Request
    tokenizer: Tokenizer
    stops: frozenset[int]
    written: list[int] = field(default_factory=list)
    margin: float | None = None
    stopped: Stopped | None = None

    def room(self) -> int:
        """How many tokens it may still have."""
        return self.request.limit - len(self.written)

    def propose(self, most: int) -> list[int]:
        """The draft's guess, no longer than what may still be written."""
        return list(self.request.draft.propose(self.written, min(most, self.room())))

    def take(self, proposed: Sequence[int], scores: Scores) -> int:
        """Takes what the model chose as far as `proposed` was right, and one token more; how many of it were right.

        scores: the choices in place of the proposed tokens, and after the last.
        """
        for right, (token, gap) in enumerate(zip(scores.best, scores.margins, strict=True)):
            stands = self._write(token, gap)
            if self.stopped or right == len(proposed) or proposed[right] != stands:
                return right
        return len(scores.best)

    def go_on(self, generation: Generation) -> None:
        """Takes what the model wrote by itself behind what is written so far."""
        script = self.request.script
        ids = generation.ids
        if script is not None and not ids and generation.text:
            ids = tuple(script.read(generation.text))
        gaps = (*generation.margins, *[None] * (len(ids) + 1 - len(generation.margins)))
        for token, gap in zip(ids, gaps, strict=False):
            # Behind an action that is not the true one the model wrote under another history.
            if self._write(token, gap) != token or self.stopped:
                return
        if generation.stopped == "end" or (script is not None and not ids):
            self._write(min(self.stops), gaps[len(ids)])

    def inject(self) -> None:
        """Writes what a script has here, whatever the model would."""
        for token in self.request.script.due() if self.request.script else ():
            if not self.stopped:
                self._write(token, None)

    def generation(self) -> Generation:
        """The finished answer. In mode "forced" its ids are the choices in place of the true trace's."""
        script = self.request.script
        ids = script.chosen if script is not None and script.mode == "forced" else self.written
        return Generation(tuple(ids), self.tokenizer.decode(ids), self.stopped or "limit", margin=self.margin)

    def _write(self, token: int, gap: float | None) -> int:
        """Writes the token, or what a script has in its place; which one it was."""
        script = self.request.script
        if script is None or script.chooses:
            self.margin = min((known for known in (self.margin, gap) if known is not None), default=None)
        if script is not None:
            token = script.place(token)
        elif token in self.stops:
            self.stopped = "end"
            return token
        self.written.append(token)
        if script is not None and script.ended:
            self.stopped = "limit" if script.cut else "end"
        elif script is None and b"]" in self.tokenizer.token_bytes(token) and answered(self.written, self.tokenizer):
            self.stopped = "answer"
        elif self.request.watch and self.request.watch.can_stop(self.written):
            self.stopped = "divergence"
        elif not self.room():
            self.stopped = "limit"
        return token


def answered(written: Sequence[int], tokenizer: Tokenizer) -> bool:
    """Whether the last tokens spell the end of an answer."""
    return END_OF_ANSWER in tokenizer.decode(written[-TAIL:])
