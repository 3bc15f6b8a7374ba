"""Give up what makes root more than a user: a process that runs programs needs none of it.

Interface: capabilities(7), include/uapi/linux/capability.h and prctl.h. At level A `bwrap` has done so before; a user
who is not root has none to give up. What it does not do: change the user. Root's own files stay root's.
"""

from __future__ import annotations

import ctypes
import os
import struct

_VERSION = 0x20080522  # _LINUX_CAPABILITY_VERSION_3
_PR_CAPBSET_DROP, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
_MOST = 64


def _header() -> ctypes.Array[ctypes.c_char]:
    return ctypes.create_string_buffer(struct.pack("=Ii", _VERSION, 0), 8)


def drop() -> None:
    """Drop all of them, in this process and what it starts, for good. Raises OSError where the kernel refuses."""
    libc = ctypes.CDLL(None, use_errno=True)
    for number in range(_MOST):
        libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)  # refused to who has none, and beyond the last one
    libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    if libc.capset(_header(), bytes(24)):
        raise OSError(ctypes.get_errno(), f"capset: {os.strerror(ctypes.get_errno())}")


def held() -> bool:
    """Whether this process has one that it could use, or take up."""
    data = ctypes.create_string_buffer(24)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capget(_header(), data):
        raise OSError(ctypes.get_errno(), f"capget: {os.strerror(ctypes.get_errno())}")
    return any(data.raw)
