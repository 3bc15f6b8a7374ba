"""Evaluates code world models: backends, runs and their records, reports, and the command line.

Public names are imported lazily, so that `import runner` is fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import lazy_exports

if TYPE_CHECKING:
    from runner.backends import load_model as load_model
    from runner.interchange.results import compare as compare
    from runner.interchange.results import report as report
    from runner.records.run_folder import read_run as read_run
    from runner.runs.model_evaluation import evaluate as evaluate

if not TYPE_CHECKING:  # a type checker must report unknown names
    __getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
