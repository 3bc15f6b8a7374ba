"""Imports optional packages when they are needed."""

from __future__ import annotations

import importlib
from pathlib import Path
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
        raise InputError(f"needs {package}: {install_command(extra)}", where=where) from error


def install_command(extra: str) -> str:
    """The command that installs an extra: in a checkout from its folder, else from the index of packages."""
    is_checkout = (Path(__file__).resolve().parents[2] / "pyproject.toml").is_file()
    return f"pip install '{'.' if is_checkout else 'spellout'}[{extra}]'"
