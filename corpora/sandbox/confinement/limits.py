"""Limits that the kernel keeps on one process: memory, processor time, file size, open files, core dumps.

They stop accidents and bombs. They do not hide the machine; namespaces, Landlock and seccomp do.
"""

from __future__ import annotations

import os
import re
import resource
import sys
from pathlib import Path

# Address space of an interpreter with the worker loaded, where /proc does not tell it.
INTERPRETER = 64 << 20
OPEN_FILES = 64
# Processes and threads, where they are counted by themselves (see `counts_tasks`).
TASKS = 256
# Taken by the reporter before a program runs and given back after it, to describe what a program that took all left.
HEADROOM = 64 << 20


def address_space_in_use() -> int:
    """Bytes of address space of this process; a round figure where there is no /proc (level A) to tell."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return INTERPRETER


def counts_tasks() -> bool:
    """Whether the kernel counts the tasks of a user namespace by themselves (5.14 or later).

    Elsewhere RLIMIT_NPROC counts all that the user runs, so that a limit would stop the innocent.
    """
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    return sys.platform == "linux" and version >= (5, 14)


def apply(megabytes: int, cpu_seconds: int, stdout_bytes: int, base: int, tasks: int = 0) -> None:
    """Limit this process and what it starts.

    base: what the interpreter itself takes, in bytes of address space; tasks: processes and threads of the user
    namespace, 0 for no limit. The kernel exempts who is root outside of the namespace.
    """
    memory = base + HEADROOM + (megabytes << 20)
    if sys.platform != "darwin":  # macOS refuses to lower RLIMIT_AS
        _lower(resource.RLIMIT_AS, memory, memory)
    _lower(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1)
    _lower(resource.RLIMIT_FSIZE, stdout_bytes, stdout_bytes)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES)
    _lower(resource.RLIMIT_CORE, 0, 0)
    if tasks:
        _lower(resource.RLIMIT_NPROC, tasks, tasks)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit; one that is lower already (`ulimit`) stays."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))
