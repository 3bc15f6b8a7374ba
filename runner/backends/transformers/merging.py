"""Tracers from a base model and an adapter: merged once, and kept in the user's cache folder.

An adapter (`lab.pocket.train` writes it) is a safetensors file with LoRA matrices of the linear layers and rows of the
token table, and with the base's name and digest in its metadata. The merged model is a folder of CWM's architecture in
bf16, which `runner.backends.transformers.loading` reads like any other.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from corpora.cache import cache_folder
from corpora.errors import InputError
from runner.asking.prompts import FORMATS_KEY
from runner.backends.transformers.base_model import (
    PACKAGES,
    base_place,
    check_package,
    load_base,
    special_ids,
    tracer_vocabulary,
    weights_digest,
)

ADAPTER = "adapter.safetensors"
CONFIG, VOCABULARY, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
"""Files of a merged model."""
TOKEN_ROWS = "token_rows"
BASE, BASE_DIGEST, RANK = "base", "base_digest", "rank"
"""Keys of an adapter's metadata: name of its base, digest of the base's weights, rank of the matrices."""
MERGE_VERSION = 1
"""Part of the name of a merged folder: increase it whenever merging gives another result."""
_COPIED = (
    *("hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", "num_hidden_layers"),
    *("head_dim", "vocab_size", "rms_norm_eps", "rope_parameters", "max_position_embeddings", "hidden_act"),
    "initializer_range",
)
_TRANSFORMERS: Any = transformers  # it has no precise types


@dataclass(frozen=True)
class Adapter:
    """An adapter file.

    Attributes:
        path: the file.
        base: name, folder or id of its base.
        base_digest: digest of the base's weights (`base_model.weights_digest`).
        digest: digest of the file.
    """

    path: Path
    base: str
    base_digest: str
    digest: str


def read_adapter(place: str, base: str = "") -> Adapter:
    """An adapter file, or `adapter.safetensors` in a folder.

    Args:
        place: the file or folder.
        base: where the base is (default: where the adapter says).

    Raises:
        InputError: the file is missing or is no adapter.
    """
    path = Path(place) / ADAPTER if Path(place).is_dir() else Path(place)
    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, SafetensorError) as error:
        raise InputError(f"no adapter ({error})", where=str(path)) from None
    if BASE not in metadata or BASE_DIGEST not in metadata:
        raise InputError("no adapter: its metadata does not name a base", where=str(path))
    return Adapter(path, base or metadata[BASE], metadata[BASE_DIGEST], digest)


def merged_folder(adapter: Adapter) -> Path:
    """The folder of the merged model, which is made if it is not there yet (half a minute for the embedded base).

    Raises:
        InputError: the base is not installed, or is not the one that the adapter was trained on.
    """
    key = hashlib.sha256(f"{adapter.digest} {adapter.base_digest} {MERGE_VERSION}".encode()).hexdigest()[:20]
    folder = cache_folder() / f"tracer-{key}"
    if folder.exists() and not _is_whole(folder):
        sys.stderr.write(f"{folder} is damaged\n")
        shutil.rmtree(folder)
    if not folder.exists():
        _make(adapter, folder)
    return folder


def merge(model: Any, adapter: Mapping[str, torch.Tensor], special: list[int]) -> dict[str, torch.Tensor]:
    """The weights of a base with an adapter, in bf16.

    Args:
        model: the base.
        adapter: the tensors of the file: `layers.0.self_attn.q_proj.lora_A` and so on, and `token_rows`.
        special: the ids of the token rows.

    Raises:
        InputError: the adapter has other names or shapes than the base.
    """
    weights = {name: tensor.float() for name, tensor in model.state_dict().items() if name != "lm_head.weight"}
    try:
        for name in adapter:
            if name.endswith(".lora_A"):
                layer = name.removesuffix(".lora_A")
                weights[f"model.{layer}.weight"] += adapter[f"{layer}.lora_B"].float() @ adapter[name].float()
        weights["model.embed_tokens.weight"][special] = adapter[TOKEN_ROWS].float()
    except (KeyError, RuntimeError, IndexError) as error:
        raise InputError(f"the adapter has other layers than the base: {error}") from None
    return {name: tensor.to(torch.bfloat16).contiguous() for name, tensor in weights.items()}


def _is_whole(folder: Path) -> bool:
    """Whether no file of a merged model was lost or cut off, as by a full disk."""
    try:
        for name in (CONFIG, VOCABULARY):
            json.loads((folder / name).read_bytes())
        with safe_open(folder / WEIGHTS, "pt"):  # checks the size
            return True
    except (OSError, ValueError, SafetensorError):
        return False


def _make(adapter: Adapter, folder: Path) -> None:
    """Writes the folder under a temporary name and renames it."""
    check_package(adapter.base)
    place = base_place(adapter.base)
    sys.stderr.write(f"preparing the model, once: {adapter.base} and the adapter {adapter.path.name}\n")
    vocabulary, model = tracer_vocabulary(place), load_base(place)
    if weights_digest(model) != adapter.base_digest:
        advice = " (other packages of the same model are quantized in another way)" if adapter.base in PACKAGES else ""
        raise InputError(f"is not the base that the adapter was trained on{advice}", where=place)
    special = special_ids(vocabulary)
    with safe_open(adapter.path, "pt") as file:
        weights = merge(model, {name: file.get_tensor(name) for name in file.keys()}, special)  # noqa: SIM118
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f"{folder.name}."))
    try:
        save_file(weights, part / WEIGHTS, metadata={"format": "pt"})
        vocabulary.save(str(part / VOCABULARY))
        config = _config(model.config, begin=special[0], end=special[1])
        (part / CONFIG).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
        try:
            part.rename(folder)
        except OSError:
            if not folder.exists():  # else another process, such as a second actor, was faster
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    size = sum(path.stat().st_size for path in folder.iterdir()) / 1e6
    sys.stderr.write(f"kept in {folder} ({size:.0f} MB)\n")


def _config(base: Any, *, begin: int, end: int) -> dict[str, Any]:
    """The config of CWM's architecture that computes the same as the base, a Llama."""
    copied = {name: getattr(base, name) for name in _COPIED}
    config = _TRANSFORMERS.CwmConfig(
        **copied,
        layer_types=["full_attention"] * base.num_hidden_layers,
        tie_word_embeddings=True,
        bos_token_id=begin,
        eos_token_id=end,
        pad_token_id=end,
        dtype="bfloat16",
        architectures=["CwmForCausalLM"],
    )
    found: dict[str, Any] = config.to_dict()
    return found | {FORMATS_KEY: ["bare"]}
