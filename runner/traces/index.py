"""The index of a data set's rows, on disk: duplicates, near duplicates, families, and which rows are kept.

It is a SQLite database that is built anew from the parts and deleted at the end, so that memory does not grow with the
data set and an interrupted run leaves nothing to repair.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from runner.traces.normalized_tokens import hash_text
from runner.traces.similarity import FAMILY_SIMILARITY, bands, similarity
from runner.traces.trace_request import DroppedRow

DUPLICATE_CALL = "repeats the program and call of another row"
DUPLICATE_TRACE = "repeats the trace of another row"
NEAR_DUPLICATE = "near duplicate of another program"
NOT_SAMPLED = "not in the sample of its stratum"
PARENT_DROPPED = "its original is dropped"

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -16000;
CREATE TABLE rows (
    part INTEGER, place INTEGER, number INTEGER, location TEXT, id TEXT, call INTEGER, recipe TEXT, program INTEGER,
    stratum TEXT, priority BLOB, reason TEXT, detail TEXT, PRIMARY KEY (part, place)
) WITHOUT ROWID;
CREATE INDEX row_calls ON rows (number, call);
CREATE TABLE programs (
    program INTEGER PRIMARY KEY, digest BLOB UNIQUE, number INTEGER, label TEXT, family INTEGER, signature BLOB,
    reason TEXT, detail TEXT
);
CREATE INDEX program_families ON programs (family);
CREATE TABLE given_families (name TEXT PRIMARY KEY, family INTEGER) WITHOUT ROWID;
CREATE TABLE calls (digest BLOB PRIMARY KEY, label TEXT) WITHOUT ROWID;
CREATE TABLE traces (digest BLOB PRIMARY KEY, label TEXT) WITHOUT ROWID;
CREATE TABLE bands (band INTEGER, hash BLOB, program INTEGER, PRIMARY KEY (band, hash, program)) WITHOUT ROWID;
"""
CANDIDATES = 20
"""Programs with a common band that are compared with a new one, at most, per band."""


@dataclass(frozen=True)
class IndexedRow:
    """What the index needs of a row.

    `row` and `call_number` identify an original and its rewrites; ids need not be unique.

    Attributes:
        part: Number of its part.
        place: Its position there.
        row: The number of the source's row.
        where: Location for messages.
        id: Its id.
        call_number: The number of the call among the row's calls.
        recipe: The recipe of a rewrite; None for an original.
        given_family: The family that the source names; None if it names none.
        program_digest: Digest of the program.
        call_digest: Digest of the call.
        trace_digest: Digest of the trace.
        minhash: MinHash signature of the program.
        stratum: What samples are drawn by; "" without sampling.
    """

    part: int
    place: int
    row: int
    where: str
    id: str
    call_number: int
    recipe: str | None
    given_family: str | None
    program_digest: bytes
    call_digest: bytes
    trace_digest: bytes
    minhash: bytes
    stratum: str

    @property
    def label(self) -> str:
        """How messages about other rows name it."""
        place = f"row {self.row}" if self.call_number == 1 else f"row {self.row}, call {self.call_number}"
        return place if self.id == str(self.row) else f"{self.id} ({place})"


@dataclass(frozen=True)
class KeptRow:
    """A row of the data set: its position in its part, and its family (the row of the family's first program)."""

    place: int
    family: int


