"""Resource limits of one process: memory, processor time, file size, open files, core dumps.

They stop accidents and fork or memory bombs. They do not hide the machine: namespaces, Landlock and seccomp do.
"""

from __future__ import annotations

import os
import re
import resource
import sys
from pathlib import Path

# Assumed address space of an interpreter with the worker loaded, where there is no /proc.
INTERPRETER_BYTES = 64 << 20
MAX_OPEN_FILES = 64
# Processes and threads, where they are counted by themselves (see `counts_tasks`).
MAX_TASKS = 256
# The reporter reserves this address space before a program runs and releases it afterwards, so that it can describe
# the result of a program that used up all its memory.
REPORT_HEADROOM = 64 << 20


def address_space_in_use() -> int:
    """Bytes of address space of this process; `INTERPRETER_BYTES` where there is no /proc (level A)."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return INTERPRETER_BYTES


def can_limit_tasks() -> bool:
    """Whether the kernel counts the tasks of a user namespace separately (5.14 or later).

    Elsewhere RLIMIT_NPROC counts all processes of the user, so a limit would affect unrelated processes.
    """
    version = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    return sys.platform == "linux" and version >= (5, 14)


def apply_limits(megabytes: int, cpu_seconds: int, stdout_bytes: int, base: int, tasks: int = 0) -> None:
    """Limit this process and its future children.

    Args:
        megabytes: Address space beyond `base`.
        cpu_seconds: Processor time.
        stdout_bytes: Size of any file that is written.
        base: Bytes of address space of the interpreter itself.
        tasks: Processes and threads of the user namespace; 0: no limit. The kernel exempts root outside the namespace.
    """
    memory = base + REPORT_HEADROOM + (megabytes << 20)
    if sys.platform != "darwin":  # macOS refuses to lower RLIMIT_AS
        _lower(resource.RLIMIT_AS, memory, memory)
    _lower(resource.RLIMIT_CPU, cpu_seconds, cpu_seconds + 1)
    _lower(resource.RLIMIT_FSIZE, stdout_bytes, stdout_bytes)
    _lower(resource.RLIMIT_NOFILE, MAX_OPEN_FILES, MAX_OPEN_FILES)
    _lower(resource.RLIMIT_CORE, 0, 0)
    if tasks:
        _lower(resource.RLIMIT_NPROC, tasks, tasks)


def _lower(kind: int, soft: int, hard: int) -> None:
    """Set a limit, unless a lower one is already in force (`ulimit`)."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))
