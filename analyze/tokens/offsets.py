"""Tokens by the characters that they stand for: for tokenizers whose tokens are not the bytes of the text.

WordPiece leaves out spaces, SentencePiece writes them as `▁`, and a normalizer may replace, delete or insert
characters. Their libraries return, for each token, the characters of the original text that it stands for.
`cover_bytes` turns these into consecutive byte ranges, so that everything else works as for byte-level tokens.

A prefix that a tokenizer writes before a text (`add_dummy_prefix`, `prepend_scheme`, `add_prefix_space`) is switched
off: the strings that are checked stand inside a longer text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Protocol

from corpora.errors import InputError
from corpora.reading.optional_packages import require_package

if TYPE_CHECKING:
    import tokenizers

GAP = -1
"""The id of characters that no token stands for, such as the spaces of WordPiece."""
Span = tuple[int, int, int]
"""The id of a token, and the characters of the text that it stands for: the first, and one past the last."""
# A further ModelProto.normalizer_spec (field 3) with add_dummy_prefix (field 3) false. Protocol buffers merge a message
# that follows another one in the same field, and the later value counts.
_WITHOUT_PREFIX = b"\x1a\x02\x18\x00"
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")


class SpanEncoder(Protocol):
    """Encodes texts with the characters of each token.

    Attributes:
        pieces: The spelling of each token, by id.
        special: The special tokens: name to id.
    """

    @property
    def pieces(self) -> Mapping[int, str]: ...  # noqa: D102
    @property
    def special(self) -> Mapping[str, int]: ...  # noqa: D102

    def spans(self, text: str) -> list[Span]:
        """Returns the tokens of a text."""


class HuggingFaceSpans:
    """A `tokenizers.Tokenizer` of any kind: WordPiece, Unigram, BPE with `▁`, word level."""

    def __init__(self, reference: tokenizers.Tokenizer) -> None:
        parts = json.loads(reference.to_str())
        parts["post_processor"] = None  # that of ByteLevel takes the spaces out of the offsets
        import tokenizers

        self._tokenizer = tokenizers.Tokenizer.from_str(json.dumps(parts))
        self._tokenizer.encode_special_tokens = True
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @cached_property
    def pieces(self) -> Mapping[int, str]:
        """The spelling of each token, by id."""
        return {token: spelling for spelling, token in self._tokenizer.get_vocab().items()}

    @cached_property
    def special(self) -> Mapping[str, int]:
        """The special tokens: name to id."""
        added = self._tokenizer.get_added_tokens_decoder()
        return {entry.content: token for token, entry in added.items() if entry.special}

    def spans(self, text: str) -> list[Span]:
        """Returns the tokens of a text."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return [(token, start, end) for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True)]


class SentencePieceSpans:
    """A SentencePiece model, BPE or unigram, read with the library `sentencepiece`."""

    def __init__(self, content: bytes, where: str) -> None:
        """Reads a model.

        Raises:
            InputError: If the library is not installed, or the content is no model.
        """
        library = require_package("sentencepiece", "sentencepiece", where=where)
        try:
            self._processor = library.SentencePieceProcessor(model_proto=content + _WITHOUT_PREFIX)
        except RuntimeError as error:
            raise InputError(f"not a SentencePiece model: {str(error).splitlines()[0][:160]}", where=where) from None

    @cached_property
    def pieces(self) -> Mapping[int, str]:
        """The spelling of each token, by id."""
        return {token: self._processor.id_to_piece(token) for token in range(self._processor.get_piece_size())}

    @cached_property
    def special(self) -> Mapping[str, int]:
        """The control tokens: name to id."""
        return {spelling: token for token, spelling in self.pieces.items() if self._processor.is_control(token)}

    def spans(self, text: str) -> list[Span]:
        """Returns the tokens of a text."""
        found = self._processor.encode(text, return_type="offset_mapping")
        return [(token, start, end) for token, (start, end) in zip(found["ids"], found["offsets"], strict=True)]


