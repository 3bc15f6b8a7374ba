"""The state of an answer during decoding: its tokens so far, and when it stops.

Tokens that the model chose are accepted one by one, in the order and with the stop conditions of plain greedy
decoding. So every backend with speculative verification gives the answers of plain decoding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyze.tokens.tokenizer import Tokenizer
from runner.asking.generation import END_OF_ANSWER, Generation, Scores, Stopped
from runner.asking.request import GenerationRequest

# `[/ANSWER]` has nine characters, so at most nine tokens; a few more cover merges with preceding characters.
TAIL_TOKENS = 12


@dataclass
class PendingAnswer:
    """An answer during decoding.

    Attributes:
        request: the question with its limits.
        tokenizer: the vocabulary of the model.
        stops: ids of stop tokens.
        written: the token ids so far, chosen by the model or injected.
        margin: smallest margin of a chosen token over the next best, in nats; None if unknown.
        stopped: why the answer ended; None during decoding.
    """

    request: GenerationRequest
    tokenizer: Tokenizer
    stops: frozenset[int]
    written: list[int] = field(default_factory=list)
    margin: float | None = None
    stopped: Stopped | None = None

    def remaining_tokens(self) -> int:
        """The number of tokens that may still be written."""
        return self.request.limit - len(self.written)

    def propose(self, most: int) -> list[int]:
        """The next tokens of the draft, at most `most` and at most the remaining tokens."""
        return list(self.request.draft.propose(self.written, min(most, self.remaining_tokens())))

    def accept(self, proposed: Sequence[int], scores: Scores) -> int:
        """Accepts the proposed tokens up to the first that the model would not choose, and the model's choice there.

        Args:
            proposed: the draft tokens that were scored.
            scores: the model's choices in place of the proposed tokens, and after the last.

        Returns:
            The number of accepted draft tokens.
        """
        for right, (token, gap) in enumerate(zip(scores.best, scores.margins, strict=True)):
            placed = self._write(token, gap)
            if self.stopped or right == len(proposed) or proposed[right] != placed:
                return right
        return len(scores.best)

    def extend(self, generation: Generation) -> None:
        """Appends a continuation that the model generated."""
        script = self.request.script
        ids = generation.ids
        if script is not None and not ids and generation.text:
            ids = tuple(script.encode_continuation(generation.text))
        gaps = (*generation.margins, *[None] * (len(ids) + 1 - len(generation.margins)))
        for token, gap in zip(ids, gaps, strict=False):
            # After a replaced action, the rest of the continuation has another history.
            if self._write(token, gap) != token or self.stopped:
                return
        if generation.stopped == "end" or (script is not None and not ids):
            self._write(min(self.stops), gaps[len(ids)])

    def inject(self) -> None:
        """Appends the tokens that a forced mode injects here."""
        for token in self.request.script.injected_tokens() if self.request.script else ():
            if not self.stopped:
                self._write(token, None)

    def generation(self) -> Generation:
        """The finished answer. In mode "forced" its ids are the model's choices in place of the reference tokens."""
        script = self.request.script
        ids = script.chosen if script is not None and script.mode == "forced" else self.written
        return Generation(tuple(ids), self.tokenizer.decode(ids), self.stopped or "limit", margin=self.margin)

    def _write(self, token: int, gap: float | None) -> int:
        """Appends the token, or the one that a forced mode injects instead, and returns it."""
        script = self.request.script
        if script is None or script.is_choosing:
            self.margin = min((known for known in (self.margin, gap) if known is not None), default=None)
        if script is not None:
            token = script.accept(token)
        elif token in self.stops:
            self.stopped = "end"
            return token
        self.written.append(token)
        if script is not None and script.ended:
            self.stopped = "limit" if script.cut else "end"
        elif (
            script is None
            and b"]" in self.tokenizer.token_bytes(token)
            and has_answer_end(self.written, self.tokenizer)
        ):
            self.stopped = "answer"
        elif self.request.watch and self.request.watch.can_stop(self.written):
            self.stopped = "divergence"
        elif not self.remaining_tokens():
            self.stopped = "limit"
        return token


def has_answer_end(written: Sequence[int], tokenizer: Tokenizer) -> bool:
    """Whether the last tokens contain the end of an `[ANSWER]` block."""
    return END_OF_ANSWER in tokenizer.decode(written[-TAIL_TOKENS:])
