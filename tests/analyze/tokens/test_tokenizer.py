"""The tokenizer adapter: ids equal to tiktoken's, text that is never special, and everything that cannot be loaded."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, decoders, models, pre_tokenizers, trainers
from tokenizers import Tokenizer as Reference

from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, from_encoding, load_tokenizer, wrap_tokenizer
from analyze.tokens.vocabulary import LLAMA3_PATTERN, llama3, read_ranks, special_names
from corpora.errors import InputError

LLAMA3_MODEL = Path(str(files("llama_models") / "llama3" / "tokenizer.model"))
LLAMA3_RANKS = read_ranks(LLAMA3_MODEL.read_bytes(), "tokenizer.model")
TIKTOKEN = tiktoken.Encoding(
    "llama-3", pat_str=LLAMA3_PATTERN, mergeable_ranks=LLAMA3_RANKS, special_tokens={"<|frame_sep|>": 128100}
)
# Fragments at whose joints merges compete: punctuation, spaces, digits, contractions, case, special tokens as text.
FRAGMENTS = st.one_of(
    st.sampled_from(
        ["-.", ".-", " B", "'s", "'LL", "\r\n", "\t", "  ", "123", "0", "aaaa", '", "', "<|", "|>", "é", "e\u0301"]
    ),
    st.sampled_from(special_names()),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=6),
    st.text(alphabet="ab -.,:'\"0123456789\n", max_size=12),
)
TEXTS = st.lists(FRAGMENTS, max_size=8).map("".join)


def small_tokenizer(**settings: object) -> Reference:
    """A trained byte-level vocabulary of 300 tokens, its special tokens first: the layout of the small tracer's."""
    reference = Reference(models.BPE())
    reference.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    reference.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|frame_sep|>", "<|arg_sep|>"],
        show_progress=False,
    )
    reference.train_from_iterator(["def f(text): return text.rsplit('-.')"] * 3, trainer)
    return reference


@pytest.mark.parametrize(
    ("name", "says"),
    [
        pytest.param("/nowhere/tokenizer.json", "no tokenizer found", id="a file that is not there"),
        pytest.param("missing.model", "no tokenizer found", id="a relative file that is not there"),
        pytest.param("{tmp}/text.json", "not a tokenizer.json", id="a file that is no tokenizer"),
        pytest.param("{tmp}/text.model", "not a tiktoken vocabulary", id="a model file that is no list of ranks"),
        pytest.param("{tmp}/few.model", "some single bytes have no token", id="ranks without all bytes"),
        pytest.param("{tmp}", "no tokenizer found", id="a folder without tokenizer.json"),
    ],
)
def test_what_cannot_be_loaded_is_one_line(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "text.json").write_text("no json\nat all")
    (tmp_path / "text.model").write_text("no ranks at all\n")
    (tmp_path / "few.model").write_text("IQ== 0\n")
    with pytest.raises(InputError, match=says) as caught:
        load_tokenizer(name.format(tmp=tmp_path))
    assert "\n" not in str(caught.value)


def test_an_id_without_a_network_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def unreachable(*_: object) -> None:
        raise OSError("Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", unreachable)
    monkeypatch.setattr("urllib.request.getproxies", dict)
    with pytest.raises(InputError, match="cannot be loaded as a Hugging Face id: Name or service not known"):
        load_tokenizer("nobody/has-this-tokenizer")


def test_lone_surrogates_are_refused_and_placed() -> None:
    with pytest.raises(UnicodeEncodeError, match="position 1"):
        default_tokenizer().encode("a\ud800b")


def test_an_unknown_special_token_is_one_line() -> None:
    with pytest.raises(InputError, match=r"no special token <\|nothing\|>"):
        default_tokenizer().special_id("<|nothing|>")


@pytest.mark.parametrize("name", ["<|frame_sep|>", "<|trace_context_start|>", "<|begin_of_text|>", "<|eot_id|>"])
def test_the_text_of_a_special_token_is_ordinary_text(name: str) -> None:
    tokenizer = default_tokenizer()
    ids = tokenizer.encode(f"a = '{name}'")
    assert max(ids) < 128000
    assert tokenizer.decode(ids) == f"a = '{name}'"


@pytest.mark.parametrize(
    ("text", "ids"),
    [("a-.-.b", [64, 12, 12898, 13, 65]), ("-.", [14863]), (" BaB ", [14659, 33, 220]), (" B ", [426, 220])],
)
def test_the_papers_figure_3(text: str, ids: list[int]) -> None:
    assert default_tokenizer().encode(text) == ids


