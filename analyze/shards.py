"""Audits at scale: shards of rows over all cores, each shard with a completion marker, so that the same call resumes.

A folder holds `audit.json` (what was asked), `findings/part-00000.jsonl` or `.parquet` (one a shard), and
`done/00000.json` (written last: digests of the shard's rows and of what was found, and its summary), and at the end
`bad.jsonl` (what could not be judged), `labels.jsonl` (labels that are not right), `duplicates.jsonl` and
`summary.json`. A shard is done again where its marker is missing, its rows have changed, or its part or marker is not
what was written. What it does not do: show anything.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from analyze.auditing import Scope, audit_chunks
from analyze.contexts import Context
from analyze.duplicates import Duplicates
from analyze.engines import engine_for
from analyze.findings import Summary
from analyze.parts import Format, writer
from analyze.severity import FILE
from analyze.tokenizer import load_tokenizer
from corpora.dataset import BadRow, Row, read_rows
from corpora.errors import InputError
from corpora.execute import allow_weak_isolation

ROWS_PER_SHARD = 250
BAD_HELD = 1000
"""Of what could not be judged, so much is held in memory; `bad.jsonl` has all of it."""


@dataclass(frozen=True)
class Request:
    """What an audit asks of a data set, in names that travel between processes.

    source: a path or id; mapping: field to column; tokenizers: the first one's findings are compared with the others';
    engine: a name of `analyze.engines.ENGINES`, or "" for the fastest that proves itself; least: findings of a lower
    severity are counted and not written; weak_isolation: programs may be executed at level C.
    """

    source: str
    mapping: tuple[tuple[str, str], ...] = ()
    tokenizers: tuple[str, ...] = ("llama-3",)
    contexts: tuple[Context, ...] = ("trace",)
    execute: bool = True
    engine: str = ""
    least: float = 1e-9
    format: Format = "jsonl"
    rows_per_shard: int = ROWS_PER_SHARD
    weak_isolation: bool = False

    def scope(self) -> Scope:
        """The engines loaded and proven. Raises InputError where one cannot be."""
        engines = tuple(engine_for(load_tokenizer(name), self.engine) for name in self.tokenizers)
        return Scope(engines, self.contexts, self.execute, self.least)


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
class Done:
    """A shard that is on disk."""

    number: int
    digest: str
    summary: Summary


Spread = Callable[[Callable[[Shard], Done], Iterator[Shard]], Iterator[Done]]
"""Calls the function on every shard, in any order, and gives what it returns."""


def audit_to(
    folder: Path,
    request: Request,
    *,
    rows: Iterable[Row | BadRow] | None = None,
    spread: Spread | None = None,
    duplicates: Duplicates | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Audit a data set into a folder, or go on with the audit that is there; the summary of all shards.

    rows: instead of those of `request.source`; duplicates: gets the rows that repeat others; spread: what runs the
    shards, this process where it is None (`analyze.spread` has all cores and Ray); `on_progress` gets the number of
    rows of each shard as it is done. Raises InputError where the source or a tokenizer cannot be read, or where the
    folder holds something else or cannot be written.
    """
    try:
        claim(folder, request)
        return _audit(folder, request, rows, spread, duplicates or Duplicates(), on_progress)
    except OSError as error:  # a full disk, a folder that became read-only, here or in another process
        where = str(error.filename or folder)
        raise InputError(f"cannot be written: {error.strerror or error}", where=where) from error


def _audit(
    folder: Path,
    request: Request,
    rows: Iterable[Row | BadRow] | None,
    spread: Spread | None,
    duplicates: Duplicates,
    on_progress: Callable[[int], None],
) -> Summary:
    stream = duplicates.watch(read_rows(request.source, dict(request.mapping)) if rows is None else rows)
    summary, size = Summary(), 0

    def take(done: Done) -> None:
        nonlocal size
        summary.add(done.summary)
        summary.keep_first(BAD_HELD)
        on_progress(done.summary.rows)
        size += 1

    def missing() -> Iterator[Shard]:
        for shard in _shards(stream, request.rows_per_shard):
            done = _found(folder, request, shard)
            if done is None:
                yield shard
            else:
                take(done)

    job = partial(audit_shard, folder, request)
    for done in map(job, missing()) if spread is None else spread(job, missing()):
        take(done)
    _drop_beyond(folder, size)
    _list(folder, "bad")
    _list(folder, "labels", "label_checks")
    _write_whole(folder / "duplicates.jsonl", "".join(json.dumps(asdict(one)) + "\n" for one in duplicates.listed), "")
    _write_whole(folder / "summary.json", json.dumps(summary.to_json()))
    return summary


