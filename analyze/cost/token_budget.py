"""Counts the tokens of a trace by frame, variable and line, and checks whether it fits a token budget.

Counts are exact: every token is counted once, for the part in which it begins. Counting stops as soon as the answer is
known: whether a trace fits 8,192 tokens does not depend on the rest. `analyze.cost.growth` measures how the length
grows.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, repeat
from typing import Literal

from analyze.gold_trace.frames import Frame
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer

WINDOWS: tuple[int, ...] = (4096, 8192, 32_768)
"""Common budgets: the paper's for compositions, the paper's for benchmarks, and a generous one."""
Part = Literal["states", "lines of source", "results", "separators"]


@dataclass(frozen=True)
class TokenBudget:
    """Token counts of a trace, or of its beginning.

    The counts in `variables` add up to the part "states"; those in `frames`, `lines` and `parts` each add up to
    `total`.

    Attributes:
        frames: Tokens of each counted frame.
        variables: Tokens of everything written for each name, including the name itself and ".." ("" for empty states);
            largest first.
        total: Tokens of the counted frames.
        lines: Tokens of the frames of each line of the traced source (line None if unknown); largest first.
        parts: Tokens by purpose, largest first.
        whole: Whether all frames of a complete trace were counted.
        least: If not `whole`, a lower bound on the tokens of the trace.
    """

    frames: tuple[int, ...]
    variables: tuple[tuple[str, int], ...]
    total: int
    lines: tuple[tuple[int | None, int], ...] = ()
    parts: tuple[tuple[Part, int], ...] = ()
    whole: bool = True
    least: int = 0

    def fits(self, tokens: int) -> bool:
        """Returns whether the whole trace is within this many tokens.

        Raises:
            ValueError: If it was not counted far enough.
        """
        if not self.whole and self.least <= tokens:
            raise ValueError(f"of this trace, only {self.total} tokens were counted")
        return self.whole and self.total <= tokens


def trace_budget(trace: Trace, tokenizer: Tokenizer | None = None, most: int = MAX_COUNTED_TOKENS) -> TokenBudget:
    """Returns the budget of a trace, counted until it is known to exceed `most` tokens.

    An incomplete trace is never `whole`.

    Raises:
        InputError: If the vocabulary lacks a special token.

    Example:
        >>> from analyze.gold_trace.trace import trace_call
        >>> found = trace_budget(trace_call("def f(x):\\n    return x + 1", "f(1)"))
        >>> found.fits(8192), found.lines[0][0], found.variables
        (True, 2, (('x', 11), ('', 2)))
    """
    found = budget(trace.frames, tokenizer, most, trace.lines)
    return found if trace.cut is None else replace(found, whole=False, least=max(found.least, found.total))


def budget(
    frames: Sequence[Frame], tokenizer: Tokenizer | None = None, most: int | None = None, lines: Sequence[int] = ()
) -> TokenBudget:
    """Returns the budget of frames.

    Args:
        frames: The frames.
        tokenizer: The model's tokenizer (default: Llama-3's).
        most: Counting stops at the first frame that exceeds this many tokens, or before it if its length alone shows
            that.
        lines: The line number of each frame.

    Raises:
        InputError: If the vocabulary lacks a special token.
        UnicodeEncodeError: If a source line holds lone surrogates.
    """
    ledger = _Ledger(tokenizer or default_tokenizer())
    numbers: Iterable[int | None] = lines or repeat(None)
    for frame, line in zip(frames, numbers, strict=False):
        least = ledger.total + len(frame.text) // ledger.tokenizer.max_token_bytes
        if most is not None and least > most:
            return ledger.close(least + 1 if least == ledger.total else least)
        ledger.add(frame, line)
    return ledger.close(None)


class _Ledger:
    """Adds up frames. Repeated strings, such as source lines and small states, are tokenized once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.frames: list[int] = []
        self.total = 0
        self.variables: Counter[str] = Counter()
        self.lines: Counter[int | None] = Counter()
        self.parts: Counter[Part] = Counter()
        self._lengths: dict[str, int] = {}

    def add(self, frame: Frame, line: int | None) -> None:
        pieces = frame.pieces()
        separators = [text for text, special in pieces if special]
        for text in separators:
            self.tokenizer.special_id(text)
        state = sum(self._state(frame.state)) if frame.state is not None else 0
        source = self._length(frame.source)
        result = 0 if frame.value is None else self._length(json.dumps(frame.value))
        self.parts["states"] += state
        self.parts["lines of source"] += source
        self.parts["results"] += result
        self.parts["separators"] += len(separators)
        self.frames.append(state + source + result + len(separators))
        self.lines[line] += self.frames[-1]
        self.total += self.frames[-1]

    def _length(self, text: str) -> int:
        if text not in self._lengths:
            self._lengths[text] = len(self.tokenizer.encode(text))
        return self._lengths[text]

    def _state(self, state: tuple[tuple[str, str], ...]) -> list[int]:
        """Returns the tokens of each variable of a state: those that begin in its name, value or following comma."""
        names = list(dict(state))
        written = [f"{json.dumps(name)}: {json.dumps(shown)}, " for name, shown in dict(state).items()]
        starts = list(accumulate(map(len, written), initial=1))[:-1]  # JSON is ASCII: characters are bytes
        starts[:1] = [0]
        at, costs = 0, [0] * len(starts)
        for token in self.tokenizer.encode("{" + "".join(written)[:-2] + "}"):
            costs[bisect_right(starts, at) - 1] += 1
            at += len(self.tokenizer.token_bytes(token))
        for name, cost in zip(names or [""], costs, strict=True):
            self.variables[name] += cost
        return costs

    def close(self, least: int | None) -> TokenBudget:
        """Returns the budget; `least` is a lower bound on the trace's tokens, None if all of it was counted."""
        return TokenBudget(
            tuple(self.frames),
            tuple(self.variables.most_common()),
            self.total,
            tuple(self.lines.most_common()),
            tuple(self.parts.most_common()),
            least is None,
            least or 0,
        )
