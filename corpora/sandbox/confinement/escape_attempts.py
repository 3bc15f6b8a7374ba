"""The actions that a confined program must not manage, by the layer that must prevent each of them on its own.

They run in a child that applied only this layer (or none, for the layers around the worker). An attempt that returns
has succeeded; the self-check on the caller's side then refuses the isolation level.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from corpora.sandbox.confinement import capabilities

Bait = Mapping[str, Any]
Attempt = Callable[[Bait], object]


class PreventedError(Exception):
    """The attempt raised no exception but had no effect either."""


def _prevented_if(prevented: bool) -> None:
    if prevented:
        raise PreventedError


def _list_root(bait: Bait) -> None:
    _prevented_if(not {"etc", "home", "tmp", "var", "proc"} & set(os.listdir("/")))  # noqa: PTH208 - only the names are needed


def _write_library(_: Bait) -> None:
    with tempfile.TemporaryFile(dir=Path(os.__file__).parent):
        return


def _connect(family: int, address: Any) -> None:
    with socket.socket(family) as client:
        client.settimeout(1)
        client.connect(address)


def _shared_memory(bait: Bait) -> None:
    _prevented_if(ctypes.CDLL(None).shmget(bait["shm_key"], 0, 0) < 0)


def _see_secret(bait: Bait) -> None:
    _prevented_if(bait["secret"] not in os.environ.values())


def _open_many(_: Bait) -> None:
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(256)]
    for file in files:
        os.close(file)


def _fill_output(_: Bait) -> None:
    for _time in range(3):
        os.write(1, b"x" * (1 << 20))


def _unlimited_time(_: Bait) -> None:
    _prevented_if(resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY)


def _fork(_: Bait) -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _trace_parent(_: Bait) -> None:
    attach, detach = 16, 17  # PTRACE_ATTACH, PTRACE_DETACH
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(attach, os.getppid(), None, None) == 0:
        os.waitpid(os.getppid(), 0)
        libc.ptrace(detach, os.getppid(), None, None)
        return
    raise OSError(ctypes.get_errno(), "ptrace")


def _raise_limit(_: Bait) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, resource.getrlimit(resource.RLIMIT_NOFILE))


def _make_folder(path: str) -> None:
    Path(path).mkdir()
    Path(path).rmdir()


ATTEMPTS: dict[str, dict[str, Attempt]] = {
    "mount": {
        "read a file of the caller": lambda bait: Path(bait["file"]).read_bytes(),
        "read /etc/passwd": lambda bait: Path("/etc/passwd").read_bytes(),
        "see the folders of the machine": _list_root,
        "write into the standard library": _write_library,
        "make a folder": lambda bait: _make_folder("/made-by-a-program"),
    },
    "pid": {"signal the caller": lambda bait: os.kill(bait["pid"], 0)},
    "net": {
        "connect to a port of this machine": lambda bait: _connect(socket.AF_INET, ("127.0.0.1", bait["port"])),
        "connect to an abstract socket": lambda bait: _connect(socket.AF_UNIX, bait["abstract"]),
    },
    "ipc": {"open the caller's shared memory": _shared_memory},
    "uts": {"see the name of the host": lambda bait: _prevented_if(socket.gethostname() != bait["hostname"])},
    "environment": {"see a secret in the environment": _see_secret},
    "capabilities": {"hold a capability of root": lambda bait: _prevented_if(not capabilities.has_any())},
    "rlimits": {
        "take more memory than allowed": lambda bait: mmap.mmap(-1, (bait["megabytes"] + 512) << 20).close(),
        "open hundreds of files": _open_many,
        "write megabytes of output": _fill_output,
        "run without a limit on processor time": _unlimited_time,
        "dump core": lambda bait: _prevented_if(resource.getrlimit(resource.RLIMIT_CORE)[1] == 0),
    },
    "landlock": {
        "read a file of the caller": lambda bait: Path(bait["file"]).read_bytes(),
        "read a file outside the allowed folders": lambda bait: Path(bait["beside"]).read_bytes(),
        "list the root": lambda bait: os.listdir("/"),  # noqa: PTH208
        "make a folder": lambda bait: _make_folder(bait["file"] + ".made"),
    },
    "seccomp": {
        "fork": _fork,
        "run a command": lambda bait: subprocess.run([sys.executable, "-c", ""], check=False),
        "signal the parent": lambda bait: os.kill(os.getppid(), 0),
        "trace the parent": _trace_parent,
        "open an internet socket": lambda bait: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
        "open a unix socket": lambda bait: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).close(),
        "make a namespace": lambda bait: _prevented_if(ctypes.CDLL(None).unshare(0x10000000) != 0),  # CLONE_NEWUSER
        "set a limit": _raise_limit,
        "change a file's mode": lambda bait: Path(bait["file"]).chmod(0o644),
    },
}


def succeeded(layer: str, bait: Bait) -> list[str]:
    """The names of the attempts of a layer that succeeded; empty if the layer holds.

    Args:
        layer: A key of `ATTEMPTS`.
        bait: What `corpora.sandbox.workers.selfcheck.lay_bait` offers: paths, a port, a secret.
    """
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    return [name for name, act in ATTEMPTS[layer].items() if _succeeds(act, bait)]


def _succeeds(act: Attempt, bait: Bait) -> bool:
    try:
        act(bait)
    except (OSError, MemoryError, PreventedError, ValueError):
        return False
    return True
