"""Drops the capabilities of root: a process that runs programs needs none of them.

Interface: capabilities(7), include/uapi/linux/capability.h and prctl.h. At level A `bwrap` has dropped them already,
and an ordinary user has none. The user id stays the same, so files of root remain accessible.
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


def drop_all() -> None:
    """Drop all capabilities of this process and its future children, irrevocably.

    Raises:
        OSError: The kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for number in range(_MOST):
        libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)  # fails without capabilities, and beyond the last number
    libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    if libc.capset(_header(), bytes(24)):
        raise OSError(ctypes.get_errno(), f"capset: {os.strerror(ctypes.get_errno())}")


def has_any() -> bool:
    """Whether this process holds a capability or can acquire one."""
    data = ctypes.create_string_buffer(24)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capget(_header(), data):
        raise OSError(ctypes.get_errno(), f"capget: {os.strerror(ctypes.get_errno())}")
    return any(data.raw)
