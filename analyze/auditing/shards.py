"""Audits at scale: shards of rows over all cores, each shard with a completion marker, so that the same call resumes.

A folder holds `audit.json` (what was asked), `findings/part-00000.jsonl` or `.parquet` (one a shard), a marker for each
(`analyze.auditing.resume`), and at the end `bad.jsonl` (what could not be judged), `labels.jsonl` (labels that are not
right), `duplicates.jsonl` and `summary.json`. What it does not do: show anything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from analyze.auditing.audit import Scope, audit_chunks
from analyze.auditing.duplicates import Duplicates
from analyze.auditing.findings import Summary
from analyze.auditing.findings_io import Format, writer
from analyze.auditing.resume import Done, Kept, Shard, Spread, shards, write_whole
from analyze.hazards.severity import FILE
from analyze.tokens.contexts import Context
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import load_tokenizer
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
    engine: a name of `analyze.tokens.engines.ENGINES`, or "" for the fastest that proves itself; least: findings of a
    lower severity are counted and not written; weak_isolation: programs may be executed at level C.
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
    shards, this process where it is None (`analyze.auditing.executors` has all cores and Ray); `on_progress` gets the
    number of rows of each shard as it is done. Raises InputError where the source or a tokenizer cannot be read, or
    where the folder holds something else or cannot be written.
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
    summary, kept = Summary(), _kept(folder, request)

    def take(done: Done[Summary]) -> None:
        summary.add(done.summary)
        summary.keep_first(BAD_HELD)
        on_progress(done.summary.rows)

    kept.over(shards(stream, request.rows_per_shard), partial(audit_shard, folder, request), spread, take)
    kept.list_all("bad")
    kept.list_all("labels", "label_checks")
    write_whole(folder / "duplicates.jsonl", "".join(json.dumps(asdict(one)) + "\n" for one in duplicates.listed), "")
    write_whole(folder / "summary.json", json.dumps(summary.to_json()))
    return summary


def audit_shard(folder: Path, request: Request, shard: Shard) -> Done[Summary]:
    """Audit one shard and write its findings, then its marker; called in whatever process or machine is free."""
    allow_weak_isolation(request.weak_isolation)

    def write_part(path: Path) -> Summary:
        summary = Summary()
        with writer(path, request.format) as write:
            for findings, some in audit_chunks(shard.rows, request.scope()):
                write(findings)
                summary.add(some)
        return summary

    return _kept(folder, request).keep(shard, write_part)


def claim(folder: Path, request: Request) -> None:
    """Raises InputError where the folder holds what another audit wrote."""
    fitted = hashlib.sha256(FILE.read_bytes() if FILE.is_file() else b"").hexdigest()
    _kept(folder, request).claim(asdict(request) | {"severities": fitted})


def _kept(folder: Path, request: Request) -> Kept[Summary]:
    return Kept(folder, "audit", "findings", f".{request.format}", Summary.from_json)