def cover_bytes(text: str, spans: Sequence[Span], pieces: Mapping[int, str]) -> tuple[list[int], list[int]]:
    """Returns ids and sizes in bytes that add up to the text.

    Characters of no token become tokens with the id `GAP`. Where several tokens stand for one character, boundaries are
    put inside it. A token that stands for no character has size 0.

    Example:
        >>> cover_bytes("a bc", [(7, 0, 1), (8, 2, 4)], {7: "a", 8: "bc"})
        ([7, -1, 8], [1, 1, 2])
    """
    place = [0, *accumulate(len(char.encode()) for char in text)]
    ids: list[int] = []
    ends = [0]

    def end_token(token: int, byte: int) -> None:
        ids.append(token)
        ends.append(max(byte, ends[-1]))

    for number, (token, start, end) in enumerate(spans):
        if place[start] > ends[-1] and start < end:
            end_token(GAP, place[start])
        following = spans[number + 1] if number + 1 < len(spans) else None
        shares = following is not None and following[1] < end
        is_byte = start == end < len(text) and _BYTE.fullmatch(pieces.get(token, "")) is not None
        if shares or is_byte:  # the boundary is inside the characters that the next token stands for as well
            at = following[1] if shares and following is not None else start
            last = place[end] if shares else place[at + 1]
            end_token(token, min(max(place[at], ends[-1]) + 1, last - 1))
        else:
            end_token(token, place[end] if start < end else ends[-1])
    if ends[-1] < place[-1]:
        end_token(GAP, place[-1])
    return ids, [end - start for start, end in pairwise(ends)]


def align_bytes(
    text: bytes, tokens: Sequence[int], table: Mapping[int, bytes], unknown: int | None
) -> tuple[list[int], list[int]]:
    """Returns ids and sizes in bytes that add up to the text, of a byte-level vocabulary without tokens for some bytes.

    The offsets of the library are wrong there, because they do not count bytes that it drops. Dropped bytes before a
    token become a token with the id `GAP`; a token may also span dropped bytes, since merges join what is left.

    Args:
        text: The text.
        tokens: Its ids.
        table: The bytes of each token.
        unknown: The id of the unknown token, which stands for the bytes up to the next token.

    Example:
        >>> align_bytes(b"a.bc", [1, 2], {1: b"a", 2: b"bc"}, None)
        ([1, -1, 2], [1, 1, 2])
    """
    ids: list[int] = []
    sizes: list[int] = []
    at = 0
    for number, token in enumerate(tokens):
        if token == unknown:
            after = tokens[number + 1] if number + 1 < len(tokens) else None
            end = min(at + 1, len(text)) if after == unknown else _next_place(text, at + 1, table.get(after or -1, b""))
            ids.append(token)
            sizes.append(end - at)
            at = end
            continue
        start = text.find(table[token][:1], at)
        if start > at:
            ids.append(GAP)
            sizes.append(start - at)
        end = start
        for byte in table[token]:
            end = text.index(byte, end) + 1
        ids.append(token)
        sizes.append(end - start)
        at = end
    if at < len(text):
        ids.append(GAP)
        sizes.append(len(text) - at)
    return ids, sizes


def _next_place(text: bytes, at: int, token: bytes) -> int:
    found = text.find(token[:1], at) if token else -1
    return found if found >= 0 else len(text)


def without_prefix(reference: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """Returns the tokenizer without the space that it writes before each text, or itself if it writes none."""
    parts = json.loads(reference.to_str())
    changed = json.dumps(parts)
    parts["normalizer"] = _without_prepend(parts["normalizer"])
    for step in _steps(parts["pre_tokenizer"], "pretokenizers"):
        if step["type"] == "Metaspace":
            step["prepend_scheme"] = "never"
            step.pop("add_prefix_space", None)
        elif step["type"] == "ByteLevel":
            step["add_prefix_space"] = False
    after = json.dumps(parts)
    import tokenizers

    return reference if after == changed else tokenizers.Tokenizer.from_str(after)


def _steps(step: dict[str, Any] | None, name: str) -> list[dict[str, Any]]:
    return [] if step is None else step.get(name, [step])


def _without_prepend(normalizer: dict[str, Any] | None) -> dict[str, Any] | None:
    kept = [step for step in _steps(normalizer, "normalizers") if step["type"] != "Prepend"]
    if normalizer is None or not kept:
        return None
    return {**normalizer, "normalizers": kept} if "normalizers" in normalizer else normalizer
