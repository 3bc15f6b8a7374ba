"""Puts probes into code objects, out of the program's reach.

A probe is a constant of the code, not a name: nothing in the builtins, in the module or in any namespace leads to it.
The constant itself is a C object without attributes that lead further. What remains: a program that reads
`__code__.co_consts` sees that there is a probe, and one that walks up the frames of its callers, traces or profiles
itself, or asks `gc` for what there is in the process, can find the recorder: `analyze.instrumentation.guard` notices.
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
    """A constant that occurs in no program, to stand for a probe until the code is compiled."""
    return ("probe", secrets.token_hex(16))


@contextmanager
def calls_of_constants() -> Iterator[None]:
    """Compiling a call of a placeholder makes CPython warn that a tuple cannot be called."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        yield


def inject(code: CodeType, probes: Mapping[Placeholder, Callable[..., Any]]) -> CodeType:
    """The code, and all code in it, with each placeholder replaced by its probe."""
    hidden = {mark: _hidden(probe) for mark, probe in probes.items()}

    def injected(held: Any) -> Any:
        if isinstance(held, CodeType):
            return held.replace(co_consts=tuple(map(injected, held.co_consts)))
        return hidden.get(held, held) if type(held) is tuple else held

    result: CodeType = injected(code)
    return result


def _hidden(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as a C object that shows neither it nor anything of it, and remembers no call."""
    wrapper = lru_cache(maxsize=0)(function)
    vars(wrapper).clear()  # `__wrapped__` leads to the function
    return wrapper
