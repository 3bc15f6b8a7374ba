"""Remembers which isolation level the self-check confirmed, so that it runs once per machine and version.

The user's cache folder keeps one file for each level: a digest of what the layers depend on. Another kernel, boot,
container, user, interpreter or `bwrap`, other limits of this process, or a changed file of `corpora/sandbox` gives
another digest, and the self-check runs again. Only levels at which no program can write the file are remembered.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from corpora.cache import cache_folder, write_cached
from corpora.sandbox.confinement import bubblewrap
from corpora.sandbox.confinement.layers import Confinement
from corpora.sandbox.workers.launch import base_interpreter

REMEMBERED = ("A", "B")
_SANDBOX = Path(__file__).resolve().parents[1]
_NAMESPACES = Path("/proc/self/ns")
# What the kernel allows this machine, and this process.
_SETTINGS = (
    "/proc/sys/kernel/random/boot_id",
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
    "/sys/kernel/security/lsm",
    "/proc/self/attr/current",
)
_OWN_LIMITS = ("Cap", "NoNewPrivs", "Seccomp")


def is_confirmed(confinement: Confinement) -> bool:
    """Whether the self-check has confirmed a level under the same conditions."""
    try:
        return confinement.level in REMEMBERED and _file(confinement).read_text("ascii") == _digest(confinement)
    except (OSError, ValueError, RuntimeError):  # RuntimeError: the user has no home folder
        return False


def remember(confinement: Confinement) -> None:
    """Notes that the self-check has confirmed a level."""
    if confinement.level in REMEMBERED:
        with contextlib.suppress(OSError, RuntimeError):
            write_cached(_file(confinement), _digest(confinement).encode("ascii"))


def forget(confinement: Confinement) -> None:
    """Has the next process run the self-check again: a worker of the level does not start."""
    with contextlib.suppress(OSError, RuntimeError):
        _file(confinement).unlink(missing_ok=True)


def _file(confinement: Confinement) -> Path:
    return cache_folder() / f"isolation-{confinement.level}"


def _digest(confinement: Confinement) -> str:
    return hashlib.sha256("\n".join(_conditions(confinement)).encode("utf-8", "surrogateescape")).hexdigest()


def _conditions(confinement: Confinement) -> Iterator[str]:
    """Everything that decides whether the layers hold.

    Raises:
        OSError: The system does not tell, so that nothing can be remembered.
    """
    yield repr((confinement, *os.uname(), sys.version, os.getresuid(), os.getresgid(), sorted(os.getgroups())))
    for file in (base_interpreter(), Path(bubblewrap.find_bwrap() or os.devnull), *sorted(_SANDBOX.rglob("*.py"))):
        about = file.stat()
        yield repr((str(file), about.st_ino, about.st_size, about.st_mtime_ns, about.st_mode))
    for namespace in sorted(_NAMESPACES.iterdir()):
        yield str(namespace.readlink())
    for setting in _SETTINGS:
        with contextlib.suppress(OSError):  # this kernel does not have it
            yield f"{setting} {Path(setting).read_text('ascii', 'replace')}"
    status = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
    yield from (line for line in status if line.startswith(_OWN_LIMITS))
