"""Fast tokenization of many short strings. Each engine is verified against the reference tokenizer before it is used.

    tiktoken      the default, called once per string (its own batch call is many times slower on short strings)
    gigatoken     optional; encodes whole batches
    tokenizers    the reference

`analyze.tokens.token_spans` maps the ids back to bytes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analyze.tokens.contexts import NO_FRAME, Frame
from analyze.tokens.tokenizer import MappedTokenizer, Tokenizer, panics_as_errors
from corpora.errors import InputError, did_you_mean
from corpora.reading.optional_packages import require_package

if TYPE_CHECKING:
    import tiktoken

Ids = NDArray[np.int64]
ENGINES = ("tiktoken", "gigatoken", "tokenizers")
BatchEncoder = Callable[[Sequence[str]], list[list[int]]]
FlatEncoder = Callable[[Sequence[str]], Ids]
"""Returns the ids of all strings in one array."""
VERIFICATION_SIZE = 3000
# tiktoken panics on very long runs of spaces (its regex backtracks); longer strings go to the reference.
MAX_TIKTOKEN_CHARACTERS = 20_000


class TokenizationEngine:
    """An encoder for many strings with the ids of one tokenizer.

    Attributes:
        name: One of `ENGINES`.
        tokenizer: The reference tokenizer.
        lengths: int64 [vocabulary]; the number of bytes of each token, by id.
    """

    def __init__(self, name: str, tokenizer: Tokenizer, batch: BatchEncoder, flat: FlatEncoder | None = None) -> None:
        self.name = name
        self.tokenizer = tokenizer
        self._batch = batch
        self._flat = flat
        self.lengths = _token_lengths(tokenizer)

    def encode_batch(self, texts: Sequence[str], frame: Frame = NO_FRAME) -> tuple[Ids, Ids, Ids]:
        """Encodes strings, none of which may hold lone surrogates.

        Args:
            texts: The strings.
            frame: What all of them begin and end with. If the tokenizer splits between its two first parts, and between
                one string and the second part of the next, the first part is encoded only once.

        Returns:
            All ids in one array, the number of ids of each string, and the number of bytes that each id stands for.
        """
        if self.has_offsets:
            return self._encode_sized(texts)
        common = self._common_ids(*frame)
        if common:
            ids, counts = self._encode([text[len(frame[0]) :] for text in texts], joined=True)
            counts += len(common)
            ids = _with_start(ids, common, counts)
        else:
            ids, counts = self._encode(texts)
        return ids, counts, self.lengths[ids]

    def _encode(self, texts: Sequence[str], joined: bool = False) -> tuple[Ids, Ids]:
        """Returns all ids and the number of ids of each string.

        `joined` says that the tokenizer splits between the strings: then one call encodes many, since a call costs as
        much as some tokens.
        """
        longest = max(map(len, texts), default=0)
        if self._flat is not None and longest < MAX_TIKTOKEN_CHARACTERS:
            size = MAX_TIKTOKEN_CHARACTERS // (longest + 1) if joined else 1
            with panics_as_errors(longest):
                ids = self._flat(["".join(texts[at : at + size]) for at in range(0, len(texts), size)])
            # Each token is at least a byte, so the bytes of the strings tell which tokens are theirs.
            ends = np.searchsorted(np.cumsum(self.lengths[ids]), np.cumsum(byte_sizes(texts)), side="right")
            return ids, np.diff(ends, prepend=0)
        encoded = self._batch(texts)
        counts = np.fromiter(map(len, encoded), np.int64, len(encoded))
        return np.fromiter(chain.from_iterable(encoded), np.int64, int(counts.sum())), counts

    @cache  # noqa: B019 - one object per tokenizer, which lives as long as the process
    def _common_ids(self, first: str, second: str, last: str) -> tuple[int, ...]:
        """Returns the ids of the first part; () if it is not known that the tokenizer splits before each second one.

        tiktoken's regex splits a string from the left and has no lookbehind, so that the tokens after a split do not
        depend on what is before it. A lookahead may still see past the split: drawn pairs show that it changes nothing.
        """
        if not first or self.name != "tiktoken" or "(?<" in split_pattern(self.tokenizer):
            return ()
        rest = [second + text + last for text in verification_strings()]
        alone = dict(zip([first, *rest], self._batch([first, *rest]), strict=True))
        pairs = [*((first, text) for text in rest), *pairwise(rest)]
        whole = self._batch(list(map("".join, pairs)))
        splits = all(ids == alone[a] + alone[b] for ids, (a, b) in zip(whole, pairs, strict=True))
        return tuple(alone[first]) if splits else ()

    @property
    def has_offsets(self) -> bool:
        """Whether tokens may stand for other bytes than the text's, see `Tokenizer.normalizes`."""
        tokenizer = self.tokenizer
        if not tokenizer.is_byte_level or tokenizer.reference.normalizer is not None:
            return True
        return bool(tokenizer.missing_bytes)

    def _encode_sized(self, texts: Sequence[str]) -> tuple[Ids, Ids, Ids]:
        """Encodes with offsets what a normalizer changes or has other tokens than bytes, and the rest in a batch."""
        changed = [self.tokenizer.normalizes(text) for text in texts]
        batch = iter(self._batch([text for text, differs in zip(texts, changed, strict=True) if not differs]))
        encoded: list[tuple[list[int], list[int]]] = []
        for text, differs in zip(texts, changed, strict=True):
            if differs:
                encoded.append(self.tokenizer.encode_sized(text))
            else:
                found = next(batch)
                encoded.append((found, self.lengths[found].tolist()))
        counts = np.fromiter((len(ids) for ids, _ in encoded), np.int64, len(encoded))
        total = int(counts.sum())
        ids = np.fromiter(chain.from_iterable(ids for ids, _ in encoded), np.int64, total)
        return ids, counts, np.fromiter(chain.from_iterable(sizes for _, sizes in encoded), np.int64, total)