def test_special_ids_are_those_of_cwm() -> None:
    names = ["begin_of_text", "end_of_text", "eom_id", "eot_id", "frame_sep", "action_sep", "return_sep", "call_sep"]
    names += ["line_sep", "exception_sep", "arg_sep", "trace_context_start"]
    ids = [128000, 128001, 128008, 128009, *range(128100, 128108)]
    tokenizer = default_tokenizer()
    assert [tokenizer.special_id(f"<|{name}|>") for name in names] == ids
    assert tokenizer.decode([128100, 64, 128107]) == "<|frame_sep|>a<|trace_context_start|>"


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(TEXTS)
def test_ids_equal_tiktokens_and_bytes_add_up(text: str) -> None:
    tokenizer = default_tokenizer()
    ids = tokenizer.encode(text)
    assert ids == TIKTOKEN.encode_ordinary(text)
    assert b"".join(map(tokenizer.token_bytes, ids)) == text.encode()
    assert tokenizer.decode(ids) == text


def test_every_ordinary_token_has_tiktokens_bytes() -> None:
    tokenizer = default_tokenizer()
    assert all(tokenizer.token_bytes(rank) == token for token, rank in LLAMA3_RANKS.items())


def test_possessive_quantifiers_of_a_tiktoken_pattern_keep_their_meaning() -> None:
    pattern = r"[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+|\s+(?!\S)|\s+|[^\p{L}\p{N}]"
    ranks = {token: rank for token, rank in LLAMA3_RANKS.items() if rank < 5000}
    theirs = tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    ours = Tokenizer(from_encoding(ranks, pattern, {"<|a|>": 5003}), "mine")
    for text in ["1234567 abc-def", "a  b 12 ", "ab1234cd  "]:
        assert ours.encode(text) == theirs.encode_ordinary(text)
    assert ours.special_id("<|a|>") == 5003


def test_a_tokenizer_json_with_special_tokens_first_is_loaded_from_file_or_folder(tmp_path: Path) -> None:
    reference = small_tokenizer()
    reference.enable_truncation(max_length=2)
    reference.save(str(tmp_path / "tokenizer.json"))
    for name in (str(tmp_path), str(tmp_path / "tokenizer.json")):
        tokenizer = load_tokenizer(name)
        assert tokenizer.special_id("<|frame_sep|>") == 0
        ids = tokenizer.encode("f('<|frame_sep|>')")
        assert 0 not in ids
        assert tokenizer.decode([0, *ids, 1]) == "<|frame_sep|>f('<|frame_sep|>')<|arg_sep|>"


@pytest.mark.medium
def test_a_model_file_is_read_with_llama_3s_rules(tmp_path: Path) -> None:
    lines = LLAMA3_MODEL.read_bytes().splitlines(keepends=True)
    (tmp_path / "some.model").write_bytes(b"".join(lines[:13_000]))
    assert load_tokenizer(str(tmp_path / "some.model")).encode("a-.-.b") == [64, 12, 12898, 13, 65]


@pytest.mark.parametrize("spoil", [None, "", "{", '{"version": "1.0"}'], ids=["fresh", "empty", "cut", "stale"])
def test_the_cache_is_filled_and_a_spoilt_file_is_made_anew(
    spoil: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("analyze.tokens.vocabulary.read_ranks", lambda *_: {bytes([byte]): byte for byte in range(256)})
    llama3()
    (cached,) = (tmp_path / "spellout").iterdir()
    whole = cached.read_text()
    if spoil is not None:
        cached.write_text(spoil)
    assert llama3().to_str() == whole
    assert [file.read_text() for file in cached.parent.iterdir()] == [whole]


def test_a_cache_that_cannot_be_written_does_no_harm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("analyze.tokens.vocabulary.read_ranks", lambda *_: {bytes([byte]): byte for byte in range(256)})
    assert llama3().get_vocab_size() == 256 + 256


@pytest.mark.medium
def test_an_added_token_that_takes_white_space_does_not_refuse_the_tokenizer() -> None:
    reference = Reference.from_str(default_tokenizer().reference.to_str())
    reference.add_special_tokens([AddedToken("<|cut|>", lstrip=True, rstrip=True)])
    engine = engine_for(wrap_tokenizer(reference, "cut"))
    text = "a  <|cut|> b"
    ids, counts, _ = engine.encode_batch([text])
    assert counts.tolist() == [len(ids)]
