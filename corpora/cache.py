"""The user's cache folder: results that are the same in the next process, under names that say what they depend on."""

from __future__ import annotations

import os
from pathlib import Path

from corpora.atomic_files import replacing_path


def cache_folder() -> Path:
    """Returns the user's cache folder for Spellout, which may not exist yet."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "spellout"


def write_cached(path: Path, content: bytes) -> None:
    """Writes a file of the cache, or does nothing if that is impossible: the next process makes it again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing_path(path) as unfinished:
            unfinished.write_bytes(content)
    except OSError:
        return
