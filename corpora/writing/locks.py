"""Locks that keep two processes from writing the same folder or file.

The operating system releases them when the process ends, however it ends (`flock`). A child by `fork` does not hold the
locks of its parent: it could live longer.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corpora.atomic_files import is_at_path
from corpora.errors import InputError

_LOCKED: set[int] = set()
"""Descriptors of the files that this process has locked."""


def _release_in_child() -> None:
    """Replaces the locked files of the parent: descriptors that were closed could be given to other files."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in _LOCKED:
        os.dup2(nothing, descriptor, inheritable=False)
    os.close(nothing)
    _LOCKED.clear()


os.register_at_fork(after_in_child=_release_in_child)


@contextmanager
def locked(file: int | IO[str], where: str, otherwise: str) -> Iterator[None]:
    """Locks an open file or folder during the block.

    Args:
        file: The file, or its descriptor.
        where: For the message.
        otherwise: What the user can do instead of waiting.

    Raises:
        InputError: Another process has locked it, or it cannot be locked.
    """
    descriptor = file if isinstance(file, int) else file.fileno()
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"is locked by another process: wait for it, or {otherwise}", where=where) from None
    except OSError as error:
        raise InputError(f"cannot be locked: {error.strerror}", where=where) from error
    _LOCKED.add(descriptor)
    try:
        yield
    finally:
        _LOCKED.discard(descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # closing is not enough: a program that was started may have it open


@contextmanager
def locked_folder(folder: Path, name: str, otherwise: str = "choose another folder") -> Iterator[IO[str]]:
    """Keeps other processes out of a folder during the block: a file in it is opened and locked.

    The folder itself is not locked, because network file systems (NFS) cannot lock one.

    Args:
        folder: The folder, created if needed.
        name: The file: its path in the folder. It is created if needed, and can be read and appended to.
        otherwise: What the user can do instead of waiting.

    Raises:
        InputError: Another process has locked it, or it cannot be created.
    """
    path = folder / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        why = _no_folder(folder) or error.strerror
        raise InputError(f"cannot be used: {why}", where=str(folder)) from error
    with file, locked(file, str(folder), otherwise):
        try:
            yield file
        finally:
            file.flush()


def _no_folder(path: Path) -> str:
    """Why a path is no folder, where something else has its name; "" otherwise."""
    if not path.exists():
        return "it is a broken link" if path.is_symlink() else ""
    return "" if path.is_dir() else "it is not a folder"


@contextmanager
def locked_target(path: Path) -> Iterator[None]:
    """Keeps other processes from writing a file, which need not exist, during the block. Raises InputError.

    The lock is a hidden file beside it, which the block removes.
    """
    lock = path.with_name(f".{path.name}.lock")
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            with locked(descriptor, str(path), "choose another file"):
                if not is_at_path(descriptor, lock):
                    continue
                try:
                    yield
                finally:
                    lock.unlink(missing_ok=True)
                return
        finally:
            os.close(descriptor)
