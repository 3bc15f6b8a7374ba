"""Engines prove themselves against the reference or are refused."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import pytest
from tokenizers import normalizers

from analyze.tokens.bpe_merges import merge_replay_for
from analyze.tokens.contexts import FRAMES, NO_FRAME, Frame
from analyze.tokens.engines import (
    MAX_TIKTOKEN_CHARACTERS,
    TokenizationEngine,
    engine_for,
    split_pattern,
    verification_strings,
    verify_engine,
)
from analyze.tokens.offsets import GAP
from analyze.tokens.token_spans import tokenize
from analyze.tokens.tokenizer import (
    Tokenizer,
    UntokenizedError,
    default_tokenizer,
    from_encoding,
    panics_as_errors,
)
from analyze.tokens.vocabulary import LLAMA3_PATTERN
from corpora.errors import InputError
from tests.analyze.tokens.test_tokenizer import small_tokenizer


def test_an_unknown_engine_is_one_line() -> None:
    with pytest.raises(InputError, match="unknown engine"):
        engine_for(default_tokenizer(), "quicktok")


def test_an_engine_with_one_wrong_id_in_thousands_is_refused() -> None:
    right = engine_for(default_tokenizer(), "tokenizers")

    def wrong(texts: Sequence[str]) -> list[list[int]]:
        ids = right._batch(texts)
        ids[-1] = [*ids[-1], 0]
        return ids

    with pytest.raises(InputError, match="rejected: its ids differ from those of llama-3, first on"):
        verify_engine(TokenizationEngine("quick", default_tokenizer(), wrong))


def test_tiktoken_is_refused_for_a_tokenizer_with_other_merges_and_the_reference_takes_over() -> None:
    tokenizer = Tokenizer(small_tokenizer(), "normalizing")
    tokenizer.reference.normalizer = normalizers.Lowercase()
    with pytest.raises(InputError, match="does not support its pre-tokenization"):
        engine_for(tokenizer, "tiktoken")
    assert engine_for(tokenizer).name == "tokenizers"


def test_what_a_normalizer_deletes_belongs_to_no_token() -> None:
    reference = small_tokenizer()
    reference.normalizer = normalizers.Strip()
    tokens = tokenize(["a", "a "], engine_for(Tokenizer(reference, "normalizing")))
    assert (tokens.row_ids(1)[1], tokens.boundaries(0), tokens.boundaries(1)) == (GAP, [1], [1, 2])


def test_llama_3_runs_on_tiktoken() -> None:
    assert engine_for(default_tokenizer()).name == "tiktoken"
    assert split_pattern(default_tokenizer()) == LLAMA3_PATTERN


def test_a_small_tokenizer_with_special_tokens_first_runs_on_tiktoken() -> None:
    tokenizer = Tokenizer(small_tokenizer(), "small")
    assert engine_for(tokenizer, "tiktoken").name == "tiktoken"


@pytest.mark.medium
def test_very_long_texts_go_to_the_reference() -> None:
    engine = engine_for(default_tokenizer(), "tiktoken")
    text = " " * (50 * MAX_TIKTOKEN_CHARACTERS) + "a"  # on which tiktoken panics
    ids, counts, _ = engine.encode_batch(["b", text])
    assert int(engine.lengths[ids].sum()) == 1 + len(text)
    assert counts[0] == 1


@pytest.mark.parametrize(
    "frame", [NO_FRAME, ('{"te', "xt", ""), ("(", "-", "a"), ('{"text": ', '"', '"}'), ("a", "-", "-")]
)
def test_what_strings_begin_with_is_encoded_again_if_what_follows_may_change_it(frame: Frame) -> None:
    assert engine_for(default_tokenizer(), "tiktoken")._common_ids(*frame) == ()


@pytest.mark.parametrize("name", ["tiktoken", "tokenizers"])
@pytest.mark.parametrize("frame", [FRAMES["trace"], ("(", "-", ")"), NO_FRAME])
@pytest.mark.parametrize("length", [0, MAX_TIKTOKEN_CHARACTERS // 3, MAX_TIKTOKEN_CHARACTERS])
def test_a_common_frame_changes_no_id(name: str, frame: Frame, length: int) -> None:
    engine = engine_for(default_tokenizer(), name)
    first, second, last = frame
    inner = ("", "", *verification_strings(300), "é" * length, "")
    texts = [f"{first}{second}{text}{last}" for text in inner]
    for framed, without in zip(engine.encode_batch(texts, frame), engine.encode_batch(texts), strict=True):
        assert np.array_equal(framed, without)
    assert bool(engine._common_ids(*frame)) == (name == "tiktoken" and frame == FRAMES["trace"])
    assert all(len(part) == 0 for part in engine.encode_batch([], frame))


def test_the_flat_encoder_has_the_ids_of_the_lists_also_for_the_text_of_its_unused_token() -> None:
    engine = engine_for(default_tokenizer(), "tiktoken")
    texts = ["", "\U0010ffff" * 4, "", *verification_strings(300), "\U0010ffff" * 9, ""]
    assert engine._flat is not None
    ids, counts, _ = engine.encode_batch(texts)
    assert counts.tolist() == [len(found) for found in engine._batch(texts)]
    assert ids.tolist() == [token for found in engine._batch(texts) for token in found]


def test_an_engine_whose_flat_encoder_differs_is_refused() -> None:
    right = engine_for(default_tokenizer(), "tiktoken")
    wrong = TokenizationEngine("tiktoken", right.tokenizer, right._batch, lambda _: np.zeros(3, dtype=np.int64))
    with pytest.raises(InputError, match="two encoders differ"):
        verify_engine(wrong)


def test_lengths_are_those_of_the_tokens() -> None:
    engine = engine_for(default_tokenizer())
    texts = verification_strings(200)
    ids, counts, _ = engine.encode_batch(texts)
    per_text = np.split(engine.lengths[ids], np.cumsum(counts)[:-1])
    assert [int(part.sum()) for part in per_text] == [len(text.encode()) for text in texts]


def test_the_accelerator_proves_itself_where_it_is_installed() -> None:
    pytest.importorskip("gigatoken", reason="the extra `fast` is not installed")
    assert engine_for(default_tokenizer(), "gigatoken").name == "gigatoken"


def test_an_accelerator_that_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gigatoken", None)
    with pytest.raises(InputError, match="engine gigatoken: needs gigatoken: pip install"):
        engine_for.__wrapped__(default_tokenizer(), "gigatoken")


CATASTROPHIC = r"(?:a|a)*b|[\s\S]"
"""On some thirty `a` it takes more steps than the library's regex allows, which ends in a panic."""


