"""Vocabularies with each kind of gap: what they lose, and that nothing is lost where there is none."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import models, normalizers, pre_tokenizers

from analyze.hazards.base import get_hazard
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.tokens.engines import engine_for
from analyze.tokens.lost_characters import describe_loss, find_lost_characters
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, wrap_tokenizer
from analyze.tokens.vocabulary import byte_alphabet, byte_vocabulary

MISSING = b"\x04\x13\r\xf1\xa9"


def with_gaps(
    unknown: str | None = None, *, fuse: bool = False, missing: bytes = MISSING, merges: bool = True
) -> Tokenizer:
    """A byte-level vocabulary in which gaps become the unknown token or are dropped."""
    state: dict[str, Any] = json.loads(byte_vocabulary(missing).to_str())
    vocabulary = state["model"]["vocab"]
    if merges:
        vocabulary["ab"] = len(vocabulary) + 300
        state["model"]["merges"] = [["a", "b"]]
    if unknown:
        vocabulary[unknown] = len(vocabulary) + 400
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        state["added_tokens"] = [{"id": vocabulary[unknown], "content": unknown, "special": True, **flags}]
    state["model"] |= {"unk_token": unknown, "fuse_unk": fuse}
    return wrap_tokenizer(tokenizers.Tokenizer.from_str(json.dumps(state)), "gaps")


UNKNOWN = [
    pytest.param(with_gaps(), "", id="dropped"),
    pytest.param(with_gaps("<|endoftext|>"), "<|endoftext|>", id="unknown token"),
    pytest.param(with_gaps("<|endoftext|>", fuse=True), "<|endoftext|>", id="fused unknown token"),
]


@pytest.mark.parametrize(("tokenizer", "spelling"), UNKNOWN)
def test_a_vocabulary_with_gaps_is_byte_level_and_decodes(tokenizer: Tokenizer, spelling: str) -> None:
    assert tokenizer.is_byte_level
    assert tokenizer.missing_bytes == frozenset(MISSING)
    assert tokenizer.decode(tokenizer.encode("x = 'ab' é\n".replace("é", "ü"))) == "x = 'ab' ü\n"


@pytest.mark.parametrize(("tokenizer", "spelling"), UNKNOWN)
@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("ab", []),
        ("a\x04b", [(1, 2)]),
        ("a\x13b", [(1, 2)]),
        ("line\r\nend", [(4, 5)]),
        ("a\U00046131b", [(1, 2)]),  # its first byte has no token
        ("caféx", [(3, 4)]),  # its second byte has no token
        ("\x04ab\x13", [(0, 1), (3, 4)]),
        ("\x04", [(0, 1)]),
        ("ü\x04ü", [(1, 2)]),
    ],
)
def test_a_gap_is_lost_where_it_is(tokenizer: Tokenizer, spelling: str, text: str, lost: list[tuple[int, int]]) -> None:
    found = find_lost_characters(text, tokenizer)
    assert [(one.start, one.end) for one in found] == lost
    ids, sizes = tokenizer.encode_sized(text)
    assert sum(sizes) == len(text.encode())
    assert len(ids) == len(sizes)


def test_two_strings_have_one_encoding_and_both_are_reported() -> None:
    tokenizer = with_gaps("<|endoftext|>")
    assert tokenizer.encode("a\x04b") == tokenizer.encode("a\x13b")
    assert describe_loss("a\x04b", tokenizer) == r"'\x04' (U+0004) becomes '<|endoftext|>'"
    assert describe_loss("a\x04b", with_gaps()) == r"'\x04' (U+0004) is dropped"


@pytest.mark.parametrize("unknown", [None, "<unk>"])
@given(text=st.text(st.sampled_from("ab \x04\x13\réü𖄱x"), max_size=12))
def test_a_string_is_lost_exactly_if_decoding_gives_another(unknown: str | None, text: str) -> None:
    tokenizer = _kept[unknown]
    assert bool(find_lost_characters(text, tokenizer)) == (tokenizer.decode(tokenizer.encode(text)) != text)


_kept = {None: with_gaps(), "<unk>": with_gaps("<unk>")}


def test_a_complete_vocabulary_loses_nothing() -> None:
    every = "".join(map(chr, range(0x300))) + "世界🫠\U00046131"
    assert default_tokenizer().missing_bytes == frozenset()
    assert find_lost_characters(every, default_tokenizer()) == []


def test_bytes_that_are_not_in_utf_8_are_no_gap() -> None:
    tokenizer = with_gaps(missing=b"\xc0\xc1\xf5\xff")
    assert tokenizer.is_byte_level
    assert tokenizer.missing_bytes == frozenset()


@pytest.mark.parametrize(
    ("normalizer", "text", "lost"),
    [
        (normalizers.NFC(), "e\u0301", [(0, 2)]),
        (normalizers.NFC(), "\u00e9", []),
        (normalizers.NFKC(), "a\ufb01b", [(1, 2)]),
        (normalizers.Lowercase(), "aBc", [(1, 2)]),
    ],
)
def test_a_normalizer_loses_what_it_replaces(
    normalizer: normalizers.Normalizer, text: str, lost: list[tuple[int, int]]
) -> None:
    reference = byte_vocabulary()
    reference.normalizer = normalizer
    found = find_lost_characters(text, Tokenizer(reference, "normalized"))
    assert [(one.start, one.end) for one in found] == lost


def test_words_that_are_unknown_to_word_piece_are_lost_and_single_spaces_are_not() -> None:
    vocabulary = {"[UNK]": 0, "hello": 1, "world": 2, "##s": 3}
    reference = tokenizers.Tokenizer(models.WordPiece(vocab=vocabulary, unk_token="[UNK]"))
    reference.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer = wrap_tokenizer(reference, "word piece")
    assert find_lost_characters("hello worlds", tokenizer) == []
    assert [one.text for one in find_lost_characters("hello moon", tokenizer)] == ["moon"]
    assert [one.text for one in find_lost_characters("hello  world", tokenizer)] == ["  "]


def test_byte_fallback_loses_nothing() -> None:
    pieces = {"<unk>": 0, "▁": 1, "a": 2} | {f"<0x{byte:02X}>": 3 + byte for byte in range(256)}
    reference = tokenizers.Tokenizer(models.BPE(vocab=pieces, merges=[], unk_token="<unk>", byte_fallback=True))
    reference.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never", split=False)
    assert find_lost_characters("a é\x04", wrap_tokenizer(reference, "fallback")) == []


def test_the_hazard_is_found_in_every_context_and_by_every_engine() -> None:
    tokenizer = with_gaps("<|endoftext|>")
    questions = [StringQuestion("ab"), StringQuestion("a\x04b"), StringQuestion("\x13")]
    for context in ("bare", "trace", "source"):
        batch = QuestionBatch(questions, engine_for(tokenizer), context)
        hits = get_hazard("LOST").find(batch)
        assert list(hits.entries()) == [(1, 1.0, 1, 2), (2, 1.0, 0, 1)]
        assert "U+0004" in get_hazard("LOST").why(batch, 1, 1, 2)
        batch.texts.tokens  # noqa: B018 - the tokens add up to the bytes


def test_the_alphabet_of_the_tests_is_that_of_the_vocabulary() -> None:
    assert len(byte_alphabet()) == 256
