"""Strings tokenized where they stand, many at once, with the tokens that touch any of their characters.

What it does not do: find occurrences (`analyze.hazards.match_positions`) or judge (`analyze.hazards`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analyze.tokens.contexts import Form, image, write
from analyze.tokens.engines import Ids, TokenizationEngine
from corpora.errors import InputError

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class TokenArray:
    """The tokens of many strings in one array.

    ids: all ids, one string after another; ends: where each token ends, in bytes, counted through all strings;
    first: for each string its first token, and at the end their number; origin: for each string its first byte, and at
    the end the number of bytes.
    """

    ids: Ids
    ends: Ids
    first: Ids
    origin: Ids

    @cached_property
    def lists(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """ids, ends, first and origin as lists, which are read faster one by one."""
        return self.ids.tolist(), self.ends.tolist(), self.first.tolist(), self.origin.tolist()

    def row_ids(self, row: int) -> tuple[int, ...]:
        """The ids of one string."""
        ids, _, first, _ = self.lists
        return tuple(ids[first[row] : first[row + 1]])

    def boundaries(self, row: int) -> list[int]:
        """Where the tokens of one string end, in its own bytes."""
        _, ends, first, origin = self.lists
        return [end - origin[row] for end in ends[first[row] : first[row + 1]]]

    def touching(self, start: Ids, end: Ids) -> tuple[Ids, Ids]:
        """For byte ranges that are not empty, counted through all strings: the first and last token that touches."""
        return np.searchsorted(self.ends, start, side="right"), np.searchsorted(self.ends, end, side="left")

    def is_boundary(self, position: Ids) -> Bools:
        """Whether a token ends at that byte, or the first string begins there."""
        token = np.searchsorted(self.ends, position, side="left")
        found: Bools = np.zeros(len(position), dtype=bool)
        inside = token < len(self.ends)
        found[inside] = self.ends[token[inside]] == position[inside]
        found |= position == 0
        return found


def _size(text: str) -> int:
    return len(text.encode())


def tokenize(texts: Sequence[str], engine: TokenizationEngine) -> TokenArray:
    """Tokenize strings, none with lone surrogates.

    Raises InputError where the tokens do not add up to the text's bytes (a tokenizer that normalizes text).
    """
    ids, counts = engine.encode_batch(texts)
    ends = np.cumsum(engine.lengths[ids])
    first = np.concatenate(([0], np.cumsum(counts)))
    origin = np.concatenate(([0], ends))[first]
    # ASCII texts have as many bytes as characters: where all are ASCII, nothing is encoded to be counted.
    size_of = len if all(map(str.isascii, texts)) else _size
    sizes = np.fromiter(map(size_of, texts), np.int64, len(texts))
    if not np.array_equal(np.diff(origin), sizes):
        text = texts[int(np.flatnonzero(np.diff(origin) != sizes)[0])]
        message = f"the tokenizer changes text before it splits it, so bytes cannot be placed: {text[:40]!r}"
        raise InputError(message, where=engine.tokenizer.name)
    return TokenArray(ids, ends, first, origin)


class StringsInContext:
    """Strings in one context under one engine; tokenized when first looked at. None may hold lone surrogates."""

    def __init__(self, texts: Sequence[str], engine: TokenizationEngine, context: Form) -> None:
        self.texts = texts
        self.engine = engine
        self.context = context

    @cached_property
    def written(self) -> list[str]:
        """Each text as the context shows it."""
        return [write(text, self.context) for text in self.texts]

    @cached_property
    def images(self) -> list[tuple[int, list[int] | None]]:
        """Where each text's characters stand in what is written (`analyze.tokens.contexts.image`)."""
        pairs = zip(self.texts, self.written, strict=True)
        return [image(text, self.context, written) for text, written in pairs]

    @cached_property
    def tokens(self) -> TokenArray:
        """The tokens of what is written."""
        return tokenize(self.written, self.engine)

    @cached_property
    def sizes(self) -> Ids:
        """The length of each text, in characters."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def edges(self) -> tuple[Ids, Ids]:
        """The first byte of each text's image and the one past its last, counted through all strings."""
        sizes = zip(self.images, self.texts, strict=True)
        ends = [first + len(text) if positions is None else positions[-1] for (first, positions), text in sizes]
        first = np.array([first for first, _ in self.images], dtype=np.int64)
        origin = self.tokens.origin[:-1]
        return origin + first, origin + np.array(ends, dtype=np.int64)

    def bytes_of(self, row: int, start: int, end: int) -> tuple[int, int]:
        """Characters [start, end) of a text as bytes of what is written."""
        first, positions = self.images[row]
        return (first + start, first + end) if positions is None else (positions[start], positions[end])

    def tokens_at(self, row: int, start: int, end: int) -> tuple[int, ...]:
        """The ids of the tokens that touch characters [start, end) of a text; none where that is empty."""
        if start == end:
            return ()
        a, b = self.bytes_of(row, start, end)
        ids, ends, first, origin = self.tokens.lists
        low, high = first[row], first[row + 1]
        start_token = bisect_right(ends, origin[row] + a, low, high)
        return tuple(ids[start_token : bisect_left(ends, origin[row] + b, low, high) + 1])

    def inner_ids(self, row: int) -> tuple[int, ...]:
        """The ids of the tokens that touch the text at all."""
        return self.tokens_at(row, 0, len(self.texts[row]))

    def inner_boundaries(self, row: int) -> frozenset[int]:
        """The token boundaries between two characters of a text, as the number of characters before them."""
        first, positions = self.images[row]
        size = len(self.texts[row])
        if positions is None:
            return frozenset(end - first for end in self.tokens.boundaries(row) if 0 < end - first < size)
        number = {byte: at for at, byte in enumerate(positions)}
        return frozenset(number[end] for end in self.tokens.boundaries(row) if 0 < number.get(end, 0) < size)

    def inner_tokens(self, rows: Ids) -> tuple[Ids, Ids]:
        """The tokens, by their place among all, that touch the texts of these rows, and the row of each."""
        rows = rows[self.sizes[rows] > 0]
        a, b = (edge[rows] for edge in self.edges)
        first, last = self.tokens.touching(a, b)
        counts = last - first + 1
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(first, counts) + within, np.repeat(rows, counts)

    def characters_of(self, row: int, token: int) -> tuple[int, int]:
        """The characters of a row's text that a token, by its place among all, touches."""
        origin = int(self.tokens.origin[row])
        b = int(self.tokens.ends[token]) - origin
        a = b - int(self.engine.lengths[self.tokens.ids[token]])
        first, positions = self.images[row]
        size = len(self.texts[row])
        if positions is None:
            return max(a - first, 0), min(b - first, size)
        return max(bisect_right(positions, a) - 1, 0), min(bisect_left(positions, b), size)

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
        """Row and characters of each match in the texts, found in one scan over all of them."""
        starts = np.concatenate(([0], np.cumsum(self.sizes + 1)))
        for match in pattern.finditer("\n".join(self.texts)):
            row = int(np.searchsorted(starts, match.start(), side="right")) - 1
            start, end = match.start() - int(starts[row]), match.end() - int(starts[row])
            if end <= len(self.texts[row]):  # else it goes on over the joint
                yield row, start, end