class _DeferredEngine(TokenizationEngine):
    """Encodes the first strings with the mapped vocabulary, and builds the fast engine when there are more.

    To build and verify it takes longer than to audit a small file.
    """

    has_offsets = False

    def __init__(self, tokenizer: MappedTokenizer) -> None:
        super().__init__("tiktoken", tokenizer, lambda texts: list(map(tokenizer.encode_mapped, texts)))
        self._mapped = tokenizer

    def encode_batch(self, texts: Sequence[str], frame: Frame = NO_FRAME) -> tuple[Ids, Ids, Ids]:
        """Encodes strings as `TokenizationEngine.encode_batch` does."""
        if self._mapped.takes(sum(map(len, texts))):
            ids, counts = self._encode(texts)
            return ids, counts, self.lengths[ids]
        return _default_engine(self._mapped).encode_batch(texts, frame)


def _token_lengths(tokenizer: Tokenizer) -> Ids:
    """The number of bytes of each token, by id."""
    if isinstance(tokenizer, MappedTokenizer):
        special = map(len, map(str.encode, tokenizer.special_tokens))
        return np.concatenate([tokenizer.vocabulary.lengths, np.fromiter(special, np.int64)]).astype(np.int64)
    table = tokenizer.bytes_by_id
    if not table:
        raise InputError("its vocabulary is empty", where=tokenizer.name)
    lengths = np.zeros(max(table) + 1, dtype=np.int64)
    lengths[list(table)] = list(map(len, table.values()))
    return lengths


def byte_sizes(texts: Sequence[str]) -> Ids:
    """Returns the number of bytes of each string in UTF-8."""
    # ASCII strings have one byte per character, so that no string has to be encoded to be measured.
    sizes = map(len, texts) if all(map(str.isascii, texts)) else (len(text.encode()) for text in texts)
    return np.fromiter(sizes, np.int64, len(texts))


