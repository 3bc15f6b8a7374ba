"""What goes over the wire between the caller, the zygote and a program's process; both ends import it.

Three channels. The *control* socket carries one JSON line per message, caller <-> zygote, and file descriptors; no
program ever holds it. The *job* is a file that the caller fills (with marshal: both ends are one interpreter) and the
child reads once. The *report* is a pipe that only the child writes and only the caller reads: lines `NONCE KIND BODY`,
`report_parser` reads the body. A program can find that pipe, because it lives in the same process as its
reporter; it can only spoil or forge its own report. A line without the nonce, or one result more than there are calls,
ends the run as "crashed". Nothing that a program wrote is ever unpickled or unmarshalled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

FILENAME = "program.py"

# Descriptor numbers inside a program's process, after 0 (empty), 1 (standard output) and 2 (nowhere).
REPORT_FD = 3

# Bounds on what comes back, in bytes. A longer standard output, repr or report is status "output".
STDOUT_LIMIT = 1 << 20
REPR_LIMIT = 1 << 20
REPORT_LIMIT = 64 << 20
SOURCE_LIMIT = 4 << 20
# How many arguments and globals, in characters how long the name of an exception's class or a line of detail, and how
# many lines of an observer.
PARTS_LIMIT = 1 << 18
NAME_LIMIT = 4096
LINES_LIMIT = 1 << 20

RESULT = "R"
LINE = "L"


@dataclass(frozen=True)
class Job:
    """One program with all its calls. `observer` is "module:Class" or ""; with it, `main()` is run and observed.

    `probe` names a layer: then no program is run, but the acts that this layer alone must prevent are tried
    by the function that `observer` names.
    `sequences`: whether a call may be several, `f(1); f(2)`, or `pass` for none (`execution.call_steps`).
    `world`: settings of `execution.simulated_world`; empty for the real clock and `random.seed(0)`.
    """

    nonce: str
    source: str
    calls: tuple[str, ...]
    megabytes: int
    cpu_seconds: int
    observer: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    probe: str = ""
    world: dict[str, float] = field(default_factory=dict)
    sequences: bool = False

    @property
    def expected(self) -> int:
        """How many results it has: one a call, or the one of `main()`."""
        return max(1, len(self.calls))
