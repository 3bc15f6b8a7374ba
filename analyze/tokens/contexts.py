"""The contexts a string stands in, and where its characters are in what the context writes.

bare: the text itself; source: `f('text')`; trace: `{"text": "'text'"}`, as a state of an execution trace shows it. A
pattern is written in the source as the argument after its text, `f(_, 'pattern')`, elsewhere as a text is. What it does
not do: tokenize (`analyze.tokens.token_spans`).
"""

from __future__ import annotations

from collections.abc import Sequence
from json.encoder import encode_basestring_ascii
from typing import Literal, get_args

from corpora.errors import InputError, did_you_mean

Context = Literal["bare", "source", "trace"]
CONTEXTS: tuple[Context, ...] = get_args(Context)
Form = Literal[Context, "argument"]
"""A context, or how the source context writes a pattern."""


def as_context(name: str) -> Context:
    """The context of that name. Raises InputError for any other."""
    for context in CONTEXTS:
        if context == name:
            return context
    raise InputError(f"no such context{did_you_mean(name, CONTEXTS)}; there are {', '.join(CONTEXTS)}", where=name)


def write(text: str, context: Form) -> str:
    """`text` as the context shows it.

    >>> write("a'b", "trace")
    '{"text": "\\\\"a\\'b\\\\""}'
    """
    if context == "trace":
        return '{"text": ' + encode_basestring_ascii(repr(text)) + "}"
    if context == "bare":
        return text
    return f"f({text!r})" if context == "source" else f"f(_, {text!r})"


def image(text: str, context: Form, written: str | None = None) -> tuple[int, list[int] | None]:
    """Where the characters of `text` stand in `written`, which is `write(text, context)`, in bytes.

    Either (first byte, None), where each character is one byte, or (first byte, positions): positions[i] is where
    character i begins and positions[-1] where the last one ends.
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
    """What `repr` makes of each character, given the quotes it chose for the whole text."""
    escaped = "\\'" if not double and '"' in text else "'"
    return [escaped if char == "'" else char if char == '"' else repr(char)[1:-1] for char in text]


def _running(first: int, lengths: Sequence[int]) -> list[int]:
    positions = [first]
    for length in lengths:
        positions.append(positions[-1] + length)
    return positions


def inner_text(text: str, context: Context) -> str:
    """`text` as the context writes it, without what the context puts around it."""
    first, positions = image(text, context)
    return text if positions is None else write(text, context).encode()[first : positions[-1]].decode()
