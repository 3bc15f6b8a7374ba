"""The user's cache folder: results that are the same in the next process, under names that say what they depend on."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """Returns the user's cache folder for Spellout, which may not exist yet."""
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "spellout"


def write_cached(path: Path, content: bytes) -> None:
    """Writes a file of the cache, or does nothing if that is impossible: the next process computes the content again.

    The file is written under a temporary name and renamed, so that no reader sees an incomplete one.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            part.write(content)
        Path(part.name).replace(path)
    except OSError:
        return
