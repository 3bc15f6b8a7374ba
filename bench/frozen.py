"""Records hashes of the rewrites of many programs under every recipe and option set, and reports which changed since.

    python bench/frozen.py frozen.jsonl               writes the hashes of this version
    python bench/frozen.py frozen.jsonl --check       compares: which programs differ, under which settings
    python bench/frozen.py frozen.jsonl --every 20    only every twentieth program (the same ones with --check)
    python bench/frozen.py frozen.jsonl --check --setting expressions --setting decompose --setting strings

For refactoring: source, positions, changes and rejected candidates of HumanEval's solutions, CruxEval's programs and
the standard library of the running interpreter must stay byte-identical. Exits with status 1 if any differs. If both
`decompose` and `strings` are compared, programs that differ only under `decompose` are counted: there, no intervention
on strings is the cause. Whether a rewrite is correct is checked elsewhere (`rewrite.equivalence.check`,
`tests/stdlib`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from left_alone import cruxeval, humaneval, standard_library
from rich.progress import track

from corpora.errors import InputError
from rewrite import rewrite_source
from runner.terminal.console import error_console

# Every recipe with its defaults, and every option at least once. Recipes for strings alone change few programs.
SETTINGS: dict[str, dict[str, Any]] = {
    "decompose": {},
    "expressions": {},
    "strings": {},
    "methods": {},
    "decompose conditions": {"conditions": True},
    "decompose depth 2": {"depth": 2},
    "decompose threshold 2 readable": {"threshold": 2, "names": "readable"},
    "decompose release": {"release": True},
    "decompose calls only": {"kinds": ["call"]},
    "methods conditions release": {"conditions": True, "release": True},
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE", help="file of hashes, read with --check and written without")
    parser.add_argument("--check", action="store_true", help="compare with FILE instead of writing it")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="use only every Nth program (default: 1)")
    parser.add_argument(
        "--setting", action="append", choices=SETTINGS, metavar="S", help="only this one; may be repeated"
    )
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    arguments = parser.parse_args()
    programs = dict(list(_programs(arguments.data))[:: arguments.every])
    settings = tuple(arguments.setting or SETTINGS)
    with ProcessPoolExecutor() as pool:
        made = pool.map(partial(frozen, settings=settings), programs.values(), chunksize=4)
        found = dict(zip(programs, track(made, "programs", len(programs), console=error_console()), strict=True))
    if not arguments.check:
        lines = (json.dumps({"program": name, **hashes}) + "\n" for name, hashes in found.items())
        arguments.file.write_text("".join(lines), encoding="utf-8")
        print(f"{len(found)} programs, {len(settings)} settings: {_whole(found)}")
        return 0
    rows = map(json.loads, arguments.file.read_text(encoding="utf-8").splitlines())
    known = {row.pop("program"): row for row in rows}
    return _compare({name: known[name] for name in found if name in known}, found, settings)


def _programs(data: Path) -> Iterator[tuple[str, str]]:
    for title, sources in (("humaneval", humaneval()), ("cruxeval", cruxeval(data)), ("stdlib", standard_library())):
        for number, source in enumerate(sources):
            yield f"{title}-{number}", source


def frozen(source: str, settings: Sequence[str] = tuple(SETTINGS)) -> dict[str, str]:
    """By setting, the first sixteen digits of a SHA-256 over the complete result of the rewrite."""
    return {setting: _hash(source, setting) for setting in settings}


def _hash(source: str, setting: str) -> str:
    try:
        result = rewrite_source(source, setting.partition(" ")[0], **SETTINGS[setting])
        said = repr((result.source, result.positions, result.changes, result.left))
    except InputError as error:
        said = str(error)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _compare(known: dict[str, dict[str, str]], found: dict[str, dict[str, str]], settings: Sequence[str]) -> int:
    differing = [
        (name, setting)
        for name, hashes in known.items()
        for setting in settings
        if found[name][setting] != hashes.get(setting)
    ]
    for name, setting in differing:
        print(f"{name}: {setting}: differs")
    for setting in settings:
        print(f"{setting}: {sum(one == setting for _, one in differing)} of {len(known)} programs differ")
    if {"decompose", "strings"} <= {*settings}:
        alone = [name for name, one in differing if one == "decompose" and (name, "strings") not in differing]
        print(f"decompose differs where strings does not: {len(alone)}")
    print(f"{len(known)} programs, {len(settings)} settings: {len(differing)} differ; {_whole(found)}")
    return int(bool(differing) or not known)


def _whole(found: dict[str, dict[str, str]]) -> str:
    """One hash of all hashes."""
    return hashlib.sha256(json.dumps(found, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
