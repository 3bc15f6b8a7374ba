"""A pytest plugin: notes, at the end, where each imported module came from. It is copied beside the packages.

The file to write is named by the environment variable `SPELLOUT_NOTED`.
"""

import os
import sys
from pathlib import Path


def pytest_sessionfinish() -> None:
    """Called by pytest when all tests have run."""
    found = ((getattr(module, "__spec__", None), name) for name, module in list(sys.modules.items()))
    lines = [f"{name}\t{getattr(spec, 'origin', None)}\n" for spec, name in found]
    Path(os.environ["SPELLOUT_NOTED"]).write_text("".join(lines), encoding="utf-8")
