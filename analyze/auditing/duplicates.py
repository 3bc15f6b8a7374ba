"""Rows that repeat a program, or a program with its input: counted over a whole data set, the first of them listed.

Programs are the same where their texts are, line ends and blanks at line ends apart. Held are a digest and a place a
program and input: some 300 bytes a row. What it does not do: compare what programs do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpora.dataset import BadRow, Row

LISTED = 1000


def counted(count: int, name: str) -> str:
    """A number of things, for people.

    >>> counted(1, "row"), counted(2000, "row")
    ('1 row', '2,000 rows')
    """
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


@dataclass(frozen=True)
class Duplicate:
    """A row that repeats an earlier one: the program alone, or the input too."""

    number: int
    where: str
    first: str
    same_input: bool

    def __str__(self) -> str:
        what = "the program and input" if self.same_input else "the program"
        return f"{self.where}: {what} of {self.first}"


@dataclass
class Duplicates:
    """What `add` has seen. programs: rows that repeat a program; inputs: those of them that repeat the input too."""

    programs: int = 0
    inputs: int = 0
    listed: list[Duplicate] = field(default_factory=list)
    _seen: dict[bytes, str] = field(default_factory=dict)

    def add(self, number: int, where: str, source: str, call: str | None) -> None:
        """Counts a row, if it repeats one."""
        lines = "\n".join(line.rstrip() for line in source.strip().splitlines())
        first = self._first(where, lines)
        first_input = self._first(where, lines, call.strip()) if call is not None else None
        if first is None:
            return
        self.programs += 1
        self.inputs += first_input is not None
        if len(self.listed) < LISTED:
            self.listed.append(Duplicate(number, where, first_input or first, first_input is not None))

    def _first(self, where: str, *content: str) -> str | None:
        """Where this content stood first; None, and noted, where it is new."""
        text = "\0".join(content)
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).digest()
        first = self._seen.setdefault(digest, where)
        return None if first is where else first

    def watch(self, rows: Iterable[Row | BadRow]) -> Iterator[Row | BadRow]:
        """The same rows, looked at as they pass."""
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
        return f"{counted(self.programs, 'row')} {repeat} a program, {self.inputs:,} of them with the same input"