class RowIndex:
    """The index of the rows of one data set.

    Args:
        path: File of the database; an existing one is replaced.
        threshold: Programs that are at least this similar to an earlier one are dropped; None for none.
        seed: Random seed of samples.
    """

    def __init__(self, path: Path, threshold: float | None, seed: int) -> None:
        self._path, self._threshold, self._seed = path, threshold, seed
        path.unlink(missing_ok=True)
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.executescript(_TABLES)
        self._database.execute("BEGIN")

    def __enter__(self) -> RowIndex:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()
        self._path.unlink(missing_ok=True)

    def add(self, row: IndexedRow) -> None:
        """Adds a row. Rows come in the order of the source, a rewrite after its original."""
        if row.recipe is not None:
            program, reason, detail = self._inherited(row)
        else:
            program = self._program(row)
            reason, detail = self._repetition(row, program)
        priority = hash_text(f"{self._seed}\0{row.row}.{row.call_number}", 8)
        about = (row.part, row.place, row.row, row.where, row.id, row.call_number, row.recipe)
        self._insert("INTO rows", *about, program, row.stratum, priority, reason, detail)

    def _inherited(self, rewrite: IndexedRow) -> tuple[int, str | None, str]:
        query = "SELECT program, reason FROM rows WHERE number = ? AND call = ? AND recipe IS NULL"
        program, reason = self._one(query, rewrite.row, rewrite.call_number)
        return program, reason and PARENT_DROPPED, reason or ""

    def _repetition(self, row: IndexedRow, program: int) -> tuple[str | None, str]:
        """Why a row is dropped as a duplicate; None if it is none."""
        if (first := self._first("calls", row.program_digest + row.call_digest, row.label)) is not None:
            return DUPLICATE_CALL, first
        reason, detail = self._one("SELECT reason, detail FROM programs WHERE program = ?", program)
        if reason:
            return reason, detail
        if (first := self._first("traces", row.trace_digest, row.label)) is not None:
            return DUPLICATE_TRACE, first
        return None, ""

    def _first(self, table: str, digest: bytes, label: str) -> str | None:
        """The row that had this digest first; None if it is new."""
        if self._insert(f"OR IGNORE INTO {table}", digest, label):
            return None
        return str(self._one(f"SELECT label FROM {table} WHERE digest = ?", digest)[0])

    def _program(self, row: IndexedRow) -> int:
        query = "SELECT program FROM programs WHERE digest = ?"
        found = self._database.execute(query, (row.program_digest,)).fetchone()
        if found:
            return int(found[0])
        alike = self._alike(row.minhash)
        best = max(alike, key=lambda one: (one[1], -one[0]), default=None)
        reason, detail = None, ""
        if best and self._threshold is not None and best[1] >= self._threshold:
            reason = NEAR_DUPLICATE
            (label,) = self._one("SELECT label FROM programs WHERE program = ?", best[0])
            detail = f"{label}, similarity {best[1]:.2f}"
        program = int(self._one("SELECT count(*) FROM programs")[0])
        about = (program, row.program_digest, row.row, row.label)
        self._insert("INTO programs", *about, program, row.minhash, reason, detail)
        for other, _ in alike:
            self._join(program, other)
        if row.given_family is not None:
            self._insert("OR IGNORE INTO given_families", row.given_family, program)
            self._join(program, self._one("SELECT family FROM given_families WHERE name = ?", row.given_family)[0])
        if reason is None:
            for number, band in enumerate(bands(row.minhash)):
                self._insert("OR IGNORE INTO bands", number, _hash(band), program)
        return program

    def _alike(self, signature: bytes) -> list[tuple[int, float]]:
        """The programs of the same family by similarity, each with the similarity."""
        candidates: set[int] = set()
        for number, band in enumerate(bands(signature)):
            query = "SELECT program FROM bands WHERE band = ? AND hash = ? LIMIT ?"
            candidates.update(one for (one,) in self._database.execute(query, (number, _hash(band), CANDIDATES)))
        found = []
        for program in sorted(candidates):
            (other,) = self._one("SELECT signature FROM programs WHERE program = ?", program)
            found.append((program, similarity(signature, other)))
        return [one for one in found if one[1] >= FAMILY_SIMILARITY]

    def _join(self, one: int, other: int) -> None:
        """Makes the families of two programs one: the smaller becomes part of the larger."""
        query = "SELECT family FROM programs WHERE program = ?"
        families = {int(self._one(query, program)[0]) for program in (one, other)}
        if len(families) == 2:
            size = "SELECT count(*) FROM programs WHERE family = ?"
            by_size = sorted(families, key=lambda family: (self._one(size, family)[0], -family))
            self._database.execute("UPDATE programs SET family = ? WHERE family = ?", (by_size[1], by_size[0]))

    def sample(self, size: int) -> None:
        """Keeps at most `size` originals of each stratum, chosen by the seed, and their rewrites."""
        order = "PARTITION BY stratum ORDER BY priority, part, place"
        ranked = f"SELECT part, place, row_number() OVER ({order}) AS rank FROM rows"
        self._database.execute(
            f"UPDATE rows SET reason = ?, detail = stratum WHERE (part, place) IN "
            f"(SELECT part, place FROM ({ranked} WHERE recipe IS NULL AND reason IS NULL) WHERE rank > ?)",
            (NOT_SAMPLED, size),
        )
        dropped = "SELECT number, call FROM rows WHERE recipe IS NULL AND reason = ?"
        self._database.execute(
            "UPDATE rows SET reason = ?, detail = ? WHERE reason IS NULL AND recipe IS NOT NULL "
            f"AND (number, call) IN ({dropped})",
            (PARENT_DROPPED, NOT_SAMPLED, NOT_SAMPLED),
        )

    def kept(self, part: int) -> list[KeptRow]:
        """The rows of a part that are in the data set, in order."""
        query = (
            "SELECT place, first.number FROM rows JOIN programs USING (program) JOIN programs AS first "
            "ON first.program = programs.family WHERE part = ? AND rows.reason IS NULL ORDER BY place"
        )
        return [KeptRow(place, family) for place, family in self._database.execute(query, (part,))]

    def families(self) -> tuple[int, int]:
        """The number of program families in the data set, and the number of rows of the largest one."""
        sizes = (
            "SELECT count(*) AS size FROM rows JOIN programs USING (program) WHERE rows.reason IS NULL GROUP BY family"
        )
        count, largest = self._one(f"SELECT count(*), coalesce(max(size), 0) FROM ({sizes})")
        return count, largest

    def dropped(self) -> Iterator[DroppedRow]:
        """The rows of the parts that are not in the data set, with reasons."""
        columns = "number, location, id, reason, detail, call, recipe"
        query = f"SELECT {columns} FROM rows WHERE reason IS NOT NULL ORDER BY part, place"
        return (DroppedRow(*row) for row in self._database.execute(query))

    def _insert(self, into: str, *values: object) -> bool:
        """Executes `INSERT` with these values. Returns whether a row was inserted."""
        places = ", ".join("?" * len(values))
        return self._database.execute(f"INSERT {into} VALUES ({places})", values).rowcount > 0

    def _one(self, query: str, *values: object) -> tuple[Any, ...]:
        found: tuple[Any, ...] | None = self._database.execute(query, values).fetchone()
        assert found is not None, query
        return found


def _hash(band: bytes) -> bytes:
    return hashlib.blake2b(band, digest_size=8).digest()
