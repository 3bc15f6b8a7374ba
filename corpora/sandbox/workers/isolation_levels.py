"""Chooses the isolation level of this process once: the best available one that the self-check confirms.

The self-check runs once per machine and version (`confirmations`); a forced level is always checked. If a level is not
available (no bwrap, a kernel without Landlock), the next one is tried and the reason is kept. If a level is available
but one of its layers does not hold, the self-check raises: a level is never lowered silently.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass

from corpora.deadline import without_time_limit
from corpora.errors import UnavailableError
from corpora.program import Isolation
from corpora.sandbox.confinement import landlock, seccomp
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.workers import confirmations, selfcheck
from corpora.sandbox.workers.worker import WorkerDiedError

_lock = threading.RLock()
_weak_allowed = False
_forced_level: Isolation | None = None
_chosen: IsolationChoice | None = None


@dataclass(frozen=True)
class IsolationChoice:
    """The confinement in force.

    Attributes:
        confinement: The level and its layers.
        fallback_reason: One line on why no better level is in force; "" at level A.
    """

    confinement: Confinement
    fallback_reason: str


def allow_weak_isolation(allowed: bool) -> None:
    """Allow or forbid level C (process and resource limits only) for this process, from now on."""
    global _weak_allowed
    with _lock:
        _weak_allowed = allowed


def force_level(level: Isolation | None) -> None:
    """Use exactly this level, for tests and comparisons; None: the best level again."""
    global _forced_level, _chosen
    with _lock:
        _forced_level, _chosen = level, None


def active_isolation() -> IsolationChoice:
    """The level of this process, chosen at the first call.

    Raises:
        UnavailableError: Only level C (on macOS: M) is available and it was not allowed.
        IsolationError: A layer of an available level does not hold.
    """
    global _chosen
    with _lock:
        if _chosen is None:
            with without_time_limit():
                _chosen = _choose()
        if _chosen.confinement.level in ("C", "M") and not _weak_allowed:
            raise UnavailableError(
                f"only isolation level {_chosen.confinement.level} is available (process and resource limits: programs "
                f"could read your files), because {_chosen.fallback_reason}; install bubblewrap, or pass "
                "--allow-weak-isolation"
            )
        return _chosen


def _reset_lock() -> None:
    """In a forked child: the thread that held the lock no longer exists."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_reset_lock)


def _choose() -> IsolationChoice:
    if _forced_level is not None:
        confinement = Confinement.for_level(_forced_level)
        selfcheck.check_confinement(confinement)
        return IsolationChoice(confinement, "" if _forced_level == "A" else f"level {_forced_level} was requested")
    reasons: list[str] = []
    last: Isolation = "M" if sys.platform == "darwin" else "C"
    levels: tuple[Isolation, ...] = ("A", "B", last)
    for level in levels:
        why = _missing_requirement(level)
        if not why:
            confinement = Confinement.for_level(level)
            try:
                _confirm(confinement)
            except WorkerDiedError as error:
                why = f"level {level} does not start ({error})"
            else:
                return IsolationChoice(confinement, "; ".join(reasons))
        reasons.append(why)
    raise UnavailableError(f"no worker can be started: {'; '.join(reasons)}")


def _confirm(confinement: Confinement) -> None:
    """Run the self-check, unless it has confirmed the level on this machine before."""
    if not confirmations.is_confirmed(confinement):
        selfcheck.check_confinement(confinement)
        confirmations.remember(confinement)


def _missing_requirement(level: Isolation) -> str:
    """What the machine lacks for a level, as far as that is known without trying; "" if nothing."""
    if level in ("A", "B"):
        if not seccomp.is_supported():
            return f"level {level} needs Linux on x86-64 or arm64"
        if landlock.abi_version() < 1:
            return f"level {level} needs a kernel with Landlock (5.13 or later, enabled)"
    return ""
