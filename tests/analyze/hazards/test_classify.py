"""`classify`: the published examples, and every verdict held against the definition computed in another way."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze import classify
from analyze.hazards.match_positions import SEARCH_METHODS, STRIP_METHODS
from analyze.tokens.contexts import Context, image, inner_text, write
from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError

PIECES = st.sampled_from(
    ["-.", ".-", "-", ".", " ", "B", "a", "the", "Hello", "_", "'", '"', "\n", "é", "12", "345", ","]
)
TEXTS = st.lists(PIECES, max_size=7).map("".join)


@pytest.mark.parametrize(
    ("pattern", "text", "method", "says"),
    [
        pytest.param("a", "a", "splice", "unknown method", id="a method that strings do not have"),
        pytest.param("\ud800", "a", "find", "lone surrogate at character 0", id="a pattern no tokenizer encodes"),
        pytest.param("a", "ab\udfff", "find", "lone surrogate at character 2", id="a text no tokenizer encodes"),
    ],
)
def test_what_cannot_be_asked_is_one_line(pattern: str, text: str, method: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        classify(pattern, text, method=method)


def test_no_occurrence_no_entry() -> None:
    assert classify(" B ", " BaB ", method="rfind", context="bare") == []
    assert classify("", "abc") == []


@pytest.mark.parametrize(
    ("pattern", "text", "context", "hazard"),
    [
        pytest.param("-.", "a-.", "bare", "MATCH", id="'-.' at the end of a text matches bare"),
        pytest.param("-.", "a-.", "trace", "END_CUT", id="and is end-cut in the trace"),
        pytest.param("_", "_a", "bare", "SWALLOWED", id="'_' is inside '_a' bare"),
        pytest.param("_", "_a", "trace", "MATCH", id="and matches in the trace"),
    ],
)
def test_verdicts_of_bare_and_trace_differ(pattern: str, text: str, context: str, hazard: str) -> None:
    assert [entry.hazard for entry in classify(pattern, text, context=context)] == [hazard]


def test_figure_3_left_with_its_reasons() -> None:
    left, right = classify("-.", "a-.-.b", method="rsplit", context="trace")
    assert (left.hazard, left.start, left.end, left.tokens) == ("END_CUT", 1, 3, (12, 12898))
    assert (right.hazard, right.start, right.end, right.tokens) == ("START_CUT", 3, 5, (12898, 13))
    assert left.query == (14863,)
    assert left.why == "'.-' (12898) outranks '-.' (14863) and takes the last byte"
    assert {"SINGLE_SPLIT", "ABSENT", "INCONSISTENT"} <= set(left.also)


def test_the_pattern_where_it_is_written_as_an_argument() -> None:
    entry = classify("-.", "a-.-.b", method="find", context="source")[0]
    tokenizer = default_tokenizer()
    assert [tokenizer.token_bytes(token) for token in entry.written_query] == [b" '-", b".')"]
    assert "QUERY_CUT" in entry.also


def test_the_first_for_find_and_from_the_right_for_rsplit() -> None:
    assert [(entry.start, entry.end) for entry in classify("aa", "aaaa a", method="find")] == [(0, 2)]
    assert [(entry.start, entry.end) for entry in classify("aa", "baaa", method="rsplit")] == [(2, 4)]
    assert [(entry.start, entry.end) for entry in classify("aa", "baaa", method="split")] == [(1, 3)]


def test_positions_are_bytes_of_the_text() -> None:
    assert [(entry.start, entry.end) for entry in classify("é", "aéb", context="trace")] == [(1, 3)]


def by_definition(pattern: str, text: str, start: int, context: Context) -> tuple[str, tuple[int, ...]]:
    """The class and the tokens of the occurrence that starts at a byte of the text, from the definition's words."""
    tokenizer = default_tokenizer()
    written = write(text, context)
    ids = tokenizer.encode(written)
    edges, spans = {0}, []
    for token in ids:
        low = max(edges)
        edges.add(low + len(tokenizer.token_bytes(token)))
        spans.append((low, max(edges)))
    character = len(text.encode()[:start].decode())
    first, positions = image(text, context)
    positions = positions or list(range(first, first + len(text) + 1))
    a, b = positions[character], positions[character + len(pattern)]
    touching = tuple(token for token, (low, high) in zip(ids, spans, strict=True) if low < b and high > a)
    if len(touching) == 1 and len(tokenizer.token_bytes(touching[0])) > b - a:
        return "SWALLOWED", touching
    if a not in edges and b not in edges:
        return "BOTH_CUT", touching
    if a not in edges:
        return "START_CUT", touching
    if b not in edges:
        return "END_CUT", touching
    return ("MATCH" if list(touching) == tokenizer.encode(inner_text(pattern, context)) else "RESPLIT"), touching


@pytest.mark.medium
@settings(max_examples=200, deadline=None)
@given(
    TEXTS,
    st.data(),
    st.sampled_from(sorted(set(SEARCH_METHODS) - STRIP_METHODS)),
    st.sampled_from(["bare", "source", "trace"]),
)
def test_every_verdict_is_the_definitions(text: str, data: st.DataObject, method: str, context: Context) -> None:
    low = data.draw(st.integers(0, max(len(text) - 1, 0)))
    pattern = text[low : low + data.draw(st.integers(1, 3))]
    for entry in classify(pattern, text, method=method, context=context):
        assert (entry.hazard, entry.tokens) == by_definition(pattern, text, entry.start, context)
        assert text.encode()[entry.start : entry.end].decode() == pattern
        assert "could not be replayed" not in entry.why
