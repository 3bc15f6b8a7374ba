"""Where characters stand in what a context writes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.tokens.contexts import CONTEXTS, Form, as_context, image, inner_text, write
from corpora.errors import InputError

PIECES = st.sampled_from(
    ["a", "'", '"', "\\", "\n", "\x00", "\x1f", "\x85", "é", "世", "🙂", " ", "-.", "\u200d", "\u2028"]
)
TEXTS = st.lists(PIECES, max_size=8).map("".join) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_an_unknown_context_is_one_line() -> None:
    with pytest.raises(InputError, match=r"no such context .*; there are bare, source, trace"):
        as_context("state")


@given(TEXTS)
def test_the_contexts_are_those_of_the_definition(text: str) -> None:
    assert write(text, "bare") == text
    assert write(text, "source") == f"f({text!r})"
    assert write(text, "trace") == '{"text": ' + json.dumps(repr(text)) + "}"


@settings(max_examples=500)
@given(TEXTS, st.sampled_from([*CONTEXTS, "argument"]))
def test_the_map_places_every_character(text: str, context: Form) -> None:
    written = write(text, context).encode()
    first, positions = image(text, context)
    positions = positions or list(range(first, first + len(text) + 1))
    assert len(positions) == len(text) + 1
    before = {"bare": "", "source": "f(", "argument": "f(_, ", "trace": '{"text": "'}[context]
    after = {"bare": "", "source": ")", "argument": ")", "trace": '"}'}[context]
    shown = written[len(before) : len(written) - len(after)].decode()
    quotes = 0 if context == "bare" else 2 if shown.startswith('\\"') else 1
    quoted = shown[quotes : len(shown) - quotes]
    assert written[positions[0] : positions[-1]].decode() == quoted
    for char, start, end in zip(text, positions, positions[1:], strict=False):
        piece = written[start:end].decode()
        undone = json.loads(f'"{piece}"') if context == "trace" else piece
        assert undone == char or undone in {repr(char)[1:-1], f"\\{char}"}
    assert inner_text(text, context if context != "argument" else "source") == quoted
