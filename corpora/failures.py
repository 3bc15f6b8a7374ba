"""The boundary around the work on one program: whatever happens there becomes a value.

Parsers, interventions from outside and this package's own code can raise any exception on a program that nobody has
tried before. `contain` turns it into a `WorkFailure` with place and reason, so that one row or file cannot end the work
on all others. `corpora.process_pool` does the same for a process that dies.

An `InputError` keeps its message. Every other exception is reported as an internal error, never as a mistake of the
user; its traceback is printed where debugging is on (`--debug`).
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from corpora.errors import InputError, UnavailableError
from corpora.foreign_text import one_line, printable
from corpora.rows import BadRow, FailedRow, Row

ResultT = TypeVar("ResultT")

DEBUG_VARIABLE = "SPELLOUT_DEBUG"
"""The environment variable that turns debugging on. Worker processes inherit it."""
INTERNAL = "internal error"
DIED = "its worker process died: it crashed, or memory ran out"
"""The reason to report for an item whose process died."""
_LIMITS = {RecursionError: "nested too deeply", MemoryError: "memory ran out"}
_MAX_MESSAGE = 300
_HOME = Path(__file__).resolve().parent.parent


class JobDiedError(Exception):
    """The process that worked on an item died: it crashed, or the system killed it."""


@dataclass(frozen=True)
class WorkFailure:
    """The work on one program that ended with an exception.

    Attributes:
        where: Place, as file, file and line, or row.
        reason: Why, on one line.
        is_unexpected: Whether the cause is no InputError: an error of Spellout, of a library or of code from outside.
    """

    where: str
    reason: str
    is_unexpected: bool = False

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}" if self.where else self.reason


class WorkerError(Exception):
    """An exception of another process, which need not be picklable itself.

    Args:
        description: Its type, message and place, on one line.
        trace: Its traceback.
    """

    def __init__(self, description: str, trace: str) -> None:
        super().__init__(description, trace)
        self.description = description
        self.trace = trace


class ForeignCodeError(Exception):
    """Code from outside of this package, such as an intervention of the user, raised an exception."""

    def __init__(self, name: str, error: Exception) -> None:
        super().__init__(f"{name} raised {_type_and_message(error)}{_place(error)}")


def contain(work: Callable[[], ResultT], where: str = "") -> ResultT | WorkFailure:
    """The result of the work on one program, or why there is none.

    Args:
        work: The work.
        where: The program, for the report. The place that an InputError names takes precedence.

    Raises:
        UnavailableError: Something is missing that every program needs, such as a sandbox.

    Example:
        >>> contain(lambda: 1 // 0, "rows.jsonl:7").where
        'rows.jsonl:7'
    """
    try:
        return work()
    except UnavailableError:
        raise
    except InputError as error:
        return WorkFailure(error.where or where, error.message)
    except Exception as error:  # noqa: BLE001 - the boundary
        return WorkFailure(where, failure_reason(error), is_unexpected=True)
    except SystemExit as error:  # from code that this package does not know
        return WorkFailure(where, f"{INTERNAL}: sys.exit({error.code!r})", is_unexpected=True)


def contain_row(work: Callable[[], ResultT], row: BadRow | Row) -> ResultT | FailedRow:
    """The result of the work on the program of a row, or the row as failed. Raises UnavailableError as `contain`."""
    found = contain(work)
    if not isinstance(found, WorkFailure):
        return found
    inside = found.where.removeprefix(row.where).lstrip(":")  # line and column of the program
    return FailedRow(row.number, row.where, f"at {inside} of the program: {found.reason}" if inside else found.reason)


def failure_reason(error: Exception) -> str:
    """The reason to report for an unexpected exception, on one line. Prints the traceback if debugging is on."""
    if is_debugging():
        print_traceback(error)
    if isinstance(error, ForeignCodeError):
        return one_line(str(error))
    kind = next((what for known, what in _LIMITS.items() if isinstance(error, known)), INTERNAL)
    return f"{kind}: {describe_error(error)}"


def describe_error(error: Exception) -> str:
    """Type, message and place of an unexpected exception, on one line."""
    return error.description if isinstance(error, WorkerError) else f"{_type_and_message(error)}{_place(error)}"


def worker_error(error: Exception) -> WorkerError:
    """An exception in a form that can be sent to another process."""
    return WorkerError(describe_error(error), "".join(traceback.format_exception(error)))


@contextmanager
def debugging(*, on: bool) -> Iterator[None]:
    """Turns debugging on in the block, here and in the processes that are started there."""
    before = os.environ.get(DEBUG_VARIABLE)
    if on:
        os.environ[DEBUG_VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(DEBUG_VARIABLE, None)


def is_debugging() -> bool:
    """Whether tracebacks of internal errors are printed."""
    return bool(os.environ.get(DEBUG_VARIABLE))


def print_traceback(error: Exception) -> None:
    """Prints a traceback on standard error, with that of the worker process if the exception comes from one."""
    trace = error.trace if isinstance(error, WorkerError) else "".join(traceback.format_exception(error))
    print(printable(trace.rstrip("\n")), file=sys.stderr)  # noqa: T201 - may run in a worker process, without a console


def _type_and_message(error: Exception) -> str:
    try:
        message = one_line(str(error))
    except Exception:  # noqa: BLE001 - an exception of a class from outside, whose `__str__` raises
        message = ""
    cut = message if len(message) <= _MAX_MESSAGE else f"{message[:_MAX_MESSAGE]}…"
    return f"{type(error).__name__}: {cut}" if cut else type(error).__name__


def _place(error: Exception) -> str:
    """The innermost line of this package in the traceback, else the innermost of all, in parentheses."""
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [(file.relative_to(_HOME), line) for file, line in frames if file.is_relative_to(_HOME)]
    own = [(file, line) for file, line in own if "site-packages" not in file.parts] or own
    return next((f" ({file}:{line})" for file, line in reversed(own or frames)), "")
