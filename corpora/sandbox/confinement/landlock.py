"""Landlock: a program reads the folders it is given and nothing else of the file system; no TCP, no foreign signals.

Interface: Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h. The packages for it on PyPI
cannot be imported by an interpreter without site packages; the interface is three system calls. Landlock does not
hide that a path exists (`stat`), which namespaces do at level A.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
from collections.abc import Sequence
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same numbers on every architecture
_VERSION = 1  # LANDLOCK_CREATE_RULESET_VERSION
_PATH_BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH
_PR_SET_NO_NEW_PRIVS = 38
_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
# How many LANDLOCK_ACCESS_FS_… rights each version of the interface handles.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
HIGH_DESCRIPTOR = 300
_TCP, _SCOPES = 0b11, 0b11  # bind and connect; abstract unix sockets and signals


class _Attributes(ctypes.Structure):
    """The kernel's `struct landlock_ruleset_attr`."""

    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


def version() -> int:
    """The kernel's version of the interface, 0 where there is none (or not on Linux)."""
    if os.uname().sysname != "Linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, 0, _VERSION)))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


class Ruleset:
    """Rules prepared once; `restrict` is what is left to do in the child."""

    def __init__(self, readable: Sequence[Path], writable: Sequence[Path]) -> None:
        self._libc = _libc()
        found = version()
        handled = (1 << _RIGHTS[min(found, max(_RIGHTS))]) - 1
        attributes = _Attributes(handled, _TCP if found >= 4 else 0, _SCOPES if found >= 6 else 0)
        size = 24 if found >= 6 else 16 if found >= 4 else 8
        fd = self._call(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
        # out of the way of the low descriptors, which a child closes and rearranges before it restricts itself
        self._fd = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
        os.close(fd)
        for path in readable:
            self._allow(path, _READ_FILE | (_READ_DIR if path.is_dir() else 0))
        for path in writable:
            self._allow(path, _READ_FILE | _WRITE_FILE)

    def _allow(self, path: Path, rights: int) -> None:
        if not path.exists():
            return
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, fd))  # struct landlock_path_beneath_attr
            self._call(_ADD_RULE, self._fd, _PATH_BENEATH, rule, 0)
        finally:
            os.close(fd)

    def restrict(self) -> None:
        """Confine this process, for good. Raises OSError where the kernel refuses."""
        if self._libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "no_new_privs")
        self._call(_RESTRICT_SELF, self._fd, 0)
        os.close(self._fd)

    def _call(self, number: int, *arguments: object) -> int:
        result = int(self._libc.syscall(number, *arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), f"Landlock system call {number}: {os.strerror(ctypes.get_errno())}")
        return result
