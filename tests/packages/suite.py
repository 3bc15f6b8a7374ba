"""Rewrites packages of others whole and runs their own tests before and after.

    python -m tests.packages.suite [--recipe RECIPE ...] [--folder build/packages] [NAME ...]

Each of `tests.packages.chosen` is fetched as a source distribution of one version and hash and unpacked; in a second
copy every module but the tests is rewritten. The tests are the package's own, run by pytest as they are; every
single one that passes before must pass after, but for those listed with a reason. One that does not is run once more:
if it passes then, it is named as unstable. A plugin notes where the modules came from that the tests imported.

Needs the package index (through pip) the first time. Packages are neither installed nor copied into the repository.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path

from corpora.errors import InputError
from tests.differences import compare, lines, reason_for
from tests.packages import noted
from tests.packages.chosen import PACKAGES, Package
from tests.stdlib.home import TESTS, rewrite_files

SECONDS = 1200


def fetched(package: Package, folder: Path) -> Path:
    """The source distribution, downloaded unless it is there; InputError if it is not the one that was pinned."""
    archive = folder / f"{package.folder}.tar.gz"
    if not archive.is_file():
        pinned = f"{package.name}=={package.version}"
        options = ["--no-deps", "--no-binary", package.name, "--dest", str(folder), pinned]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *options]
        subprocess.run(command, check=True)
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise InputError(f"sha256 {found}, and not {package.sha256}", where=str(archive))
    return archive


def unpacked(archive: Path, package: Package, folder: Path) -> Path:
    """A fresh copy of the package in `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    return folder / package.folder


def modules(root: Path, package: Package) -> list[Path]:
    """The modules of a package but its tests."""
    source = root / package.source
    tops = [path for path in source.iterdir() if (path / "__init__.py").is_file() and path.name not in TESTS]
    paths = (path for top in sorted(tops) for path in sorted(top.rglob("*.py")))
    return [path for path in paths if not TESTS & set(path.parts) and path.name != "conftest.py"]


def run(package: Package, root: Path, only: Sequence[str] = ()) -> tuple[frozenset[str], frozenset[str]]:
    """Run the package's tests; gives the ids of those that pass, and the files that modules came from."""
    report, notes, plugins = root.parent / "results.xml", root.parent / "modules.txt", root.parent / "plugins"
    plugins.mkdir(exist_ok=True)
    shutil.copy(noted.__file__, plugins / "noted.py")
    for path in (report, notes):
        path.unlink(missing_ok=True)
    search = os.pathsep.join((str(root / package.source), str(plugins)))
    options = [
        "-q",
        "-p",
        "noted",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"--rootdir={root}",
        f"--junit-xml={report}",
        *package.options,
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *(only or package.tests)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": search, "SPELLOUT_NOTED": str(notes), "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    (root.parent / "said.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    if not report.is_file() or not notes.is_file():
        raise InputError(f"its tests do not run: {(done.stdout + done.stderr)[-1500:]}", where=package.folder)
    origins = (line.partition("\t")[2] for line in notes.read_text(encoding="utf-8").splitlines())
    return frozenset(_passed(report)), frozenset(origins)


def _passed(report: Path) -> Iterator[str]:
    failed, passed = set[str](), set[str]()
    for case in ET.parse(report).iter("testcase"):
        name = f"{case.get('classname')}::{case.get('name')}"
        (failed if {"failure", "error", "skipped"} & {part.tag for part in case} else passed).add(name)
    yield from passed - failed


def check(package: Package, recipes: Sequence[str], folder: Path) -> bool:
    """Run the tests of one package before, and after rewriting it by each of the recipes; whether all is as it was."""
    archive = fetched(package, folder)
    before = unpacked(archive, package, folder / package.name / "original")
    passed, _ = run(package, before)
    if not passed:
        raise InputError(f"none of its tests passes before; see {before.parent / 'said.txt'}", where=package.folder)
    say(f"{package.folder}: {len(passed):,} tests pass before")
    same = [check_recipe(package, recipe, passed, archive, folder / package.name / recipe) for recipe in recipes]
    return all(same)


def check_recipe(package: Package, recipe: str, passed: frozenset[str], archive: Path, folder: Path) -> bool:
    """Whether the rewritten package does the same; says what was found."""
    after = unpacked(archive, package, folder)
    files = modules(after, package)
    failures = [f"{file}: {reason}" for file, reason in zip(files, rewrite_files(files, recipe), strict=True) if reason]
    say(f"{recipe}: {len(files) - len(failures)} of {len(files)} modules rewritten")
    now, origins = run(package, after)
    lost = {test for test in passed - now if not reason_for(test, package.expected)}
    again = run(package, after)[0] if lost else frozenset[str]()
    differences = compare(passed, now, again, package.expected)
    for line in (*failures, *lines(differences, len(now))):
        say(line)
    rest = [file for file in files if str(file) not in origins]
    found = {file: origin(package, after, file) for file in rest}
    alone = [file for file in rest if found[file] == str(file)]
    say(f"imported from the rewritten files: {len(files) - len(rest)} by the tests, {len(alone)} by themselves")
    elsewhere = [f"{file}: {found[file]}" for file in rest if file not in alone]
    elsewhere += [name for name in origins if name.startswith(str(folder.parent / "original"))]
    for line in elsewhere:
        say(f"ELSEWHERE: {line}")
    return not differences.worse and not elsewhere


def origin(package: Package, root: Path, file: Path) -> str:
    """Where a module comes from in a process of its own, or the last line of the error."""
    name = ".".join(file.relative_to(root / package.source).with_suffix("").parts).removesuffix(".__init__")
    done = subprocess.run(
        [sys.executable, "-c", "import importlib, sys; print(importlib.import_module(sys.argv[1]).__file__)", name],
        cwd=root.parent,
        env=os.environ | {"PYTHONPATH": str((root / package.source).resolve())},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return (done.stdout.strip() or done.stderr.strip() or "no output").splitlines()[-1]


def main(argv: Sequence[str] | None = None) -> int:
    """0 if every test that passes before passes after (or is expected not to), on rewritten modules."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--recipe", action="append", help="decompose and methods, if none is given")
    parser.add_argument("--folder", type=Path, default=Path("build") / "packages")
    arguments = parser.parse_args(argv)
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [package for package in PACKAGES if not arguments.names or package.name in arguments.names]
    recipes = arguments.recipe or ["decompose", "methods"]
    same = [check(package, recipes, folder) for package in chosen]
    return int(not same or not all(same))


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
