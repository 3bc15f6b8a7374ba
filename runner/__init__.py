"""Asks code world models: backends, runs and their records, reports, and the command line.

Names are imported when first used, so that `import runner` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import exports

if TYPE_CHECKING:
    from runner.backends import load_model as load_model
    from runner.records.run_folder import read_run as read_run
    from runner.runs.evaluation import evaluate as evaluate

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__, __all__ = exports(__name__, __file__)
