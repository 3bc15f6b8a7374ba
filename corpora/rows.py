"""One row of a data set as it was read, or why it cannot be used. Nothing is read or run here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One row: its number from 1, where it stands ("cases.jsonl:7"), and its fields under the names asked for."""

    number: int
    where: str
    fields: Mapping[str, object]


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be used, and why."""

    number: int
    where: str
    reason: str


Rows = Iterator[Row | BadRow]


def one_line(error: BaseException) -> str:
    """What an error says, on one line; its type where it says nothing."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
