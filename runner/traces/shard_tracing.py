"""A shard of rows becomes a part: each call is traced, and its rewrites with it. Runs in any process or machine."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from analyze.gold_trace.trace import Trace
from analyze.risk.assessment import Assessment, assess
from analyze.tokens.lost_characters import describe_loss
from analyze.tokens.tokenizer import UntokenizedError, load_tokenizer
from corpora import Case
from corpora.dataset import BadRow, Row, case_from_row
from corpora.deadline import OutOfTimeError, time_limit
from corpora.execute import allow_weak_isolation
from corpora.failures import contain_row
from corpora.reading.optional_packages import require_package
from corpora.row_programs import calls_of
from corpora.rows import FailedRow
from corpora.sandbox.values.value_kinds import without_addresses
from corpora.shard_store import FinishedShard, Shard, ShardStore
from runner.traces.augmentation import rewrite_case
from runner.traces.decontamination import Overlap, load_index
from runner.traces.formats import renderer
from runner.traces.layout import WORK
from runner.traces.normalized_tokens import NormalizedTokens, hash_text, normalize_tokens
from runner.traces.schema import part_schema
from runner.traces.similarity import minhash
from runner.traces.suite.package_rows import RECORDED, SKIPPED
from runner.traces.trace_request import DroppedRow, DroppedRowError, TraceRequest
from runner.traces.tracing import DETERMINISM, trace_twice

SEMANTICS = "3.10"
ASSESS_SECONDS = 60.0
BATCH_CHARACTERS = 16 << 20
"""Characters of traces that are held before they are written as a row group."""
CONTAMINATED = "contaminated"
UNREADABLE = "unreadable"
FAILED = "failed"
"""The reason of rows on which the work ended with an unexpected exception."""
NOT_REBUILT = "a recorded call that cannot be rebuilt"
REPLAY_DIFFERS = "the replay differs from the recorded call"


@dataclass
class ShardCounts:
    """What became of the rows of a shard.

    Attributes:
        rows: Rows of the source.
        kept: Rows in the part, rewrites among them.
        dropped: Rows and rewrites that are not.
        contaminated: Rows that contain a benchmark's program, with the evidence.
    """

    rows: int = 0
    kept: int = 0
    dropped: list[dict[str, Any]] = field(default_factory=list)
    contaminated: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Returns a JSON object, which `from_json` reads."""
        return vars(self)

    @staticmethod
    def from_json(value: dict[str, Any]) -> ShardCounts:
        """Reads what `to_json` returned."""
        return ShardCounts(**value)


@dataclass(frozen=True)
class _Call:
    """A call of a row of the source, under a recipe or none."""

    row: Row
    number: int
    case: Case
    recipe: str | None = None

    def drop(self, reason: str, detail: str = "") -> DroppedRow:
        """Returns that it is not in the data set, and why."""
        return DroppedRow(self.row.number, self.row.where, self.case.id, reason, detail, self.number, self.recipe)


def trace_store(folder: Path) -> ShardStore[ShardCounts]:
    """The parts of a data set."""
    return ShardStore(folder, "traces", "parts", ".parquet", ShardCounts.from_json, WORK)


def trace_shard(folder: Path, request: TraceRequest, shard: Shard) -> FinishedShard[ShardCounts]:
    """Traces one shard, writes its part and then its marker."""
    allow_weak_isolation(request.weak_isolation)

    def write_part(path: Path) -> ShardCounts:
        counts = ShardCounts()
        parquet = require_package("pyarrow.parquet")
        with path.open("wb") as file, parquet.ParquetWriter(file, part_schema(), compression="zstd") as writer:
            waiting: list[dict[str, Any]] = []
            size = 0
            for row in shard.rows:
                counts.rows += 1
                for made in _row_outputs(row, request, folder, counts):
                    if isinstance(made, DroppedRow):
                        counts.dropped.append(asdict(made))
                        continue
                    counts.kept += 1
                    waiting.append(made)
                    size += len(made["trace"]) + len(made["prompt"])
                    if size > BATCH_CHARACTERS:
                        _write(writer, waiting)
                        waiting, size = [], 0
            _write(writer, waiting)
        return counts

    return trace_store(folder).write(shard, write_part)


