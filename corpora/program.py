"""What travels between the stages: a program with one call to it, and what running that call did.

Frozen data only. Nothing here runs a program (`corpora.execute` does) or knows about tokens and models.
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
    """A program, one call to it, and the result the benchmark expects (a repr, or None where it names none).

    `grading` says where an answer is read from a trace: the final RETURN frame, or, for S_n programs whose
    `main` returns nothing, the last state of the traced function (shared trace format, "Prompts").
    `kind` is the benchmark's own category, such as "boolean, depth 3".
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
        """The program, a blank line, and the `main` that CWM traces, ending in a newline.

        >>> print(Case("a", "def f(x):\\n    return x", "f(1)").context, end="")
        def f(x):
            return x
        <BLANKLINE>
        def main(): # << START_OF_TRACE
            return f(1)
        """
        return trace_context(self.source, self.call, self.grading)


def trace_context(source: str, call: str, grading: Grading = "return") -> str:
    """The text whose `main` is traced: source without trailing newlines, a blank line, `main`, a newline."""
    keyword = "return " if grading == "return" else ""
    program = source.rstrip("\n")
    return f"{program}\n\ndef main(): {START_OF_TRACE}\n    {keyword}{call}\n"


@dataclass(frozen=True)
class Outcome:
    """What one call did, seen from outside. All values are text; nothing foreign is ever unpickled or compared.

    value: repr of the result (None unless status is "ok"); exception: (type name, text);
    stderr: what it wrote to standard error, warnings and log messages among it ("" where the system has no files in
    memory, as macOS); arguments: reprs of the call's arguments afterwards, in order; globals: reprs of module globals
    the call changed (for `pass`, of all that loading the module left behind);
    snapshot: a canonical JSON text of result, exception, arguments and globals that keeps structure, exact types,
    order and aliasing, so that two Outcomes can be compared without `==` on foreign objects;
    isolation: the sandbox level in force; detail: one line for people when status is not "ok".
    """

    status: Status
    value: str | None = None
    exception: tuple[str, str] | None = None
    stdout: str = ""
    stderr: str = ""
    arguments: tuple[str, ...] = ()
    globals: dict[str, str] = field(default_factory=dict)
    snapshot: str = ""
    isolation: Isolation = "C"
    seconds: float = field(default=0.0, compare=False)
    detail: str = field(default="", compare=False)
