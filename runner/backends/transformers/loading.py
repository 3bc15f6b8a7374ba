"""Loads weights and tokenizer with transformers, from a folder or the Hugging Face hub. Problems are reported first.

Weights are bf16 on all GPUs, or float32 on the CPU. An InputError refuses weights of another architecture (which
transformers would load where names agree, and initialize randomly elsewhere), incomplete weights, a vocabulary larger
than the model's, and weights that exceed the device's memory. Code in a folder is never executed.
"""

from __future__ import annotations

import ctypes
import hashlib
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers.utils import logging as transformers_logging

from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora.errors import InputError
from corpora.rows import one_line
from runner.asking.generation import is_out_of_memory
from runner.asking.prompts import PromptFormat, trained_formats
from runner.backends.transformers.attention import FOLDED
from runner.backends.transformers.cpu_threads import choose_threads
from runner.backends.transformers.model import TransformersBackend
from runner.backends.transformers.packed_linear import pack_linear_layers

# Always torch's implementation: `kernels-community/…` in a config would download and run code.
ATTENTION = FOLDED
_STRETCH = 1 << 16
_TRANSFORMERS: Any = transformers  # it has no precise types


def load(spec: str, device: str | None = None, *, place: str = "") -> TransformersBackend:
    """Loads weights and tokenizer.

    Args:
        spec: the value of `--model`.
        device: torch's name of a device (default: a GPU if there is one).
        place: the folder or id (default: what the value says).

    Raises:
        InputError: they are not available.
    """
    place = place or spec
    target = device or best_device()
    # Errors are reported once, below, and not at every retry of the download.
    logging.getLogger("huggingface_hub").setLevel(logging.CRITICAL)
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    with _told(spec, place), _silence():
        config = _config(spec, place)
        check_room(spec, config, target)
        model = _weights(spec, place, target)
        tokenizer = load_tokenizer(place)
        chat = chat_template(place)
    _check_vocabulary(spec, tokenizer, config.vocab_size)
    forms: tuple[PromptFormat, ...] = trained_formats(place) if chat is None else (*trained_formats(place), "direct")
    return TransformersBackend(
        spec, placed(model, target), tokenizer, forms, identity(place, model.dtype, model.config), chat
    )


