"""Rewrites the standard library of the running interpreter and runs CPython's own test suite against it.

    python -m tests.stdlib.suite [--recipe decompose] [--folder build/stdlib-3.11] [TEST ...]

All modules but the tests are rewritten, in a copy of the installation (`tests.stdlib.home`); the whole of regrtest runs
in an unchanged copy and in the rewritten one, two processes at a time, with the resources `RESOURCES`. Every single
test that passes before must pass after, but for those in `tests.stdlib.expected`. One that does not is run once more,
by itself: if it passes then, it is named as unstable. Last, every rewritten file is accounted for: imported by the
tests, or by itself, or not importable on this machine before either. What passed before is kept beside the copies, for
the next time.

Does not fetch anything: an interpreter without the `test` package is named and skipped.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import monotonic

from tests.differences import Differences, compare, lines, reason_for
from tests.stdlib.expected import EXPECTED, NOT_RUN
from tests.stdlib.home import Home, original, rewritten
from tests.stdlib.imported import Imported, look, observe
from tests.stdlib.regrtest import Results, run

RESOURCES = "cpu,decimal,subprocess"


def before_of(home: Home, tests: Sequence[str], kept: Path) -> Results:
    """The results of the unchanged library: those kept, if they are of this very interpreter and these tests."""
    key = [sys.version, RESOURCES, list(tests), NOT_RUN]
    if kept.is_file():
        stored = json.loads(kept.read_text(encoding="utf-8"))
        if stored["key"] == key:
            return Results(frozenset(stored["passed"]), frozenset(stored["other"]), stored["states"], "")
    found = run(home, tests, resources=RESOURCES, ignored=NOT_RUN)
    stored = {"key": key, "passed": sorted(found.passed), "other": sorted(found.other), "states": found.states}
    kept.write_text(json.dumps(stored, indent=1), encoding="utf-8")
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """0 if every test that passes before passes after (or is expected not to), and no module came from elsewhere."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", metavar="TEST")
    parser.add_argument("--recipe", default="decompose")
    parser.add_argument("--folder", type=Path, default=Path("build") / f"stdlib-{version}")
    arguments = parser.parse_args(argv)
    if importlib.util.find_spec("test") is None or importlib.util.find_spec("test.libregrtest") is None:
        say(f"this Python {version} has no test suite of its own: skipped")
        return 0
    # A job in the background of a shell ignores SIGINT, and so would its children; tests of signals then wait for ever.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    started = monotonic()
    folder: Path = arguments.folder
    first = original(folder / "original")
    observe(first)
    say(f"Python {sys.version.split()[0]}, recipe {arguments.recipe}: rewriting the standard library")
    second = rewritten(folder / "rewritten", arguments.recipe)
    observe(second)
    for path, reason in second.left:
        say(f"not rewritten: {path}: {reason}")
    before = before_of(first, arguments.tests, folder / "before.json")
    say(f"{len(second.rewritten)} modules rewritten; before: {len(before.passed):,} tests pass")
    after = run(second, arguments.tests, resources=RESOURCES, ignored=NOT_RUN)
    (folder / "after.txt").write_text(after.said, encoding="utf-8")
    lost = {test for test in before.passed - after.passed if not reason_for(test, EXPECTED)}
    again: frozenset[str] = frozenset()
    if lost:
        again = run(second, holding(lost, after), resources=RESOURCES, ignored=NOT_RUN, only=lost, processes=0).passed
    differences = compare(before.passed, after.passed, again, EXPECTED)
    imported = look(first, second)
    report(differences, imported, len(after.passed))
    say(f"{monotonic() - started:.0f} s")
    return int(bool(differences.worse or imported.elsewhere))


def holding(tests: Iterable[str], results: Results) -> list[str]:
    """The modules of regrtest that may hold these tests: those with such a name, and those that failed in any way."""
    heads = {name: f"test.{name.removeprefix('test.')}." for name in results.states}
    named = {name for name, head in heads.items() if any(test.startswith(head) for test in tests)}
    return sorted(named | {name for name in heads if not results.states[name].startswith(("passed", "skipped"))})


def report(differences: Differences, imported: Imported, passed: int) -> None:
    """What there is to know, on standard output."""
    for line in lines(differences, passed):
        say(line)
    say(
        f"imported from the rewritten files: {len(imported.by_tests)} by the tests, {len(imported.alone)} by themselves"
    )
    say(f"not importable on this machine, before either: {len(imported.neither)}")
    for line in imported.neither:
        say(f"  {line}")
    say(f"frozen into the interpreter itself: {', '.join(imported.frozen)}")
    for line in imported.elsewhere:
        say(f"imported from ELSEWHERE: {line}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
