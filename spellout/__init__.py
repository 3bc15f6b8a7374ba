"""Spellout as one module: the public names of `corpora`, `analyze`, `rewrite` and `runner`, imported lazily.

It also works if a module of the user hides one of these packages (`spellout.packages`).
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from spellout import packages as _packages

if TYPE_CHECKING:
    from analyze import *  # noqa: F403
    from corpora import *  # noqa: F403
    from rewrite import *  # noqa: F403
    from runner import *  # noqa: F403

    __version__: str

sys.meta_path.insert(0, _packages.PrivateFinder())


def _get(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("spellout")
    if name == "__all__":
        return _names()
    if not name.startswith("_"):
        for package in map(_packages.load, _packages.PACKAGES):
            if name in package.__all__:
                return getattr(package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _names() -> list[str]:
    return sorted(name for package in map(_packages.load, _packages.PACKAGES) for name in package.__all__)


if not TYPE_CHECKING:  # a type checker must report unknown names
    __getattr__, __dir__ = _get, _names