def _with_start(ids: Ids, common: tuple[int, ...], counts: Ids) -> Ids:
    """Inserts the common ids before those of each string; `counts` are the numbers of ids of the strings with them."""
    starts = np.cumsum(counts) - counts
    at = (starts[:, None] + np.arange(len(common))).ravel()
    found = np.empty(len(ids) + len(at), dtype=np.int64)
    own = np.ones(len(found), dtype=bool)
    own[at] = False
    found[at] = np.tile(np.array(common), len(counts))
    found[own] = ids
    return found


@cache
def engine_for(tokenizer: Tokenizer, name: str = "") -> TokenizationEngine:
    """Returns a verified engine for a tokenizer.

    Args:
        tokenizer: The reference.
        name: One of `ENGINES` (default: tiktoken if it passes verification, else the reference).

    Raises:
        InputError: If the named engine is unknown, not installed, or gives other ids than the reference.
    """
    if name not in {"", *ENGINES}:
        raise InputError(f"unknown engine{did_you_mean(name, ENGINES)}; choose from {', '.join(ENGINES)}", where=name)
    if not tokenizer.is_byte_level and name not in ("", "tokenizers"):
        raise InputError(f"is for byte-level tokenizers, which {tokenizer.name} is not", where=f"engine {name}")
    if not name:
        return _DeferredEngine(tokenizer) if isinstance(tokenizer, MappedTokenizer) else _default_engine(tokenizer)
    flat = _flat_tiktoken(tokenizer) if name == "tiktoken" else None
    engine = TokenizationEngine(name, tokenizer, _BUILDERS[name](tokenizer), flat)
    verify_engine(engine)
    return engine


def _default_engine(tokenizer: Tokenizer) -> TokenizationEngine:
    """Returns the engine tiktoken if it passes verification, else the reference."""
    try:
        return engine_for(tokenizer, "tiktoken")
    except InputError:
        return TokenizationEngine("tokenizers", tokenizer, tokenizer.encode_batch)


def verify_engine(engine: TokenizationEngine) -> None:
    """Compares the engine's ids with the reference's, string by string, on `verification_strings`.

    Raises:
        InputError: At the first difference.
    """
    missing = engine.tokenizer.missing_bytes  # strings with these bytes are never given to the engine
    texts = [text for text in verification_strings() if missing.isdisjoint(text.encode())]
    for text, ids in zip(texts, engine._batch(texts), strict=True):
        if ids != engine.tokenizer.encode(text):
            message = f"rejected: its ids differ from those of {engine.tokenizer.name}, first on {text!r}"
            raise InputError(message, where=f"engine {engine.name}")
    if engine._flat is not None and engine._flat(texts).tolist() != list(chain.from_iterable(engine._batch(texts))):
        raise InputError("rejected: its two encoders differ", where=f"engine {engine.name}")


def verification_strings(size: int = VERIFICATION_SIZE) -> list[str]:
    """Returns short random strings on which engines tend to differ.

    They mix punctuation, spaces, digits, scripts and the text of special tokens.
    """
    rng = random.Random(0)
    pieces = ["-.", ".-", " B", "'s", "'RE", "\r\n", "\t", "  ", "123", "0", '{"a": "', "\\n", "<|frame_sep|>", "é"]
    pieces += ["e\u0301", "def f(x):", "    return", "aaaa", "Hello", "世界", "🙂", "ﬁ", "\u200d", "İ", "ß", "_", "=="]
    pieces += ["\x1f", "\n\n", "٣٤٥٦"]
    pieces += [chr(code) for code in range(32, 127)]
    return ["".join(rng.choices(pieces, k=rng.randint(1, 12))) for _ in range(size)]


@cache
def _encoding(tokenizer: Tokenizer) -> tiktoken.Encoding:
    import tiktoken

    pattern, ranks = split_pattern(tokenizer), merge_ranks(tokenizer)
    # The flat encoder searches for special tokens, so it needs one. As none is allowed, its text is ordinary text.
    unused = {"\U0010ffff" * 4: max(tokenizer.bytes_by_id) + 1}
    return tiktoken.Encoding("audit", pat_str=pattern, mergeable_ranks=ranks, special_tokens=unused)


