"""Implementations of `runner.asking.backend.Backend`; `load_model` turns the value of `--model` into one.

A backend is a module or package of this folder, which `load_model` discovers. It defines `SPEC` (the form of its value
of `--model`), `claims(spec)` (whether a value is meant for this backend), `load(spec, device)` and, optionally, `EXTRA`
(the extra of pip that it needs; default: "model"). `shared` is not a backend; it has the code that several of them use.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from typing import Any

from corpora.errors import InputError, did_you_mean
from runner.asking.backend import Backend

_SHARED = "shared"


def load_model(spec: str, *, device: str | None = None) -> Backend:
    """Loads a model.

    Args:
        spec: A value of `--model`: `pocket`, a local folder, a Hugging Face id, `replay:FILE`, or what another backend
            claims.
        device: torch's name of a device (default: a GPU if there is one).

    Raises:
        InputError: The spec is unknown, the weights are not available, or a required package is not installed.
    """
    module = next((module for module in backends().values() if module.claims(spec)), None)
    if module is None:
        known = ", ".join(module.SPEC for module in backends().values())
        close = did_you_mean(spec.partition(":")[0], [name.partition(":")[0] for name in known.split(", ")])
        raise InputError(f"unknown model{close}; known are {known}", where=f"--model {spec}")
    try:
        backend: Backend = module.load(spec, device)
    except ModuleNotFoundError as error:
        extra = getattr(module, "EXTRA", "model")
        raise InputError(f"needs {error.name}: pip install '.[{extra}]'", where=f"--model {spec}") from error
    return backend


def backends() -> dict[str, Any]:
    """The backends by module name. Any: a module has no static type."""
    return {name: _module(name) for name in sorted(_names())}


def _names() -> Iterator[str]:
    yield from (found.name for found in pkgutil.iter_modules(__path__) if found.name != _SHARED)


@cache
def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")
