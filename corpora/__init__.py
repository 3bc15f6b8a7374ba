"""Programs and their reference results: cases, data sets, benchmarks, generators, and the sandbox that runs programs.

Names are imported when they are first used, so that a sandbox worker imports only the modules that it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import lazy_exports

if TYPE_CHECKING:
    from corpora.benchmarks import load as load
    from corpora.benchmarks import names as names
    from corpora.dataset import BadRow as BadRow
    from corpora.dataset import Row as Row
    from corpora.dataset import case_from_row as case_from_row
    from corpora.dataset import read_rows as read_rows
    from corpora.deadline import time_limit as time_limit
    from corpora.errors import InputError as InputError
    from corpora.execute import allow_weak_isolation as allow_weak_isolation
    from corpora.execute import run_call as run_call
    from corpora.execute import run_calls as run_calls
    from corpora.execute import run_observed as run_observed
    from corpora.nondeterminism import dependences as dependences
    from corpora.nondeterminism import find_dependences as find_dependences
    from corpora.program import Case as Case
    from corpora.program import Outcome as Outcome
    from corpora.writing.files import write_rows as write_rows

if not TYPE_CHECKING:  # so that a type checker reports an unknown name
    __getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
