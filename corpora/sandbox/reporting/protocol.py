"""The protocol between the caller, the zygote and the process of a program. Both ends import this module.

There are three channels:

- The *control* socket between caller and zygote carries one JSON line per message, and file descriptors. No program
  ever holds it.
- The *job* is a file that the caller fills and the child reads once. It uses marshal, because both ends run the same
  interpreter.
- The *report* is a pipe that only the child writes and only the caller reads. Its lines are `NONCE KIND BODY`, and
  `report_parser` parses the body.

A program can find the report pipe, because it shares a process with its reporter. It can only spoil or forge its own
report. A line without the nonce, or more results than calls, ends the run as "crashed". Nothing that a program wrote is
unpickled or unmarshalled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# A program is a module that was imported, not a script: `if __name__ == "__main__":` does not run.
MODULE_NAME = "program"
FILENAME = f"{MODULE_NAME}.py"

# Descriptor numbers inside a program's process, after 0 (empty), 1 (standard output) and 2 (standard error).
REPORT_FD = 3

# Limits of a report, in bytes. A longer standard output, repr or report gives the status "output".
STDOUT_LIMIT = 1 << 20
REPR_LIMIT = 1 << 20
REPORT_LIMIT = 64 << 20
SOURCE_LIMIT = 4 << 20
# Number of arguments and globals; characters of an exception name or a detail; lines of an observer.
PARTS_LIMIT = 1 << 18
NAME_LIMIT = 4096
LINES_LIMIT = 1 << 20

RESULT = "R"
LINE = "L"


@dataclass(frozen=True)
class Job:
    """One program with all its calls.

    Attributes:
        nonce: Begins every line of the report.
        source: The program.
        calls: The calls, in order. Each runs on a fresh module.
        megabytes: Address space beyond the interpreter's own.
        cpu_seconds: Processor time of the whole job.
        observer: "module:Class", or "" for none. With an observer, `main()` runs under it.
        options: Passed to the observer.
        probe: A layer to probe instead of running a program: the function named by `observer` tries what the layer must
            prevent.
        environment: Settings of `corpora.sandbox.execution.simulated_environment`; empty: the real clock,
            `random.seed(0)`.
        sequences: Whether a call may be several, `f(1); f(2)`, or `pass` for none (`execution.call_steps`).
    """

    nonce: str
    source: str
    calls: tuple[str, ...]
    megabytes: int
    cpu_seconds: int
    observer: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    probe: str = ""
    environment: dict[str, float] = field(default_factory=dict)
    sequences: bool = False

    @property
    def num_results(self) -> int:
        """The number of results to expect: one per call, or the one of `main()`."""
        return max(1, len(self.calls))
