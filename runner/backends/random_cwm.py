"""A CWM of any size with random weights: `random:LAYERSxWIDTH`, for smoke tests of machines and commands.

The architecture is CWM's, scaled (`random:64x6144` is that of the 32B model). The vocabulary is Llama-3's with CWM's
special tokens, and the seed of the weights is fixed. Nothing is downloaded. The answers are random, so figures of such
a run have no meaning.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError

if TYPE_CHECKING:
    from runner.asking.backend import Backend

SPEC = "random:LAYERSxWIDTH"
_PREFIX = "random:"
_STEP = 64
"""Widths are multiples of this, so that the number of heads is an integer."""
_HEAD, _SHARING, _INNER = 128, 6, 3.5
"""In CWM: the width of a head, the number of heads that share keys, and the factor of the MLP's width."""


def claims(spec: str) -> bool:
    """Whether a value of `--model` is `random:LAYERSxWIDTH`."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> Backend:
    """Creates the model. Raises InputError for an invalid size, and if the device has too little memory."""
    found = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", spec.removeprefix(_PREFIX))
    if found is None or int(found[2]) % _STEP:
        reason = f"must be {SPEC}, as random:4x256, with a width that is a multiple of {_STEP}"
        raise InputError(reason, where=f"--model {spec}")
    import transformers

    from runner.backends.transformers import loading
    from runner.backends.transformers.model import TransformersBackend

    classes: Any = transformers  # transformers has no precise types
    config = classes.CwmConfig(**shape(int(found[1]), int(found[2])))
    target = device or loading.best_device()
    loading.check_room(spec, config, target)
    model = loading.random_weights(config, target)
    weights = f"{model.dtype} random on {target}"
    return TransformersBackend(spec, loading.placed(model, target), default_tokenizer(), ("oneshot", "bare"), weights)


def shape(layers: int, width: int) -> dict[str, int]:
    """The fields of `CwmConfig` that depend on the size; for 64 layers of width 6,144 those of the 32B model."""
    head = min(_HEAD, width // 2)
    heads = width // head
    keys = max(keys for keys in range(1, max(heads // _SHARING, 1) + 1) if heads % keys == 0)
    return {
        "num_hidden_layers": layers,
        "hidden_size": width,
        "intermediate_size": int(_INNER * width),
        "head_dim": head,
        "num_attention_heads": heads,
        "num_key_value_heads": keys,
    }
