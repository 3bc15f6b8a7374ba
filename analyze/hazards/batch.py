"""A batch of questions about strings, tokenized once and shared by all hazards.

Everything is computed on first use, for all rows together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np

from analyze.hazards.match_positions import (
    SEARCH_METHODS,
    STRIP_METHODS,
    WHITESPACE_METHODS,
    Span,
    occurrences,
    whitespace_runs,
)
from analyze.tokens.contexts import Context, inner_text
from analyze.tokens.engines import Ids, TokenizationEngine
from analyze.tokens.offsets import GAP
from analyze.tokens.token_spans import Bools, StringsInContext, TokenArray, tokenize


@dataclass(frozen=True)
class StringQuestion:
    """A string and the operation that is applied to it.

    Attributes:
        text: The string.
        pattern: What the operation looks for; None if it takes no pattern, or splits or strips whitespace.
        method: A string method, "in", "[]", or "" if the string is only written.
        result: The string that the operation returns, if it returns one.
        cuts: Character positions, counted from the left, at which an index or slice cuts the text.
        limit: A maxsplit or count (default: -1, no limit).
        window: The characters that a search is bounded to (default: all).
    """

    text: str
    pattern: str | None = None
    method: str = ""
    result: str | None = None
    cuts: tuple[int, ...] = ()
    limit: int = -1
    window: tuple[int, int] | None = None


@dataclass(frozen=True)
class OccurrenceArray:
    """All occurrences of a batch, in the order of rows and positions.

    Attributes:
        rows: int64; the row of the question.
        start: int64; first character in the row's text.
        end: int64; one past the last character.
        first_token: int64; the first token that touches the occurrence.
        last_token: int64; the last one.
        start_cut: bool; whether a token crosses the start.
        end_cut: bool; whether a token crosses the end.
        equal: bool; whether the tokens are those of the pattern alone.
        query_single: bool; whether the pattern alone is a single token.
    """

    rows: Ids
    start: Ids
    end: Ids
    first_token: Ids
    last_token: Ids
    start_cut: Bools
    end_cut: Bools
    equal: Bools
    query_single: Bools

    @property
    def one_token(self) -> Bools:
        """Whether a single token touches the occurrence."""
        single: Bools = self.first_token == self.last_token
        return single

    def __len__(self) -> int:
        return len(self.rows)


class QuestionBatch:
    """Questions in one context under one engine. No text, pattern or result may hold lone surrogates."""

    def __init__(self, questions: Sequence[StringQuestion], engine: TokenizationEngine, context: Context) -> None:
        self.questions = questions
        self.engine = engine
        self.context = context
        self.texts = StringsInContext([question.text for question in questions], engine, context)

    def __len__(self) -> int:
        return len(self.questions)

    @cached_property
    def queries(self) -> QueryPatterns:
        """The distinct patterns of the batch."""
        return QueryPatterns([question.pattern for question in self.questions], self.engine, self.context)

    @cached_property
    def results(self) -> StringsInContext:
        """The results of the operations, in the order of `result_number`."""
        texts = [self.questions[row].result or "" for row in self.result_number]
        return StringsInContext(texts, self.engine, self.context)

    @cached_property
    def result_number(self) -> dict[int, int]:
        """The rows that have a result, and the index of each result in `results`."""
        rows = [row for row, question in enumerate(self.questions) if question.result is not None]
        return {row: number for number, row in enumerate(rows)}

    @cached_property
    def occurrences(self) -> OccurrenceArray:
        """Every occurrence that the methods see."""
        rows, start, end = self._spans()
        tokens, queries = self.texts.tokens, self.queries
        a, b = self.texts.bytes_at(rows, start), self.texts.bytes_at(rows, end)
        first, last = tokens.touching(a, b)
        # The first token begins at or before a, the last one ends at or after b.
        start_cut, end_cut = tokens.ends[first] - tokens.sizes[first] != a, tokens.ends[last] != b
        query = queries.index[rows]
        # Runs of whitespace and stripped runs are not written like the pattern: they count as equal to it if no token
        # crosses their edges.
        strips = np.array([question.method in STRIP_METHODS for question in self.questions], dtype=bool)
        plain = (query >= 0) & ~strips[rows]
        equal, single = ~(start_cut | end_cut), np.zeros(len(rows), dtype=bool)
        if plain.any():
            alone, at = queries.alone, query[plain]
            size = alone.first[at + 1] - alone.first[at]
            single[plain] = size == 1
            candidate = equal[plain] & (last[plain] - first[plain] + 1 == size)
            equal[plain] = False
            where = np.flatnonzero(plain)[candidate]
            equal[where] = equal_runs(tokens.ids, first[where], alone.ids, alone.first[at[candidate]], size[candidate])
        return OccurrenceArray(rows, start, end, first, last, start_cut, end_cut, equal, single)

    def _spans(self) -> Ids:
        """Returns row, start and end of each occurrence, int64 [3, occurrences]."""
        found = [(row, *span) for row, question in enumerate(self.questions) for span in _spans_of(question)]
        places = np.fromiter(chain.from_iterable(found), np.int64, 3 * len(found))
        return np.ascontiguousarray(places.reshape(-1, 3).T)

    def query_ids(self, row: int) -> tuple[int, ...]:
        """Returns the tokens of a row's pattern on its own."""
        return self.queries.alone.row_ids(int(self.queries.index[row])) if self.questions[row].pattern else ()

    def format_tokens(self, ids: Sequence[int]) -> str:
        """Formats tokens for a message: their texts and ids."""
        decode = self.engine.tokenizer.decode
        return f"[{', '.join('no token' if token == GAP else f'{decode([token])!r} {token}' for token in ids)}]"


