"""Imports the public names of a package when they are first used, and lists them for completion.

A package names them once, in its `if TYPE_CHECKING` block, where type checkers see them; this module reads that block.
Submodules are not imported by name: `import package.module` does that.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any


def lazy_exports(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` (PEP 562) and `__all__` of the package whose `__init__.py` is `file`."""
    homes = _homes(Path(file).read_text(encoding="utf-8"))

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        inner = homes[name].partition(".")[2]
        return getattr(importlib.import_module(f"{package}.{inner}"), name)  # the package may have a private name

    def names() -> list[str]:
        return sorted(homes)

    return get, names, names()


def _homes(source: str) -> dict[str, str]:
    """The module that defines each name of an `if TYPE_CHECKING` block."""
    conditions = [node for node in ast.parse(source).body if isinstance(node, ast.If)]
    blocks = [node.body for node in conditions if ast.unparse(node.test) == "TYPE_CHECKING"]
    found = [node for block in blocks for node in block if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in found for alias in node.names}
