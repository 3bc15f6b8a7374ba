"""The time that the search for a rewrite or a plan may take, looked at between its steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from corpora.errors import InputError

P = ParamSpec("P")
T = TypeVar("T")


class OutOfTimeError(Exception):
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
            raise OutOfTimeError

    def held(self, step: Callable[P, T]) -> Callable[P, T]:
        """`step`, which is not begun after the deadline; one that a limit of time ends then is out of time, too."""

        def checked(*args: P.args, **named: P.kwargs) -> T:
            self.check()
            try:
                return step(*args, **named)
            except InputError:
                self.check()
                raise

        return checked

    @property
    def spent(self) -> str:
        """What a report says once it has passed."""
        return f"{self.seconds:g} seconds were up (--seconds)"


NEVER = Deadline(None, float("inf"))
