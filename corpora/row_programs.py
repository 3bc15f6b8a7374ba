"""The program of a row and its calls, for commands on programs that have several calls or none.

A row that is one program with one call is a `Case` (`corpora.dataset.case_from_row`).
"""

from __future__ import annotations

from corpora.rows import Row

PROGRAM_FIELDS = ("source", "code")
"""Fields that may hold a program, in order of precedence."""
CALL_FIELDS = ("calls", "call", "input")
"""Fields that may hold calls, in order of precedence."""


def program_field(row: Row) -> str | None:
    """The name of the field that holds a row's program; None if there is none."""
    return next((name for name in PROGRAM_FIELDS if isinstance(row.fields.get(name), str)), None)


def calls_of(row: Row) -> tuple[str, ...]:
    """The calls of a row's program: `calls`, a list; or one call, by `call` or by CruxEval's `input`."""
    several, call, arguments = (row.fields.get(name) for name in CALL_FIELDS)
    if isinstance(several, list | tuple) and all(isinstance(one, str) for one in several):
        return tuple(several)
    if isinstance(call, str):
        return (call,)
    return (f"f({arguments})",) if isinstance(arguments, str) else ()
