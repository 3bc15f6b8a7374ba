"""Restores the state that the standard library keeps per process between two calls: `warnings` and `logging`.

A program whose source shows that it changes more gets a process for each call (`corpora.library_modification`).
"""

from __future__ import annotations

import builtins
import logging
import warnings
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_WARNINGS, _LOGGING = dict(vars(warnings)), dict(vars(logging))
_warnings, _logging = vars(warnings), vars(logging)
_filters: list[Any] = warnings.filters  # type: ignore[assignment]
_once: dict[Any, Any] = _WARNINGS["onceregistry"]
_FILTERS, _mutated = (*_filters,), _WARNINGS["_filters_mutated"]
_root: Any = logging.root
_manager: Any = vars(logging.Logger)["manager"]
_root_state, _manager_state = vars(_root), vars(_manager)
_ROOT, _MANAGER = dict(_root_state), dict(_manager_state)
_handlers: Any = _LOGGING["_handlers"]
_handler_list: list[Any] = _LOGGING["_handlerList"]
_HANDLERS = (*_handler_list,)


def restore_library_state() -> None:
    """Reset warnings and logging to their state before any program ran."""
    _warnings.update(_WARNINGS)
    _filters[:] = _FILTERS
    _mutated()  # forgets which warnings were already issued
    _once.clear()
    _logging.update(_LOGGING)
    _handler_list[:] = _HANDLERS
    _handlers.clear()
    _MANAGER["loggerDict"].clear()
    _root_state.clear()
    _root_state.update(_ROOT, handlers=[], filters=[], _cache={})
    _manager_state.clear()
    _manager_state.update(_MANAGER)
