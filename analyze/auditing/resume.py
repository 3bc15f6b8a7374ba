"""Work on many rows that can be cut off and goes on: shards of rows, a part and a marker on disk for each.

A folder holds `NAME.json` (what was asked), `PARTS/part-00000.jsonl` (what was found, one a shard), and
`done/00000.json` (written last: digests of the shard's rows and of what was found, and its summary). A shard is done
again where its marker is missing, its rows have changed, or its part or marker is not what was written. What it does
not do: know what is found in a row (`analyze.auditing.shards`, `analyze.risk.survey`), or use several cores
(`analyze.auditing.executors`).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from corpora.dataset import BadRow, Row
from corpora.errors import InputError


class Counted(Protocol):
    """What a shard's summary has to be."""

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""


Found = TypeVar("Found", bound=Counted)


@dataclass(frozen=True)
class Shard:
    """Some rows of the data set, one after another."""

    number: int
    rows: tuple[Row | BadRow, ...]

    @property
    def digest(self) -> str:
        """Of the rows' content and places."""
        content = [[row.where, dict(row.fields) if isinstance(row, Row) else row.reason] for row in self.rows]
        text = json.dumps(content, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Done(Generic[Found]):
    """A shard that is on disk."""

    number: int
    digest: str
    summary: Found


@dataclass(frozen=True)
class Kept(Generic[Found]):
    """A folder of parts and markers.

    name: of the work, as in "holds an audit"; parts: the folder in it that holds what was found; suffix: of the parts,
    with its dot; read: a summary from what its `to_json` gave.
    """

    folder: Path
    name: str
    parts: str
    suffix: str
    read: Callable[[dict[str, Any]], Found]

    def claim(self, asked: Mapping[str, Any]) -> None:
        """Makes the folder this work's. Raises InputError where it holds something else, or the work on other terms."""
        file = self.folder / f"{self.name}.json"
        an = f"{'an' if self.name[0] in 'aeiou' else 'a'} {self.name}"
        if self.folder.is_dir() and not file.is_file() and any(self.folder.iterdir()):
            raise InputError(f"is not empty and holds no {self.name}: name another folder", where=str(self.folder))
        for name in (self.parts, "done"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        mine = json.loads(json.dumps(asked))
        if file.is_file() and (difference := _difference(_read(file), mine)):
            message = f"holds {an} of another data set or with other options ({difference}): name another folder"
            raise InputError(message, where=str(self.folder))
        write_whole(file, json.dumps(mine, indent=1))

    def keep(self, shard: Shard, write: Callable[[Path], Found]) -> Done[Found]:
        """Has a shard's part written to the path that `write` gets, then writes its marker."""
        part = self.part(shard.number)
        unfinished = part.with_suffix(part.suffix + f".{os.getpid()}.tmp")
        done = Done(shard.number, shard.digest, write(unfinished))
        unfinished.replace(part)
        marker = {"number": done.number, "digest": done.digest, "summary": done.summary.to_json()}
        marker["found"] = _found_digest(part, marker["summary"])
        write_whole(self.marker(shard.number), json.dumps(marker))
        return done

    def found(self, shard: Shard) -> Done[Found] | None:
        """The shard as an earlier run left it; None where it did not finish it, or finished other rows."""
        try:
            marker = json.loads(self.marker(shard.number).read_text(encoding="utf-8"))
            done = Done(marker["number"], marker["digest"], self.read(marker["summary"]))
            part = self.part(shard.number)
            whole = done.digest == shard.digest and marker["found"] == _found_digest(part, marker["summary"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return done if whole else None

    def over(
        self,
        shards: Iterable[Shard],
        job: Callable[[Shard], Done[Found]],
        spread: Spread | None,
        take: Callable[[Done[Found]], None],
    ) -> None:
        """Gives `take` every shard: as it was found, else as `job` does it, here or where `spread` has it run."""
        size = 0

        def taken(done: Done[Found]) -> None:
            nonlocal size
            take(done)
            size += 1

        def missing() -> Iterator[Shard]:
            for shard in shards:
                done = self.found(shard)
                if done is None:
                    yield shard
                else:
                    taken(done)

        for done in map(job, missing()) if spread is None else spread(job, missing()):
            taken(done)
        self._drop_beyond(size)

    def list_all(self, name: str, part: str = "") -> None:
        """One part of all shards' summaries, in the order of the rows, in a file of JSON lines of its own."""
        unfinished = self.folder / f"{name}.{os.getpid()}.tmp"
        with unfinished.open("w", encoding="utf-8") as file:
            for marker in sorted((self.folder / "done").glob("*.json")):
                entries = json.loads(marker.read_text(encoding="utf-8"))["summary"][part or name]
                file.writelines(json.dumps(entry) + "\n" for entry in entries)
        unfinished.replace(self.folder / f"{name}.jsonl")

    def part(self, number: int) -> Path:
        """Where a shard's part is."""
        return self.folder / self.parts / f"part-{number:05d}{self.suffix}"

    def marker(self, number: int) -> Path:
        """Where a shard's marker is."""
        return self.folder / "done" / f"{number:05d}.json"

    def _drop_beyond(self, size: int) -> None:
        """Removes shards of a data set that has since become shorter, and what an interrupted run left half written."""
        for path in (*(self.folder / self.parts).iterdir(), *(self.folder / "done").iterdir()):
            number = path.name.removeprefix("part-").partition(".")[0]
            if path.suffix == ".tmp" or (number.isdigit() and int(number) >= size):
                path.unlink()


Spread = Callable[[Callable[[Shard], Done[Any]], Iterator[Shard]], Iterator[Done[Any]]]
"""Calls the function on every shard, in any order, and gives what it returns."""


def shards(stream: Iterable[Row | BadRow], size: int) -> Iterator[Shard]:
    """The rows in shards of `size`."""
    rows = iter(stream)
    number = 0
    while chunk := tuple(islice(rows, size)):
        yield Shard(number, chunk)
        number += 1


def write_whole(path: Path, text: str, end: str = "\n") -> None:
    """Written beside and renamed: no reader sees half a file."""
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    unfinished.write_text(text + end, encoding="utf-8")
    unfinished.replace(path)


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        return None


def _difference(theirs: Any, mine: dict[str, Any]) -> str:
    """What was asked otherwise, in words; "" where nothing was."""
    if not isinstance(theirs, dict):
        return "what was asked cannot be read"
    names = [name for name in {**theirs, **mine} if theirs.get(name) != mine.get(name)]
    return "; ".join(f"{name} was {_short(theirs.get(name))}, is now {_short(mine.get(name))}" for name in names)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _found_digest(part: Path, summary: object) -> str:
    """Of what was found as it stands in its file, and of its summary."""
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(json.dumps(summary).encode())
    return digest.hexdigest()
