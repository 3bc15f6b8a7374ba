"""Implementations of `runner.asking.backend.Backend`; `load_model` turns the value of `--model` into one.

A backend is a module or package of this folder, found by being here: it has `SPEC` (what people write behind
`--model`), `claims(spec)` (whether it is meant) and `load(spec, device)`. `shared` is no backend: it holds what several
of them use.
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
    """The backend for `pocket`, a local folder, a Hugging Face id, `replay:FILE`, or what another module here claims.

    Raises InputError, in one line, for an unknown spec, for weights that are not available, and if required
    packages are not installed.
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
    """The modules of this folder by name. Any: a module has no type that says what is in it."""
    return {name: _module(name) for name in sorted(_names())}


def _names() -> Iterator[str]:
    yield from (found.name for found in pkgutil.iter_modules(__path__) if found.name != _SHARED)


@cache
def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")
