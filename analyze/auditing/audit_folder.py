"""Audits a data set into a folder: shards of rows over all cores, resumable.

The folder holds `audit.json` (the request), `findings/part-00000.jsonl` or `.parquet` (one per shard), a marker for
each shard (`corpora.shard_store`), and at the end `bad.jsonl` (what could not be checked), `labels.jsonl` (labels
that are not correct), `duplicates.jsonl` and `summary.json`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from analyze.auditing.audit import AuditScope, audit_chunks
from analyze.auditing.distinct import DistinctFindings
from analyze.auditing.duplicates import DuplicateIndex
from analyze.auditing.findings import AuditSummary
from analyze.auditing.findings_io import Format, writer
from analyze.hazards.severity import FILE
from analyze.tokens.contexts import Context
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import load_tokenizer
from corpora.atomic_files import write_atomically
from corpora.dataset import BadRow, Row, read_rows
from corpora.execute import allow_weak_isolation
from corpora.shard_store import FinishedShard, Shard, ShardExecutor, ShardStore, split_shards

ROWS_PER_SHARD = 250
MAX_BAD_HELD = 1000
"""Entries about unchecked rows that are held in memory; `bad.jsonl` lists all of them."""


@dataclass(frozen=True)
class AuditRequest:
    """The parameters of an audit, in values that can be sent between processes.

    Attributes:
        source: A path or id.
        mapping: Field to column.
        tokenizers: Names of tokenizers; findings of the first one are compared with those of the others.
        contexts: The contexts to audit.
        execute: Whether programs are run.
        engine: One of `analyze.tokens.engines.ENGINES` (default: "", the fastest that passes verification).
        least: Findings of a lower severity are counted but not written.
        format: Format of the findings.
        seconds: Time limit per row; None for no limit.
        rows_per_shard: Size of a shard.
        weak_isolation: Whether programs may run at isolation level C.
        codes: The hazard classes that are checked; None for all.
        exceptions: Pairs of a glob pattern and classes that are suppressed in files that match it.
        distinct: Whether findings of the same string and operation are merged (`analyze.auditing.distinct`).
        complete: Classes of which merging keeps all distinct findings, not only samples.
    """

    source: str
    mapping: tuple[tuple[str, str], ...] = ()
    tokenizers: tuple[str, ...] = ("llama-3",)
    contexts: tuple[Context, ...] = ("trace",)
    execute: bool = True
    engine: str = ""
    least: float = 1e-9
    format: Format = "jsonl"
    seconds: float | None = None
    rows_per_shard: int = ROWS_PER_SHARD
    weak_isolation: bool = False
    codes: tuple[str, ...] | None = None
    exceptions: tuple[tuple[str, tuple[str, ...]], ...] = ()
    distinct: bool = False
    complete: tuple[str, ...] = ()

    def scope(self) -> AuditScope:
        """Loads and verifies the engines.

        Raises:
            InputError: If a tokenizer cannot be loaded or an engine is rejected.
        """
        engines = tuple(engine_for(load_tokenizer(name), self.engine) for name in self.tokenizers)
        codes = None if self.codes is None else frozenset(self.codes)
        return AuditScope(engines, self.contexts, self.execute, self.least, self.seconds, codes, self.exceptions)


def audit_to(
    folder: Path,
    request: AuditRequest,
    *,
    rows: Iterable[Row | BadRow] | None = None,
    spread: ShardExecutor | None = None,
    duplicates: DuplicateIndex | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> AuditSummary:
    """Audits a data set into a folder, or resumes the audit in that folder.

    Args:
        folder: Where the audit is written.
        request: The parameters.
        rows: Rows to audit instead of those of `request.source`.
        spread: What runs the shards (default: this process; `corpora.shard_executors` has all cores and Ray).
        duplicates: Receives the rows that repeat others.
        on_progress: Called with the number of rows of each finished shard.

    Returns:
        The summary of all shards.

    Raises:
        InputError: If the source or a tokenizer cannot be read, or the folder holds something else or cannot be
            written.
    """
    duplicates = duplicates or DuplicateIndex()
    summary, kept = AuditSummary(), _kept(folder, request)

    def take(done: FinishedShard[AuditSummary]) -> None:
        summary.add(done.summary)
        summary.truncate_lists(MAX_BAD_HELD)
        on_progress(done.summary.rows)

    with _opened(kept, request):
        stream = duplicates.watch(read_rows(request.source, dict(request.mapping)) if rows is None else rows)
        kept.process(split_shards(stream, request.rows_per_shard), partial(audit_shard, folder, request), spread, take)
        kept.collect("bad")
        kept.collect("labels", "label_checks")
        repeated = "".join(json.dumps(asdict(one)) + "\n" for one in duplicates.listed)
        write_atomically(folder / "duplicates.jsonl", repeated)
        write_atomically(folder / "summary.json", json.dumps(summary.to_json()) + "\n")
    return summary


def audit_shard(folder: Path, request: AuditRequest, shard: Shard) -> FinishedShard[AuditSummary]:
    """Audits one shard, writes its findings and then its marker; called in any process or machine."""
    allow_weak_isolation(request.weak_isolation)

    def write_part(path: Path) -> AuditSummary:
        summary, merged = AuditSummary(), DistinctFindings(request.complete)
        with writer(path, request.format) as write:
            for findings, some in audit_chunks(shard.rows, request.scope()):
                if request.distinct:
                    merged.add(findings)
                else:
                    write(findings)
                summary.add(some)
            if request.distinct:
                write(merged.take())
        return summary

    return _kept(folder, request).write(shard, write_part)


def claim_folder(folder: Path, request: AuditRequest) -> None:
    """Raises InputError if the folder holds what another audit wrote, or if another process writes it."""
    with _opened(_kept(folder, request), request):
        pass


def _opened(kept: ShardStore[AuditSummary], request: AuditRequest) -> AbstractContextManager[None]:
    fitted = hashlib.sha256(FILE.read_bytes() if FILE.is_file() else b"").hexdigest()
    return kept.opened(asdict(request) | {"severities": fitted})


def _kept(folder: Path, request: AuditRequest) -> ShardStore[AuditSummary]:
    return ShardStore(folder, "audit", "findings", f".{request.format}", AuditSummary.from_json)