@pytest.fixture(scope="module")
def panicking() -> Tokenizer:
    ranks = {bytes([byte]): byte for byte in range(256)}
    return Tokenizer(from_encoding(ranks, CATASTROPHIC, {"<|frame_sep|>": 256}), "panicking")


@pytest.mark.medium
def test_a_panic_of_the_library_is_an_error_with_a_name(panicking: Tokenizer) -> None:
    assert panicking.encode("aab") == [97, 97, 98]
    with pytest.raises(UntokenizedError, match=r"fails on a string of 40 characters: .*retry-limit"):
        panicking.encode("a" * 40)
    with pytest.raises(UntokenizedError, match="fails on a string of 40 characters"):
        panicking.encode_batch(["b", "a" * 40])
    with pytest.raises(UntokenizedError, match="fails on a string of 40 characters"):
        list(merge_replay_for(panicking).pieces("a" * 40))


def test_a_panic_of_an_engine_is_an_error_with_a_name(panicking: Tokenizer) -> None:
    engine = engine_for(panicking, "tokenizers")
    assert engine.encode_batch(["aab"])[0].tolist() == [97, 97, 98]
    with pytest.raises(UntokenizedError, match="fails on a string of 40 characters"):
        engine.encode_batch(["b", "a" * 40])


def test_what_is_no_panic_is_raised_as_it_is() -> None:
    with pytest.raises(KeyboardInterrupt), panics_as_errors(1):
        raise KeyboardInterrupt


def test_a_string_that_is_too_long_is_not_given_to_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyze.tokens.tokenizer.MAX_CHARACTERS", 20)
    for encode in (default_tokenizer().encode, lambda text: engine_for(default_tokenizer()).encode_batch([text])):
        encode("a" * 20)
        with pytest.raises(UntokenizedError, match=r"a string of 21 characters is not tokenized .limit: 20"):
            encode(" " * 21)
