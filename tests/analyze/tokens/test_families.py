"""Tokenizers that are not byte-level, or that normalize: small real ones, against the libraries' own offsets."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, normalizers, pre_tokenizers, trainers

from analyze.hazards.base import all_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import SEARCH_METHODS, STRIP_METHODS
from analyze.tokens.contexts import Context
from analyze.tokens.engines import engine_for
from analyze.tokens.offsets import GAP, cover_bytes
from analyze.tokens.tokenizer import OffsetTokenizer, Tokenizer, load_tokenizer
from corpora.errors import InputError
from tests.places import ROOT

FAMILIES = ("sentencepiece-bpe", "sentencepiece-unigram", "wordpiece", "unigram", "byte-level-nfkc")
IN_CONTEXT = {"EDGE", "QUERY_CUT", "ESCAPE"}
"""Classes that are never found in a string without context."""
NOT_FOUND: dict[tuple[str, Context], set[str]] = {}
for name in FAMILIES:
    NOT_FOUND[name, "trace"], NOT_FOUND[name, "bare"] = set(), set(IN_CONTEXT)
NOT_FOUND["wordpiece", "trace"] = {"CASE", "EDGE", "QUERY_CUT"}
NOT_FOUND["wordpiece", "bare"] |= {"CASE", "UTF8_SPLIT"}
NOT_FOUND["unigram", "bare"] |= {"UTF8_SPLIT"}  # no byte fallback: an unknown character is one token
ALWAYS = {"MATCH", "SWALLOWED", "START_CUT", "END_CUT", "HIDDEN_CHAR", "ABSENT", "DIGITS", "SPECIAL", "PHANTOM"}
SPECIAL = {"sentencepiece-bpe": "<s>", "sentencepiece-unigram": "<s>"}


METHODS = sorted(SEARCH_METHODS)


def questions(size: int) -> list[StringQuestion]:
    """Questions about lines of a page: patterns that occur in them, every method, and results of edits."""
    rng, asked = random.Random(0), []
    texts = [line[:60] for line in lines() if line.isascii() and len(line) > 8]
    for _ in range(size):
        text = rng.choice(texts)
        at, length = rng.randrange(len(text) - 4), rng.randint(1, 4)
        asked.append(StringQuestion(text, text[at : at + length], rng.choice(METHODS)))
        asked.append(StringQuestion(text, None, "swapcase", result=text.swapcase()))
    return asked


def lines() -> list[str]:
    return [line for line in (ROOT / "docs" / "rewrite.md").read_text(encoding="utf-8").splitlines() if line.strip()]


@cache
def trained(family: str) -> bytes:
    """The file of a tokenizer. Training depends on threads and hashes, so that it is done once for all tests."""
    return JSON[family]().to_str().encode() if family in JSON else sentencepiece(family.removeprefix("sentencepiece-"))


def sentencepiece(kind: str) -> bytes:
    library: Any = pytest.importorskip("sentencepiece", reason="needs the extra sentencepiece")
    model = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(lines()),
        model_writer=model,
        vocab_size=600,
        model_type=kind,
        byte_fallback=True,
        minloglevel=2,
    )
    return model.getvalue()


def wordpiece() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        lines(), trainers.WordPieceTrainer(vocab_size=600, special_tokens=["[UNK]", "[SEP]"], show_progress=False)
    )
    return made


def unigram() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=600, unk_token="<unk>", special_tokens=["<unk>", "[SEP]"], show_progress=False
    )
    made.train_from_iterator(lines(), trainer)
    return made


def byte_level_nfkc() -> tokenizers.Tokenizer:
    made = tokenizers.Tokenizer(models.BPE())
    made.normalizer = normalizers.NFKC()
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["[SEP]"],
        show_progress=False,
    )
    made.train_from_iterator(lines(), trainer)
    return made


JSON: dict[str, Callable[[], tokenizers.Tokenizer]] = {
    "wordpiece": wordpiece,
    "unigram": unigram,
    "byte-level-nfkc": byte_level_nfkc,
}


@cache
def loaded(family: str) -> Tokenizer:
    """A tokenizer as a user names it: by its file."""
    with TemporaryDirectory() as folder:
        if family in JSON:
            path = Path(folder) / "tokenizer.json"
            path.write_bytes(trained(family))
        else:
            path = Path(folder) / "tokenizer.model"
            path.write_bytes(trained(family))
        return load_tokenizer(str(path))


@cache
def reference(family: str) -> Callable[[str], list[tuple[int, int, int]]]:
    """The library's own ids and offsets, with the prefix that it writes."""
    if family in JSON:
        made = tokenizers.Tokenizer.from_str(trained(family).decode())
        encode = made.encode

        def encode_spans(text: str) -> list[tuple[int, int, int]]:
            found = encode(text, add_special_tokens=False)
            return [(token, *span) for token, span in zip(found.ids, found.offsets, strict=True)]

        return encode_spans
    library: Any = pytest.importorskip("sentencepiece")
    processor = library.SentencePieceProcessor(model_proto=trained(family))

    def spans(text: str) -> list[tuple[int, int, int]]:
        found = processor.encode(text, return_type="offset_mapping")
        return [(token, *span) for token, span in zip(found["ids"], found["offsets"], strict=True)]

    return spans


