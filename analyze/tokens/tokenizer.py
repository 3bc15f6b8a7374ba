"""An adapter over `tokenizers`: strings to ids and back, the bytes of a token, the ids of special tokens.

Strings are always encoded as ordinary text: a program that contains the characters `<|frame_sep|>` never produces the
special token. Special ids are requested by name. The tokens of a byte-level tokenizer are bytes of the text; those of
other tokenizers have offsets (`OffsetTokenizer`). Fast batches are in `analyze.tokens.engines`, vocabularies in
`analyze.tokens.vocabulary`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyze.tokens.mapped_vocabulary import MAX_WORD, MappedVocabulary
from analyze.tokens.offsets import (
    GAP,
    HuggingFaceSpans,
    SentencePieceSpans,
    Span,
    SpanEncoder,
    align_bytes,
    cover_bytes,
    without_prefix,
)
from analyze.tokens.vocabulary import (
    LLAMA3_PATTERN,
    byte_alphabet,
    from_ranks,
    llama3,
    mapped_llama3,
    read_ranks,
    special_names,
    splitter,
)
from corpora.errors import InputError

if TYPE_CHECKING:
    import tokenizers

MAX_CHARACTERS = 2**22
"""Maximum length of a string. Longer ones take minutes, and the library's regex fails on ten million spaces."""
_RANKS = re.compile(rb"[A-Za-z0-9+/=]+ \d+\s")  # the first line of a file of tiktoken ranks
_NOT_IN_UTF8 = frozenset({0xC0, 0xC1, *range(0xF5, 0x100)})
_TO_LATIN = {ord(char): byte for byte, char in byte_alphabet().items()}


class UntokenizedError(InputError):
    """A string that the tokenizer library cannot encode, or not in reasonable time."""


@contextmanager
def panics_as_errors(characters: int) -> Iterator[None]:
    """Turns a panic of a tokenizer library, which is a BaseException, into an UntokenizedError.

    Args:
        characters: The length of the longest string that the library is given.

    Raises:
        UntokenizedError: If the library panics, or, before it is called, if `characters` exceeds `MAX_CHARACTERS`.
    """
    if characters > MAX_CHARACTERS:
        raise UntokenizedError(f"a string of {characters:,} characters is not tokenized (limit: {MAX_CHARACTERS:,})")
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        failed = f"the tokenizer library fails on a string of {characters:,} characters"
        raise UntokenizedError(f"{failed}: {_one_line(error)}") from None


