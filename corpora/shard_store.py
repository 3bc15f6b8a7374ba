"""Resumable processing of many rows: shards of rows, with a result file and a completion marker for each.

A folder, or a subfolder of it, holds `NAME.json` (the request), `PARTS/part-00000.jsonl` (the results, one file per
shard) and `done/00000.json` (the marker, written last: digests of the shard's rows and results, and its summary). A
shard is processed again if its marker is missing, its rows have changed, or its files are not what was written.
`corpora.shard_executors` adds parallelism.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, Generic, Protocol, TypeVar

from corpora.atomic_files import replacing_path, write_atomically
from corpora.dataset import BadRow, Row
from corpora.errors import InputError
from corpora.failures import DIED, JobDiedError
from corpora.rows import FailedRow
from corpora.writing.locks import locked_folder


class ShardSummary(Protocol):
    """The protocol of a shard's summary."""

    def to_json(self) -> dict[str, Any]:
        """Returns a JSON object."""


SummaryT = TypeVar("SummaryT", bound=ShardSummary)


@dataclass(frozen=True)
class Shard:
    """Consecutive rows of the data set."""

    number: int
    rows: tuple[Row | BadRow, ...]

    @property
    def digest(self) -> str:
        """A digest of the rows' content and places."""
        content = [[row.where, dict(row.fields) if isinstance(row, Row) else row.reason] for row in self.rows]
        text = json.dumps(content, default=str)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class FinishedShard(Generic[SummaryT]):
    """A shard that is on disk."""

    number: int
    digest: str
    summary: SummaryT


@dataclass(frozen=True)
class ShardStore(Generic[SummaryT]):
    """A folder of results and markers.

    Attributes:
        folder: The folder.
        name: What it holds, as in "holds an audit".
        parts: The subfolder of the results.
        suffix: The suffix of result files, with its dot.
        read: Reads a summary from what its `to_json` returned.
        subfolder: Where request, results and markers are in the folder (default: the folder itself).
    """

    folder: Path
    name: str
    parts: str
    suffix: str
    read: Callable[[dict[str, Any]], SummaryT]
    subfolder: str = ""

    @property
    def work(self) -> Path:
        """The folder of request, results and markers."""
        return self.folder / self.subfolder

    @contextmanager
    def opened(self, asked: Mapping[str, Any]) -> Iterator[None]:
        """Locks the folder during the block, and marks it as belonging to this request.

        Raises:
            InputError: If it holds something else, or results of another request; if another process has locked it; if
                it cannot be written (a full disk, a folder that became read-only, in any process).
        """
        name = f"{self.name}.json"
        if self.folder.is_dir() and not (self.work / name).is_file() and any(self.folder.iterdir()):
            raise InputError(f"is not empty and holds no {self.name}: choose another folder", where=str(self.folder))
        with locked_folder(self.folder, f"{self.subfolder}/{name}".lstrip("/")) as file:
            try:
                self._claim(file, json.loads(json.dumps(asked)))
                yield
            except (OSError, sqlite3.OperationalError) as error:
                reason = getattr(error, "strerror", None) or error
                where = str(getattr(error, "filename", None) or self.folder)
                raise InputError(f"cannot be written: {reason}; the same command resumes", where=where) from error

    def _claim(self, file: IO[str], asked: dict[str, Any]) -> None:
        theirs = _read(file)
        if theirs == {}:
            file.truncate(0)
            file.write(json.dumps(asked, indent=1) + "\n")
            file.flush()
        elif difference := _difference(theirs, asked):
            article = "" if self.name.endswith("s") else "an " if self.name[0] in "aeiou" else "a "
            held = f"holds {article}{self.name} of another data set or with other options"
            raise InputError(f"{held} ({difference}): choose another folder", where=str(self.folder))
        for name in (self.parts, "done"):
            (self.work / name).mkdir(exist_ok=True)

    def write(self, shard: Shard, write: Callable[[Path], SummaryT]) -> FinishedShard[SummaryT]:
        """Writes a shard's results with `write`, then its marker."""
        part = self.part_path(shard.number)
        with replacing_path(part) as unfinished:
            done = FinishedShard(shard.number, shard.digest, write(unfinished))
        marker = {"number": done.number, "digest": done.digest, "summary": done.summary.to_json()}
        marker["found"] = _found_digest(part, marker["summary"])
        write_atomically(self.marker_path(shard.number), json.dumps(marker) + "\n")
        return done

    def read_finished(self, shard: Shard) -> FinishedShard[SummaryT] | None:
        """Returns the shard as an earlier run left it; None if that run did not finish it or had other rows."""
        try:
            marker = json.loads(self.marker_path(shard.number).read_text(encoding="utf-8"))
            done = FinishedShard(marker["number"], marker["digest"], self.read(marker["summary"]))
            part = self.part_path(shard.number)
            whole = done.digest == shard.digest and marker["found"] == _found_digest(part, marker["summary"])
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return done if whole else None

    def read_summary(self, number: int) -> SummaryT:
        """Returns the summary of a shard that is on disk."""
        return self.read(json.loads(self.marker_path(number).read_text(encoding="utf-8"))["summary"])

    def process(
        self,
        shards: Iterable[Shard],
        job: Callable[[Shard], FinishedShard[SummaryT]],
        spread: ShardExecutor | None,
        take: Callable[[FinishedShard[SummaryT]], None],
    ) -> int:
        """Passes every shard to `take`: as an earlier run left it, else as `job` processes it, here or on `spread`.

        Returns the number of shards.
        """
        size = 0

        def taken(done: FinishedShard[SummaryT]) -> None:
            nonlocal size
            take(done)
            size += 1

        def missing() -> Iterator[Shard]:
            for shard in shards:
                done = self.read_finished(shard)
                if done is None:
                    yield shard
                else:
                    taken(done)

        for done in map(job, missing()) if spread is None else spread(job, missing()):
            taken(done)
        self._drop_beyond(size)
        return size

    def collect(self, name: str, part: str = "") -> None:
        """Writes one list of all shards' summaries, in the order of the rows, to a file of JSON lines."""
        with replacing_path(self.folder / f"{name}.jsonl") as path, path.open("w", encoding="utf-8") as file:
            for marker in sorted((self.work / "done").glob("*.json")):
                entries = json.loads(marker.read_text(encoding="utf-8"))["summary"][part or name]
                file.writelines(json.dumps(entry) + "\n" for entry in entries)

    def part_path(self, number: int) -> Path:
        """Returns the path of a shard's results."""
        return self.work / self.parts / f"part-{number:05d}{self.suffix}"

    def marker_path(self, number: int) -> Path:
        """Returns the path of a shard's marker."""
        return self.work / "done" / f"{number:05d}.json"

    def _drop_beyond(self, size: int) -> None:
        """Removes shards beyond the end of the data set, and files that an interrupted run left incomplete."""
        for path in (*(self.work / self.parts).iterdir(), *(self.work / "done").iterdir()):
            number = path.name.removeprefix("part-").partition(".")[0]
            if path.suffix == ".tmp" or (number.isdigit() and int(number) >= size):
                path.unlink()


