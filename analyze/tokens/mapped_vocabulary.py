"""A vocabulary in a file that is mapped into memory: short strings are encoded without parsing four megabytes.

To load Llama-3's vocabulary takes half a second, longer than most commands work. The file has the bytes of all tokens
and a hash table from bytes to ids, so that a lookup reads a few of its pages. Words are merged as tiktoken does: of all
neighbours that join into a token, those with the lowest id first. In Python that is slower for each character than the
library, so `Tokenizer` uses it for the first strings only.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

HEADER = struct.Struct("<8s4I")
"""Magic, number of tokens, slots of the hash table, length of the longest token, checksum of what follows."""
MAGIC = b"spelltok"
MAX_WORD = 256
"""Bytes of the longest word that is merged here: the time grows with the square of the length."""


def mapped_content(ranks: Mapping[bytes, int]) -> bytes:
    """Returns the content of the file for tokens with the ids 0 to n - 1."""
    tokens = sorted(ranks, key=ranks.__getitem__)
    assert [ranks[token] for token in tokens] == list(range(len(tokens)))
    slots = 1 << (2 * len(tokens)).bit_length()
    table = [0] * slots
    for number, token in enumerate(tokens, 1):
        slot = zlib.crc32(token) % slots
        while table[slot]:
            slot = (slot + 1) % slots
        table[slot] = number
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    body = struct.pack(f"<{slots + len(offsets)}I", *table, *offsets) + b"".join(tokens)
    return HEADER.pack(MAGIC, len(tokens), slots, max(map(len, tokens)), zlib.crc32(body)) + body


class MappedVocabulary:
    """The vocabulary of a file that `mapped_content` made.

    Attributes:
        size: Number of tokens.
        longest: Length of the longest token, in bytes.

    Raises:
        ValueError: If the file is not one of these, or is damaged.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        self.size: int
        self.longest: int
        magic, self.size, self._slots, self.longest, checksum = HEADER.unpack_from(mapped)
        starts = HEADER.size + 4 * self._slots
        ends = starts + 4 * (self.size + 1)
        if magic != MAGIC or zlib.crc32(mapped[HEADER.size :]) != checksum:
            raise ValueError("not a mapped vocabulary, or a damaged one")
        self._table, self._offsets = mapped[HEADER.size : starts].cast("I"), mapped[starts:ends].cast("I")
        self._bytes = mapped[ends:]
        self.encode_word = lru_cache(maxsize=1 << 16)(self._encode_word)

    def __len__(self) -> int:
        """The number of tokens."""
        return self.size

    def token(self, number: int) -> bytes:
        """Returns the bytes of a token by id."""
        return bytes(self._bytes[self._offsets[number] : self._offsets[number + 1]])

    def tokens(self) -> Iterator[bytes]:
        """Yields the bytes of all tokens, in the order of the ids."""
        content, offsets = bytes(self._bytes), self._offsets.tolist()
        return (content[start:end] for start, end in pairwise(offsets))

    @cached_property
    def lengths(self) -> list[int]:
        """The number of bytes of each token, by id."""
        offsets = self._offsets.tolist()
        return [end - start for start, end in pairwise(offsets)]

    def find(self, token: bytes) -> int | None:
        """Returns the id of a token; None if there is none with these bytes."""
        slot = zlib.crc32(token) % self._slots
        while number := self._table[slot]:
            if self._bytes[self._offsets[number - 1] : self._offsets[number]] == token:
                return int(number) - 1
            slot = (slot + 1) % self._slots
        return None

    def _encode_word(self, word: bytes) -> tuple[int, ...]:
        """Returns the ids of a word: a piece of the pre-tokenization, of at most `MAX_WORD` bytes."""
        whole = self.find(word)
        if whole is not None:
            return (whole,)
        cuts = list(range(len(word) + 1))
        joined = [self.find(word[at : at + 2]) for at in range(len(word) - 1)]
        while found := [(rank, at) for at, rank in enumerate(joined) if rank is not None]:
            at = min(found)[1]
            del cuts[at + 1], joined[at]
            for place in (at - 1, at):  # the pairs of the new piece with its neighbours
                if 0 <= place < len(joined):
                    joined[place] = self.find(word[cuts[place] : cuts[place + 2]])
        pieces = [self.find(word[start:end]) for start, end in pairwise(cuts)]
        return tuple(piece for piece in pieces if piece is not None)