def _spans_of(question: StringQuestion) -> list[Span]:
    """Returns start and end of each occurrence that the method sees."""
    method, pattern, text = question.method, question.pattern, question.text
    if method not in SEARCH_METHODS:
        return []
    if question.window is not None:
        low, high = question.window
        inside = occurrences(pattern or "", text[low:high], method, question.limit)
        return [(low + start, low + end) for start, end in inside]
    if pattern is not None:
        return occurrences(pattern, text, method, question.limit)
    return whitespace_runs(text, method, question.limit) if method in WHITESPACE_METHODS else []


class QueryPatterns:
    """The distinct patterns of a batch.

    Attributes:
        index: int64 [rows]; the number of each row's pattern, -1 without one.
        patterns: The distinct patterns.
        placed: The patterns as the context writes them.
    """

    def __init__(self, patterns: Sequence[str | None], engine: TokenizationEngine, context: Context) -> None:
        numbers: dict[str, int] = {}
        index = [numbers.setdefault(pattern, len(numbers)) if pattern else -1 for pattern in patterns]
        self.index = np.array(index, dtype=np.int64)
        self.patterns = list(numbers)
        self.placed = StringsInContext(self.patterns, engine, "argument" if context == "source" else context)

    @cached_property
    def alone(self) -> TokenArray:
        """The tokens of each pattern on its own, as the context writes it between its quotes."""
        pairs, context = zip(self.patterns, self.placed.written, strict=True), self.placed.context
        return tokenize([inner_text(pattern, context, written) for pattern, written in pairs], self.placed.engine)


def equal_runs(left: Ids, left_at: Ids, right: Ids, right_at: Ids, size: Ids) -> Bools:
    """Returns, for each i, whether left[left_at[i]:][:size[i]] equals right[right_at[i]:][:size[i]].

    All sizes must be positive.
    """
    if not len(size):
        return np.zeros(0, dtype=bool)
    starts = np.concatenate(([0], np.cumsum(size)[:-1]))
    within = np.arange(int(size.sum())) - np.repeat(starts, size)
    same = left[np.repeat(left_at, size) + within] == right[np.repeat(right_at, size) + within]
    equal: Bools = np.logical_and.reduceat(same, starts)
    return equal
