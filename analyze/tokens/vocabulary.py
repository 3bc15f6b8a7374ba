"""Builds vocabularies: tiktoken ranks as a `tokenizers.Tokenizer`, and Llama-3's vocabulary with CWM's special tokens.

The conversion needs neither transformers nor a network. `analyze.tokens.tokenizer` wraps the result.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from analyze.tokens.mapped_vocabulary import MAGIC, MappedVocabulary, mapped_content
from corpora.cache import cache_folder, write_cached
from corpora.errors import InputError

if TYPE_CHECKING:
    import tokenizers
    from tokenizers import pre_tokenizers

# Llama-3's pre-tokenization (llama_models/llama3/tokenizer.py, `pat_str`): contractions, words, up to three digits,
# punctuation with an optional leading space, newlines, spaces.
LLAMA3_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# Part of the name of a cached conversion: increase it whenever the conversion below gives another result.
CONVERSION_VERSION = 1

CWM_SPECIAL = {
    100: "<|frame_sep|>",
    101: "<|action_sep|>",
    102: "<|return_sep|>",
    103: "<|call_sep|>",
    104: "<|line_sep|>",
    105: "<|exception_sep|>",
    106: "<|arg_sep|>",
    107: "<|trace_context_start|>",
}
_LLAMA_NAMES = (
    *("begin_of_text", "end_of_text", "reserved_special_token_0", "reserved_special_token_1", "finetune_right_pad_id"),
    *("step_id", "start_header_id", "end_header_id", "eom_id", "eot_id", "python_tag", "image"),
)


def special_names() -> list[str]:
    """Returns the names of the 256 special tokens after Llama-3's 128,000, by id: Llama's names, and CWM's."""
    names = [*_LLAMA_NAMES, *(f"reserved_special_token_{2 + i}" for i in range(256 - len(_LLAMA_NAMES)))]
    return [CWM_SPECIAL.get(i, f"<|{name}|>") for i, name in enumerate(names)]


def byte_alphabet() -> dict[int, str]:
    """Returns GPT-2's printable character for each byte, in which byte-level vocabularies are written."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}


_TO_ALPHABET = {byte: ord(char) for byte, char in byte_alphabet().items()}


def to_byte_alphabet(token: bytes) -> str:
    """Writes a token's bytes in the byte alphabet: b' a' is 'Ġa'."""
    return token.decode("latin-1").translate(_TO_ALPHABET)


def read_ranks(text: bytes, where: str) -> dict[bytes, int]:
    """Reads the merge ranks of a tiktoken file: one base64 token and its rank per line.

    Raises:
        InputError: If a line is malformed, or a single byte has no token.
    """
    ranks: dict[bytes, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            token, rank = line.split()
            ranks[base64.b64decode(token, validate=True)] = int(rank)
        except (ValueError, binascii.Error):
            message = "not a tiktoken vocabulary (a base64 token and its rank on each line)"
            raise InputError(message, where=f"{where}:{number}") from None
    if sum(len(token) == 1 for token in ranks) != 256:
        raise InputError("not a byte-level vocabulary: some single bytes have no token", where=where)
    return ranks


def merge_pairs(ranks: Mapping[bytes, int]) -> list[tuple[str, str]]:
    """Returns every pair of tokens that joins into a token, in the order in which tiktoken would join them.

    tiktoken joins the neighbours whose union has the lowest rank; `tokenizers` needs the pairs themselves, in order.
    """
    merges: list[tuple[str, str]] = []
    for token in sorted(ranks, key=ranks.__getitem__):
        pairs = [(token[:cut], token[cut:]) for cut in range(1, len(token))]
        known = [(left, right) for left, right in pairs if left in ranks and right in ranks]
        known.sort(key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))
        merges += [(to_byte_alphabet(left), to_byte_alphabet(right)) for left, right in known]
    return merges


