"""Limits that the kernel keeps on one process: memory, processor time, file size, open files, core dumps.

They stop accidents and bombs. They do not hide the machine; namespaces, Landlock and seccomp do.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

# Left over for describing a result after a program has used up its own memory.
HEADROOM = 64 << 20
OPEN_FILES = 64


def address_space_in_use() -> int:
    """Bytes of address space of this process; 0 where /proc does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def apply(megabytes: int, cpu_seconds: int, stdout_bytes: int, base: int) -> None:
    """Limit this process and what it starts. `base` is what the interpreter itself takes, in bytes of address space."""
    memory = base + (megabytes << 20)
    if sys.platform != "darwin":  # macOS refuses to lower RLIMIT_AS
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory + HEADROOM))
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (stdout_bytes, stdout_bytes))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
