"""Explains token boundaries by BPE merges, and ranks separators by how rarely they merge with their neighbours.

Byte-level BPE repeatedly joins the two neighbours whose union has the lowest rank. The rank of a token is its id. An
explanation is given only if replaying the merges reproduces the tokenizer's own tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate

import numpy as np

from analyze.tokens.engines import engine_for, merge_ranks
from analyze.tokens.tokenizer import MappedTokenizer, Tokenizer, default_tokenizer, panics_as_errors


@dataclass(frozen=True)
class Merge:
    """One BPE merge.

    Attributes:
        token: Id of the token that the merge produces.
        start: First byte of the token within its pre-tokenized piece.
        end: One past its last byte.
    """

    token: int
    start: int
    end: int


class MergeReplay:
    """Replays the merges of one tokenizer.

    Attributes:
        tokenizer: The tokenizer that is replayed.
        rank: Gives the merge rank of an ordinary token by its bytes; None for other bytes.
        ignores_merges: Whether a piece that is a token is kept whole, whatever its merges would give.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.rank: Callable[[bytes], int | None]
        # With this flag, `tokenizers` keeps a piece that is a token whole, whatever its merges would give.
        if isinstance(tokenizer, MappedTokenizer):
            self.rank, self.ignores_merges = tokenizer.vocabulary.find, True
        else:
            self.rank = merge_ranks(tokenizer).get
            self.ignores_merges = bool(getattr(tokenizer.reference.model, "ignore_merges", False))

    def pieces(self, text: str) -> Iterator[tuple[int, bytes]]:
        """Yields the pre-tokenized pieces of a string as (first byte, bytes)."""
        if isinstance(self.tokenizer, MappedTokenizer):
            words = self.tokenizer.words(text)
            yield from zip(accumulate(map(len, words), initial=0), words, strict=False)
            return
        splitter = self.tokenizer.reference.pre_tokenizer
        at, data = 0, text.encode()
        # Each character of a piece represents one of its bytes (the byte alphabet).
        with panics_as_errors(len(text)):
            pieces = splitter.pre_tokenize_str(text) if splitter else [(data.decode("latin-1"), None)]
        for piece, _ in pieces:
            yield at, data[at : at + len(piece)]
            at += len(piece)

    @lru_cache(maxsize=10_000)  # noqa: B019 - one object per tokenizer, which lives as long as the process
    def history(self, piece: bytes) -> tuple[Merge, ...]:
        """Returns the merges within one piece, in the order in which BPE makes them."""
        whole = self.rank(piece) if self.ignores_merges and len(piece) > 1 else None
        if whole is not None:
            return (Merge(whole, 0, len(piece)),)
        ends = list(range(len(piece) + 1))
        made = []
        while len(ends) > 2:
            joins = [(self.rank(piece[ends[i] : ends[i + 2]]), i) for i in range(len(ends) - 2)]
            possible = [(rank, i) for rank, i in joins if rank is not None]
            if not possible:
                break
            rank, i = min(possible)
            made.append(Merge(rank, ends[i], ends[i + 2]))
            del ends[i + 1]
        return tuple(made)

    def merges_around(self, text: str, byte: int) -> Iterator[Merge]:
        """Yields the merges in the piece that has a byte of the string; their spans count from the string's start."""
        for at, piece in self.pieces(text):
            if at <= byte < at + len(piece):
                for merge in self.history(piece):
                    yield Merge(merge.token, at + merge.start, at + merge.end)

    def merge_across(self, text: str, position: int) -> Merge | None:
        """Returns the first merge that joins the bytes on both sides of a position."""
        around = self.merges_around(text, position)
        return next((merge for merge in around if merge.start < position < merge.end), None)

    def merge_covering(self, text: str, byte: int) -> Merge | None:
        """Returns the first merge that includes the given byte of a string."""
        return next((merge for merge in self.merges_around(text, byte) if merge.start <= byte < merge.end), None)

    def format_token(self, token: int) -> str:
        """Formats a token for a message: its text and its id."""
        return f"{self.tokenizer.decode([token])!r} ({token})"


@cache
def merge_replay_for(tokenizer: Tokenizer) -> MergeReplay:
    """Returns the `MergeReplay` of a tokenizer, one per process."""
    return MergeReplay(tokenizer)


def explain_cut(tokenizer: Tokenizer, written: str, start: int, end: int, query: str) -> str:
    """Names the merges that carry bytes of a pattern across its edges.

    Args:
        tokenizer: The tokenizer that cut the string.
        written: The string as its context writes it.
        start: First byte of the pattern's occurrence in `written`.
        end: One past its last byte.
        query: The pattern as the context writes it.

    Returns:
        One clause per edge: the merge that crosses it, and the pattern's own merge that it outranks.
    """
    merges = merge_replay_for(tokenizer)
    size = len(query.encode())
    edges = ((start, "first", "before", 0), (end, "last", "after", size - 1))
    reasons = []
    for position, side, where, byte in edges:
        winner = merges.merge_across(written, position)
        if winner is None:
            continue
        loser = merges.merge_covering(query, byte)
        token = merges.format_token(winner.token)
        if loser is None:
            reason = f"{token} joins the pattern's {side} byte with the bytes {where} it"
        elif winner.token < loser.token:
            reason = f"{token} outranks {merges.format_token(loser.token)} and takes the {side} byte"
        else:
            reason = f"{token} extends over the edge {where} {merges.format_token(loser.token)}"
        reasons.append(reason)
    return "; ".join(dict.fromkeys(reasons)) or "its merges could not be replayed for this tokenizer"


SEPARATORS = ("\x1f", "¦", "|", "->", "||", "::", ";", " ", "\n", "\t", "-.", "--", "-", ".", "_", "/", ":", ", ", ",")
NEIGHBOURS = tuple(chr(code) for code in range(33, 127))


def token_preservation_rate(separator: str, tokenizer: Tokenizer, neighbours: Iterable[str] = NEIGHBOURS) -> float:
    """Returns how often a separator keeps its own tokens between two printable ASCII characters.

    Args:
        separator: The separator.
        tokenizer: The tokenizer to encode with.
        neighbours: Characters to put on both sides.

    Returns:
        Rate in 0..1 over all ordered pairs of neighbours, in the bare context. In a trace, quotes and escapes are
            further neighbours.
    """
    around = tuple(neighbours)
    pairs = [(left, right) for left in around for right in around]
    engine = engine_for(tokenizer)
    alone = engine.encode_batch([separator])[0].tolist()
    ids, counts, sizes = engine.encode_batch([left + separator + right for left, right in pairs])
    at = np.concatenate(([0], np.cumsum(counts))).tolist()
    kept = sum(
        _keeps(pair, separator, ids[at[row] : at[row + 1]].tolist(), sizes[at[row] : at[row + 1]].tolist(), alone)
        for row, pair in enumerate(pairs)
    )
    return kept / len(pairs)


def _keeps(pair: tuple[str, str], separator: str, ids: list[int], sizes: list[int], alone: list[int]) -> bool:
    ends = [0, *accumulate(sizes)]
    start = len(pair[0].encode())
    end = start + len(separator.encode())
    return start in ends and end in ends and ids[ends.index(start) : ends.index(end)] == alone


def safer_separators(
    tokenizer: Tokenizer | None = None, candidates: Sequence[str] = SEPARATORS
) -> list[tuple[str, float]]:
    """Returns separators with their `token_preservation_rate`, safest first."""
    chosen = tokenizer or default_tokenizer()
    return sorted(((text, token_preservation_rate(text, chosen)) for text in candidates), key=lambda entry: -entry[1])
