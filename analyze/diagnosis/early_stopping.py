"""Decides during decoding whether the answer can still become correct.

It cannot if a frame is malformed, because nothing after it is read; if `main` has returned a wrong answer, because the
answer is read there; or if the output has left the trace format for prose without a correct answer. A wrong state or
action alone does not end decoding: models can recover.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyze.diagnosis.answer_comparison import final_answer, same_value
from analyze.diagnosis.divergence import count_main_returns, returns_from_main
from analyze.diagnosis.parse_output import is_malformed_prefix, parse_ids
from analyze.gold_trace.frames import FRAME_SEP, Frame
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer

_EVERY = 16
"""Interval, in tokens, at which text without special tokens is checked."""
_CUT_CHARACTER = "\ufffd"


class AnswerMonitor:
    """Follows one answer to a trace as it is decoded, token by token."""

    def __init__(self, trace: Trace, tokenizer: Tokenizer) -> None:
        self._trace = trace
        self._tokenizer = tokenizer
        self._special = frozenset(tokenizer.special_tokens.values())
        self._frames: list[Frame] = []
        self._start = 0  # where the first incomplete frame begins
        # An incomplete trace has no answer to compare with.
        self._open = bool(trace.frames) and trace.cut is None
        self._returns = count_main_returns(trace) if self._open else 0  # up to the answer
        self._truth = (final_answer(trace.frames, trace.grading) or "") if self._open else ""

    def can_stop(self, written: Sequence[int]) -> bool:
        """Returns whether no continuation can make the answer correct. Call it after every token."""
        if not self._open or (written[-1] not in self._special and len(written) % _EVERY):
            return False
        parsed = parse_ids(written[self._start :], self._tokenizer)
        for frame in parsed.frames:
            self._frames.append(frame)
            self._returns -= returns_from_main(self._trace, frame)
            if not self._returns:
                self._open = False  # the answer is final
                return not self._right()
        if not parsed.rest:
            self._start = len(written)
        elif parsed.frames:
            raise AssertionError("can_stop must be called after every special token")
        if parsed.ending == "end":
            left = bool(parsed.rest.rstrip(_CUT_CHARACTER).strip())
            return left and not (self._frames and self._frames[-1].event == "return" and self._right())
        malformed = parsed.ending == "format" and parsed.rest.endswith(FRAME_SEP)
        return malformed or is_malformed_prefix(written[self._start :], self._tokenizer)

    def _right(self) -> bool:
        answer = final_answer(self._frames, self._trace.grading)
        return answer is not None and same_value(self._truth, answer)
