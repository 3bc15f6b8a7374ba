"""The exception messages of CPython 3.10 where a newer interpreter words them differently.

The tracer rewords an exception when it first sees it, so that a program that prints `str(error)` prints what it would
under 3.10. Only exact built-in types and complete messages of the interpreter are changed. Messages of the standard
library's Python modules are not covered.
"""

from __future__ import annotations

import re

_NEWER: tuple[tuple[type[Exception], re.Pattern[str], str], ...] = tuple(
    (kind, re.compile(newer), older)
    for kind, newer, older in (
        (
            UnboundLocalError,
            r"cannot access local variable '(.+)' where it is not associated with a value",
            r"local variable '\1' referenced before assignment",
        ),
        (
            NameError,
            r"cannot access free variable '(.+)' where it is not associated with a value in enclosing scope",
            r"free variable '\1' referenced before assignment in enclosing scope",
        ),
        (ZeroDivisionError, r"integer modulo by zero", r"integer division or modulo by zero"),
        (ZeroDivisionError, r"float modulo by zero", r"float modulo"),
        (TypeError, r"string indices must be integers, not '.+'", r"string indices must be integers"),
        (ValueError, r"(max|min)\(\) iterable argument is empty", r"\1() arg is an empty sequence"),
        (AttributeError, r"(.+) and no __dict__ for setting new attributes", r"\1"),
    )
)


def reword(error: object) -> None:
    """Replaces the message of an exception by the one that 3.10 gives."""
    for kind, newer, older in _NEWER:
        if type(error) is kind and len(error.args) == 1 and type(error.args[0]) is str:
            match = newer.fullmatch(error.args[0])
            if match:
                error.args = (match.expand(older),)
