"""Reprs of values and messages of exceptions for people, without memory addresses. Runs inside the worker."""

from __future__ import annotations

import builtins

from corpora.sandbox.reporting.protocol import FILENAME, REPR_LIMIT
from corpora.sandbox.values.value_kinds import type_name, without_addresses

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones


def safe_repr(value: object) -> str:
    """The repr of a value without memory addresses, or a remark if `__repr__` raises."""
    try:
        text = repr(value)
    except MemoryError:
        raise
    except BaseException as error:  # noqa: BLE001 - a program's __repr__ may raise anything, also KeyboardInterrupt
        return f"<{type_name(type(value))}: repr raised {type_name(type(error))}>"
    text = str.__str__(text)
    return text if " 0x" not in text or _is_plain(value, 0) else without_addresses(text)


def _is_plain(value: object, depth: int) -> bool:
    """Whether a value contains only literals: then ` at 0x…` or ` @ 0x…` is part of a string and not an address."""
    kind = type(value)
    if kind in (str, bytes, int, float, bool, type(None)):
        return True
    if depth > 20:
        return False
    if kind in (list, tuple, set, frozenset):
        return all(_is_plain(item, depth + 1) for item in value)  # type: ignore[attr-defined]
    if kind is dict:
        return all(_is_plain(part, depth + 1) for pair in value.items() for part in pair)  # type: ignore[attr-defined]
    return False


def exception_message(error: BaseException) -> str:
    """The message of an exception, cut to `REPR_LIMIT` characters. Never raises."""
    try:
        return str.__str__(str(error))[:REPR_LIMIT]
    except BaseException as inner:  # noqa: BLE001 - a program's __str__ may raise anything
        return f"<str raised {type_name(type(inner))}>"


def exception_location(error: BaseException) -> str:
    """`ValueError at line 3`, by the innermost line of the program itself."""
    line = 0
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILENAME:
            line = step.tb_lineno
        step = step.tb_next
    name = type_name(type(error))
    return f"{name} at line {line}" if line else name
