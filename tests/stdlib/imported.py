"""Which of the rewritten files were imported: looked at from inside the processes that ran the tests.

An installation under observation notes, when a process of its test suite ends, where each module of that process came
from. Files that no test imports are imported one by one. Does not look at what a test removes from `sys.modules`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.stdlib.home import Home

# Only what is built into the interpreter is used, so that nothing is imported that otherwise would not be.
NOTE = """\
import atexit, sys
def note():
    import posix, _io
    with _io.open(f'{folder}/{{posix.getpid()}}', 'a') as file:
        for module in list(sys.modules.values()):
            spec = getattr(module, '__spec__', None)
            if isinstance(getattr(spec, 'name', None), str):
                file.write(f'{{spec.name}}\\t{{spec.origin}}\\n')
if 'test.libregrtest.worker' in sys.orig_argv and sys._xoptions.get('frozen_modules') == 'off':
    atexit.register(note)
"""
IMPORT = "import importlib, sys; print(importlib.import_module(sys.argv[1]).__spec__.origin)"
FIND = "import importlib.util, sys; print(importlib.util.find_spec(sys.argv[1]).origin)"
# Importing them opens a browser or starts a program: they are only looked up.
PROGRAMS = {"antigravity", "idlelib.idle"}
# The interpreter runs these from its own copy before there is an import system; `-X frozen_modules=off` leaves them.
FROZEN = {"importlib._bootstrap", "importlib._bootstrap_external", "zipimport"}

# What CPython's tests of frozen modules import in their frozen form too, on purpose.
HELLO = {"__hello__", "__phello__"}


@dataclass(frozen=True)
class Imported:
    """Names of modules.

    by_tests, alone: from their rewritten files; elsewhere: from somewhere else, and where; neither: what cannot be
    imported on this machine, before or after, and why; frozen: those of `FROZEN`.
    """

    by_tests: tuple[str, ...]
    alone: tuple[str, ...]
    elsewhere: tuple[str, ...]
    neither: tuple[str, ...]
    frozen: tuple[str, ...]


def observe(home: Home) -> None:
    """Have the processes of the test suite note their modules, from now on."""
    notes = home.folder / "imported"
    notes.mkdir()
    text = NOTE.format(folder=notes)
    (home.library / "site-packages" / "sitecustomize.py").write_text(text, encoding="utf-8")


def look(before: Home, after: Home) -> Imported:
    """Account for every rewritten file of `after`."""
    seen = set(_noted(after))
    names = {name_of(path): str(after.library / path) for path in after.rewritten}
    frozen = tuple(sorted(FROZEN & set(names)))
    names = {name: file for name, file in names.items() if name not in FROZEN}
    by_tests = [name for name, file in names.items() if (name, file) in seen]
    rest = [name for name in names if name not in set(by_tests)]
    with ThreadPoolExecutor(2) as pool:
        origins = list(pool.map(lambda name: origin(after, name), rest))
    files = set(names.values())  # 3.13 makes `collections.abc` another name for `_collections_abc`
    alone = [name for name, found in zip(rest, origins, strict=True) if found in files]
    others = {name: found for name, found in zip(rest, origins, strict=True) if found not in files}
    neither = [name for name, found in others.items() if found == origin(before, name)]
    elsewhere = {name: found for name, found in others.items() if name not in neither}
    strange = {(name, found) for name, found in seen if name in names and found not in files}
    elsewhere |= {name: found for name, found in strange if name.split(".")[0] not in HELLO}
    return Imported(
        by_tests=tuple(by_tests),
        alone=tuple(alone),
        elsewhere=tuple(f"{name}: {found}" for name, found in sorted(elsewhere.items())),
        neither=tuple(f"{name}: {others[name]}" for name in neither),
        frozen=frozen,
    )


def _noted(home: Home) -> Iterator[tuple[str, str]]:
    for path in sorted((home.folder / "imported").iterdir()):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, _, found = line.partition("\t")
            yield name, found


def name_of(path: Path) -> str:
    """The name of the module in a file, relative to the library."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def origin(home: Home, name: str) -> str:
    """Where a module comes from in a process of its own, or the last line of the error."""
    script = FIND if name in PROGRAMS or name.endswith("__main__") else IMPORT
    done = ask(home, ["-c", script, name])
    said = (done.stdout.strip() or done.stderr.strip() or "no output").splitlines()[-1]
    return said if done.stdout else said.replace(str(home.folder), "…")


def ask(home: Home, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*home.python, *arguments],
        cwd=home.folder,
        stdin=subprocess.DEVNULL,
        env={},
        capture_output=True,
        text=True,
        timeout=60,
    )
