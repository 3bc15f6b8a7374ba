"""Programs as normalized tokens, and what is computed from these: digests, shingles and n-grams.

Normalization removes comments, docstrings, blank lines and formatting. For near copies, names that a program
may choose are replaced by `_` as well: all but keywords, built-ins and attributes.
"""

from __future__ import annotations

import builtins
import hashlib
import io
import keyword
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass

_SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
_LAYOUT = {tokenize.INDENT: "<indent>", tokenize.DEDENT: "<dedent>", tokenize.NEWLINE: "<newline>"}
_KEPT = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
_CHOSEN = "_"


@dataclass(frozen=True)
class NormalizedTokens:
    """The tokens of a program.

    Attributes:
        exact: The tokens, with names.
        anonymous: The tokens, with `_` for names that a program may choose.
    """

    exact: tuple[str, ...]
    anonymous: tuple[str, ...]

    @property
    def digest(self) -> bytes:
        """A digest of the program without comments and formatting."""
        return hash_text("\0".join(self.exact))


def normalize_tokens(source: str) -> NormalizedTokens:
    """The normalized tokens of a program; its words if it cannot be tokenized.

    >>> normalize_tokens("def f(x):  # doubles\\n    return x*2").anonymous[:5]
    ('def', '_', '(', '_', ')')
    """
    exact: list[str] = []
    anonymous: list[str] = []
    is_docstring = False  # whether the last token is a string that begins a statement
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in _SKIPPED:
                continue
            if token.type == tokenize.NEWLINE and is_docstring:
                is_docstring = False
                exact.pop()
                anonymous.pop()
                continue
            is_docstring = token.type == tokenize.STRING and (not exact or exact[-1] in _LAYOUT.values())
            text = _LAYOUT.get(token.type, token.string)
            after_dot = bool(exact) and exact[-1] == "."
            is_chosen = token.type == tokenize.NAME and not after_dot and text not in _KEPT
            exact.append(text)
            anonymous.append(_CHOSEN if is_chosen else text)
    except (tokenize.TokenError, SyntaxError):
        exact = anonymous = source.split()
    return NormalizedTokens(tuple(exact), tuple(anonymous))


def ngrams(tokens: Sequence[str], size: int) -> set[bytes]:
    """The distinct n-grams of a sequence; the whole sequence as one n-gram if it is shorter."""
    if len(tokens) < size:
        return {"\0".join(tokens).encode("utf-8", "surrogatepass")}
    return {
        "\0".join(tokens[start : start + size]).encode("utf-8", "surrogatepass")
        for start in range(len(tokens) - size + 1)
    }


def hash_text(text: str, size: int = 16) -> bytes:
    """A digest of `size` bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()