def _write(writer: Any, rows: list[dict[str, Any]]) -> None:
    arrow = require_package("pyarrow")
    writer.write_table(arrow.Table.from_pylist(rows, schema=part_schema()))


def _row_outputs(
    row: Row | BadRow, request: TraceRequest, folder: Path, counts: ShardCounts
) -> Iterator[dict[str, Any] | DroppedRow]:
    """The rows of the data set that come from a row of the source: a row for each call, then its rewrites."""
    if isinstance(row, BadRow):
        reason = FAILED if isinstance(row, FailedRow) else UNREADABLE
        yield DroppedRow(row.number, row.where, "", reason, row.reason)
        return
    if SKIPPED in row.fields:
        yield DroppedRow(row.number, row.where, str(row.fields["id"]), NOT_REBUILT, str(row.fields[SKIPPED]))
        return
    for number, one in enumerate(_single_calls(row), 1):
        case = case_from_row(one)
        if isinstance(case, BadRow):
            yield DroppedRow(row.number, row.where, "", UNREADABLE, case.reason)
            continue
        call = _Call(row, number, case)
        yield from _contained(partial(_call_outputs, call, request, folder, counts), call)


def _contained(
    work: Callable[[], Iterator[dict[str, Any] | DroppedRow]], call: _Call
) -> list[dict[str, Any] | DroppedRow]:
    """What the work yields; if it raises an exception, a dropped row."""
    made = contain_row(lambda: list(work()), call.row)
    return [call.drop(FAILED, made.reason)] if isinstance(made, FailedRow) else made


def _single_calls(row: Row) -> list[Row]:
    calls = calls_of(row)
    if len(calls) < 2 and "calls" not in row.fields:
        return [row]
    plain = {name: value for name, value in row.fields.items() if name not in ("calls", "input")}
    return [replace(row, fields={**plain, "call": call}) for call in calls] or [row]


def _call_outputs(
    call: _Call, request: TraceRequest, folder: Path, counts: ShardCounts
) -> Iterator[dict[str, Any] | DroppedRow]:
    row, case = call.row, call.case
    tokens = normalize_tokens(case.source)
    overlap = load_index(folder / WORK).overlap(tokens.anonymous) if request.decontaminate else None
    if overlap and overlap.share >= request.max_overlap:
        counts.contaminated.append({"row": row.number, "where": row.where, "id": case.id, **asdict(overlap)})
        yield call.drop(CONTAMINATED, _describe(overlap))
        return
    made = _traced(call, request, tokens)
    yield made
    if isinstance(made, DroppedRow):
        return
    for recipe in request.recipes:
        rewrite = replace(call, recipe=recipe)
        yield from _contained(partial(_rewritten, rewrite, recipe, request), rewrite)


def _rewritten(call: _Call, recipe: str, request: TraceRequest) -> Iterator[dict[str, Any] | DroppedRow]:
    """The row of a call under a recipe."""
    try:
        source = rewrite_case(call.case, recipe, request.seconds)
    except DroppedRowError as error:
        yield call.drop(f"{recipe}: {error.reason}", error.detail)
        return
    yield _traced(replace(call, case=replace(call.case, source=source)), request, normalize_tokens(source))


def _describe(overlap: Overlap) -> str:
    return f"{overlap.share:.0%} of the {overlap.ngrams} n-grams of {overlap.item} in {overlap.benchmark}"


