"""Detects a program that accesses places where a recorder could be found: frames, trace functions, `gc`.

CPython raises an audit event for each of these. Names and attributes alone do not reach the recorder
(`analyze.instrumentation.injection`), but these do, so an observer whose records must not be forged ends its run.
Library code may access frames (`namedtuple` does), except for code that passes them on (`inspect`).
"""

from __future__ import annotations

import builtins
import inspect
import sys
from collections.abc import Callable
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_getframe = sys._getframe
_INSPECT = inspect.currentframe.__code__.co_filename
_EVENTS = frozenset(
    {
        *("sys._getframe", "sys._current_frames", "sys._current_exceptions", "sys.settrace", "sys.setprofile"),
        *("sys.monitoring.register_callback", "gc.get_objects", "gc.get_referrers", "gc.get_referents"),
    }
)
_FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})


def guard(filename: str, noticed: Callable[[str], None]) -> None:
    """Installs an audit hook for the rest of the process.

    Args:
        filename: The file name of the program's code.
        noticed: Called with the name of each such access by this code.
    """
    is_own = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal is_own
        what = arguments[1] if event == "object.__getattr__" else event
        if is_own or (what not in _FRAMES if event == "object.__getattr__" else what not in _EVENTS):
            return
        is_own = True  # requesting a frame raises an event, too
        caller = _getframe(1)
        is_own = False
        if caller.f_code.co_filename in (filename, _INSPECT):
            noticed(what)

    sys.addaudithook(hook)
