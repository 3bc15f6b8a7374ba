"""The mapped vocabulary gives the ids of the library, and a damaged file is made anew."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.tokens.engines import engine_for, verification_strings
from analyze.tokens.mapped_vocabulary import MAX_WORD, MappedVocabulary, mapped_content
from analyze.tokens.tokenizer import MappedTokenizer, Tokenizer, default_tokenizer
from analyze.tokens.vocabulary import llama3, mapped_llama3

REFERENCE = Tokenizer(llama3(), "reference")
VOCABULARY = mapped_llama3()
RANKS = {**{bytes([byte]): byte for byte in range(256)}, b"ab": 256}
"""A small vocabulary instead of Llama-3's."""


def fresh() -> MappedTokenizer:
    """A tokenizer that has encoded nothing yet."""
    assert VOCABULARY is not None
    return MappedTokenizer(VOCABULARY)


@pytest.mark.medium
@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.lists(st.sampled_from(verification_strings(200)), max_size=4).map("".join))
def test_the_ids_are_those_of_the_library(text: str) -> None:
    tokenizer = fresh()
    try:
        expected = REFERENCE.encode(text)
    except UnicodeEncodeError:
        with pytest.raises(UnicodeEncodeError):
            tokenizer.encode(text)
        return
    assert tokenizer.encode(text) == expected == tokenizer.encode_batch([text])[0]
    assert tokenizer.decode(expected) == REFERENCE.decode(expected)
    assert "reference" not in vars(tokenizer)


@pytest.mark.medium
def test_the_tokens_are_those_of_the_library() -> None:
    tokenizer = fresh()
    assert tokenizer.bytes_by_id == REFERENCE.bytes_by_id
    assert tokenizer.special_tokens == REFERENCE.special_tokens
    assert tokenizer.max_token_bytes == REFERENCE.max_token_bytes
    special = REFERENCE.special_id("<|frame_sep|>")
    assert tokenizer.special_id("<|frame_sep|>") == special
    assert tokenizer.token_bytes(special) == REFERENCE.token_bytes(special)
    assert engine_for(tokenizer).lengths.tolist() == [len(text) for _, text in sorted(REFERENCE.bytes_by_id.items())]


@pytest.mark.medium
@pytest.mark.parametrize("text", ["x" * (MAX_WORD + 1), " " * 5000, "a" * 300_000], ids=len)
def test_a_long_word_or_many_characters_are_left_to_the_library(text: str) -> None:
    tokenizer = fresh()
    assert tokenizer.encode(text) == REFERENCE.encode(text)
    assert "reference" in vars(tokenizer)


@pytest.mark.medium
def test_after_many_strings_the_library_and_the_fast_engine_are_used() -> None:
    tokenizer = fresh()
    tokenizer.LIMIT = tokenizer._left = 100
    engine, texts = engine_for(tokenizer), ["def f(x):", "a-.-.b"] * 4
    for _ in range(3):
        ids, counts, sizes = engine.encode_batch(texts)
        assert ids.tolist() == [token for text in texts for token in REFERENCE.encode(text)]
        assert counts.sum() == len(ids) == len(sizes)
    assert "reference" in vars(tokenizer)


def test_a_tokenizer_is_sent_to_another_process_by_name() -> None:
    assert pickle.loads(pickle.dumps(default_tokenizer())) is default_tokenizer()
    assert copy.copy(default_tokenizer()) is default_tokenizer()


@pytest.mark.parametrize("spoil", ["missing", "empty", "cut", "changed"])
def test_a_spoilt_file_is_made_anew(spoil: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("analyze.tokens.vocabulary.read_ranks", lambda *_: RANKS)
    assert mapped_llama3() is not None
    (cached,) = (tmp_path / "spellout").iterdir()
    whole = cached.read_bytes()
    assert whole == mapped_content(RANKS)
    changed = {"missing": None, "empty": b"", "cut": whole[:-1], "changed": whole[:-1] + b"x"}[spoil]
    cached.unlink()
    if changed is not None:
        cached.write_bytes(changed)
        with pytest.raises(ValueError, match=r"damaged|empty"):
            MappedVocabulary(cached)
    found = mapped_llama3()
    assert found is not None and found.encode_word(b"aab") == (97, 256)
    assert cached.read_bytes() == whole


def test_without_a_cache_the_library_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("analyze.tokens.vocabulary.read_ranks", lambda *_: RANKS)
    assert mapped_llama3() is None
    assert type(default_tokenizer.__wrapped__()) is Tokenizer
