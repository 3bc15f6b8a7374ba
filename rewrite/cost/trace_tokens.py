"""The traces of a program's calls and their length in tokens of a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyze.gold_trace.frames import Frame, count_tokens
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace, trace_call
from analyze.tokens.tokenizer import Tokenizer, UntokenizedError, default_tokenizer
from corpora.program import Outcome

MAX_TRACE_BYTES = 2**22
"""Bytes of a trace that is counted. A longer one has far more tokens than any budget."""


@dataclass(frozen=True)
class TracedCall:
    """One traced call.

    Attributes:
        call: The call.
        trace: Its trace.
        tokens: Tokens of the trace; None if it was cut or is too long to be counted.
    """

    call: str
    trace: Trace
    tokens: int | None

    @property
    def outcome(self) -> Outcome:
        """The outcome of the call."""
        return self.trace.outcome

    @property
    def raised(self) -> str:
        """Type and message of the exception that the call raises; "" if it raises none."""
        return ": ".join(self.outcome.exception or ())


def trace_calls(source: str, calls: Sequence[str], *, tokenizer: Tokenizer | None = None) -> tuple[TracedCall, ...]:
    """Trace the calls and count their tokens.

    Args:
        source: The program.
        calls: Its calls.
        tokenizer: The model's tokenizer (default: Llama-3's).
    """
    return tuple(_run(source, call, tokenizer or default_tokenizer()) for call in calls)


def _run(source: str, call: str, tokenizer: Tokenizer) -> TracedCall:
    trace = trace_call(source, call, max_bytes=MAX_TRACE_BYTES)
    try:
        tokens = trace.count_tokens(tokenizer, MAX_COUNTED_TOKENS) if trace.cut is None else None
    except (UnicodeEncodeError, UntokenizedError):  # a lone surrogate has no tokens
        tokens = None
    return TracedCall(call, trace, tokens)


def longest_trace(runs: Sequence[TracedCall]) -> int | None:
    """The tokens of the longest trace; None if a trace is not counted."""
    known = [run.tokens for run in runs if run.tokens is not None]
    return max(known) if known and len(known) == len(runs) else None


def count_frame_tokens(frames: Sequence[Frame]) -> int:
    """The tokens of some frames."""
    found = count_tokens(frames, default_tokenizer())
    assert found is not None  # only a limit leaves it uncounted
    return found
