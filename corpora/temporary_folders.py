"""Temporary folders of a command, which the next one removes if SIGKILL kept the command from doing so."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from corpora.atomic_files import is_at_path

_NAME = re.compile(r"spellout-\w+-\w{8}\.tmp")


@contextmanager
def temporary_folder(name: str) -> Iterator[Path]:
    """A new folder that exists during the block. Folders that killed processes left are removed first.

    A folder is locked while it is in use: the operating system releases the lock when the process ends.

    Args:
        name: What it is for, one word.
    """
    _remove_abandoned()
    while True:
        with (
            tempfile.TemporaryDirectory(prefix=f"spellout-{name}-", suffix=".tmp") as path,
            _locked(Path(path), without_locks=True) as is_ours,
        ):
            if is_ours:
                yield Path(path)
                return


def _remove_abandoned() -> None:
    """Removes the folders of this user that no process has locked."""
    with os.scandir(tempfile.gettempdir()) as entries:
        names = [entry for entry in entries if _NAME.fullmatch(entry.name)]
    for entry in names:
        with contextlib.suppress(OSError):
            if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == os.getuid():
                with _locked(Path(entry.path), without_locks=False) as is_ours:
                    if is_ours:
                        shutil.rmtree(entry.path, ignore_errors=True)


@contextmanager
def _locked(folder: Path, *, without_locks: bool) -> Iterator[bool]:
    """Locks a folder during the block, and says whether it could: no other process has locked or removed it.

    Args:
        folder: The folder.
        without_locks: What to say on a file system whose folders cannot be locked (NFS).
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        yield False
        return
    try:
        yield _lock(descriptor, without_locks) and is_at_path(descriptor, folder)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, without_locks: bool) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return without_locks
    return True
