"""Characters that an encoding loses: another string has the same tokens.

A vocabulary may have no token for a byte or a character. It then becomes the unknown token or no token at all, as the
file says. A normalizer that replaces characters (NFC, NFKC, lower case) loses the original ones as well.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyze.tokens.offsets import GAP
from analyze.tokens.tokenizer import Tokenizer

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_SHOWN = 3


@dataclass(frozen=True)
class LostCharacters:
    """A run of characters that an encoding loses.

    Attributes:
        start: first character in the string.
        end: one past the last.
        text: the characters.
        spelling: what the tokens in their place stand for; "" if there is no token.
    """

    start: int
    end: int
    text: str
    spelling: str

    def __str__(self) -> str:
        """What becomes of the characters, such as "'\\x04' (U+0004) is dropped"."""
        codes = " ".join(f"U+{ord(char):04X}" for char in self.text[:_SHOWN])
        fate = f"becomes {self.spelling!r}" if self.spelling else "is dropped"
        return f"{self.text[:_SHOWN]!a}{'…' if len(self.text) > _SHOWN else ''} ({codes}) {fate}"


def find_lost_characters(text: str, tokenizer: Tokenizer) -> list[LostCharacters]:
    """The characters of a string that its tokens do not stand for, in order; adjacent ones together.

    A single space is not reported where a tokenizer writes words without the spaces between them (WordPiece).

    Raises:
        UntokenizedError: the string is too long for the tokenizer library.

    Example:
        >>> from analyze.tokens.tokenizer import default_tokenizer
        >>> find_lost_characters("any \\x00 string", default_tokenizer())
        []
    """
    if not tokenizer.normalizes(text):
        return []
    written, ids, sizes = text.encode(), *tokenizer.encode_sized(text)
    owners = [number for number, char in enumerate(text) for _ in range(len(char.encode()))]
    lost: dict[int, dict[int, bytes]] = {}  # the tokens in the place of each lost character, by their number
    start = 0
    for number, (token, size) in enumerate(zip(ids, sizes, strict=True)):
        places = range(start, start + size)
        stands_for = _bytes_of(token, tokenizer)
        if size and not _is_kept(written[start : start + size], stands_for, tokenizer.is_byte_level):
            gaps = [place for place in places if written[place] in tokenizer.missing_bytes]
            spelling = b"" if gaps and token != tokenizer.unknown else stands_for
            for place in gaps or places:
                lost.setdefault(owners[place], {})[number] = spelling
        start += size
    return _runs(text, lost)


def describe_loss(text: str, tokenizer: Tokenizer) -> str:
    """What a string loses, in one line; "" if nothing."""
    lost = find_lost_characters(text, tokenizer)
    more = f", and {len(lost) - _SHOWN} more" if len(lost) > _SHOWN else ""
    return "; ".join(map(str, lost[:_SHOWN])) + more


def _bytes_of(token: int, tokenizer: Tokenizer) -> bytes:
    spelling = tokenizer.token_bytes(token)
    if tokenizer.is_byte_level or token == GAP:
        return spelling
    byte = _BYTE.fullmatch(spelling.decode("utf-8", "replace"))
    if byte:
        return bytes([int(byte[1], 16)])
    return spelling.decode("utf-8", "surrogatepass").replace("▁", " ").removeprefix("##").removesuffix("</w>").encode()


def _is_kept(part: bytes, stands_for: bytes, is_byte_level: bool) -> bool:
    if part == stands_for:
        return True
    return not is_byte_level and (part == b" " or part.strip(b" ") == stands_for.strip(b" ") != b"")


def _runs(text: str, lost: dict[int, dict[int, bytes]]) -> list[LostCharacters]:
    runs: list[tuple[int, int, dict[int, bytes]]] = []
    for at in sorted(lost):
        if runs and runs[-1][1] == at:
            start, _, tokens = runs.pop()
            runs.append((start, at + 1, tokens | lost[at]))
        else:
            runs.append((at, at + 1, lost[at]))
    return [
        LostCharacters(start, end, text[start:end], b"".join(tokens.values()).decode("utf-8", "replace"))
        for start, end, tokens in runs
    ]
