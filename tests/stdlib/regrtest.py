"""Runs CPython's own test suite, regrtest, in an installation, and reads what became of each single test.

Does not judge: what may differ stands in `tests.stdlib.expected`.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.stdlib.home import Home

# "0:00:38 load avg: 0.90 [ 42/457/1] test_aifc passed -- running (1): test_x (31 sec)"
LINE = re.compile(r"^[\d:]+ (?:load avg: \S+ |mem: \S+ )*\[ *\d+/[\d/]+\] (?P<name>\S+) (?P<state>.+?)(?: -- .*)?$")


@dataclass(frozen=True)
class Results:
    """`passed` and `other`: ids of single tests; `states`: what regrtest says of each of its modules."""

    passed: frozenset[str]
    other: frozenset[str]
    states: dict[str, str]
    said: str


def run(
    home: Home,
    tests: Sequence[str] = (),
    *,
    resources: str = "none",
    ignored: Iterable[str] = (),
    only: Iterable[str] = (),
    processes: int = 2,
    seconds: int = 300,
) -> Results:
    """Run test modules (all, if none are named), without the tests `ignored` (patterns of ids), or `only` those.

    resources: what regrtest calls so, such as "cpu,network". processes: workers at a time; with none, everything runs
    in one process, as for somebody who looks at a single test (a worker of regrtest keeps other file descriptors open).
    seconds: how long one module may take; one that takes longer has failed.
    """
    with tempfile.TemporaryDirectory(prefix="regrtest-") as folder:
        report, matched = Path(folder) / "results.xml", Path(folder) / "only.txt"
        matched.write_text("".join(f"{name}\n" for name in only), encoding="utf-8")
        options = [f"-j{processes}"] if processes else []
        options += [f"--timeout={seconds}", f"--junit-xml={report}", "-u", resources]
        options += [word for pattern in ignored for word in ("-i", pattern)]
        options += ["--matchfile", str(matched)] if matched.stat().st_size else []
        said = _end([*home.python, "-m", "test", *options, *tests], {"TMPDIR": folder})
        return _read(report, said)


def _end(command: Sequence[str], extra: dict[str, str]) -> str:
    """What a command says, in an environment with nothing of ours; whatever it leaves running is ended with it."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    with tempfile.TemporaryFile() as said:
        # Not through a pipe: a process that a test leaves behind would keep it open after the end.
        process = subprocess.Popen(
            command, env=environment | extra, cwd=extra["TMPDIR"], stdout=said, stderr=said, start_new_session=True
        )
        try:
            process.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        said.seek(0)
        return said.read().decode(errors="replace")


def _read(report: Path, said: str) -> Results:
    states = {match["name"]: match["state"] for line in said.splitlines() if (match := LINE.match(line))}
    passed, other = set[str](), set[str]()
    if report.is_file():
        for case in ET.parse(report).iter("testcase"):
            # A test with a failed subtest has no name: it is among neither, and so has not passed.
            name = case.get("name", "")
            fine = case.get("result") == "completed" and not {"error", "failure", "skipped"} & {e.tag for e in case}
            (passed if fine and not case.get("outcome") else other).add(name)
    return Results(frozenset(passed - other - {""}), frozenset(other - {""}), states, said)
