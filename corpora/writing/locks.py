"""Locks that keep two processes from writing the same folder or file.

The operating system releases them when the process ends, however it ends (`flock`).
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corpora.errors import InputError


def lock_exclusively(file: int | IO[str], where: str, otherwise: str) -> None:
    """Locks an open file or folder until it is closed.

    Args:
        file: The file, or its descriptor.
        where: For the message.
        otherwise: What the user can do instead of waiting.

    Raises:
        InputError: Another process has locked it, or it cannot be locked.
    """
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"is locked by another process: wait for it, or {otherwise}", where=where) from None
    except OSError as error:
        raise InputError(f"cannot be locked: {error.strerror}", where=where) from error


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
        raise InputError(f"cannot be used: {error.strerror}", where=str(folder)) from error
    with file:
        lock_exclusively(file, str(folder), otherwise)
        try:
            yield file
        finally:
            file.flush()
            fcntl.flock(file, fcntl.LOCK_UN)  # closing is not enough: a fork of this process has the file open, too


@contextmanager
def locked_target(path: Path) -> Iterator[None]:
    """Keeps other processes from writing a file, which need not exist, during the block. Raises InputError.

    The lock is a hidden file beside it, which the block removes.
    """
    lock = path.with_name(f".{path.name}.lock")
    descriptor = _opened(lock, path)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def _opened(lock: Path, path: Path) -> int:
    """The descriptor of the locked file. Another process may remove it between its opening and its lock."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            lock_exclusively(descriptor, str(path), "choose another file")
            if lock.exists() and os.path.samestat(lock.stat(), os.fstat(descriptor)):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
