"""Imports optional packages when they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from corpora.errors import InputError

_PACKAGES = {"sklearn": "scikit-learn"}


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
        package = _PACKAGES.get(error.name or "", error.name or module)
        raise InputError(f"needs {package}: pip install '.[{extra}]'", where=where) from error
