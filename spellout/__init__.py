"""Spellout as one module: every public name of its four packages, imported when it is first used.

`corpora`, `analyze`, `rewrite` and `runner` have the same names each for itself. Nothing is defined here. A module of
the user's that has the name of one of them stays what it is (`spellout.packages`).
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


if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__ = _get, _names
