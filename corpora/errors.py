"""Errors that a user can correct. They end the command with one line and exit status 2.

Failures of a *program under study* are never raised; they are values (`Outcome.status`, `Unchanged`, `BadRow`).
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


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

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the attributes too, so that an error of a worker process keeps its place."""
        return _restored, (type(self), self.args, self.__dict__)


def unreadable_reason(error: OSError | ValueError) -> str:
    """Why a file cannot be read, in the same words in every command.

    >>> unreadable_reason(FileNotFoundError(2, "No such file or directory", "a.py"))
    'no such file'
    """
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return getattr(error, "strerror", None) or str(error)


def _restored(kind: type[InputError], arguments: tuple[object, ...], attributes: dict[str, object]) -> InputError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(attributes)
    return error


class UnavailableError(InputError):
    """Something is missing that the work on every program needs, such as a sandbox: it ends the command."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A remark that names the known name closest to an unknown one; "" if none is close.

    >>> "no recipe 'decompse'" + did_you_mean("decompse", ["decompose", "strings"])
    "no recipe 'decompse' (did you mean 'decompose'?)"
    """
    close = get_close_matches(name, list(known), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""
