"""Tokenizes many strings inside their context and maps tokens to the characters that they touch.

`analyze.hazards.match_positions` finds occurrences of patterns; `analyze.hazards` judges them.
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

    Attributes:
        ids: int64 [tokens]; all ids, one string after another.
        ends: int64 [tokens]; the byte at which each token ends, counted through all strings.
        first: int64 [strings + 1]; the first token of each string, and the number of tokens.
        origin: int64 [strings + 1]; the first byte of each string, and the number of bytes.
    """

    ids: Ids
    ends: Ids
    first: Ids
    origin: Ids

    @cached_property
    def sizes(self) -> Ids:
        """int64 [tokens]; the bytes of the text that each token stands for."""
        return np.diff(self.ends, prepend=0)

    @cached_property
    def lists(self) -> tuple[list[int], list[int], list[int], list[int]]:
        """The arrays ids, ends, first and origin as lists, which are faster to read element by element."""
        return self.ids.tolist(), self.ends.tolist(), self.first.tolist(), self.origin.tolist()

    def row_ids(self, row: int) -> tuple[int, ...]:
        """Returns the ids of one string."""
        ids, _, first, _ = self.lists
        return tuple(ids[first[row] : first[row + 1]])

    def boundaries(self, row: int) -> list[int]:
        """Returns the bytes at which the tokens of one string end, counted from the string's start."""
        _, ends, first, origin = self.lists
        return [end - origin[row] for end in ends[first[row] : first[row + 1]]]

    def touching(self, start: Ids, end: Ids) -> tuple[Ids, Ids]:
        """Returns the first and the last token that touch each non-empty byte range, counted through all strings."""
        return np.searchsorted(self.ends, start, side="right"), np.searchsorted(self.ends, end, side="left")

    def is_boundary(self, position: Ids) -> Bools:
        """Returns, for each byte position, whether a token ends there (position 0 counts as a boundary)."""
        token = np.searchsorted(self.ends, position, side="left")
        found: Bools = np.zeros(len(position), dtype=bool)
        inside = token < len(self.ends)
        found[inside] = self.ends[token[inside]] == position[inside]
        found |= position == 0
        return found


def _size(text: str) -> int:
    return len(text.encode())


def tokenize(texts: Sequence[str], engine: TokenizationEngine) -> TokenArray:
    """Tokenizes strings, none of which may hold lone surrogates.

    Raises:
        InputError: If the tokens do not add up to the string's bytes.
    """
    ids, counts, lengths = engine.encode_batch(texts)
    ends = np.cumsum(lengths)
    first = np.concatenate(([0], np.cumsum(counts)))
    origin = np.concatenate(([0], ends))[first]
    # ASCII strings have one byte per character, so that no string has to be encoded to be measured.
    size_of = len if all(map(str.isascii, texts)) else _size
    sizes = np.fromiter(map(size_of, texts), np.int64, len(texts))
    if not np.array_equal(np.diff(origin), sizes):
        text = texts[int(np.flatnonzero(np.diff(origin) != sizes)[0])]
        message = f"its tokens do not add up to the bytes of {text[:40]!r}"
        raise InputError(message, where=engine.tokenizer.name)
    return TokenArray(ids, ends, first, origin)


class StringsInContext:
    """Strings written in one context and encoded by one engine, tokenized on first use.

    No string may hold lone surrogates.
    """

    def __init__(self, texts: Sequence[str], engine: TokenizationEngine, context: Form) -> None:
        self.texts = texts
        self.engine = engine
        self.context = context

    @cached_property
    def written(self) -> list[str]:
        """Each string as the context writes it."""
        return [write(text, self.context) for text in self.texts]

    @cached_property
    def images(self) -> list[tuple[int, list[int] | None]]:
        """Where each string's characters are in `written`, as `analyze.tokens.contexts.image` returns it."""
        pairs = zip(self.texts, self.written, strict=True)
        return [image(text, self.context, written) for text, written in pairs]

    @cached_property
    def tokens(self) -> TokenArray:
        """The tokens of `written`."""
        return tokenize(self.written, self.engine)

    @cached_property
    def sizes(self) -> Ids:
        """int64 [strings]; the length of each string in characters."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def edges(self) -> tuple[Ids, Ids]:
        """The first byte of each string's image and the byte after its last, counted through all strings."""
        sizes = zip(self.images, self.texts, strict=True)
        ends = [first + len(text) if positions is None else positions[-1] for (first, positions), text in sizes]
        first = np.array([first for first, _ in self.images], dtype=np.int64)
        origin = self.tokens.origin[:-1]
        return origin + first, origin + np.array(ends, dtype=np.int64)

    def bytes_of(self, row: int, start: int, end: int) -> tuple[int, int]:
        """Converts characters [start, end) of a string to bytes of `written[row]`."""
        first, positions = self.images[row]
        return (first + start, first + end) if positions is None else (positions[start], positions[end])

    def tokens_at(self, row: int, start: int, end: int) -> tuple[int, ...]:
        """Returns the ids of the tokens that touch characters [start, end) of a string; none for an empty range."""
        if start == end:
            return ()
        a, b = self.bytes_of(row, start, end)
        ids, ends, first, origin = self.tokens.lists
        low, high = first[row], first[row + 1]
        start_token = bisect_right(ends, origin[row] + a, low, high)
        return tuple(ids[start_token : bisect_left(ends, origin[row] + b, low, high) + 1])

    def inner_ids(self, row: int) -> tuple[int, ...]:
        """Returns the ids of the tokens that touch the string itself."""
        return self.tokens_at(row, 0, len(self.texts[row]))

    def inner_boundaries(self, row: int) -> frozenset[int]:
        """Returns the token boundaries between two characters of a string, as the number of characters before each."""
        first, positions = self.images[row]
        size = len(self.texts[row])
        if positions is None:
            return frozenset(end - first for end in self.tokens.boundaries(row) if 0 < end - first < size)
        number = {byte: at for at, byte in enumerate(positions)}
        return frozenset(number[end] for end in self.tokens.boundaries(row) if 0 < number.get(end, 0) < size)

    def inner_tokens(self, rows: Ids) -> tuple[Ids, Ids]:
        """Returns the tokens that touch the strings of these rows, as indices into `tokens`, and the row of each."""
        rows = rows[self.sizes[rows] > 0]
        a, b = (edge[rows] for edge in self.edges)
        first, last = self.tokens.touching(a, b)
        counts = last - first + 1
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(first, counts) + within, np.repeat(rows, counts)

    def characters_of(self, row: int, token: int) -> tuple[int, int]:
        """Returns the characters of a row's string that a token touches; `token` is an index into `tokens`."""
        origin = int(self.tokens.origin[row])
        b = int(self.tokens.ends[token]) - origin
        a = b - int(self.tokens.sizes[token])
        first, positions = self.images[row]
        size = len(self.texts[row])
        if positions is None:
            return max(a - first, 0), min(b - first, size)
        return max(bisect_right(positions, a) - 1, 0), min(bisect_left(positions, b), size)

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
        """Yields (row, start, end) of each match, found in one scan over all strings joined by line ends."""
        starts = np.concatenate(([0], np.cumsum(self.sizes + 1)))
        for match in pattern.finditer("\n".join(self.texts)):
            row = int(np.searchsorted(starts, match.start(), side="right")) - 1
            start, end = match.start() - int(starts[row]), match.end() - int(starts[row])
            if end <= len(self.texts[row]):  # else the match spans the joining line end
                yield row, start, end
