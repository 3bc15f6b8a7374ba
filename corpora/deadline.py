"""A time limit for all work inside a block: runs in the sandbox end at it, and searches check it.

The limit belongs to the context (a thread, a task), like the cancel scopes of anyio and trio, so that functions between
the block and the sandbox need no parameter for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from corpora.errors import InputError

LIMIT_OPTION = "(--seconds)"
"""Part of every message about a deadline that has passed."""


class OutOfTimeError(InputError):
    """The deadline has passed. The caller keeps what was found until then, or leaves the program unchanged."""


@dataclass(frozen=True)
class Deadline:
    """A point in time.

    Attributes:
        seconds: The length of the limit, for messages; None: no limit.
        end: The point in time, by `time.monotonic`.
    """

    seconds: float | None
    end: float

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """The deadline this number of seconds from now."""
        return cls(seconds, float("inf") if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Remaining seconds, at least 0."""
        return max(0.0, self.end - time.monotonic())

    def check(self) -> None:
        """Raise OutOfTimeError if the deadline has passed."""
        if time.monotonic() >= self.end:
            raise OutOfTimeError(self.spent)

    @property
    def spent(self) -> str:
        """The message of a report when the deadline has passed."""
        return f"its time limit of {self.seconds:g} s {LIMIT_OPTION} has passed"


NEVER = Deadline(None, float("inf"))
_current: ContextVar[Deadline] = ContextVar("deadline", default=NEVER)


def current_deadline() -> Deadline:
    """The deadline in force; one that never passes if there is none."""
    return _current.get()


@contextmanager
def time_limit(limit: Deadline | float | None) -> Iterator[Deadline]:
    """Limit the time of the block. An earlier limit of an outer block stays in force.

    Work inside the block raises OutOfTimeError after the limit, or reports in its result what was left out.

    Args:
        limit: A deadline, a number of seconds from now, or None for no limit.

    Example:
        >>> with time_limit(30) as deadline:
        ...     current_deadline() is deadline
        True
    """
    own = limit if isinstance(limit, Deadline) else Deadline.after(limit)
    with _in_force(min(own, _current.get(), key=lambda deadline: deadline.end)) as deadline:
        yield deadline


@contextmanager
def without_time_limit() -> Iterator[None]:
    """Suspend the deadline: for preparations that a process makes once, for all that comes later."""
    with _in_force(NEVER):
        yield


@contextmanager
def _in_force(deadline: Deadline) -> Iterator[Deadline]:
    token = _current.set(deadline)
    try:
        yield deadline
    finally:
        _current.reset(token)
