"""Loads Spellout's four packages even if modules of the user hide them.

`corpora`, `analyze`, `rewrite` and `runner` are top-level packages. A user's own `runner.py` next to the script comes
first on the path, and `import runner` must return it. So the first hidden package, and those that import it, are loaded
under private names inside `spellout`, and their import statements find the private names. `sys.modules` only gets names
inside `spellout`. Packages below the first hidden one keep their names, so that `spellout.Case` is `corpora.Case`.

The private name contains the first hidden package, so that another process, such as a worker that unpickles a function,
loads the same modules.
"""

from __future__ import annotations

import builtins
import importlib
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

PACKAGES = ("corpora", "analyze", "rewrite", "runner")
"""Lowest first: each imports only those before it."""
_HERE = Path(__file__).resolve().parent.parent
_PRIVATE = re.compile(rf"spellout\._(?P<lowest>{'|'.join(PACKAGES)})(\.(?P<inner>.+))?")


def load(name: str) -> ModuleType:
    """Imports a module of Spellout by its usual name, such as "runner.cli", even if its package is hidden."""
    hidden = first_hidden()
    return importlib.import_module(name if hidden is None else _own_name(hidden, name))


@cache
def first_hidden() -> str | None:
    """The lowest package that a module of the user hides; None if all four are visible. Cached."""
    return next((name for name in PACKAGES if not _is_ours(name)), None)


def _is_ours(name: str) -> bool:
    known = sys.modules.get(name)
    if known is not None:
        file = getattr(known, "__file__", None)
    else:
        spec = find_spec(name)
        file = None if spec is None else spec.origin
    return file is not None and Path(file).resolve() == _HERE / name / "__init__.py"


def _own_name(lowest: str, name: str) -> str:
    hidden = PACKAGES[PACKAGES.index(lowest) :]
    return f"spellout._{lowest}.{name}" if name.partition(".")[0] in hidden else name


class PrivateFinder:
    """Finds Spellout's modules by their private names.

    It has no base class: to import `importlib.abc` takes longer than everything else here.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module with a private name; None for other names."""
        match = _PRIVATE.fullmatch(fullname)
        if match is None:
            return None
        if match["inner"] is None:
            return ModuleSpec(fullname, None, is_package=True)
        spec = PathFinder.find_spec(fullname, [str(_HERE)] if match["inner"] in PACKAGES else path)
        if spec is not None and spec.origin is not None:
            spec.loader = _PrivateLoader(match["lowest"], fullname, spec.origin)
        return spec


class _PrivateLoader(SourceFileLoader):
    """Executes a module with its own `__import__`, which resolves to private names."""

    def __init__(self, lowest: str, fullname: str, path: str) -> None:
        super().__init__(fullname, path)
        self._lowest = lowest

    def exec_module(self, module: ModuleType) -> None:
        """Executes the module."""
        own = {**vars(builtins), "__import__": partial(_import, self._lowest)}
        vars(module)["__builtins__"] = own
        super().exec_module(module)


def _import(
    lowest: str,
    name: str,
    globals: Mapping[str, object] | None = None,  # noqa: A002 - the signature of `__import__`
    locals: Mapping[str, object] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    """`__import__` for modules with private names."""
    own = _own_name(lowest, name) if level == 0 else name
    found = builtins.__import__(own, globals, locals, fromlist or (), level)
    if own == name or fromlist:
        return found
    return sys.modules[_own_name(lowest, name.partition(".")[0])]  # `import a.b` binds `a`
