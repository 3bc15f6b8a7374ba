"""A row of a data set, or why it cannot be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        number: From 1, in the order of the data. Unreadable rows are counted, and blank lines are not. It is the id of
            a row without one.
        where: Location for messages, such as "cases.jsonl:7".
        fields: Values by field name, after `--column` renaming.
    """

    number: int
    where: str
    fields: Mapping[str, object]


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be used.

    Attributes:
        number: As for `Row`.
        where: Location for messages, such as "cases.jsonl:7".
        reason: Why, on one line.
    """

    number: int
    where: str
    reason: str


@dataclass(frozen=True)
class FailedRow(BadRow):
    """A row that was read, and on which the work then failed (`corpora.failures`)."""


Rows = Iterator[Row | BadRow]


def one_line(error: BaseException) -> str:
    """The message of an error, on one line; its type if it has none."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
