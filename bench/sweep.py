"""Rewrites whatever Python there is in a folder, and looks for rewrites that do not compile or are not stable.

    python bench/sweep.py                       what is installed beside Spellout
    python bench/sweep.py FOLDER --seconds 60   files drawn from it, for so long

Nothing of it is run. For every file, and for the recipes `decompose` and `methods`: the rewrite compiles, and a second
one changes nothing. Files that do not compile themselves are left out. Exit status 1 if any rewrite fails.
"""

from __future__ import annotations

import argparse
import random
import sys
import sysconfig
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic

from rich.progress import track

from corpora.errors import InputError
from rewrite import rewrite_source
from runner.inputs.source_files import read_source
from runner.terminal.console import error_console

RECIPES = ("decompose", "methods")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(sysconfig.get_path("purelib")))
    parser.add_argument("--seconds", type=float, default=600.0, help="stop after so long (600)")
    parser.add_argument("--seed", type=int, default=0, help="of the order of the files (0)")
    arguments = parser.parse_args()
    files = sorted(arguments.folder.rglob("*.py"))
    random.Random(arguments.seed).shuffle(files)
    done = lines = failed = 0
    with ProcessPoolExecutor() as pool:
        results = pool.map(partial(judged, until=monotonic() + arguments.seconds), files, chunksize=4)
        for file, (count, wrong) in zip(
            files, track(results, "files", total=len(files), console=error_console()), strict=True
        ):
            done, lines, failed = done + bool(count), lines + count, failed + bool(wrong)
            if wrong:
                sys.stdout.write(f"{file}: {wrong}\n")
    sys.stdout.write(f"{done:,} of {len(files):,} files, {lines:,} lines: {failed} rewrites fail\n")
    return int(bool(failed))


def judged(file: Path, until: float) -> tuple[int, str]:
    """The lines of a file, and what is wrong with its rewrite; no lines for one that is left out."""
    if monotonic() > until or not (source := text(file)):
        return 0, ""
    return source.count("\n") + 1, "; ".join(wrongs(source))


def text(file: Path) -> str:
    """The source of a file that compiles, else nothing."""
    try:
        source = read_source(str(file)).text
        compiled(source)
    except (InputError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return source


def compiled(source: str) -> None:
    with warnings.catch_warnings(action="ignore"):  # of invalid escapes, `is` with a literal
        compile(source, "<swept>", "exec", dont_inherit=True)


def wrongs(source: str) -> Iterator[str]:
    for recipe in RECIPES:
        try:
            once = rewrite_source(source, recipe).source
            compiled(once)
            if rewrite_source(once, recipe).changed:
                yield f"{recipe}: a second rewrite changes it again"
        except Exception as error:  # noqa: BLE001 - whatever it is, it is wrong with the rewrite
            yield f"{recipe}: {type(error).__name__}: {error}"


if __name__ == "__main__":
    raise SystemExit(main())