def best_device() -> str:
    """A GPU if there is one."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def number_format(target: str) -> torch.dtype:
    """bf16 on GPUs, float32 on the CPU."""
    return torch.bfloat16 if target.startswith("cuda") else torch.float32


def random_weights(config: Any, target: str) -> Any:
    """A model with seeded random weights, created on its device."""
    config._attn_implementation = ATTENTION
    before = torch.get_default_dtype()
    torch.set_default_dtype(number_format(target))
    try:
        with torch.device(target), torch.random.fork_rng():
            torch.manual_seed(0)
            return _TRANSFORMERS.CwmForCausalLM(config)
    finally:
        torch.set_default_dtype(before)


def placed(model: Any, target: str) -> Any:
    """Moves the model to its device, for evaluation. On the CPU, packs layers and chooses the number of threads."""
    model.eval()
    if getattr(model, "hf_device_map", None) is None:
        model.to(target)
    if target == "cpu":
        _keep_memory()
        pack_linear_layers(model)
        choose_threads(model)
    return model


def check_room(spec: str, config: Any, target: str) -> None:
    """Raises InputError with the required memory if the weights exceed that of the device."""
    with torch.device("meta"):  # shapes without numbers
        parameters = sum(parameter.numel() for parameter in _TRANSFORMERS.CwmForCausalLM(config).parameters())
    room = _memory(target)
    if parameters * number_format(target).itemsize <= room:
        return
    needs = f"{parameters / 1e9:.1f} billion parameters need {2 * parameters / 1e9:.0f} GB of GPU memory in bf16"
    if target.startswith("cuda"):
        reason = f"{needs}, plus activations; this GPU has {room / 1e9:.0f} GB: use a larger GPU"
    else:
        besides = f"({4 * parameters / 1e9:.0f} GB without one; this machine has {room / 1e9:.0f} GB of memory)"
        reason = f"{needs}, and there is no GPU {besides}: use a machine with one"
    raise InputError(f"its {reason}, or vllm:NAME@URL of a server that has it", where=f"--model {spec}")


def chat_template(place: str) -> Any:
    """The tokenizer of transformers if it has a chat template, else None."""
    try:
        found = _TRANSFORMERS.AutoTokenizer.from_pretrained(place, trust_remote_code=False)
    except (OSError, ValueError):
        return None
    return found if found.chat_template else None


def identity(place: str, numbers: object, config: Any) -> str:
    """Identifies weights: number format, and the commit on the hub or a digest of the files.

    The digest covers name, size and 64 blocks of 64 KiB of each file, which takes seconds for a 32B model; training
    changes every block.
    """
    folder = Path(place)
    if not folder.is_dir():
        return f"{numbers} {getattr(config, '_commit_hash', None) or 'of an unknown commit'}"
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.suffix in {".safetensors", ".bin", ".json", ".model"}:
            digest.update(f"{path.name} {path.stat().st_size}".encode())
            with path.open("rb") as file:
                for start in range(0, path.stat().st_size, max(_STRETCH, path.stat().st_size // 64)):
                    file.seek(start)
                    digest.update(file.read(_STRETCH))
    return f"{numbers} {digest.hexdigest()[:16]}"


@contextmanager
def _told(spec: str, place: str) -> Iterator[None]:
    """Turns the errors of the libraries into an InputError of one line."""
    try:
        yield
    except (InputError, ModuleNotFoundError):
        raise
    except Exception as error:  # several libraries read untrusted files and raise errors of their own
        raise InputError(_why_not(spec, place, error), where=f"--model {spec}") from error


@contextmanager
def _silence() -> Iterator[None]:
    """Suppresses the table of missing weights that transformers logs."""
    classes: Any = transformers_logging
    before = classes.get_verbosity()
    classes.set_verbosity_error()
    try:
        yield
    finally:
        classes.set_verbosity(before)


def _config(spec: str, place: str) -> Any:
    """The `CwmConfig` of a model. Raises InputError for another architecture."""
    said, _ = _TRANSFORMERS.PretrainedConfig.get_config_dict(place)
    kind = said.get("model_type")
    if kind is None:
        raise InputError("no CWM weights in this folder (no config.json with a model_type)", where=f"--model {spec}")
    if kind != "cwm":
        reason = f"is a {kind} model; only weights of CWM are loaded (model_type cwm)"
        raise InputError(f"{reason}: use vllm:NAME@URL or openai:NAME@URL for others", where=f"--model {spec}")
    config = _TRANSFORMERS.CwmConfig.from_pretrained(place)
    config._attn_implementation = ATTENTION
    return config


def _weights(spec: str, place: str, target: str) -> Any:
    """The weights. Raises InputError if some are missing, which transformers would initialize randomly."""
    model, found = _TRANSFORMERS.CwmForCausalLM.from_pretrained(
        place,
        dtype=number_format(target),
        attn_implementation=ATTENTION,
        use_safetensors=True,
        trust_remote_code=False,
        output_loading_info=True,
        # With several GPUs, accelerate distributes the layers.
        device_map="auto" if target == "cuda" and torch.cuda.device_count() > 1 else None,
    )
    missing = sorted(found["missing_keys"])
    if missing:
        reason = f"its weights lack {missing[0]}{f' and {len(missing) - 1} more' if missing[1:] else ''}"
        raise InputError(f"{reason}: download or save them again", where=f"--model {spec}")
    return model


def _check_vocabulary(spec: str, tokenizer: Tokenizer, size: int) -> None:
    last = max(tokenizer.bytes_by_id)
    if last >= size:
        reason = f"its vocabulary has the token {last}, but its weights have {size} tokens"
        raise InputError(f"{reason}: use the tokenizer.json of these weights", where=f"--model {spec}")


def _memory(target: str) -> int:
    """Memory in bytes: of all GPUs in total, or of the machine."""
    if target.startswith("cuda"):
        return sum(torch.cuda.mem_get_info(number)[1] for number in range(torch.cuda.device_count()))
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _keep_memory() -> None:
    """Makes glibc keep freed memory, because transformers allocates a new KV cache at every step.

    Halves the processor time of decoding with a model of 3 million parameters (64 prompts, 200 steps: 16.8 s to 8.4 s).
    The numbers are glibc's M_MMAP_THRESHOLD and M_TRIM_THRESHOLD (mallopt(3)). No effect with other C libraries.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(-3, 1 << 30)
        mallopt(-1, (1 << 31) - 1)


def _why_not(spec: str, place: str, error: Exception) -> str:
    first = one_line(error)
    if "gated" in str(error).lower():
        return f"is gated: accept its licence on the page of {spec}, run `hf auth login`, then try again"
    if is_out_of_memory(error):
        return f"exceeds the device's memory ({first}): stop other processes on it, or use a larger one"
    if Path(place).is_dir():
        return f"no CWM weights in this folder ({first})"
    return f"cannot be loaded; is there a network, and does the id exist? ({first})"
