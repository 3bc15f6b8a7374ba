"""Imports the packages of the extra `datasets` when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from corpora.errors import InputError


def require_package(module: str) -> Any:
    """The module of this name. Raises InputError that says what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"needs {module.partition('.')[0]}: pip install '.[datasets]'") from error
