"""Whether an answer that is still being written can become right.

It no longer can where a frame is malformed, since nothing is read behind it; where `main` has returned, since the
answer is read there, and it is wrong; and where the output has left the format for prose without the right answer. A
wrong state or action alone decides nothing: models find back. What it does not do: say where an output diverges
(`divergence`).
"""

from __future__ import annotations

from collections.abc import Sequence

from analyze.diagnosis.answers import final_answer, same_value
from analyze.diagnosis.divergence import returns_from_main
from analyze.diagnosis.parse_output import is_malformed_prefix, parse_ids
from analyze.gold_trace.frames import FRAME_SEP, Frame
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer

_EVERY = 16
"""A text without special tokens is looked at so often, in tokens."""
_CUT_CHARACTER = "\ufffd"


class AnswerMonitor:
    """Looks on as one answer to a trace is written, token by token."""

    def __init__(self, trace: Trace, tokenizer: Tokenizer) -> None:
        self._trace = trace
        self._tokenizer = tokenizer
        self._special = frozenset(tokenizer.special_tokens.values())
        self._frames: list[Frame] = []
        self._start = 0  # of what is no whole frame yet
        # A trace that a cap cut short has no answer to compare with.
        self._open = bool(trace.frames) and trace.cut is None
        self._truth = (final_answer(trace.frames, trace.grading) or "") if self._open else ""

    def can_stop(self, written: Sequence[int]) -> bool:
        """To be called after every token: whether nothing that follows can make the answer right."""
        if not self._open or (written[-1] not in self._special and len(written) % _EVERY):
            return False
        parsed = parse_ids(written[self._start :], self._tokenizer)
        for frame in parsed.frames:
            self._frames.append(frame)
            if returns_from_main(self._trace, frame):
                self._open = False  # decided, one way or the other
                return not self._right()
        if not parsed.rest:
            self._start = len(written)
        elif parsed.frames:
            raise AssertionError("looked at after every special token, a rest begins where a frame ended")
        if parsed.ending == "end":
            left = bool(parsed.rest.rstrip(_CUT_CHARACTER).strip())
            return left and not (self._frames and self._frames[-1].event == "return" and self._right())
        malformed = parsed.ending == "format" and parsed.rest.endswith(FRAME_SEP)
        return malformed or is_malformed_prefix(written[self._start :], self._tokenizer)

    def _right(self) -> bool:
        answer = final_answer(self._frames, self._trace.grading)
        return answer is not None and same_value(self._truth, answer)