TEXTS = st.text(alphabet="ab -.,:'\"019éﬁ①İ🙂A\n", max_size=14)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=150, deadline=None)
@given(text=TEXTS)
def test_sizes_add_up_and_boundaries_are_those_of_the_library(family: str, text: str) -> None:
    tokenizer = loaded(family)
    _, _, sizes = engine_for(tokenizer).encode_batch([text])
    assert sizes.sum() == len(text.encode()) and (sizes >= 0).all()
    whole = ". " + text  # behind a space, the prefix plays no part
    mine, sizes_of_whole = tokenizer.encode_sized(whole)
    ends = [sum(sizes_of_whole[: number + 1]) for number in range(len(mine))]
    theirs = [span for span in reference(family)(whole) if span[1] >= 1 and span[1] < span[2]]
    for number, (_, start, end) in enumerate(theirs):
        if number + 1 == len(theirs) or theirs[number + 1][1] >= end:  # else two tokens share a character
            assert len(whole[:end].encode()) in ends
        if number and theirs[number - 1][2] <= start:
            assert len(whole[:start].encode()) in ends
    if theirs:
        assert [token for token in mine if token != GAP][-1] == theirs[-1][0]


def test_what_is_byte_level_stays_so_and_what_is_not_has_offsets() -> None:
    assert not isinstance(loaded("byte-level-nfkc"), OffsetTokenizer)
    assert all(isinstance(loaded(family), OffsetTokenizer) for family in FAMILIES[:4])


@pytest.mark.parametrize("family", FAMILIES)
def test_no_prefix_is_written_before_a_text(family: str) -> None:
    pieces = [loaded(family).token_bytes(token).decode() for token in loaded(family).encode("text")]
    assert not pieces[0].startswith(("▁", " ", "Ġ"))


@pytest.mark.parametrize(("text", "ends"), [("ﬁ", [1, 3]), ("é", [1, 2]), ("e\u0301", [0, 1, 3])])
def test_a_normalizing_byte_level_tokenizer_is_audited_on_the_original(text: str, ends: list[int]) -> None:
    _, sizes = loaded("byte-level-nfkc").encode_sized(text)
    assert [sum(sizes[: number + 1]) for number in range(len(sizes))] == ends


def test_tokens_that_share_a_character_and_characters_of_no_token() -> None:
    assert cover_bytes("é", [(5, 0, 1), (6, 0, 1)], {}) == ([5, 6], [1, 1])
    assert cover_bytes("é", [(5, 0, 0), (6, 0, 1)], {5: "<0xC3>", 6: "<0xA9>"}) == ([5, 6], [1, 1])
    assert cover_bytes(" a  ", [(5, 1, 2)], {}) == ([GAP, 5, GAP], [1, 1, 2])
    assert cover_bytes("", [], {}) == ([], [])


@pytest.mark.medium
@pytest.mark.parametrize(("family", "context"), list(NOT_FOUND))
def test_the_classes_that_apply_to_a_family(family: str, context: Context) -> None:
    asked = [*questions(700), StringQuestion("a🫠b é"), StringQuestion("a1234567"), StringQuestion("a\nb")]
    asked += [StringQuestion(f"x{SPECIAL.get(family, '[SEP]')}y"), StringQuestion("hello", None, "[]", cuts=(2,))]
    asked.append(StringQuestion("hello world", None, "upper", result="HELLO WORLD"))
    asked.append(StringQuestion("def f(text): return text", "ex", "find"))
    batch = QuestionBatch(asked, engine_for(loaded(family)), context)
    missing = set()
    for kind in all_hazards():
        hits = kind.find(batch)
        if not len(hits):
            missing.add(kind.name)
        for row, start, end in list(zip(hits.rows.tolist(), hits.start.tolist(), hits.end.tolist(), strict=True))[:20]:
            assert "\n" not in kind.why(batch, row, start, end)
    assert missing >= NOT_FOUND[family, context]
    assert not missing & ALWAYS


@pytest.mark.parametrize("family", FAMILIES)
def test_occurrences_are_classified_by_the_boundaries_of_the_library(family: str) -> None:
    asked = [one for one in questions(400) if one.method in SEARCH_METHODS and one.method not in STRIP_METHODS]
    # `--` has two segmentations of equal score in a unigram model, and the prefix decides between them.
    asked = [one for one in asked if one.pattern and "--" not in one.text]
    asked = [StringQuestion(". " + one.text, one.pattern, "count") for one in asked]
    batch = QuestionBatch(asked, engine_for(loaded(family)), "bare")
    spots, spans_of = batch.occurrences, reference(family)
    checked = 0
    for row, start, end, cut_start, cut_end in zip(
        spots.rows.tolist(), spots.start.tolist(), spots.end.tolist(), spots.start_cut, spots.end_cut, strict=True
    ):
        spans = [(low, high) for _, low, high in spans_of(asked[row].text) if low < high]
        edges = {0, len(asked[row].text)} | {edge for span in spans for edge in span}
        if start > 1:
            assert (start not in edges, end not in edges) == (bool(cut_start), bool(cut_end)), asked[row]
            checked += 1
    assert checked > 100


def test_a_file_that_is_no_model_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("sentencepiece")
    (tmp_path / "broken.model").write_bytes(b"abc\0\1\2")
    with pytest.raises(InputError, match="not a SentencePiece model"):
        load_tokenizer(str(tmp_path / "broken.model"))


def test_fast_engines_are_for_byte_level_tokenizers() -> None:
    with pytest.raises(InputError, match="is for byte-level tokenizers"):
        engine_for(loaded("wordpiece"), "tiktoken")
