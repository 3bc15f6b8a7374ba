"""A time limit for everything that is done within it: runs in the sandbox end at it, and searches look at it.

The limit belongs to the context (a thread, a task), as in anyio's or trio's cancel scopes, so that no function on the
way to the sandbox has to hand it on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from corpora.errors import InputError


class OutOfTimeError(InputError):
    """The deadline has passed. What was found until then is kept, or the program is left as it is."""


@dataclass(frozen=True)
class Deadline:
    """A point in time.

    Attributes:
        seconds: What it is after its start; None for no limit.
        end: Of `time.monotonic`.
    """

    seconds: float | None
    end: float

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """The deadline so many seconds from now."""
        return cls(seconds, float("inf") if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds until then, at least 0."""
        return max(0.0, self.end - time.monotonic())

    def check(self) -> None:
        """Raises OutOfTimeError if it has passed."""
        if time.monotonic() >= self.end:
            raise OutOfTimeError(self.spent)

    @property
    def spent(self) -> str:
        """What a report says once it has passed."""
        return f"its time limit of {self.seconds:g} s (--seconds) has passed"


NEVER = Deadline(None, float("inf"))
_current: ContextVar[Deadline] = ContextVar("deadline", default=NEVER)


def current_deadline() -> Deadline:
    """The deadline in force; one that never passes if there is none."""
    return _current.get()


@contextmanager
def time_limit(limit: Deadline | float | None) -> Iterator[Deadline]:
    """A limit for what is done within, unless an outer one is earlier.

    What is within raises OutOfTimeError after it, or says in its result what was cut.

    Args:
        limit: A deadline, a number of seconds from now, or None for no limit.

    >>> with time_limit(30) as deadline:
    ...     current_deadline() is deadline
    True
    """
    own = limit if isinstance(limit, Deadline) else Deadline.after(limit)
    token = _current.set(min(own, _current.get(), key=lambda one: one.end))
    try:
        yield _current.get()
    finally:
        _current.reset(token)
