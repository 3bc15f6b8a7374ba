"""Notices a program that is about to look where a recorder can be found: frames, trace functions, `gc`.

CPython raises an audit event for each of these. What stays out of reach of names and attributes alone
(`analyze.instrumentation.injection`) can be reached from there, so an observer whose records must not be forged ends
its run. Library code may look at frames (`namedtuple` does), but for what hands them on (`inspect`).
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
    """For the rest of the process: `noticed` is called with what code of that filename is about to do."""
    is_own = False

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal is_own
        what = arguments[1] if event == "object.__getattr__" else event
        if is_own or (what not in _FRAMES if event == "object.__getattr__" else what not in _EVENTS):
            return
        is_own = True  # to ask for a frame is an event, too
        caller = _getframe(1)
        is_own = False
        if caller.f_code.co_filename in (filename, _INSPECT):
            noticed(what)

    sys.addaudithook(hook)