def _tiktoken(tokenizer: Tokenizer) -> BatchEncoder:
    encode, reference = _encoding(tokenizer).encode_ordinary, tokenizer.encode

    def batch(texts: Sequence[str]) -> list[list[int]]:
        with panics_as_errors(longest := max(map(len, texts), default=0)):
            if longest < MAX_TIKTOKEN_CHARACTERS:
                return list(map(encode, texts))
            return [encode(text) if len(text) < MAX_TIKTOKEN_CHARACTERS else reference(text) for text in texts]

    return batch


def _flat_tiktoken(tokenizer: Tokenizer) -> FlatEncoder | None:
    """Returns an encoder that creates no list of ids for each string; None if this version of tiktoken has none."""
    encode = getattr(_encoding(tokenizer)._core_bpe, "encode_to_tiktoken_buffer", None)
    if encode is None:
        return None

    def flat(texts: Sequence[str]) -> Ids:
        allowed: set[str] = set()
        return np.frombuffer(b"".join([encode(text, allowed) for text in texts]), np.uint32).astype(np.int64)

    return flat


def _gigatoken(tokenizer: Tokenizer) -> BatchEncoder:
    Gigatoken = require_package("gigatoken", "fast", where="engine gigatoken").Tokenizer  # noqa: N806 - a class
    try:
        # The JSON leaves out the special tokens: otherwise gigatoken encodes their text as special ids. It panics on
        # a vocabulary that it cannot read, and the panic is not an Exception.
        fast: Any = Gigatoken.from_json(json_without_special_tokens(tokenizer))
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        message = f"rejected: it cannot read {tokenizer.name}: {str(error)[:120]}"
        raise InputError(message, where="engine gigatoken") from None

    def batch(texts: Sequence[str]) -> list[list[int]]:
        with panics_as_errors(max(map(len, texts), default=0)):
            encoded: list[list[int]] = fast.encode_batch_list(list(texts))
        return encoded

    return batch


_BUILDERS: dict[str, Callable[[Tokenizer], BatchEncoder]] = {
    "tokenizers": lambda tokenizer: tokenizer.encode_batch,
    "tiktoken": _tiktoken,
    "gigatoken": _gigatoken,
}


def json_without_special_tokens(tokenizer: Tokenizer) -> str:
    """Returns the tokenizer's JSON without its special tokens, so that their text is encoded as ordinary text."""
    parts = json.loads(tokenizer.reference.to_str())
    parts["added_tokens"] = [entry for entry in parts["added_tokens"] if not entry["special"]]
    parts["post_processor"] = None
    return json.dumps(parts)


def merge_ranks(tokenizer: Tokenizer) -> dict[bytes, int]:
    """Returns the ordinary tokens with their ids as merge ranks.

    Byte-level BPE trainers number tokens in this order; `verify_engine` detects a tokenizer that does not.
    """
    added = tokenizer.reference.get_added_tokens_decoder()
    return {text: token for token, text in tokenizer.bytes_by_id.items() if token not in added}


def split_pattern(tokenizer: Tokenizer) -> str:
    """Returns the pre-tokenization regex.

    Raises:
        InputError: If the tokenizer normalizes or splits in a way that tiktoken does not support.
    """
    gpt2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    splitter = tokenizer.reference.pre_tokenizer
    state: dict[str, Any] = json.loads(splitter.__getstate__()) if splitter else {}
    parts = state.get("pretokenizers", [state])
    kinds = [part.get("type") for part in parts]
    if tokenizer.reference.normalizer is None and kinds == ["ByteLevel"] and not parts[0]["add_prefix_space"]:
        return gpt2 if parts[0]["use_regex"] else r"[\s\S]+"
    plain = kinds == ["Split", "ByteLevel"] and not (parts[1]["add_prefix_space"] or parts[1]["use_regex"])
    if tokenizer.reference.normalizer is None and plain and "Regex" in parts[0]["pattern"]:
        return str(parts[0]["pattern"]["Regex"])
    raise InputError("tiktoken does not support its pre-tokenization", where=tokenizer.name)
