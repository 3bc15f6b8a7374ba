"""The contexts in which a string is written, and where its characters are in the result.

    bare      the string itself
    source    `f('string')`; a pattern is written as the second argument, `f(_, 'pattern')`
    trace     `{"text": "'string'"}`, as a state of an execution trace shows it

`analyze.tokens.token_spans` tokenizes what a context writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring_ascii
from typing import Literal, get_args

from corpora.errors import InputError, did_you_mean

Context = Literal["bare", "source", "trace"]
CONTEXTS: tuple[Context, ...] = get_args(Context)
Form = Literal[Context, "argument"]
"""A context, or the form in which the source context writes a pattern."""


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
    if context == "bare":
        return 0, None if text.isascii() else _running(0, [len(char.encode()) for char in text])
    if written is None:
        written = write(text, context)
    if context == "trace":
        double = written[10] == "\\"  # the escape of repr's double quote
        if len(written) == len(text) + (16 if double else 14):
            return 11 + double, None
        pieces = _repr_pieces(text, double)
        return 11 + double, _running(11 + double, [len(encode_basestring_ascii(piece)) - 2 for piece in pieces])
    first = 3 if context == "source" else 6
    if len(written) == len(text) + first + 2 and text.isascii():
        return first, None
    pieces = _repr_pieces(text, written[first - 1] == '"')
    return first, _running(first, [len(piece.encode()) for piece in pieces])


def _repr_pieces(text: str, double: bool) -> list[str]:
    """Returns the `repr` of each character, given the quotes that `repr` chose for the whole string."""
    escaped = "\\'" if not double and '"' in text else "'"
    return [escaped if char == "'" else char if char == '"' else repr(char)[1:-1] for char in text]


def _running(first: int, lengths: Sequence[int]) -> list[int]:
    positions = [first]
    for length in lengths:
        positions.append(positions[-1] + length)
    return positions


def inner_text(text: str, context: Context) -> str:
    """Returns `text` as the context writes it, without the quotes and surroundings that the context adds."""
    first, positions = image(text, context)
    return text if positions is None else write(text, context).encode()[first : positions[-1]].decode()
