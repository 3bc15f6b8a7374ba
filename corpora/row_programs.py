"""The program of a row and its calls, for work on programs that takes several calls or none.

A row that is one program with one call is a `Case` (`corpora.dataset.case_from_row`).
"""

from __future__ import annotations

from corpora.rows import Row

PROGRAM = ("source", "code")
"""The fields that hold a program; the first that a row has counts."""
CALLS = ("calls", "call", "input")
"""The fields that hold calls; the first that a row has counts."""


def program_field(row: Row) -> str | None:
    """The field that holds a row's program; None where none does."""
    return next((name for name in PROGRAM if isinstance(row.fields.get(name), str)), None)


def calls_of(row: Row) -> tuple[str, ...]:
    """The calls of a row's program: `calls`, a list; or one, by `call` or by CruxEval's `input`."""
    several, call, arguments = (row.fields.get(name) for name in CALLS)
    if isinstance(several, list | tuple) and all(isinstance(one, str) for one in several):
        return tuple(several)
    if isinstance(call, str):
        return (call,)
    return (f"f({arguments})",) if isinstance(arguments, str) else ()
