"""The reference trace as a draft for speculative verification.

At first the whole draft is proposed. After a divergence, the draft continues where it agrees with the answer again:
after a replaced token, else after the same few tokens, near the current position. If they do not occur in the draft,
the proposal is what the model itself wrote after the same tokens, for answers that repeat themselves. The length of a
proposal grows with the number of tokens accepted before. A draft changes the speed of an answer, never its content.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from analyze import Tokenizer, Trace, frames_to_ids
from runner.asking.prompts import PromptFormat

_SAME = 4
"""Number of tokens that must agree before the draft continues."""
_SHORT = 3


class TraceDraft:
    """A draft made of token ids, for an answer that grows between calls of `propose`."""

    def __init__(self, ids: Sequence[int]) -> None:
        self._ids = list(ids)
        self._next: int | None = 0  # start of the last proposal in the draft; None if it repeated the answer
        self._proposed: list[int] = []
        self._seen = 0  # length of the answer at the last proposal
        self._trust = len(self._ids) or 1
        self._places: dict[tuple[int, ...], list[int]] = {}
        self._own: dict[tuple[int, ...], int] = {}
        self._indexed = _SAME

    def propose(self, written: Sequence[int], most: int) -> Sequence[int]:
        """At most `most` tokens that may come next; empty if the draft and the answer agree nowhere."""
        place = self._place(written)
        length = min(most, self._trust)
        source: Sequence[int] = self._ids
        self._next = place
        if place is None:
            own = self._own_place(written)
            source, place = (written, own) if own is not None else ((), 0)
        self._proposed = list(source[place : place + length])
        self._seen = len(written)
        return self._proposed

    def _place(self, written: Sequence[int]) -> int | None:
        """The position where the draft continues; None if it and the answer agree nowhere."""
        if not written:
            return 0
        new = written[self._seen :]
        right = next(
            (i for i, (one, other) in enumerate(zip(new, self._proposed, strict=False)) if one != other),
            min(len(new), len(self._proposed)),
        )
        reached = None if self._next is None else self._next + right
        if right == len(self._proposed):
            self._trust = max(self._trust, 1) * 2 if self._proposed else self._trust
        else:
            self._trust = max(_SHORT, min(2 * right, self._trust))
        # One token was replaced by another, or none was proposed and the next was right.
        if reached is not None and right and len(new) == right + 1:
            exchanged = reached < len(self._ids) and new[-1] != self._ids[reached]
            if exchanged or self._agree(written, reached + 1):
                return reached + 1
        return self._nearest(written, reached)

    def _agree(self, written: Sequence[int], place: int) -> bool:
        return list(written[-_SAME:]) == self._ids[max(0, place - _SAME) : place]

    def _nearest(self, written: Sequence[int], reached: int | None) -> int | None:
        if not self._places:
            for place in range(_SAME, len(self._ids)):
                self._places.setdefault(tuple(self._ids[place - _SAME : place]), []).append(place)
        found = self._places.get(tuple(written[-_SAME:]))
        if not found:
            return None
        near = len(written) if reached is None else reached
        # Prefer later positions: a trace seldom goes back.
        return min(found, key=lambda place: (place < near, abs(place - near)))

    def _own_place(self, written: Sequence[int]) -> int | None:
        """The position after the previous occurrence of the last tokens in the answer itself."""
        while self._indexed < len(written):
            self._own[tuple(written[self._indexed - _SAME : self._indexed])] = self._indexed
            self._indexed += 1
        return self._own.get(tuple(written[-_SAME:]))


def trace_draft(
    trace: Trace, call: str, form: PromptFormat, tokenizer: Tokenizer, most: int | None = None
) -> TraceDraft:
    """The reference trace as a draft, with the text that follows a trace in this prompt format.

    Args:
        trace: the reference trace.
        call: the call that was traced.
        form: prompt format of the question.
        tokenizer: vocabulary of the model.
        most: stop after this many tokens, because some traces are megabytes.

    Raises:
        InputError: the vocabulary lacks a special token of traces.
    """
    ids: list[int] = []
    for frame in trace.frames:
        if most is not None and len(ids) >= most:
            return TraceDraft(ids[:most])
        ids += frames_to_ids([frame], tokenizer)
    if form == "bare":
        ids += [tokenizer.special_id("<|end_of_text|>")]
    elif trace.frames and trace.frames[-1].value is not None:
        ids += tokenizer.encode(_closing(call, trace.frames[-1].value))
    return TraceDraft(ids)


def _closing(call: str, value: str) -> str:
    """The text that CWM writes after a trace, as in the worked example of the one-shot prompt."""
    said = (
        f"The return argument of the function call {call} in the main() function is {json.dumps(value)} in JSON format"
    )
    return (
        f"\n\nNow let us analyze the trace. {said}, so the return value is {value}.\n\n"
        f"[ANSWER]\nassert {call} == {value}\n[/ANSWER]"
    )
