"""A seccomp filter: an allow-list of system calls as a BPF program, built once and installed in each child.

Interfaces: include/uapi/linux/seccomp.h and filter.h, Documentation/userspace-api/seccomp_filter.rst. No package on
PyPI both installs as a wheel and works in an interpreter without site packages, and libseccomp is not available
everywhere. The interface of the kernel is two calls and an array.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

from corpora.sandbox.confinement.syscalls import AARCH64, RESTRICTED, X86_64

_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06  # BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
_ALLOW, _KILL = 0x7FFF0000, 0x80000000  # SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS
_ERRNO = 0x00050000  # SECCOMP_RET_ERRNO
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_MACHINES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}  # AUDIT_ARCH_…, table

_THREAD_FLAGS = (0x3D0F00, 0x7D0F00)  # what glibc and musl pass to clone for a thread
_NAME = (15, 16)  # PR_SET_NAME, PR_GET_NAME
_TERMINAL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS TIOCGWINSZ FIONREAD FIONBIO FIONCLEX FIOCLEX
# F_DUPFD to F_SETLKW, F_DUPFD_CLOEXEC, F_GETPIPE_SZ; not F_SETOWN, which sends signals to others
_DESCRIPTOR = (0, 1, 2, 3, 4, 5, 6, 7, 1030, 1032)
_OWN_PID = -1

# (system call, argument, allowed values): the low 32 bits must be one of them and the high 32 bits zero.
_RULES: tuple[tuple[str, tuple[tuple[int, tuple[int, ...]], ...]], ...] = (
    ("clone", ((0, _THREAD_FLAGS),)),
    ("fcntl", ((1, _DESCRIPTOR),)),
    ("ioctl", ((1, _TERMINAL),)),
    ("kill", ((0, (_OWN_PID,)),)),
    ("tgkill", ((0, (_OWN_PID,)),)),
    ("prctl", ((0, _NAME),)),
    ("prlimit64", ((0, (0, _OWN_PID)), (2, (0,)))),  # read only
    ("sendto", ((4, (0,)),)),  # no address: only to the connected peer
    ("socketpair", ((0, (1,)),)),  # AF_UNIX, as asyncio's own wake-up needs
)

_Instruction = tuple[int, int, int, int]


def is_supported() -> bool:
    """Whether the system call numbers of this machine are known."""
    return sys.platform == "linux" and os.uname().machine in _MACHINES and struct.calcsize("P") == 8


def filter_program(pid: int) -> bytes:
    """The filter for the process `pid`, as an array of `struct sock_filter`."""
    arch, numbers = _MACHINES[os.uname().machine]
    code: list[_Instruction] = [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)]
    for name, number in numbers.items():
        if name not in RESTRICTED:
            code += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    # ENOSYS sends the C library to the older `clone`, whose flags a filter can read
    code += [(_EQUAL, 0, 1, numbers["clone3"]), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    for name, tests in _RULES:
        body = [instruction for argument, values in tests for instruction in _test(argument, values, pid)]
        code += [(_EQUAL, 0, len(body) + 1, numbers[name]), *body, (_RETURN, 0, 0, _ALLOW)]
    code.append((_RETURN, 0, 0, _ERRNO | errno.EPERM))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code)


def _test(argument: int, values: tuple[int, ...], pid: int) -> list[_Instruction]:
    """Continue if the argument is one of the values, else return EPERM."""
    low = _ARGUMENTS + 8 * argument
    deny = (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    code: list[_Instruction] = [(_LOAD, 0, 0, low + 4), (_EQUAL, 1, 0, 0), deny, (_LOAD, 0, 0, low)]
    for index, value in enumerate(values):
        code.append((_EQUAL, len(values) - index, 0, pid if value == _OWN_PID else value))
    return [*code, deny]


class _FilterProgram(ctypes.Structure):
    """`struct sock_fprog` of the kernel."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


class SeccompFilter:
    """A prepared filter. The child only has to call `install`."""

    def __init__(self) -> None:
        # The process number is not known before the fork: find its positions in the program.
        first, second = filter_program(0x01010101), filter_program(0x02020202)
        self._places = [at for at in range(0, len(first), 8) if first[at : at + 8] != second[at : at + 8]]
        self._code = bytearray(first)
        self._prctl = ctypes.CDLL(None, use_errno=True).prctl

    def install(self) -> None:
        """Confine this process, irrevocably.

        Raises:
            OSError: The kernel refuses.
        """
        for place in self._places:
            struct.pack_into("I", self._code, place + 4, os.getpid())
        code = bytes(self._code)
        described = _FilterProgram(len(code) // 8, code)
        if self._prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "no_new_privs")
        if self._prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(described), 0, 0):
            raise OSError(ctypes.get_errno(), "seccomp")
