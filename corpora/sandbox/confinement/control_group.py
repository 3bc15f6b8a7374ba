"""A control group that bounds how many processes and threads a worker and its programs have, where one can be made.

Unlike RLIMIT_NPROC it counts only them, and root too. It is made below the caller's own group, which must be writable
and have the pids controller (version 1, or version 2 with pids in `cgroup.subtree_control`). Elsewhere there is none,
and nothing is said: what bounds tasks then stands in docs/sandbox.md.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Sequence
from pathlib import Path

from corpora.sandbox.confinement.limits import TASKS

# The kernel takes a moment to count a killed task as gone.
TRIES, PAUSE = 10, 0.002
MOUNTED = Path("/sys/fs/cgroup")
_PREFIX = "spellout-"
# The worker joins before it is anything else, so that whatever it starts is in the group.
_JOIN = 'echo $$ > "$0/cgroup.procs"; exec "$@"'
_numbers = itertools.count()


class ControlGroup:
    """One group for one worker; without a folder it bounds nothing."""

    def __init__(self) -> None:
        self._folder = _made()

    @property
    def bounds(self) -> bool:
        """Whether there is a group."""
        return self._folder is not None

    def command(self, command: Sequence[str]) -> list[str]:
        """The command as one that joins the group first."""
        return list(command) if self._folder is None else ["/bin/sh", "-c", _JOIN, str(self._folder), *command]

    def remove(self) -> None:
        """Take the group away, once all in it have ended; one that is not empty yet is left for `_sweep`."""
        for _ in range(TRIES if self._folder is not None and self._folder.exists() else 0):
            with contextlib.suppress(OSError):
                self._folder.rmdir()  # type: ignore[union-attr]
                return
            time.sleep(PAUSE)


def _made() -> Path | None:
    parent = _own_group()
    if parent is None or not Path("/bin/sh").exists():
        return None
    folder = parent / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
    try:
        _sweep(parent)
        folder.mkdir()
    except OSError:
        return None
    try:
        (folder / "pids.max").write_text(str(TASKS), encoding="ascii")
        if not os.access(folder / "cgroup.procs", os.W_OK):
            raise PermissionError(folder)
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _own_group() -> Path | None:
    """The folder of the group with the pids controller that this process is in."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        groups = {kinds: path for _, kinds, path in (line.split(":", 2) for line in lines)}
        if "pids" in groups:
            folder = MOUNTED / "pids" / groups["pids"].lstrip("/")
        else:
            folder = MOUNTED / groups.get("", "nowhere").lstrip("/")
            if "pids" not in (folder / "cgroup.subtree_control").read_text(encoding="ascii").split():
                return None
    except (OSError, ValueError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def _sweep(parent: Path) -> None:
    """Remove what callers left that were killed: only an empty group can be removed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
