"""Asks code world models: backends, runs and their records, reports, and the command line.

Names are imported when first used, so that `import runner` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import exports

if TYPE_CHECKING:
    from runner.backends import load_model

_HOMES = {"load_model": "runner.backends"}

__all__ = ["load_model"]

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__ = exports(__name__, _HOMES)
