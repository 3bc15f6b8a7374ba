"""The CPU cores that this process may use."""

from __future__ import annotations

import os
from multiprocessing.queues import SimpleQueue

from corpora.orphans import exit_with_parent


def usable_cores() -> list[int]:
    """The numbers of the cores that this process may use: those that a scheduler or `taskset` left to it."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def start_on_core(cores: SimpleQueue[int] | None) -> None:
    """The `initializer` of a process pool: take a core from the queue and stay there; exit when the parent has ended.

    A pool's process and the sandbox process that runs its program wait for each other. Left to the kernel, both change
    cores all the time, which costs caches: on two idle cores, two processes of `spellout traces` were 1.5 times as fast
    as one (`bench/trace_data_sets.py rate`; docs/traces.md has the figure with a core for each).

    Args:
        cores: A core for each process; None to leave the choice to the kernel.
    """
    if cores is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores.get()})
    exit_with_parent()
