"""Detects a program that reaches for its recorder: through frames, trace functions, `gc`, classes, or code of its own.

Names and attributes of the program do not lead to the recorder (`analyze.instrumentation.injection`), but these means
do, so an observer whose records must not be forged ends its run. CPython raises an audit event for most of them. Others
appear as values: library functions return frames, and `object.__subclasses__` lists the classes of the recorder. Code
that the program compiles evaluates expressions without a probe, so it is accepted only if it contains no names.

Library code may do all this (`namedtuple` looks at frames and evaluates code), except for code that passes frames on
(`inspect`).
"""

from __future__ import annotations

import builtins
import collections
import dataclasses
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodDescriptorType
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_getframe = sys._getframe
_INSPECT = inspect.currentframe.__code__.co_filename
_EVENTS = frozenset(
    {
        *("sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile"),
        *("sys.monitoring.register_callback", "gc.get_objects", "gc.get_referrers", "gc.get_referents"),
        *("code.__new__", "function.__new__", "ctypes.cdata", "ctypes.string_at"),
    }
)
_MEMBERS = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})
_IMPORT = "<frozen importlib._bootstrap"
_PROJECT = str(Path(__file__).parents[2])
_EVALUATES = (str(collections.__file__), str(dataclasses.__file__), _PROJECT)
_OWN_PACKAGES = ("analyze.", "rewrite.")
_PROBE = type(functools.lru_cache(print))
_globals_of = FunctionType.__dict__["__globals__"].__get__
_dict_of = type.__dict__["__dict__"].__get__
_module_of = type.__dict__["__module__"].__get__

UNOBSERVED_CODE = "it compiles and runs code of its own, which is not observed"


def guard(filename: str, noticed: Callable[[str], None]) -> None:
    """Installs an audit hook for the rest of the process.

    Args:
        filename: The file name of the program's code.
        noticed: Called with a description of each such access by this code.
    """
    is_own = False
    installed = tuple(path for path in sys.path if path)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal is_own
        if is_own:
            return
        if event == "exec":
            what = UNOBSERVED_CODE
        elif event == "object.__getattr__" and arguments[1] in _MEMBERS:
            what = _inspects(arguments[1])
        elif event in _EVENTS or (event == "object.__setattr__" and arguments[1] == "__code__"):
            what = _inspects(event)
        else:
            return
        is_own = True  # requesting a frame raises an event, too
        caller = _getframe(1).f_code.co_filename
        is_own = False
        if event != "exec":
            if caller in (filename, _INSPECT):
                noticed(what)
        elif caller.startswith(_IMPORT):
            if not arguments[0].co_filename.startswith((*installed, "<frozen ")):
                noticed(what)
        elif not caller.startswith(_EVALUATES) and _has_names(arguments[0]):
            noticed(what)

    sys.addaudithook(hook)


def _inspects(what: str) -> str:
    return f"it inspects the interpreter ({what})"


def _has_names(code: CodeType) -> bool:
    """Whether code could reach anything beyond its constants."""
    return bool(code.co_names) or any(_has_names(held) for held in code.co_consts if type(held) is CodeType)


class RecorderAccess:
    """Tells which values of a program lead to its recorder. Create it before the program runs."""

    def __init__(self) -> None:
        own = list(_own_classes())
        held = [value for kind in own for value in _dict_of(kind).values() if type(value) is FunctionType]
        # The wrapper that `dataclass` puts around `__repr__` has the globals of `dataclasses`, which programs import.
        spaces = [space for space in map(_globals_of, held) if str(space.get("__name__")).startswith(_OWN_PACKAGES)]
        self._own = {*map(id, own), *map(id, spaces)}

    def what(self, value: Any, method: str = "") -> str:
        """Describes what a value, or the method looked up on it, gives access to; "" for nothing.

        Runs no code of the program.
        """
        kind = type(value)
        if method == "__subclasses__":
            return _inspects(method)
        if kind is FrameType:
            return _inspects("a frame")
        if kind is BuiltinFunctionType or kind is MethodDescriptorType:
            return _inspects(value.__name__) if value.__name__ == "__subclasses__" else ""
        is_own = id(value) in self._own or id(kind) in self._own
        if is_own or (kind is FunctionType and id(_globals_of(value)) in self._own):
            return _inspects("the recorder")
        return _inspects("a probe") if kind is _PROBE and not value.__dict__ else ""


def _own_classes() -> Iterator[type]:
    """Yields the classes of the recorder, directly below `object` and below each other."""
    todo: list[type] = [object]
    while todo:
        kind = todo.pop()
        one: type
        for one in type.__subclasses__(kind):
            if str(_module_of(one)).startswith(_OWN_PACKAGES):
                yield one
                todo.append(one)
