"""The seccomp filter, interpreted here instruction by instruction as the kernel does."""

import errno
import os
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.sandbox.confinement import seccomp
from corpora.sandbox.confinement.syscalls import AARCH64, RESTRICTED, X86_64

pytestmark = pytest.mark.skipif(not seccomp.is_supported(), reason="the filter is for Linux on x86-64 and arm64")

PID = 4242
ALLOW, KILL = 0x7FFF0000, 0x80000000
DENY, MISSING = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS


def verdict(number: int, *arguments: int, arch: int | None = None) -> int:
    """What the filter says of one system call. Raises on a jump out of the program."""
    own_arch = seccomp._MACHINES[os.uname().machine][0]
    padded = (*arguments, *[0] * (6 - len(arguments)))
    data = struct.pack("iIQ6Q", number, own_arch if arch is None else arch, 0, *padded)
    code = seccomp.filter_program(PID)
    at, held = 0, 0
    while True:
        operation, jump_true, jump_false, constant = struct.unpack_from("HBBI", code, at * 8)
        at += 1
        if operation == 0x06:
            return int(constant)
        if operation == 0x20:
            held = struct.unpack_from("I", data, constant)[0]
        else:
            assert operation == 0x15
            at += jump_true if held == constant else jump_false


NUMBERS = seccomp._MACHINES[os.uname().machine][1] if seccomp.is_supported() else {}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param("clone", (17,), id="a clone that is a fork"),
        pytest.param("clone", (0x3D0F00 | 0x10000000,), id="a thread in a new user namespace"),
        pytest.param("clone", (0x3D0F00 | 1 << 40,), id="flags in the high half"),
        pytest.param("kill", (1, 9), id="a signal to another process"),
        pytest.param("kill", (0, 9), id="a signal to the process group"),
        pytest.param("kill", (0xFFFFFFFF, 9), id="a signal to everybody"),
        pytest.param("tgkill", (1, PID, 9), id="a signal to another's thread"),
        pytest.param("prlimit64", (0, 7, 1 << 33), id="a limit set, its address in the high half"),
        pytest.param("prlimit64", (1, 7, 0), id="another's limits asked for"),
        pytest.param("fcntl", (0, 8, 1), id="the owner of a descriptor set"),
        pytest.param("fcntl", (0, 1024, 1), id="a lease on a file"),
        pytest.param("ioctl", (0, 0x5412, 0), id="characters typed into a terminal"),
        pytest.param("prctl", (38, 1), id="another prctl"),
        pytest.param("socketpair", (2, 1), id="a pair of internet sockets"),
        pytest.param("sendto", (3, 0, 0, 0, 1 << 40), id="a message to an address"),
    ],
)
def test_a_call_in_another_form_is_denied(name: str, arguments: tuple[int, ...]) -> None:
    assert verdict(NUMBERS[name], *arguments) == DENY


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        pytest.param("clone", (0x3D0F00,), id="a thread"),
        pytest.param("kill", (PID, 9), id="a signal to itself"),
        pytest.param("tgkill", (PID, PID, 6), id="an abort"),
        pytest.param("prlimit64", (0, 7, 0, 1 << 40), id="its own limits asked for"),
        pytest.param("fcntl", (0, 1, 0), id="a descriptor's flags"),
        pytest.param("ioctl", (0, 0x5401, 0), id="whether it is a terminal"),
        pytest.param("socketpair", (1, 1), id="a pair of unix sockets"),
        pytest.param("sendto", (3, 0, 0, 0, 0), id="a message to the other end"),
        pytest.param("read", (0, 1 << 40, 5), id="a read"),
    ],
)
def test_a_call_in_its_harmless_form_is_allowed(name: str, arguments: tuple[int, ...]) -> None:
    assert verdict(NUMBERS[name], *arguments) == ALLOW


def test_another_architecture_is_killed() -> None:
    assert verdict(NUMBERS["read"], arch=0x40000003) == KILL


def test_clone3_is_said_to_be_missing_so_that_clone_is_used() -> None:
    assert verdict(NUMBERS["clone3"], 1 << 40, 88) == MISSING


@given(st.integers(0, 600) | st.integers(0x40000000, 0x40000300), st.lists(st.integers(0, 2**64 - 1), max_size=6))
def test_every_other_number_is_denied_whatever_its_arguments(number: int, arguments: list[int]) -> None:
    plain = {value for name, value in NUMBERS.items() if name not in RESTRICTED}
    if number not in NUMBERS.values():
        assert verdict(number, *arguments) == DENY
    elif number in plain:
        assert verdict(number, *arguments) == ALLOW


def test_the_tables_name_no_call_that_reaches_out() -> None:
    reaching = {
        "execve",
        "execveat",
        "fork",
        "vfork",
        "socket",
        "connect",
        "bind",
        "ptrace",
        "unshare",
        "setns",
        "mount",
    }
    reaching |= {"sendmsg", "memfd_create", "io_uring_setup", "bpf", "pidfd_open", "process_vm_readv", "setrlimit"}
    reaching |= {"chmod", "fchmod", "unlink", "unlinkat", "rename", "mkdir", "mkdirat", "keyctl", "prctl64"}
    for table in (X86_64, AARCH64):
        assert not reaching & table.keys()
        assert len(set(table.values())) == len(table)
        assert table.keys() >= RESTRICTED


HEADER = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")


@pytest.mark.skipif(not HEADER.exists(), reason="the kernel's headers for x86-64 are not installed here")
def test_the_numbers_are_those_of_the_kernels_headers() -> None:
    theirs = dict(re.findall(r"#define __NR_(\w+) (\d+)", HEADER.read_text()))
    assert {name: str(number) for name, number in X86_64.items()} == {name: theirs[name] for name in X86_64}
