"""A control group that limits the number of processes and threads of a worker and its programs.

Unlike RLIMIT_NPROC it counts only them, and it applies to root. It is created below the caller's own group, which must
be writable and have the pids controller (version 1, or version 2 with pids in `cgroup.subtree_control`). Elsewhere no
group is created and no error is raised; docs/sandbox.md says what limits tasks then.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Sequence
from pathlib import Path

from corpora.sandbox.confinement.limits import MAX_TASKS

# The kernel removes a killed task with a short delay.
REMOVE_ATTEMPTS, REMOVE_PAUSE = 10, 0.002
CGROUP_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "spellout-"
# The shell joins before it becomes the worker, so that all processes of the worker are in the group.
_JOIN = 'echo $$ > "$0/cgroup.procs"; exec "$@"'
_numbers = itertools.count()


class ControlGroup:
    """The control group of one worker. Where none can be created, it limits nothing."""

    def __init__(self) -> None:
        self._folder = _create_group()

    def command(self, command: Sequence[str]) -> list[str]:
        """The command, prefixed so that its process joins the group first."""
        return list(command) if self._folder is None else ["/bin/sh", "-c", _JOIN, str(self._folder), *command]

    def remove(self) -> None:
        """Remove the group after all its processes have ended. A group that is not empty is left."""
        for _ in range(REMOVE_ATTEMPTS if self._folder is not None and self._folder.exists() else 0):
            with contextlib.suppress(OSError):
                self._folder.rmdir()  # type: ignore[union-attr]
                return
            time.sleep(REMOVE_PAUSE)


def _create_group() -> Path | None:
    parent = _own_group()
    if parent is None or not Path("/bin/sh").exists():
        return None
    folder = parent / f"{_PREFIX}{os.getpid()}-{next(_numbers)}"
    try:
        _remove_stale_groups(parent)
        folder.mkdir()
    except OSError:
        return None
    try:
        (folder / "pids.max").write_text(str(MAX_TASKS), encoding="ascii")
        if not os.access(folder / "cgroup.procs", os.W_OK):
            raise PermissionError(folder)
    except OSError:
        with contextlib.suppress(OSError):
            folder.rmdir()
        return None
    return folder


def _own_group() -> Path | None:
    """The folder of this process's group with the pids controller; None if there is none or it is read-only."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
        groups = {kinds: path for _, kinds, path in (line.split(":", 2) for line in lines)}
        if "pids" in groups:
            folder = CGROUP_ROOT / "pids" / groups["pids"].lstrip("/")
        else:
            folder = CGROUP_ROOT / groups.get("", "nowhere").lstrip("/")
            if "pids" not in (folder / "cgroup.subtree_control").read_text(encoding="ascii").split():
                return None
    except (OSError, ValueError):
        return None
    return folder if os.access(folder, os.W_OK) else None


def _remove_stale_groups(parent: Path) -> None:
    """Remove the groups of callers that were killed. Only an empty group can be removed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
