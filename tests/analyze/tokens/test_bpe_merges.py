"""Reasons by merge priority, replayed merges, and separators that keep their tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.tokens.bpe_merges import explain_cut, merge_replay_for, safer_separators, token_preservation_rate
from analyze.tokens.tokenizer import default_tokenizer

PIECES = st.sampled_from(["-.", ".-", " B", "Hello", "'s", "12345", "é", "🙂", "\n", "  ", "_", "aaaa"])


def test_the_merge_that_outranks_the_patterns() -> None:
    tokenizer = default_tokenizer()
    assert explain_cut(tokenizer, "a-.-.b", 1, 3, "-.") == "'.-' (12898) outranks '-.' (14863) and takes the last byte"
    assert explain_cut(tokenizer, "a-.-.b", 3, 5, "-.") == "'.-' (12898) outranks '-.' (14863) and takes the first byte"


def test_a_pattern_of_one_byte_has_no_merge_to_outrank() -> None:
    assert "joins the pattern's first byte with the bytes before it" in explain_cut(
        default_tokenizer(), "hello", 2, 3, "l"
    )


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=6).map("".join))
def test_replaying_the_merges_gives_the_tokenizers_own_tokens(text: str) -> None:
    tokenizer = default_tokenizer()
    merges = merge_replay_for(tokenizer)
    boundaries = set()
    for at, piece in merges.pieces(text):
        inside = set(range(1, len(piece)))
        for merge in merges.history(piece):
            inside -= set(range(merge.start + 1, merge.end))
        boundaries |= {at + len(piece)} | {at + position for position in inside}
    ends, position = set(), 0
    for token in tokenizer.encode(text):
        position += len(tokenizer.token_bytes(token))
        ends.add(position)
    assert boundaries == ends


@pytest.mark.medium
def test_separators_in_the_order_of_safety() -> None:
    shares = dict(safer_separators(candidates=("\x1f", "¦", "->", "-.", ",")))
    assert list(shares) == ["\x1f", "¦", "->", "-.", ","]
    assert shares["\x1f"] == 1.0
    assert 0.7 < shares["-."] < 0.85
    assert 0.1 < shares[","] < 0.3


def test_a_separator_between_chosen_neighbours() -> None:
    assert token_preservation_rate("-.", default_tokenizer(), ["a", "b"]) == 1.0
    assert token_preservation_rate("-.", default_tokenizer(), ["-", "."]) < 1.0