class Tokenizer:
    """A byte-level tokenizer.

    Attributes:
        reference: The underlying `tokenizers.Tokenizer`.
        name: The name used in reports, such as "llama-3".

    Example:
        >>> default_tokenizer().encode("a-.-.b")
        [64, 12, 12898, 13, 65]
    """

    def __init__(self, reference: tokenizers.Tokenizer, name: str) -> None:
        """Takes over `reference`: the text of special tokens becomes ordinary, padding and truncation are switched off.

        Raises:
            InputError: If the vocabulary is not byte-level.
        """
        if not _is_byte_level(reference):
            raise InputError("not a byte-level tokenizer: its pre-tokenizer and decoder do not map bytes", where=name)
        reference.encode_special_tokens = True
        reference.no_padding()
        reference.no_truncation()
        self.reference = reference
        self.name = name

    is_byte_level = True
    """Whether tokens are bytes of the text."""

    @cached_property
    def _span_encoder(self) -> SpanEncoder:
        return HuggingFaceSpans(self.reference)

    def encode_sized(self, text: str) -> tuple[list[int], list[int]]:
        """Returns the ids of `text`, and the bytes of the text that each stands for, which add up to the text.

        Characters that no token stands for have the id `analyze.tokens.offsets.GAP`. If a normalizer changes the text,
        the bytes are those of the original characters.
        """
        if self._has_gaps(text) and not self._is_normalized(text):
            return align_bytes(text.encode(), self.encode(text), self.bytes_by_id, self.unknown)
        with panics_as_errors(len(text)):
            return cover_bytes(text, self._span_encoder.spans(text), self._span_encoder.pieces)

    def normalizes(self, text: str) -> bool:
        """Whether tokens may stand for other bytes than the text's: a normalizer changes it, or a byte has no token."""
        return self._is_normalized(text) or self._has_gaps(text)

    def _is_normalized(self, text: str) -> bool:
        normalizer = self.reference.normalizer
        return normalizer is not None and normalizer.normalize_str(text) != text

    def _has_gaps(self, text: str) -> bool:
        return bool(self.missing_bytes) and not self.missing_bytes.isdisjoint(text.encode())

    @cached_property
    def unknown(self) -> int | None:
        """The id of the token that stands for bytes without a token; None if they are dropped."""
        name = getattr(self.reference.model, "unk_token", None)
        return self.reference.token_to_id(name) if name else None

    @cached_property
    def missing_bytes(self) -> frozenset[int]:
        """The bytes that have no token, among those of UTF-8."""
        return frozenset(
            byte
            for code, byte in _TO_LATIN.items()
            if byte not in _NOT_IN_UTF8 and self.reference.token_to_id(chr(code)) is None
        )

    def encode(self, text: str) -> list[int]:
        """Returns the ids of `text`, encoded as ordinary text.

        Raises:
            UnicodeEncodeError: If the text holds lone surrogates.
            UntokenizedError: If it is longer than `MAX_CHARACTERS`, or the library panics.
        """
        try:
            with panics_as_errors(len(text)):
                ids: list[int] = self.reference.encode(text, add_special_tokens=False).ids
        except TypeError:
            text.encode()  # the library's message names only a type; Python's names the surrogate and its position
            raise
        return ids

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Returns the ids of each string, as `encode` does; no string may hold lone surrogates.

        Raises:
            UntokenizedError: As `encode` does.
        """
        with panics_as_errors(max(map(len, texts), default=0)):
            found = self.reference.encode_batch_fast(list(texts), add_special_tokens=False)
        return [encoding.ids for encoding in found]

    def decode(self, ids: Iterable[int]) -> str:
        """Returns the text of `ids`, with special tokens by name. Invalid UTF-8 becomes U+FFFD.

        Raises:
            KeyError: If an id is unknown.
        """
        return b"".join(map(self._known_bytes, ids)).decode("utf-8", errors="replace")

    def token_bytes(self, token: int) -> bytes:
        """Returns the bytes of one token; for a special token, the bytes of its name; for a gap, none.

        Raises:
            KeyError: If the id is unknown.
        """
        return b"" if token == GAP else self._known_bytes(token)

    def _known_bytes(self, token: int) -> bytes:
        return self.bytes_by_id[token]

    @cached_property
    def bytes_by_id(self) -> Mapping[int, bytes]:
        """The bytes of every token, ordinary and special."""
        added = self.reference.get_added_tokens_decoder()
        ordinary = {
            token: _from_alphabet(spelling)
            for spelling, token in self.reference.get_vocab(with_added_tokens=False).items()
            if token not in added
        }
        return ordinary | {token: entry.content.encode() for token, entry in added.items()}

    @cached_property
    def max_token_bytes(self) -> int:
        """The length in bytes of the longest ordinary token: a lower bound on a string's tokens follows from it."""
        # The vocabulary writes one character per byte.
        return max(map(len, self.reference.get_vocab(with_added_tokens=False)))

    @cached_property
    def special_tokens(self) -> Mapping[str, int]:
        """The special tokens: name to id."""
        added = self.reference.get_added_tokens_decoder()
        return {entry.content: token for token, entry in added.items() if entry.special}

    def special_id(self, name: str) -> int:
        """Returns the id of a special token such as `<|frame_sep|>`.

        Raises:
            InputError: If the vocabulary has no such token.
        """
        try:
            return self.special_tokens[name]
        except KeyError:
            raise InputError(f"the vocabulary has no special token {name}", where=self.name) from None


