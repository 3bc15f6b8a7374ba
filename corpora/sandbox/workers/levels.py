"""Choose the isolation level of this process, once: the best that can be had here, confirmed by the self-check.

A level that cannot be had (no bwrap, a kernel without Landlock) gives way to the next one, and why is kept. A level
that could be had but does not hold is never lowered silently: the self-check raises.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass

from corpora.errors import InputError
from corpora.program import Isolation
from corpora.sandbox.confinement import landlock, seccomp
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.workers import selfcheck
from corpora.sandbox.workers.worker import WorkerDiedError

_lock = threading.RLock()
_weak_allowed = False
_asked: Isolation | None = None
_chosen: Choice | None = None


@dataclass(frozen=True)
class Choice:
    """The confinement in force, and one line on why it is not better ("" at level A)."""

    confinement: Confinement
    why_not_better: str


def allow_weak_isolation(allowed: bool) -> None:
    """Allow (or forbid again) level C, process and limits only, for this process, from now on."""
    global _weak_allowed
    with _lock:
        _weak_allowed = allowed


def use(level: Isolation | None) -> None:
    """Insist on a level (for tests and for comparing levels); None goes back to the best."""
    global _asked, _chosen
    with _lock:
        _asked, _chosen = level, None


def in_force() -> Choice:
    """The level of this process, found at the first call.

    Raises InputError when only level C (on macOS: M) can be had and it was not allowed, and IsolationError when a
    claimed layer does not hold.
    """
    global _chosen
    with _lock:
        if _chosen is None:
            _chosen = _best()
        if _chosen.confinement.level in ("C", "M") and not _weak_allowed:
            raise InputError(
                f"programs can only be run at level {_chosen.confinement.level} here (process and limits: they could "
                f"read your files), as {_chosen.why_not_better}; install bubblewrap, or pass --allow-weak-isolation"
            )
        return _chosen


def _unlock() -> None:
    """In a forked child: whoever held the lock is not there any more."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_unlock)


def _best() -> Choice:
    if _asked is not None:
        confinement = Confinement.of(_asked)
        selfcheck.confirm(confinement)
        return Choice(confinement, "" if _asked == "A" else f"level {_asked} was asked for")
    reasons: list[str] = []
    last: Isolation = "M" if sys.platform == "darwin" else "C"
    levels: tuple[Isolation, ...] = ("A", "B", last)
    for level in levels:
        why = _missing(level)
        if not why:
            confinement = Confinement.of(level)
            try:
                selfcheck.confirm(confinement)
            except WorkerDiedError as error:
                why = f"level {level} does not start ({error})"
            else:
                return Choice(confinement, "; ".join(reasons))
        reasons.append(why)
    raise InputError(f"no worker can be started: {'; '.join(reasons)}")


def _missing(level: Isolation) -> str:
    """What the machine lacks for a level, as far as it can be told without trying; "" if nothing."""
    if level in ("A", "B"):
        if not seccomp.supported():
            return f"level {level} needs Linux on x86-64 or arm64"
        if landlock.version() < 1:
            return f"level {level} needs a kernel with Landlock (5.13 or later, switched on)"
    return ""