def audit_shard(folder: Path, request: Request, shard: Shard) -> Done:
    """Audit one shard and write its findings, then its marker; called in whatever process or machine is free."""
    allow_weak_isolation(request.weak_isolation)
    summary = Summary()
    part = _part(folder, shard.number, request.format)
    unfinished = part.with_suffix(part.suffix + f".{os.getpid()}.tmp")
    with writer(unfinished, request.format) as write:
        for findings, some in audit_chunks(shard.rows, request.scope()):
            write(findings)
            summary.add(some)
    unfinished.replace(part)
    done = Done(shard.number, shard.digest, summary)
    marker = {"number": done.number, "digest": done.digest, "summary": summary.to_json()}
    marker["found"] = _found_digest(part, marker["summary"])
    _write_whole(_marker(folder, shard.number), json.dumps(marker))
    return done


def _shards(stream: Iterable[Row | BadRow], size: int) -> Iterator[Shard]:
    rows = iter(stream)
    number = 0
    while chunk := tuple(islice(rows, size)):
        yield Shard(number, chunk)
        number += 1


def _found(folder: Path, request: Request, shard: Shard) -> Done | None:
    """The shard as an earlier run left it; None where it did not finish it, or finished other rows."""
    try:
        marker = json.loads(_marker(folder, shard.number).read_text(encoding="utf-8"))
        done = Done(marker["number"], marker["digest"], Summary.from_json(marker["summary"]))
        part = _part(folder, shard.number, request.format)
        whole = done.digest == shard.digest and marker["found"] == _found_digest(part, marker["summary"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return done if whole else None


def _found_digest(part: Path, summary: object) -> str:
    """Of the findings as they stand in their file, and of their summary."""
    with part.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(json.dumps(summary).encode())
    return digest.hexdigest()


def claim(folder: Path, request: Request) -> None:
    """Raises InputError where the folder holds what another audit wrote."""
    file = folder / "audit.json"
    if folder.is_dir() and not file.is_file() and any(folder.iterdir()):
        raise InputError("is not empty and holds no audit: name another folder", where=str(folder))
    for name in ("findings", "done"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    fitted = hashlib.sha256(FILE.read_bytes() if FILE.is_file() else b"").hexdigest()
    mine = json.loads(json.dumps(asdict(request) | {"severities": fitted}))
    if file.is_file():
        try:
            theirs = json.loads(file.read_text(encoding="utf-8"))
        except ValueError:
            theirs = None
        if theirs != mine:
            message = "holds an audit of another data set or with other options: name another folder"
            raise InputError(message, where=str(folder))
    _write_whole(file, json.dumps(mine, indent=1))


def _drop_beyond(folder: Path, size: int) -> None:
    """Removes shards of a data set that has since become shorter, and what an interrupted run left half written."""
    for path in (*(folder / "findings").iterdir(), *(folder / "done").iterdir()):
        number = path.name.removeprefix("part-").partition(".")[0]
        if path.suffix == ".tmp" or (number.isdigit() and int(number) >= size):
            path.unlink()


def _list(folder: Path, name: str, part: str = "") -> None:
    """One part of all shards' summaries, in the order of the rows, in a file of JSON lines of its own."""
    unfinished = folder / f"{name}.{os.getpid()}.tmp"
    with unfinished.open("w", encoding="utf-8") as file:
        for marker in sorted((folder / "done").glob("*.json")):
            entries = json.loads(marker.read_text(encoding="utf-8"))["summary"][part or name]
            file.writelines(json.dumps(entry) + "\n" for entry in entries)
    unfinished.replace(folder / f"{name}.jsonl")


def _part(folder: Path, number: int, kind: Format) -> Path:
    return folder / "findings" / f"part-{number:05d}.{kind}"


def _marker(folder: Path, number: int) -> Path:
    return folder / "done" / f"{number:05d}.json"


def _write_whole(path: Path, text: str, end: str = "\n") -> None:
    """Written beside and renamed: no reader sees half a file."""
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    unfinished.write_text(text + end, encoding="utf-8")
    unfinished.replace(path)
