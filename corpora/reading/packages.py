"""Packages of the extra `datasets`, imported when rows of theirs are read."""

from __future__ import annotations

import importlib
from typing import Any

from corpora.errors import InputError


def needed(module: str) -> Any:
    """The module. Raises InputError that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"needs {module.partition('.')[0]}: pip install '.[datasets]'") from error
