"""A program with one call, and the outcome of running it.

Frozen data only. `corpora.execute` runs programs; nothing here depends on tokens or models.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Grading = Literal["return", "state"]
Status = Literal["ok", "raised", "timeout", "memory", "output", "crashed", "refused"]
Isolation = Literal["A", "B", "M", "C"]

START_OF_TRACE = "# << START_OF_TRACE"


@dataclass(frozen=True)
class Case:
    """A program, one call to it, and the expected result.

    Attributes:
        id: Unique within its benchmark.
        source: The program.
        call: An expression, such as "f(1, [2])".
        expected: Repr of the result that the benchmark expects; None if it gives none.
        benchmark: Name of the benchmark.
        kind: The benchmark's own category, such as "boolean, depth 3".
        grading: Where the answer is read from a trace: "return", the final RETURN frame; or "state", the last state of
            the traced function, for S_n programs whose `main` returns nothing.
    """

    id: str
    source: str
    call: str
    expected: str | None = None
    benchmark: str = ""
    kind: str = ""
    grading: Grading = "return"

    @property
    def context(self) -> str:
        r"""The program, a blank line, and the `main` that CWM traces, ending in a newline.

        >>> print(Case("a", "def f(x):\n    return x", "f(1)").context, end="")
        def f(x):
            return x
        <BLANKLINE>
        def main(): # << START_OF_TRACE
            return f(1)
        """
        return trace_context(self.source, self.call, self.grading)


def program_text(source: str) -> str:
    """The program that is traced: without trailing newlines, so that two files that differ only in them are one."""
    return source.rstrip("\n")


def trace_context(source: str, call: str, grading: Grading = "return") -> str:
    """The source whose `main` is traced: the program without trailing newlines, a blank line, `main`, a newline."""
    keyword = "return " if grading == "return" else ""
    return f"{program_text(source)}\n\ndef main(): {START_OF_TRACE}\n    {keyword}{call}\n"


@dataclass(frozen=True)
class Outcome:
    """What one call did. All values are strings; nothing that a program wrote is unpickled or compared.

    Attributes:
        status: How the call ended. "ok": it returned; "raised": an exception left it; "timeout", "memory", "output": a
            limit was exceeded; "crashed": the process ended without a valid report; "refused": it was not run.
        value: Repr of the result; None unless status is "ok".
        exception: (type name, message); None unless status is "raised".
        stdout: Standard output.
        stderr: Standard error, including warnings and log messages; "" on systems without files in memory, such as
            macOS.
        arguments: Reprs of the arguments after the call, in order.
        globals: Reprs of the module globals that the call changed; for the call `pass`, of all globals after loading.
        snapshot: Canonical JSON of result, exception, arguments and globals. It preserves structure, exact types, order
            and aliasing, so that two outcomes can be compared without `==` on objects of the program.
        isolation: The isolation level that was in force.
        seconds: Wall time.
        detail: One line for people, if status is not "ok".
        exit_status: The exit status of a process that ended without a result and not by a signal, as by `os._exit`;
            None otherwise.
    """

    status: Status
    value: str | None = None
    exception: tuple[str, str] | None = None
    stdout: str = ""
    stderr: str = ""
    arguments: tuple[str, ...] = ()
    globals: dict[str, str] = field(default_factory=dict)
    snapshot: str = field(default="", repr=False)
    isolation: Isolation = "C"
    seconds: float = field(default=0.0, compare=False)
    detail: str = field(default="", compare=False)
    exit_status: int | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the program ended the call itself: it returned or raised. Otherwise `status` says what stopped it."""
        return self.status in ("ok", "raised")
