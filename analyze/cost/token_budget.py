"""What a trace costs in tokens: by frame, variable and line, what they are spent on, and whether it fits a window.

Exact: every token of the trace is counted once, under what it begins in. Counting stops where nothing more is asked:
whether a trace fits 8,192 tokens never needs the others. What this module does not do: shorten anything, run anything,
or say how the costs grow (`analyze.cost.growth`).
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
"""The budgets that people ask about: the paper's for compositions, the paper's for benchmarks, and a generous one."""
Part = Literal["states", "lines of source", "results", "separators"]


@dataclass(frozen=True)
class Budget:
    """Token counts of a trace, or of its beginning.

    frames: tokens of each counted frame; variables: of all that is written for each name, the name itself and ".."
    included ("" for states without one); lines: by line number of the traced text, of all the frames that it made (by
    None where the numbers are not known); parts: what the tokens are spent on. The last three are largest first, and
    `variables` add up to the part "states", `frames`, `lines` and `parts` to `total`.
    total: of the counted frames; whole: they are all of a trace that came to its end; least: how many tokens the trace
    has at least, where it is not whole.
    """

    frames: tuple[int, ...]
    variables: tuple[tuple[str, int], ...]
    total: int
    lines: tuple[tuple[int | None, int], ...] = ()
    parts: tuple[tuple[Part, int], ...] = ()
    whole: bool = True
    least: int = 0

    def fits(self, tokens: int) -> bool:
        """Whether the whole trace is within this many tokens. Raises ValueError where it was not counted so far."""
        if not self.whole and self.least <= tokens:
            raise ValueError(f"of this trace, only {self.total} tokens were counted")
        return self.whole and self.total <= tokens

    def cut_at(self, tokens: int) -> int | None:
        """The index of the first frame that this many tokens do not reach the end of; None where all fit."""
        reached = accumulate(self.frames)
        return next((index for index, total in enumerate(reached) if total > tokens), None)

    def windows(self, sizes: Sequence[int] = WINDOWS) -> dict[int, bool | None]:
        """By size, whether the trace fits; None where it was not counted so far."""
        return {size: self.fits(size) if self.whole or self.least > size else None for size in sizes}


def trace_budget(trace: Trace, tokenizer: Tokenizer | None = None, most: int = MAX_COUNTED_TOKENS) -> Budget:
    """The budget of a trace, counted until it is known to be more than `most` tokens.

    A trace that was cut short is never `whole`. Raises InputError where the vocabulary lacks a special token.

    >>> from analyze.gold_trace.trace import trace_call
    >>> found = trace_budget(trace_call("def f(x):\\n    return x + 1", "f(1)"))
    >>> found.fits(8192), found.lines[0][0], found.variables
    (True, 2, (('x', 11), ('', 2)))
    """
    found = budget(trace.frames, tokenizer, most, trace.lines)
    return found if trace.cut is None else replace(found, whole=False, least=max(found.least, found.total))


def budget(
    frames: Sequence[Frame],
    tokenizer: Tokenizer | None = None,
    most: int | None = None,
    lines: Sequence[int] = (),
) -> Budget:
    """The budget of frames in a vocabulary (default: Llama-3's).

    most: counting stops at the frame that passes so many tokens, before it where its length alone tells; lines: the
    line number of each frame. Raises InputError where the vocabulary lacks a special token, UnicodeEncodeError for lone
    surrogates in the source.
    """
    ledger = _Ledger(tokenizer or default_tokenizer())
    numbers: Iterable[int | None] = lines or repeat(None)
    for frame, line in zip(frames, numbers, strict=False):
        least = ledger.total + len(frame.text) // ledger.tokenizer.max_token_bytes
        if most is not None and least > most:
            return ledger.closed(least + 1 if least == ledger.total else least)
        ledger.add(frame, line)
    return ledger.closed(None)


class _Ledger:
    """Adds up frames. Texts that come again, as sources and small states do, are tokenized once."""

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
        """The tokens of each variable of a state: those that begin in its name and value, and the comma after it."""
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

    def closed(self, least: int | None) -> Budget:
        """least: tokens that the trace has at least; None where all of it was counted."""
        return Budget(
            tuple(self.frames),
            tuple(self.variables.most_common()),
            self.total,
            tuple(self.lines.most_common()),
            tuple(self.parts.most_common()),
            least is None,
            least or 0,
        )
