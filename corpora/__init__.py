"""Programs and their true outcomes: cases, loaders, generators, and the sandbox that runs them.

Names are imported when they are first used, so that a sandbox worker, which needs one module, imports one module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import exports

if TYPE_CHECKING:
    from corpora.benchmarks import load, names
    from corpora.dataset import BadRow, Row, case_from_row, read_rows
    from corpora.determinism import dependences, unsteady
    from corpora.errors import InputError
    from corpora.execute import allow_weak_isolation, run_call, run_calls, run_observed
    from corpora.program import Case, Outcome

_HOMES = {
    "BadRow": "corpora.dataset",
    "Case": "corpora.program",
    "InputError": "corpora.errors",
    "Outcome": "corpora.program",
    "Row": "corpora.dataset",
    "allow_weak_isolation": "corpora.execute",
    "case_from_row": "corpora.dataset",
    "dependences": "corpora.determinism",
    "load": "corpora.benchmarks",
    "names": "corpora.benchmarks",
    "read_rows": "corpora.dataset",
    "run_call": "corpora.execute",
    "run_calls": "corpora.execute",
    "run_observed": "corpora.execute",
    "unsteady": "corpora.determinism",
}

__all__ = [
    "BadRow",
    "Case",
    "InputError",
    "Outcome",
    "Row",
    "allow_weak_isolation",
    "case_from_row",
    "dependences",
    "load",
    "names",
    "read_rows",
    "run_call",
    "run_calls",
    "run_observed",
    "unsteady",
]

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__ = exports(__name__, _HOMES)
