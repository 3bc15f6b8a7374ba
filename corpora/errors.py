"""Errors that a user can correct. They end the command with one line and exit status 2.

Failures of a *program under study* are never raised; they are values (`Outcome.status`, `Unchanged`, `BadRow`).
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(Exception):
    """Wrong usage, or input that cannot be read.

    Args:
        message: One line that says what is wrong and what to do.
        where: File and line, if known.

    Example:
        >>> str(InputError("no such file", where="cases.jsonl"))
        'cases.jsonl: no such file'
    """

    def __init__(self, message: str, *, where: str = "") -> None:
        self.message = message
        self.where = where
        super().__init__(f"{where}: {message}" if where else message)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A remark that names the known name closest to an unknown one; "" if none is close.

    >>> "no recipe 'decompse'" + did_you_mean("decompse", ["decompose", "strings"])
    "no recipe 'decompse' (did you mean 'decompose'?)"
    """
    close = get_close_matches(name, list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