ShardExecutor = Callable[[Callable[[Shard], FinishedShard[Any]], Iterator[Shard]], Iterator[FinishedShard[Any]]]
"""Calls the function on every shard, in any order, and yields the results."""


def split_shards(stream: Iterable[Row | BadRow], size: int) -> Iterator[Shard]:
    """Yields the rows in shards of `size`."""
    rows, numbers = iter(stream), count()
    while chunk := tuple(islice(rows, size)):
        yield Shard(next(numbers), chunk)


def without_lost_rows(shard: Shard, alone: Callable[[Shard], FinishedShard[SummaryT]]) -> FinishedShard[SummaryT]:
    """Processes a shard that killed its process, without the rows that kill it by themselves.

    Args:
        shard: The shard.
        alone: Processes a shard in a process of its own; raises JobDiedError if that dies.
    """
    lost = _lost_rows(shard, alone)
    if lost:
        shard = replace(shard, rows=tuple(_as_failed(row) if row.number in lost else row for row in shard.rows))
        with suppress(JobDiedError):
            return alone(shard)
    # Its rows kill the process only together.
    return alone(replace(shard, rows=tuple(map(_as_failed, shard.rows))))


def _lost_rows(shard: Shard, alone: Callable[[Shard], object]) -> set[int]:
    """The numbers of the rows that kill the process, found by halving."""
    try:
        alone(shard)
    except JobDiedError:
        if len(shard.rows) == 1:
            return {shard.rows[0].number}
        middle = len(shard.rows) // 2
        halves = (replace(shard, rows=rows) for rows in (shard.rows[:middle], shard.rows[middle:]))
        return {number for half in halves for number in _lost_rows(half, alone)}
    return set()


def _as_failed(row: Row | BadRow) -> FailedRow:
    return FailedRow(row.number, row.where, DIED)


def _read(file: IO[str]) -> Any:
    """Returns the content of the request's file; {} if it is empty, None if it is corrupt."""
    file.seek(0)
    try:
        return json.loads(file.read() or "{}")
    except ValueError:
        return None


def _difference(theirs: Any, mine: dict[str, Any]) -> str:
    """Describes the options that differ; empty if none does."""
    if not isinstance(theirs, dict):
        return "its request cannot be read"
    names = [name for name in {**theirs, **mine} if theirs.get(name) != mine.get(name)]
    return "; ".join(f"{name} was {_short(theirs.get(name))}, is now {_short(mine.get(name))}" for name in names)


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _found_digest(part: Path, summary: object) -> str:
    """Returns a digest of the result file and of the summary."""
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(json.dumps(summary).encode())
    return digest.hexdigest()
