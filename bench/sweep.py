"""Rewrites all Python files of a folder and looks for rewrites that do not compile or are not idempotent.

    python bench/sweep.py                       the installed packages
    python bench/sweep.py FOLDER --seconds 60   random files of the folder, for this time

No file is run. For every file and the recipes `decompose` and `methods`: the rewrite compiles, and a second rewrite
changes nothing. Files that do not compile themselves are skipped. Exits with status 1 if any rewrite fails.
"""

from __future__ import annotations

import random
import sysconfig
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import monotonic

from harness import command, measured

from corpora.errors import InputError
from rewrite import rewrite_source
from runner.inputs.source_files import read_source

RECIPES = ("decompose", "methods")


def main() -> int:
    parser = command(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(sysconfig.get_path("purelib")))
    parser.add_argument("--seconds", type=float, default=600.0, help="stop after this time (default: 600)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the order of files (default: 0)")
    arguments = parser.parse_args()
    files = sorted(arguments.folder.rglob("*.py"))
    random.Random(arguments.seed).shuffle(files)
    done = lines = failed = 0
    results = measured(partial(judged, until=monotonic() + arguments.seconds), files, "files")
    for file, (count, wrong) in zip(files, results, strict=True):
        done, lines, failed = done + bool(count), lines + count, failed + bool(wrong)
        if wrong:
            print(f"{file}: {wrong}")
    print(f"{done:,} of {len(files):,} files, {lines:,} lines: {failed} rewrites fail")
    return int(bool(failed))


def judged(file: Path, until: float) -> tuple[int, str]:
    """The lines of a file, and what is wrong with its rewrite; no lines for a file that is skipped."""
    if monotonic() > until or not (source := text(file)):
        return 0, ""
    return source.count("\n") + 1, "; ".join(wrongs(source))


def text(file: Path) -> str:
    """The source of a file that compiles, else ""."""
    try:
        source = read_source(str(file)).text
        compiled(source)
    except (InputError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return source


def compiled(source: str) -> None:
    with warnings.catch_warnings(action="ignore"):  # about invalid escapes, or `is` with a literal
        compile(source, "<swept>", "exec", dont_inherit=True)


def wrongs(source: str) -> Iterator[str]:
    for recipe in RECIPES:
        try:
            once = rewrite_source(source, recipe).source
            compiled(once)
            if rewrite_source(once, recipe).changed:
                yield f"{recipe}: a second rewrite changes it again"
        except Exception as error:  # noqa: BLE001 - any exception is a failure of the rewrite
            yield f"{recipe}: {type(error).__name__}: {error}"


if __name__ == "__main__":
    raise SystemExit(main())
