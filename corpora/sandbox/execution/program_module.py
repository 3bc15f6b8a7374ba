"""The module that a program is, the same for every run: in the sandbox, under an observer, in the tracer.

A program is imported as the module `program` from the file `program.py`, so `if __name__ == "__main__":` does not run.
As for any imported module, `sys.modules[__name__]` is the program, and `__main__` is another module, which is empty.
"""

from __future__ import annotations

import builtins
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

from corpora.sandbox.reporting.protocol import FILENAME, MODULE_NAME

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_Module, _Spec, _modules, _builtins = ModuleType, ModuleSpec, sys.modules, builtins


def new_module() -> ModuleType:
    """An empty module for a program.

    >>> new_module().__name__, new_module().__file__, new_module().__package__
    ('program', 'program.py', '')
    """
    module = _Module(MODULE_NAME)
    spec = _Spec(MODULE_NAME, None, origin=FILENAME)
    spec.has_location = True
    # `__builtins__` is set explicitly, because `exec` would insert those of this module.
    module.__dict__.update(__file__=FILENAME, __package__="", __spec__=spec, __builtins__=_builtins)
    return module


def import_module() -> ModuleType:
    """An empty module for a program, in `sys.modules` of this process. For the sandbox's worker only."""
    _modules["__main__"] = _Module("__main__")
    module = _modules[MODULE_NAME] = new_module()
    return module