def from_ranks(ranks: Mapping[bytes, int], pattern: str, special: Sequence[str]) -> tokenizers.Tokenizer:
    """Builds a byte-level BPE with tiktoken's ranks. `special` tokens get the ids after the highest rank, in order."""
    import tokenizers
    from tokenizers import decoders, models, pre_tokenizers

    vocabulary = {to_byte_alphabet(token): rank for token, rank in ranks.items()}
    model = models.BPE(vocab=vocabulary, merges=merge_pairs(ranks), ignore_merges=True, fuse_unk=False)
    converted = tokenizers.Tokenizer(model)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    converted.pre_tokenizer = pre_tokenizers.Sequence([splitter(pattern), byte_level])
    converted.decoder = decoders.ByteLevel()
    converted.add_special_tokens(list(special))
    return converted


def splitter(pattern: str) -> pre_tokenizers.PreTokenizer:
    """Returns the pre-tokenization of a regex of tiktoken."""
    from tokenizers import Regex, pre_tokenizers

    # `\p{N}{1,3}+` is possessive in tiktoken, but repeats the group in Oniguruma. Nothing follows it in its
    # alternative, so the plain quantifier matches the same.
    return pre_tokenizers.Split(Regex(re.sub(r"(\{[\d,]+\})\+", r"\1", pattern)), behavior="isolated", invert=False)


def byte_vocabulary(missing: bytes = b"") -> tokenizers.Tokenizer:
    """Builds a vocabulary of single bytes, without those of `missing`, which it drops: for examples and tests."""
    ranks = {bytes([byte]): byte for byte in range(256) if byte not in missing}
    return from_ranks(ranks, LLAMA3_PATTERN, [])


def llama3() -> tokenizers.Tokenizer:
    """Returns Llama-3's vocabulary, from the installed package `llama-models`, with CWM's special tokens.

    The conversion takes about a second. Its result is cached in the user's cache folder, under a name that hashes
    everything that the result depends on.

    Raises:
        InputError: If the package is not installed or has no vocabulary.
    """
    import tokenizers

    path, text = _llama3_source()
    cached = cache_folder() / f"llama3-{_digest(text, tokenizers.__version__)}.json"
    found = read_cached(cached)
    if found is None:
        found = from_ranks(read_ranks(text, str(path)), LLAMA3_PATTERN, special_names())
        write_cached(cached, found.to_str().encode())
    return found


def mapped_llama3() -> MappedVocabulary | None:
    """Returns Llama-3's ordinary tokens, mapped from a file in the user's cache folder; None if none can be written.

    Raises:
        InputError: As `llama3`.
    """
    path, text = _llama3_source()
    cached = cache_folder() / f"llama3-{_digest(text, MAGIC.decode())}.mapped"
    for is_written in (False, True):
        try:
            return MappedVocabulary(cached)
        except (OSError, ValueError, struct.error):  # missing, or damaged
            if not is_written:
                write_cached(cached, mapped_content(read_ranks(text, str(path))))
    return None


def _llama3_source() -> tuple[Path, bytes]:
    """The file of Llama-3's ranks and its content. The package is found without importing it."""
    package = find_spec("llama_models")
    for folder in (package and package.submodule_search_locations) or ():
        path = Path(folder) / "llama3" / "tokenizer.model"
        if path.is_file():
            return path, path.read_bytes()
    message = "Llama-3's vocabulary is missing: run `pip install llama-models`, or name another tokenizer"
    raise InputError(message)


def _digest(text: bytes, form: str) -> str:
    """A name for what is made from the ranks in a form."""
    return hashlib.sha256(text + f"{CONVERSION_VERSION} {form} {special_names()}".encode()).hexdigest()[:20]


def read_cached(path: Path) -> tokenizers.Tokenizer | None:
    """Returns the tokenizer cached at `path`; None if there is none or it cannot be read."""
    import tokenizers

    if not path.is_file():
        return None
    try:
        return tokenizers.Tokenizer.from_file(str(path))
    except Exception:  # noqa: BLE001 - the library raises bare Exception; a corrupt cache entry is rebuilt
        return None
