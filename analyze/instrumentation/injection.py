"""Puts probes into code objects, hidden from the program.

A probe is a constant of the code, not a name, so no builtin, module or namespace refers to it. The constant is a C
object without attributes that lead further. A program that reads `__code__.co_consts` can still see that there is a
probe. A program that walks up its callers' frames, traces or profiles itself, or queries `gc` can find the recorder:
`analyze.instrumentation.guard` detects that.
"""

from __future__ import annotations

import secrets
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType
from typing import Any

Placeholder = tuple[str, str]


def placeholder() -> Placeholder:
    """Returns a unique constant that represents a probe until the code is compiled."""
    return ("probe", secrets.token_hex(16))


@contextmanager
def calls_of_constants() -> Iterator[None]:
    """Suppresses CPython's warning that a tuple (the placeholder) is not callable."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        yield


def inject(code: CodeType, probes: Mapping[Placeholder, Callable[..., Any]]) -> CodeType:
    """Replaces each placeholder by its probe, in the code and recursively in all code inside it."""
    hidden = {mark: _hidden(probe) for mark, probe in probes.items()}

    def injected(held: Any) -> Any:
        if isinstance(held, CodeType):
            return held.replace(co_consts=tuple(map(injected, held.co_consts)))
        return hidden.get(held, held) if type(held) is tuple else held

    result: CodeType = injected(code)
    return result


def _hidden(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps the function in a C object that exposes no attribute of it and caches no call."""
    wrapper = lru_cache(maxsize=0)(function)
    vars(wrapper).clear()  # `__wrapped__` leads to the function
    return wrapper
