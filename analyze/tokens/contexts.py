"""The contexts in which a string is written, and where its characters are in the result.

    bare      the string itself
    source    `f('string')`; a pattern is written as the second argument, `f(_, 'pattern')`
    trace     `{"text": "'string'"}`, as a state of an execution trace shows it

`analyze.tokens.token_spans` tokenizes what a context writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from json.encoder import encode_basestring_ascii
from typing import Literal, get_args

from corpora.errors import InputError, did_you_mean

Context = Literal["bare", "source", "trace"]
CONTEXTS: tuple[Context, ...] = get_args(Context)
Form = Literal[Context, "argument"]
"""A context, or the form in which the source context writes a pattern."""


Frame = tuple[str, str, str]
"""What all strings begin with, in two parts, and what all of them end with."""
NO_FRAME: Frame = ("", "", "")
FRAMES: dict[Form, Frame] = {"trace": ('{"text":', ' "', '"}')}
"""The frame of a context. Tokenizers usually split before its second part."""


def as_context(name: str) -> Context:
    """Returns the context of that name.

    Raises:
        InputError: If there is no such context.
    """
    for context in CONTEXTS:
        if context == name:
            return context
    raise InputError(f"no such context{did_you_mean(name, CONTEXTS)}; there are {', '.join(CONTEXTS)}", where=name)


def write(text: str, context: Form) -> str:
    """Returns `text` as the context writes it.

    >>> write("a'b", "trace")
    '{"text": "\\\\"a\\'b\\\\""}'
    """
    if context == "trace":
        return '{"text": ' + encode_basestring_ascii(repr(text)) + "}"
    if context == "bare":
        return text
    return f"f({text!r})" if context == "source" else f"f(_, {text!r})"


def surroundings(written: str, context: Form) -> tuple[int, int]:
    """Returns the number of bytes that a context writes before and after a string, with its quotes.

    >>> surroundings(write("a-.-.b", "trace"), "trace")
    (11, 3)
    """
    if context == "trace":
        return (12, 4) if written[10] == "\\" else (11, 3)  # the escape of repr's double quote
    return {"bare": (0, 0), "source": (3, 2), "argument": (6, 2)}[context]


def image(text: str, context: Form, written: str | None = None) -> tuple[int, list[int] | None]:
    """Locates the characters of a string in what the context writes.

    Args:
        text: The string.
        context: The form it is written in.
        written: `write(text, context)`, if the caller has it already.

    Returns:
        (first byte, None) if each character is one byte. Otherwise (first byte, positions): positions[i] is the byte at
            which character i begins, and positions[-1] the end of the last one.
    """
    if written is None:
        written = write(text, context)
    first, after = surroundings(written, context)
    if len(written.encode()) == first + len(text) + after:
        return first, None
    pieces: Sequence[str] = text if context == "bare" else _repr_pieces(text, written[first - 1] == '"')
    if context == "trace":
        pieces = [encode_basestring_ascii(piece)[1:-1] for piece in pieces]
    return first, list(accumulate((len(piece.encode()) for piece in pieces), initial=first))


def _repr_pieces(text: str, double: bool) -> list[str]:
    """Returns the `repr` of each character, given the quotes that `repr` chose for the whole string."""
    escaped = "\\'" if not double and '"' in text else "'"
    return [escaped if char == "'" else char if char == '"' else repr(char)[1:-1] for char in text]


def inner_text(text: str, context: Form, written: str | None = None) -> str:
    """Returns `text` as the context writes it, without the quotes and surroundings that the context adds.

    Args:
        text: The string.
        context: The form it is written in.
        written: `write(text, context)`, if the caller has it already.
    """
    if written is None:
        written = write(text, context)
    before, after = surroundings(written, context)
    return written[before : len(written) - after]
