"""Landlock: a program can read the folders it is given and nothing else; no TCP, no signals to other processes.

Interface: Documentation/userspace-api/landlock.rst and include/uapi/linux/landlock.h. An interpreter without site
packages cannot import the packages for Landlock on PyPI, and the interface is only three system calls. Landlock does
not hide that a path exists (`stat`); the namespaces of level A do.
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
# Number of LANDLOCK_ACCESS_FS_… rights that each version of the interface handles.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
HIGH_DESCRIPTOR = 300
_TCP, _SCOPES = 0b11, 0b11  # bind and connect; abstract unix sockets and signals


class _RulesetAttributes(ctypes.Structure):
    """`struct landlock_ruleset_attr` of the kernel."""

    _fields_ = (("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


def abi_version() -> int:
    """The version of the Landlock interface of the kernel; 0 where there is none."""
    if os.uname().sysname != "Linux":
        return 0
    return max(0, int(_libc().syscall(_CREATE_RULESET, None, 0, _VERSION)))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


class LandlockRuleset:
    """A prepared ruleset. The child only has to call `restrict`.

    Args:
        readable: Folders and files that the process may read.
        writable: Files that the process may read and write.
    """

    def __init__(self, readable: Sequence[Path], writable: Sequence[Path]) -> None:
        self._libc = _libc()
        found = abi_version()
        handled = (1 << _RIGHTS[min(found, max(_RIGHTS))]) - 1
        attributes = _RulesetAttributes(handled, _TCP if found >= 4 else 0, _SCOPES if found >= 6 else 0)
        size = 24 if found >= 6 else 16 if found >= 4 else 8
        fd = self._call(_CREATE_RULESET, ctypes.byref(attributes), size, 0)
        # A high number, because the child closes and rearranges the low descriptors before it restricts itself.
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
        """Confine this process, irrevocably.

        Raises:
            OSError: The kernel refuses.
        """
        if self._libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "no_new_privs")
        self._call(_RESTRICT_SELF, self._fd, 0)
        os.close(self._fd)

    def _call(self, number: int, *arguments: object) -> int:
        result = int(self._libc.syscall(number, *arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), f"Landlock system call {number}: {os.strerror(ctypes.get_errno())}")
        return result
