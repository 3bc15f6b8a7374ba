"""Benchmarks by name. Each is a module of this package with a `SUMMARY` and a function `cases(...)`.

To add one, add one file: `cases` takes keyword options and yields `Case`s lazily.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from corpora.errors import InputError, did_you_mean
from corpora.program import Case


def names() -> list[str]:
    """The names of all benchmarks, sorted."""
    return sorted(info.name for info in pkgutil.iter_modules(__path__))


def benchmark(name: str) -> ModuleType:
    """The module of a benchmark. Raises InputError, which lists the names, for an unknown one."""
    if name not in names():
        raise InputError(f"no benchmark named {name!r}{did_you_mean(name, names())}; available: {', '.join(names())}")
    return importlib.import_module(f"{__name__}.{name}")


def load(name: str, **options: Any) -> Iterator[Case]:
    """The cases of a benchmark, one by one.

    Args:
        name: One of `names()`.
        options: Options of the benchmark, such as `size` and `seed`.

    Raises:
        InputError: Unknown name or option.

    Example:
        >>> next(load("permutations", n=3, length=1, size=1, seed=0)).grading
        'state'
    """
    cases = benchmark(name).cases
    known = inspect.signature(cases).parameters
    for option in options:
        if option not in known:
            close, has = did_you_mean(option, known), ", ".join(known) or "none"
            raise InputError(f"benchmark {name} has no option {option!r}{close}; it has {has}")
    found: Iterator[Case] = cases(**options)
    return found
