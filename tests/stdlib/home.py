"""A Python installation of its own whose standard library is rewritten: an interpreter, its library, nothing else.

A copy of the interpreter's binary finds its library beside itself, so that start-up, subprocesses, isolated mode and
`site` all use the rewritten files; no path has to be set, and there is no other library to fall back to. The copy that
is not rewritten differs from it in the source of the modules alone, and is what results are compared with.

Test folders are copied, never rewritten. Bytecode and installed packages stay behind.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tokenize
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from corpora.errors import InputError
from rewrite import rewrite_source

VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
TESTS = {"test", "tests", "idle_test"}
# Modules frozen into the binary are imported from their files, as all others are.
OPTIONS = ("-X", "frozen_modules=off")


@dataclass(frozen=True)
class Home:
    """One installation. `rewritten`: its rewritten files, relative to `library`; `left`: those that could not be."""

    folder: Path
    rewritten: tuple[Path, ...] = ()
    left: tuple[tuple[Path, str], ...] = ()

    @property
    def library(self) -> Path:
        return self.folder / "lib" / VERSION

    @property
    def python(self) -> tuple[str, ...]:
        return (str(self.folder / "bin" / VERSION), *OPTIONS)


def original(folder: Path) -> Home:
    """A copy of the running interpreter and its library in `folder`, which is made afresh."""
    home = Home(folder.resolve())
    shutil.rmtree(home.folder, ignore_errors=True)
    (home.folder / "bin").mkdir(parents=True)
    base = Path(sysconfig.get_config_var("BINDIR")).parent
    shutil.copy(Path(sys.executable).resolve(), home.python[0])
    behind = shutil.ignore_patterns("__pycache__", "site-packages", "*.a")
    shutil.copytree(sysconfig.get_path("stdlib"), home.library, symlinks=True, ignore=behind)
    (home.library / "site-packages").mkdir()
    if (base / "include").is_dir():
        (home.folder / "include").symlink_to(base / "include")
    found = subprocess.run([*home.python, "-c", "import os; print(os.__file__)"], capture_output=True, text=True)
    if found.stdout.strip() != str(home.library / "os.py"):
        raise InputError(f"a copy of this interpreter does not find its own library: {found.stdout or found.stderr}")
    return home


def rewritten(folder: Path, recipe: str, only: Sequence[str] = ()) -> Home:
    """A copy with all modules rewritten, or those with the top-level names `only`."""
    home = original(folder)
    chosen = [path for path in modules(home.library) if not only or path.parts[0].removesuffix(".py") in only]
    failures = rewrite_files([home.library / path for path in chosen], recipe)
    left = tuple((path, reason) for path, reason in zip(chosen, failures, strict=True) if reason)
    done = tuple(path for path, reason in zip(chosen, failures, strict=True) if not reason)
    return Home(home.folder, done, left)


def modules(library: Path) -> Iterator[Path]:
    """The modules of a library but its tests, relative to its folder."""
    for path in sorted(library.rglob("*.py")):
        relative = path.relative_to(library)
        if not TESTS & set(relative.parts) and not relative.parts[0].startswith(("site-packages", "config-")):
            yield relative


def rewrite_files(files: Sequence[Path], recipe: str) -> list[str]:
    """Rewrite files in their places, on all cores if they are many; gives the reasons of `rewrite_file`."""
    if len(files) < 20:
        return [rewrite_file(file, recipe) for file in files]
    with ProcessPoolExecutor() as pool:
        return list(pool.map(rewrite_file, files, repeat(recipe), chunksize=4))


def rewrite_file(path: Path, recipe: str) -> str:
    """Rewrite a file in its place and encoding; gives the reason where it is left as it was."""
    with tokenize.open(path) as file:
        source, encoding = file.read(), file.encoding
    try:
        new = rewrite_source(source, recipe, filename=str(path)).source
    except InputError as error:
        return str(error)
    path.write_text(new, encoding=encoding)
    return ""
