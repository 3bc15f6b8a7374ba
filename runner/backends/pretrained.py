"""A tracer from a base model and an adapter: `pocket`, `pretrained:ADAPTER` or `pretrained:ADAPTER@BASE`.

ADAPTER is a file or folder that `python -m lab.pocket.train` wrote; that of `pocket`, the embedded model, comes with
Spellout. BASE is where its base is, if not where the adapter says: a folder, a GGUF file or a Hugging Face id. The two
are merged once and kept in the user's cache folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.pocket import ADAPTER

if TYPE_CHECKING:
    from runner.asking.backend import Backend

_PREFIX, _POCKET = "pretrained:", "pocket"
SPEC = "pocket, pretrained:ADAPTER (of lab.pocket.train; @BASE for another place of its base model)"


def claims(spec: str) -> bool:
    """Whether a value of `--model` is for this backend."""
    return spec == _POCKET or spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> Backend:
    """Loads the merged model, which is made at its first use.

    Raises:
        InputError: adapter or base are missing or do not match.
    """
    from runner.backends.transformers.loading import load as load_weights

    return load_weights(spec, device, place=weights_folder(spec))


def weights_folder(spec: str) -> str:
    """The folder of the merged model, which is made if it is not there yet.

    Raises:
        InputError: adapter or base are missing or do not match.
    """
    from runner.backends.transformers.merging import merged_folder, read_adapter

    place, _, base = spec.removeprefix(_PREFIX).partition("@")
    return str(merged_folder(read_adapter(str(ADAPTER) if spec == _POCKET else place, base)))
