"""Spellout as one module: every public name of its four packages, imported when it is first used.

`corpora`, `analyze`, `rewrite` and `runner` have the same names each for itself. Nothing is defined here.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyze import *  # noqa: F403
    from corpora import *  # noqa: F403
    from rewrite import *  # noqa: F403
    from runner import *  # noqa: F403

    __version__: str

PACKAGES = ("corpora", "analyze", "rewrite", "runner")
_HERE = Path(__file__).resolve().parent.parent


def _package(name: str) -> Any:
    """One of ours. Raises ImportError where something else of that name comes first on the path."""
    found = importlib.import_module(name)
    place = Path(getattr(found, "__file__", None) or "nowhere").resolve()
    if place.parent.parent != _HERE:
        raise ImportError(f"{place} hides Spellout's package {name!r}: rename it, or run elsewhere (python -P)")
    return found


def _get(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("spellout")
    if name == "__all__":
        return _names()
    if not name.startswith("_"):
        for package in map(_package, PACKAGES):
            if name in package.__all__:
                return getattr(package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _names() -> list[str]:
    return sorted(name for package in map(_package, PACKAGES) for name in package.__all__)


if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__ = _get, _names
