"""A row of the table of speed: a job and its baseline (a floor or a peer), measured in turns in one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

Clock = Literal["wall", "processor"]
Job = Callable[[], object]
ResultT = TypeVar("ResultT")
TOLERANCE = 1.1
"""A goal counts as missed if the ratio exceeds it by this factor: runs on one machine differ by a few percent."""


@dataclass(frozen=True)
class Row:
    """A job and its baseline.

    Attributes:
        job: What is measured, in words.
        seconds: Its time, or another quantity that grows with the cost (`unit`).
        baseline: The floor or peer, in words.
        floor: The same quantity of the floor or peer.
        goal: The ratio that should not be exceeded; None for a row that informs only.
        unit: The unit of both quantities (default: "s").
        note: What else a reader should know (default: nothing).
    """

    job: str
    seconds: float
    baseline: str
    floor: float
    goal: float | None
    unit: str = "s"
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times the floor the job takes.

        >>> Row("ours", 3.0, "floor", 2.0, goal=1.4).ratio
        1.5
        """
        return self.seconds / self.floor

    @property
    def is_missed(self) -> bool:
        """Whether the goal is missed by more than a tenth.

        >>> [Row("ours", taken, "floor", 1.0, goal=2.0).is_missed for taken in (2.1, 2.3)]
        [False, True]
        """
        return self.goal is not None and self.ratio > self.goal * TOLERANCE


def timed(job: Callable[[], ResultT], clock: Clock = "wall") -> tuple[ResultT, float]:
    """The result of a job, and its seconds.

    Args:
        job: The job.
        clock: Wall time, or processor time of this process (default: wall time).
    """
    now = time.process_time if clock == "processor" else time.perf_counter
    start = now()
    result = job()
    return result, now() - start


def seconds(job: Job, clock: Clock = "wall") -> float:
    """The seconds of a job; the arguments are those of `timed`."""
    return timed(job, clock)[1]


def in_turns(ours: Job, floor: Job, rounds: int, clock: Clock = "processor") -> tuple[float, float]:
    """The least seconds of two jobs that run in turns, so that a busy machine slows down both.

    Args:
        ours: The job.
        floor: Its floor or peer.
        rounds: How often each runs.
        clock: Processor time of this process, or wall time for a job in other processes.
    """
    taken = [(seconds(ours, clock), seconds(floor, clock)) for _ in range(rounds)]
    return min(one for one, _ in taken), min(other for _, other in taken)


def compare(
    job: str, ours: Job, baseline: str, floor: Job, goal: float | None, rounds: int = 5, clock: Clock = "processor"
) -> Row:
    """A row of two jobs that are measured in turns; the arguments are those of `Row` and `in_turns`."""
    least, of_floor = in_turns(ours, floor, rounds, clock)
    return Row(job, least, baseline, of_floor, goal)
