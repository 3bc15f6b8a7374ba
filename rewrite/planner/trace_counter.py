"""The tokens of variants of a program, each run once under the program's calls and compared with the original."""

from __future__ import annotations

from collections.abc import Sequence

from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer
from rewrite.cost.call_agreement import find_disagreement
from rewrite.cost.trace_tokens import TracedCall, longest_trace, trace_calls

UNCOUNTED = "its trace cannot be counted"


class TraceCounter:
    """Counts the tokens of variants of one program.

    Attributes:
        before: The calls, traced in the original.
        original: Tokens of the original's longest trace; None if a trace is not counted.
    """

    def __init__(self, source: str, calls: Sequence[str], tokenizer: Tokenizer | None = None) -> None:
        self._source, self._tokenizer = source, tokenizer
        self.before = trace_calls(source, calls, tokenizer=tokenizer)
        self.original = longest_trace(self.before)
        self._known: dict[str, int | None] = {source: self.original}
        self._runs: dict[str, tuple[TracedCall, ...]] = {source: self.before}

    @property
    def calls(self) -> list[str]:
        """The calls of the program."""
        return [run.call for run in self.before]

    def tokens(self, text: str) -> int | None:
        """Tokens of the longest trace of a variant; None if it does something else or its trace is too long."""
        if text not in self._known:
            runs = trace_calls(text, self.calls, tokenizer=self._tokenizer)
            differs = find_disagreement(self.before, runs, self._source, text)
            self._known[text] = None if differs else longest_trace(runs)
            self._runs[text] = runs
        return self._known[text]

    def why_uncounted(self, text: str) -> str:
        """Why a variant that was counted has no tokens."""
        return find_disagreement(self.before, self._runs[text], self._source, text) or UNCOUNTED

    def traces(self, text: str, calls: Sequence[str]) -> list[Trace]:
        """The traces of some of the calls in a variant that was counted."""
        return [run.trace for run in self._runs[text] if run.call in calls]
