"""Tokenizes many strings inside their context and maps tokens to the characters that they touch.

`analyze.hazards.match_positions` finds occurrences of patterns; `analyze.hazards` judges them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from analyze.tokens.contexts import FRAMES, NO_FRAME, Form, Frame, image, surroundings, write
from analyze.tokens.engines import Ids, TokenizationEngine, byte_sizes
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


def tokenize(texts: Sequence[str], engine: TokenizationEngine, frame: Frame = NO_FRAME) -> TokenArray:
    """Tokenizes strings, none of which may hold lone surrogates.

    Args:
        texts: The strings.
        engine: The engine.
        frame: What all strings begin and end with, see `TokenizationEngine.encode_batch`.

    Raises:
        InputError: If the tokens do not add up to the string's bytes.
    """
    ids, counts, lengths = engine.encode_batch(texts, frame)
    ends = np.cumsum(lengths)
    first = np.concatenate(([0], np.cumsum(counts)))
    origin = np.concatenate(([0], ends))[first]
    sizes = byte_sizes(texts)
    if not np.array_equal(np.diff(origin), sizes):
        text = texts[int(np.argmax(np.diff(origin) != sizes))]
        raise InputError(f"its tokens do not add up to the bytes of {text[:40]!r}", where=engine.tokenizer.name)
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
    def positions(self) -> dict[int, list[int]]:
        """The strings with characters that are not one byte in `written`: their `image`, by row."""
        around = self._surroundings[0] + self._surroundings[1]
        rows = np.flatnonzero(np.diff(self.tokens.origin) != self.sizes + around).tolist()
        found = ((row, image(self.texts[row], self.context, self.written[row])[1]) for row in rows)
        return {row: positions for row, positions in found if positions is not None}

    @cached_property
    def _surroundings(self) -> tuple[Ids, Ids]:
        pairs = chain.from_iterable(surroundings(written, self.context) for written in self.written)
        before, after = np.fromiter(pairs, np.int64, 2 * len(self.texts)).reshape(-1, 2).T
        return before, after

    @cached_property
    def _characters(self) -> tuple[Ids, Ids]:
        """The byte of each character and of each string's end, through all strings; the first entry of each string."""
        counts = self.sizes + 1
        ends = np.cumsum(counts)
        entry = ends - counts
        first = self.tokens.origin[:-1] + self._surroundings[0]
        bytes_ = np.arange(int(counts.sum())) + np.repeat(first - entry, counts)
        for row, positions in self.positions.items():
            bytes_[entry[row] : ends[row]] = np.array(positions) + self.tokens.origin[row]
        return bytes_, entry

    def bytes_at(self, rows: Ids, characters: Ids) -> Ids:
        """Returns where characters of these rows begin, or their strings end, in bytes counted through all strings."""
        bytes_, entry = self._characters
        found: Ids = bytes_[entry[rows] + characters]
        return found

    @cached_property
    def tokens(self) -> TokenArray:
        """The tokens of `written`."""
        return tokenize(self.written, self.engine, FRAMES.get(self.context, NO_FRAME))

    @cached_property
    def sizes(self) -> Ids:
        """int64 [strings]; the length of each string in characters."""
        return np.fromiter(map(len, self.texts), np.int64, len(self.texts))

    @cached_property
    def edges(self) -> tuple[Ids, Ids]:
        """The first byte of each string's image and the byte after its last, counted through all strings."""
        rows = np.arange(len(self.texts))
        return self.bytes_at(rows, np.zeros_like(rows)), self.bytes_at(rows, self.sizes)

    def bytes_of(self, row: int, start: int, end: int) -> tuple[int, int]:
        """Converts characters [start, end) of a string to bytes of `written[row]`."""
        positions = self.positions.get(row)
        if positions is not None:
            return positions[start], positions[end]
        first, _ = surroundings(self.written[row], self.context)
        return first + start, first + end

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

    def inner_boundaries(self, rows: Ids) -> tuple[Ids, Ids]:
        """Returns the token boundaries between two characters of the strings of these rows.

        Returns:
            The row of each boundary, and the number of characters before it.
        """
        tokens, row = self.inner_tokens(rows)
        bytes_, entry = self._characters
        ends = self.tokens.ends[tokens]
        at = np.searchsorted(bytes_, ends)
        character = at - entry[row]
        inside = character < self.sizes[row]
        inside[inside] = bytes_[at[inside]] == ends[inside]  # else the boundary is inside a character
        return row[inside], character[inside]

    def inner_tokens(self, rows: Ids) -> tuple[Ids, Ids]:
        """Returns the tokens that touch the strings of these rows, as indices into `tokens`, and the row of each."""
        rows = rows[self.sizes[rows] > 0]
        a, b = (edge[rows] for edge in self.edges)
        first, last = self.tokens.touching(a, b)
        counts = last - first + 1
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(first, counts) + within, np.repeat(rows, counts)

    def inner_lists(self, rows: Ids) -> list[list[int]]:
        """Returns the ids of the tokens that touch the strings of these rows, which are in order."""
        tokens, row = self.inner_tokens(rows)
        ids = self.tokens.ids[tokens].tolist()
        spans = (np.searchsorted(row, rows, side=side).tolist() for side in ("left", "right"))
        return [ids[start:end] for start, end in zip(*spans, strict=True)]

    def characters_of(self, rows: Ids, tokens: Ids) -> tuple[Ids, Ids]:
        """Returns the characters of each row's string that a token touches; `tokens` are indices into `tokens`."""
        bytes_, entry = self._characters
        ends = self.tokens.ends[tokens]
        start = np.searchsorted(bytes_, ends - self.tokens.sizes[tokens], side="right") - 1 - entry[rows]
        end = np.searchsorted(bytes_, ends, side="left") - entry[rows]
        return np.maximum(start, 0), np.minimum(end, self.sizes[rows])

    @cached_property
    def joined(self) -> str:
        """All strings, joined by line ends."""
        return "\n".join(self.texts)

    def rows_at(self, positions: Ids) -> tuple[Ids, Ids]:
        """Converts positions in `joined` to rows and positions in their strings."""
        starts = np.cumsum(self.sizes + 1) - (self.sizes + 1)
        rows = np.searchsorted(starts, positions, side="right") - 1
        return rows, positions - starts[rows]

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
        """Yields (row, start, end) of each match, found in one scan over all strings."""
        spans = np.array([match.span() for match in pattern.finditer(self.joined)], dtype=np.int64).reshape(-1, 2)
        rows, starts = self.rows_at(spans[:, 0])
        ends = starts + spans[:, 1] - spans[:, 0]
        inside = ends <= self.sizes[rows]  # else the match spans the joining line end
        yield from zip(*(column[inside].tolist() for column in (rows, starts, ends)), strict=True)