class OffsetTokenizer(Tokenizer):
    """A tokenizer whose tokens are not the bytes of the text: WordPiece, SentencePiece, Unigram, word level.

    The bytes of a token are its spelling in the vocabulary.
    """

    is_byte_level = False
    missing_bytes = frozenset()
    unknown = None
    max_token_bytes = 4 * MAX_CHARACTERS  # an unknown token stands for a text of any length

    def __init__(self, encoder: SpanEncoder, name: str) -> None:
        self._span_encoder = encoder
        self.name = name

    def normalizes(self, text: str) -> bool:
        """True: its tokens are always mapped to characters by their offsets."""
        return True

    def _spans(self, text: str) -> list[Span]:
        text.encode()  # names a lone surrogate and its position; the libraries do not
        with panics_as_errors(len(text)):
            return self._span_encoder.spans(text)

    def encode(self, text: str) -> list[int]:
        """Returns the ids of `text`."""
        return [token for token, _, _ in self._spans(text)]

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Returns the ids of each string."""
        return list(map(self.encode, texts))

    @cached_property
    def bytes_by_id(self) -> Mapping[int, bytes]:
        """The spelling of every token."""
        pieces = self._span_encoder.pieces
        return {token: spelling.encode("utf-8", "surrogatepass") for token, spelling in pieces.items()}

    @property
    def special_tokens(self) -> Mapping[str, int]:
        """The special tokens: name to id."""
        return self._span_encoder.special


class MappedTokenizer(Tokenizer):
    """Llama-3's tokenizer with CWM's special tokens, which encodes its first strings without loading the vocabulary.

    Args:
        vocabulary: The ordinary tokens.
    """

    LIMIT = 200_000
    """Characters that are encoded with the mapped vocabulary. Then the library is loaded, which is faster for more."""

    def __init__(self, vocabulary: MappedVocabulary) -> None:
        self.name = "llama-3"
        self.vocabulary = vocabulary
        self._left = self.LIMIT

    def __reduce__(self) -> tuple[Callable[[], Tokenizer], tuple[()]]:
        """Another process maps the file itself."""
        return default_tokenizer, ()

    @cached_property
    def reference(self) -> tokenizers.Tokenizer:  # type: ignore[override]
        """The underlying `tokenizers.Tokenizer`, loaded when it is first used."""
        return Tokenizer(llama3(), self.name).reference

    @cached_property
    def _split(self) -> Callable[[str], list[tuple[str, tuple[int, int]]]]:
        return splitter(LLAMA3_PATTERN).pre_tokenize_str

    def takes(self, characters: int) -> bool:
        """Whether strings of so many characters are still encoded with the mapped vocabulary; counts them."""
        self._left -= characters
        return self._left >= 0 and "reference" not in vars(self)

    def encode(self, text: str) -> list[int]:
        """Returns the ids of `text`, as `Tokenizer.encode` does."""
        return self.encode_mapped(text) if self.takes(len(text)) else super().encode(text)

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        """Returns the ids of each string, as `encode` does."""
        return list(map(self.encode_mapped, texts)) if self.takes(sum(map(len, texts))) else super().encode_batch(texts)

    def words(self, text: str) -> list[bytes]:
        """Returns the pieces of the pre-tokenization, of which tokens are parts."""
        text.encode()  # names a lone surrogate and its position
        with panics_as_errors(len(text)):
            return [word.encode() for word, _ in self._split(text)]

    def encode_mapped(self, text: str) -> list[int]:
        """Returns the ids of `text`, from the mapped vocabulary unless a word is long."""
        words = self.words(text)
        if max(map(len, words), default=0) > MAX_WORD:
            return super().encode(text)
        return [token for word in words for token in self.vocabulary.encode_word(word)]

    def normalizes(self, text: str) -> bool:
        """False: the vocabulary has no normalizer."""
        return False

    def _known_bytes(self, token: int) -> bytes:
        return self.vocabulary.token(token) if 0 <= token < len(self.vocabulary) else super()._known_bytes(token)

    @cached_property
    def bytes_by_id(self) -> Mapping[int, bytes]:
        """The bytes of every token, ordinary and special."""
        special = {token: name.encode() for name, token in self.special_tokens.items()}
        return dict(enumerate(self.vocabulary.tokens())) | special

    @cached_property
    def max_token_bytes(self) -> int:
        """The length in bytes of the longest ordinary token."""
        return self.vocabulary.longest

    @cached_property
    def special_tokens(self) -> Mapping[str, int]:
        """The special tokens: name to id."""
        return {name: token for token, name in enumerate(special_names(), len(self.vocabulary))}


def _from_alphabet(spelling: str) -> bytes:
    """The bytes of a token in the byte alphabet; an ordinary token with other characters stands for itself."""
    try:
        return spelling.translate(_TO_LATIN).encode("latin-1")
    except UnicodeEncodeError:
        return spelling.encode()


def _is_byte_level(reference: tokenizers.Tokenizer) -> bool:
    """Whether pre-tokenizer and decoder, if there is one, are those of bytes. Some bytes may have no token."""
    decodes = reference.decoder is None or _has_step(reference.decoder, "decoders")
    return decodes and _has_step(reference.pre_tokenizer, "pretokenizers")


def _has_step(step: Any, parts: str) -> bool:
    """Whether a pre-tokenizer or decoder, or a part of a sequence of them, is the byte-level one."""
    state = {} if step is None else json.loads(step.__getstate__())
    return any(part.get("type") == "ByteLevel" for part in (state, *state.get(parts, ())))


def _strips(reference: tokenizers.Tokenizer) -> bool:
    """Whether an added token takes the white space next to it: its bytes are then not those of its name."""
    return any(token.lstrip or token.rstrip for token in reference.get_added_tokens_decoder().values())


def wrap_tokenizer(reference: tokenizers.Tokenizer, name: str) -> Tokenizer:
    """Returns the adapter of a tokenizer of any kind, without the prefix that it may write before each text."""
    plain = without_prefix(reference)
    return (
        Tokenizer(plain, name)
        if _is_byte_level(plain) and not _strips(plain)
        else OffsetTokenizer(HuggingFaceSpans(plain), name)
    )


@cache
def default_tokenizer() -> Tokenizer:
    """Returns Llama-3's vocabulary with CWM's special tokens (ids 128000 to 128255), loaded once per process."""
    vocabulary = mapped_llama3()
    return Tokenizer(llama3(), "llama-3") if vocabulary is None else MappedTokenizer(vocabulary)


@cache
def load_tokenizer(name: str) -> Tokenizer:
    """Returns a tokenizer by file, encoding or id, loaded once per process.

    Args:
        name: "llama-3", a `tokenizer.json` or a folder with one, a `.model` file of SentencePiece or of tiktoken ranks
            (read with Llama-3's pre-tokenization), the name of a tiktoken encoding, or a Hugging Face id. The last two
            may need a network.

    Raises:
        InputError: If it cannot be loaded.
    """
    if name == "llama-3":
        return default_tokenizer()
    path = Path(name)
    if path.is_dir() and (path / "tokenizer.json").is_file():
        path /= "tokenizer.json"
    if path.is_file():
        content = path.read_bytes() if path.suffix == ".model" else b""
        if content and not _RANKS.match(content) and b"\0" in content:
            return OffsetTokenizer(SentencePieceSpans(content, str(path)), name)
        return wrap_tokenizer(_from_file(path), name)
    if path.suffix in {".json", ".model"} or path.is_absolute() or path.is_dir():
        raise InputError("no tokenizer found", where=name)
    return wrap_tokenizer(_from_tiktoken(name) or _from_hub(name), name)


def _from_file(path: Path) -> tokenizers.Tokenizer:
    if path.suffix == ".model":
        return from_ranks(read_ranks(path.read_bytes(), str(path)), LLAMA3_PATTERN, [])
    import tokenizers

    try:
        return tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # noqa: BLE001 - the library raises bare Exception for whatever it cannot read
        raise InputError(f"not a tokenizer.json: {_one_line(error)}", where=str(path)) from None


def _from_tiktoken(name: str) -> tokenizers.Tokenizer | None:
    """Converts a tiktoken encoding; returns None if tiktoken has none of that name."""
    import tiktoken

    if name not in tiktoken.list_encoding_names():
        return None
    try:
        encoding = tiktoken.get_encoding(name)
    except Exception as error:  # noqa: BLE001 - whatever the download raises; without a network, an exception of requests
        raise InputError(f"the tiktoken encoding cannot be loaded: {_one_line(error)}", where=name) from None
    return from_encoding(encoding._mergeable_ranks, encoding._pat_str, encoding._special_tokens)


def from_encoding(ranks: Mapping[bytes, int], pattern: str, special: Mapping[str, int]) -> tokenizers.Tokenizer:
    """Converts the parts of a tiktoken encoding. Gaps in the ids (cl100k has some) are filled with unused names."""
    names = {token: text for text, token in special.items()}
    first = max(ranks.values()) + 1
    last = max(names, default=first - 1)
    return from_ranks(ranks, pattern, [names.get(token, f"<|unused_{token}|>") for token in range(first, last + 1)])


def _from_hub(name: str) -> tokenizers.Tokenizer:
    """Loads from the hub's local cache, else from the hub.

    The host name is resolved first, because without a network the hub's client retries for half a minute.
    """
    import socket
    from urllib.parse import urlsplit
    from urllib.request import getproxies

    import huggingface_hub as hub

    failed = "not a file or tiktoken encoding, and cannot be loaded as a Hugging Face id"
    try:
        try:
            file = hub.hf_hub_download(name, "tokenizer.json", local_files_only=True)
        except (OSError, ValueError):
            if not getproxies():
                socket.getaddrinfo(urlsplit(hub.constants.ENDPOINT).hostname, 443)
            file = hub.hf_hub_download(name, "tokenizer.json")
    except Exception as error:  # noqa: BLE001 - no network, no access, no such id: the hub's and httpx's own classes
        raise InputError(f"{failed}: {_one_line(error)}", where=name) from None
    return _from_file(Path(file))


def _one_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:160]
