"""Imports optional packages when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from corpora.errors import InputError


def require_package(module: str, extra: str = "datasets", *, where: str = "") -> Any:
    """Imports a module of a package that need not be installed.

    Args:
        module: Its full name.
        extra: The extra of Spellout that installs it.
        where: The file or option that needs it.

    Raises:
        InputError: It is not installed. The message says what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"needs {error.name or module}: pip install '.[{extra}]'", where=where) from error
