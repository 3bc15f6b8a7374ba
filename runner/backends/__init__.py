"""Implementations of `runner.asking.backend.Backend`; `load_model` turns the value of `--model` into one.

A backend is a module or package of this folder, which `load_model` discovers. It defines `SPEC` (the form of its value
of `--model`), `claims(spec)` (whether a value is meant for this backend), `load(spec, device)` and, optionally, `EXTRA`
(the extra of pip that it needs; default: "model"). `shared` is not a backend; it has the code that several of them use.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Protocol, cast

from corpora.errors import InputError, did_you_mean
from corpora.reading.optional_packages import install_command
from runner.asking.backend import Backend

_SHARED = "shared"


class BackendModule(Protocol):
    """A module of this folder.

    Attributes:
        SPEC: the form of its value of `--model`.
    """

    SPEC: str

    def claims(self, spec: str) -> bool:
        """Whether a value of `--model` is meant for this backend."""
        ...

    def load(self, spec: str, device: str | None = None) -> Backend:
        """Loads the model. Raises InputError if it is not available."""
        ...


def load_model(spec: str, *, device: str | None = None) -> Backend:
    """Loads a model.

    Args:
        spec: A value of `--model`: `pocket`, a local folder, a Hugging Face id, `replay:FILE`, or what another backend
            claims.
        device: torch's name of a device (default: a GPU if there is one).

    Raises:
        InputError: The spec is unknown, the weights are not available, or a required package is not installed.
    """
    module = find_backend(spec)
    try:
        return module.load(spec, device)
    except ModuleNotFoundError as error:
        extra = getattr(module, "EXTRA", "model")
        raise InputError(f"needs {error.name}: {install_command(extra)}", where=f"--model {spec}") from error


def find_backend(spec: str) -> BackendModule:
    """The backend that a value of `--model` is meant for. Raises InputError if it is unknown."""
    module = next((module for module in backends().values() if module.claims(spec)), None)
    if module is None:
        known = ", ".join(module.SPEC for module in backends().values())
        close = did_you_mean(spec.partition(":")[0], [name.partition(":")[0] for name in known.split(", ")])
        raise InputError(f"unknown model{close}; known are {known}", where=f"--model {spec}")
    return module


def backends() -> dict[str, BackendModule]:
    """The backends by module name."""
    names = sorted(found.name for found in pkgutil.iter_modules(__path__) if found.name != _SHARED)
    return {name: cast(BackendModule, importlib.import_module(f"{__name__}.{name}")) for name in names}