def _traced(call: _Call, request: TraceRequest, tokens: NormalizedTokens) -> dict[str, Any] | DroppedRow:
    """The row of one call, or why it is dropped."""
    row, case, recipe = call.row, call.case, call.recipe
    tokenizer = load_tokenizer(request.tokenizer)
    try:
        trace = trace_twice(case, request)
        if recipe is None:
            _check_recorded(row, trace)
        rendered = renderer(request.format)(case, trace, tokenizer)
        if lost := describe_loss(case.context + trace.text, tokenizer):
            raise DroppedRowError("characters without a token", lost)
        count = rendered.count_tokens(tokenizer)
        if count > request.max_tokens:
            raise DroppedRowError("more tokens than --max-tokens", f"{count:,} tokens")
    except DroppedRowError as error:
        reason = f"{recipe}: {error.reason}" if recipe else error.reason
        return call.drop(reason, error.detail)
    except (UntokenizedError, UnicodeEncodeError) as error:
        return call.drop("cannot be tokenized", str(error))
    outcome = trace.outcome
    exception, message = outcome.exception or (None, None)
    given = row.fields.get("family")
    assessment = _assessment(case, request) if request.assesses else None
    return {
        "id": case.id,
        "row": row.number,
        "call_number": call.number,
        "recipe": recipe,
        "source": case.source,
        "call": case.call,
        "result": _writable(outcome.value),
        "exception": _writable(exception),
        "exception_message": _writable(message),
        "format": request.format,
        "prompt": rendered.prompt,
        "trace": rendered.text,
        "prompt_ids": rendered.prompt_ids,
        "token_ids": rendered.ids,
        "tokens": count,
        "frames": len(trace.frames),
        "semantics": SEMANTICS,
        "caveats": list(trace.labels),
        "python": platform.python_version(),
        "determinism": DETERMINISM,
        "isolation": outcome.isolation,
        "risk": assessment.risk if assessment else None,
        "hazards": sorted({one.hazard for one in assessment.findings}) if assessment else None,
        "provenance": _provenance(row, request),
        "where": row.where,
        "given_family": None if given is None else str(given),
        "program_digest": tokens.digest,
        "call_digest": hash_text(case.call.strip()),
        "trace_digest": hash_text(trace.text),
        "minhash": minhash(tokens.anonymous),
    }


def _check_recorded(row: Row, trace: Trace) -> None:
    """Raises DroppedRowError if a call of a suite does not do what it did there."""
    if not all(name in row.fields for name in RECORDED):
        return
    recorded = tuple(row.fields[name] for name in RECORDED)
    replayed = trace.outcome.value, trace.outcome.exception and trace.outcome.exception[0].rpartition(".")[2]
    was, now = (
        f"raises {raised}" if raised else without_addresses(str(value)) for value, raised in (recorded, replayed)
    )
    if was != now:
        raise DroppedRowError(REPLAY_DIFFERS, f"recorded: {was}; replayed: {now}")


def _assessment(case: Case, request: TraceRequest) -> Assessment | None:
    """The assessment of a call; None if it takes too long, or if its strings cannot be tokenized."""
    try:
        with time_limit(ASSESS_SECONDS):
            return assess(case.source, case.call, load_tokenizer(request.tokenizer), grading=case.grading)
    except (OutOfTimeError, UntokenizedError):
        return None


def _provenance(row: Row, request: TraceRequest) -> dict[str, str | None]:
    named = {name: row.fields.get(name) for name in ("license", "licence", "commit", "origin")}
    license_ = named["license"] or named["licence"] or request.license
    return {
        "origin": str(named["origin"] or row.where),
        "commit": str(named["commit"] or request.commit) or None,
        "license": str(license_) or None,
        "spellout": request.spellout,
        "options": options_json(request),
    }


@lru_cache(1)
def options_json(request: TraceRequest) -> str:
    """The options as JSON."""
    return json.dumps(asdict(request))


def _writable(text: str | None) -> str | None:
    """Escapes lone surrogates, which Parquet cannot hold."""
    return text if text is None or text.isascii() else text.encode("utf-8", "backslashreplace").decode()
