"""Counts rows that repeat a program, or a program with its input, over a whole data set, and lists the first of them.

Programs are equal if their texts are, ignoring line ends and trailing whitespace. Behaviour is not compared. The index
is a temporary SQLite database, which is deleted with the object, so that memory does not grow with the data set. It has
a 128-bit digest and a place for each program and each program with its input; the probability that two of 10^9
different ones have the same digest is below 10^-20.
"""

from __future__ import annotations

import hashlib
import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpora.dataset import BadRow, Row

MAX_LISTED = 1000
_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA cache_size = -16000;
CREATE TABLE seen (digest BLOB PRIMARY KEY, place BLOB) WITHOUT ROWID;
BEGIN;
"""


def _temporary_database() -> sqlite3.Connection:
    """Returns a database without a name, which SQLite writes to a temporary file once it exceeds the cache."""
    database = sqlite3.connect("", isolation_level=None)
    database.executescript(_TABLES)
    return database


def format_count(count: int, name: str) -> str:
    """Formats a number of things for a message.

    >>> format_count(1, "row"), format_count(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


@dataclass(frozen=True)
class DuplicateRow:
    """A row that repeats an earlier one.

    Attributes:
        number: The row's number, from 1.
        where: `FILE:LINE` of the row.
        first: `FILE:LINE` of the row that it repeats.
        same_input: Whether it repeats the input too.
    """

    number: int
    where: str
    first: str
    same_input: bool

    def __str__(self) -> str:
        what = "the program and input" if self.same_input else "the program"
        return f"{self.where}: {what} of {self.first}"


@dataclass
class DuplicateIndex:
    """Finds duplicates among the rows that pass through it.

    Attributes:
        programs: Number of rows that repeat a program.
        inputs: Number of those that repeat the input too.
        listed: The first of them, at most `MAX_LISTED`.
    """

    programs: int = 0
    inputs: int = 0
    listed: list[DuplicateRow] = field(default_factory=list)
    _seen: sqlite3.Connection = field(default_factory=_temporary_database, repr=False)

    def __post_init__(self) -> None:
        """Closes the database with the object: from Python 3.13 on, one that is left open gives a warning."""
        weakref.finalize(self, self._seen.close)

    def add(self, number: int, where: str, source: str, call: str | None) -> None:
        """Counts a row if it repeats an earlier one."""
        lines = "\n".join(line.rstrip() for line in source.strip().splitlines())
        first = self._first(where, lines)
        first_input = self._first(where, lines, call.strip()) if call is not None else None
        if first is None:
            return
        self.programs += 1
        self.inputs += first_input is not None
        if len(self.listed) < MAX_LISTED:
            self.listed.append(DuplicateRow(number, where, first_input or first, first_input is not None))

    def _first(self, where: str, *content: str) -> str | None:
        """Returns where this content occurred first; None if it is new, which is then recorded."""
        text = "\0".join(content)
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        place = where.encode("utf-8", "surrogatepass")  # a path may hold lone surrogates
        if self._seen.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (digest, place)).rowcount:
            return None
        (first,) = self._seen.execute("SELECT place FROM seen WHERE digest = ?", (digest,)).fetchone()
        return bytes(first).decode("utf-8", "surrogatepass")

    def watch(self, rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
        """Yields the same rows and adds each to the index."""
        for row in rows:
            if isinstance(row, Row):
                self._add_row(row)
            yield row

    def _add_row(self, row: Row) -> None:
        fields = {name: row.fields.get(name) for name in ("source", "code", "call", "input")}
        source = next((text for text in (fields["source"], fields["code"]) if isinstance(text, str)), None)
        call = next((text for text in (fields["call"], fields["input"]) if isinstance(text, str)), None)
        if source is not None:
            self.add(row.number, row.where, source, call)

    def __str__(self) -> str:
        repeat = "repeats" if self.programs == 1 else "repeat"
        return f"{format_count(self.programs, 'row')} {repeat} a program, {self.inputs:,} of them with the same input"
