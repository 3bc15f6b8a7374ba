"""`audit`: streams a data set and yields the tokenization hazards in its rows.

Findings are in the order of the rows; within a row, in the order of tokenizers, contexts and hazards.
`analyze.auditing.audit_folder` adds processes and files.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import partial
from itertools import combinations, islice, product
from pathlib import Path
from typing import TypeVar

from analyze.auditing.audit_result import AuditFindings
from analyze.auditing.findings import MAX_EXAMPLES, AuditSummary, Finding, HazardChange
from analyze.auditing.label_errors import CONTRADICTED, LabelCheck
from analyze.auditing.row_strings import AuditUnit, UnreadRow, audit_units
from analyze.auditing.suppressions import Suppression, SuppressionUse, find_suppressions
from analyze.hazards.base import Hazard, all_hazards, position_codes
from analyze.hazards.batch import QuestionBatch
from analyze.hazards.rules.special import special_pattern
from analyze.tokens.contexts import Context
from analyze.tokens.engines import TokenizationEngine, engine_for
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.dataset import BadRow, Row, read_rows
from corpora.deadline import current_deadline, time_limit
from corpora.errors import InputError
from corpora.failures import WorkFailure, contain
from corpora.literals import UNPARSABLE, parse_quietly
from corpora.rows import FailedRow

ROWS_PER_BATCH = 64
MAX_LISTED_CHARACTERS = 1_000_000
"""Maximum text that the findings of one hazard list per row, at least one finding each; further findings are only
counted.

Each finding holds its whole string, so 100,000 places in a string of a megabyte would exhaust memory.
"""
Reported = TypeVar("Reported", BadRow, LabelCheck)


@dataclass(frozen=True)
class AuditScope:
    """What an audit checks.

    Attributes:
        engines: The engines, one per tokenizer.
        contexts: The contexts.
        execute: Whether programs are run.
        least: Findings of a lower severity are counted but not returned (MATCH has severity 0).
        seconds: Time limit per row; None for no limit.
        codes: The hazard classes that are checked; None for all.
        exceptions: Pairs of a glob pattern and classes: findings of these classes in files that match are suppressed.
    """

    engines: tuple[TokenizationEngine, ...]
    contexts: tuple[Context, ...] = ("trace",)
    execute: bool = True
    least: float = 1e-9
    seconds: float | None = None
    codes: frozenset[str] | None = None
    exceptions: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def hazards(self) -> tuple[Hazard, ...]:
        """Returns the classes that are checked."""
        return tuple(kind for kind in all_hazards() if self.codes is None or kind.name in self.codes)


def path_of(where: str) -> str:
    """Returns the path of a place, without the number of the row or line and column.

    >>> path_of("data/cases.jsonl:12"), path_of("program.py")
    ('data/cases.jsonl', 'program.py')
    """
    return re.sub(r"(:\d+)+$", "", where)


class Suppressor:
    """Decides which findings of some rows are suppressed, by a comment or by the file they are in."""

    def __init__(self, rows: Sequence[Row | BadRow], scope: AuditScope) -> None:
        self._scope = scope
        self._excepted: dict[int, set[str]] = {}
        for row, (pattern, codes) in product(rows, scope.exceptions):
            if _matches(row.where, pattern):
                self._excepted.setdefault(row.number, set()).update(codes)
        self._comments: dict[int, tuple[Row, SuppressionUse]] = {}
        for row in rows:
            source = row.fields.get("source", row.fields.get("code")) if isinstance(row, Row) else None
            if isinstance(row, Row) and isinstance(source, str) and "spellout:" in source:
                self._comments[row.number] = (row, SuppressionUse(_suppressions_in(source)))

    def suppresses(self, row: int, line: int, code: str) -> bool:
        """Returns whether the findings of a class on a line of a row's program are suppressed."""
        if code in self._excepted.get(row, ()):
            return True
        return bool(line and row in self._comments and self._comments[row][1].suppresses(line, code))

    def add_unused(self, summary: AuditSummary) -> None:
        """Lists the comments that suppressed nothing. Not executing a call leaves its comments undecided."""
        unchecked = frozenset(kind.name for kind in all_hazards()) - {kind.name for kind in self._scope.hazards()}
        for row, use in self._comments.values():
            if self._scope.execute or not (row.fields.get("call") or row.fields.get("input")):
                unused = list(use.unused(_writable(row.where), unchecked))
                summary.unused += unused
                summary.unused_count += len(unused)


def _suppressions_in(source: str) -> tuple[Suppression, ...]:
    try:
        return find_suppressions(source, parse_quietly(source))
    except UNPARSABLE:
        return ()  # the row is reported as one that does not parse


def _matches(where: str, pattern: str) -> bool:
    path = Path(path_of(where))
    return fnmatch(str(path.absolute()), pattern) or fnmatch(path.name, pattern)


def audit(
    rows_or_path: Iterable[object] | str | Path,
    tokenizer: Tokenizer | None = None,
    *,
    mapping: Mapping[str, str] | None = None,
    contexts: Sequence[Context] = ("trace",),
    execute: bool = True,
    on_bad: Callable[[BadRow], None] | None = None,
    on_label: Callable[[LabelCheck], None] | None = None,
) -> AuditFindings:
    """Returns the findings of a data set, which are produced row by row, in constant memory.

    Args:
        rows_or_path: Anything that `corpora.read_rows` takes.
        tokenizer: The model's tokenizer (default: Llama-3's).
        mapping: Column by field, such as {"code": "solution"} (default: none).
        contexts: The contexts in which strings are checked (default: trace).
        execute: Whether to run programs to find their string operations and check their labels (default: True).
        on_bad: Called with every row or string that cannot be checked (default: a Python warning).
        on_label: Called with every label that execution contradicts or that cannot be judged (default: a Python warning
            for contradicted labels).

    Returns:
        An iterator over the findings, with `to_frame()`; a notebook displays it as a table.

    Raises:
        InputError: If the data set as a whole cannot be read, or, at the end, if none of its rows could be.
    """

    def stream() -> Iterator[Finding]:
        rows = read_rows(rows_or_path, mapping or {})
        scope = AuditScope((engine_for(tokenizer or default_tokenizer()),), tuple(contexts), execute)
        read = unread = 0
        for findings, summary in audit_chunks(rows, scope):
            read, unread = read + summary.rows, unread + summary.unread
            for bad in summary.bad:
                _tell(on_bad, bad, f"{bad.where}: {bad.reason}")
            for check in summary.label_checks:
                if on_label or check.verdict in CONTRADICTED:
                    _tell(on_label, check, str(check))
            yield from findings
        if read and read == unread:
            raise InputError(f"none of the {read:,} rows could be read")

    return AuditFindings(stream())


def _tell(listener: Callable[[Reported], None] | None, what: Reported, text: str) -> None:
    if listener is None:
        warnings.warn(text, stacklevel=4)
    else:
        listener(what)


def audit_chunks(rows: Iterable[Row | BadRow], scope: AuditScope) -> Iterator[tuple[list[Finding], AuditSummary]]:
    """Yields the findings and the summary of some rows at a time."""
    stream = iter(rows)
    while chunk := list(islice(stream, ROWS_PER_BATCH)):
        yield audit_rows(chunk, scope)


def audit_rows(rows: Sequence[Row | BadRow], scope: AuditScope) -> tuple[list[Finding], AuditSummary]:
    """Returns the findings of a few rows, and their summary.

    A row that makes the audit fail, or that exceeds its time limit, is reported as not checked.
    """
    found = contain(partial(_audited, rows, scope))
    if not isinstance(found, WorkFailure):
        return found
    if len(rows) > 1:
        middle = len(rows) // 2
        (findings, summary), (others, rest) = audit_rows(rows[:middle], scope), audit_rows(rows[middle:], scope)
        summary.add(rest)
        return findings + others, summary
    row, summary = rows[0], AuditSummary(rows=1, unread=1, failed=int(found.is_unexpected))
    summary.add_bad(BadRow(row.number, row.where, f"not checked: {found.reason}"))
    return [], summary


def _audited(rows: Sequence[Row | BadRow], scope: AuditScope) -> tuple[list[Finding], AuditSummary]:
    summary = AuditSummary(rows=len(rows))
    places: list[tuple[Row, str, AuditUnit]] = []
    for row in rows:
        unread = isinstance(row, BadRow)
        summary.failed += isinstance(row, FailedRow)
        with time_limit(scope.seconds):
            units = [row] if isinstance(row, BadRow) else list(audit_units(row, execute=scope.execute))
        for unit in units:
            if isinstance(unit, BadRow):
                summary.add_bad(unit)
                unread = unread or isinstance(unit, UnreadRow)
            elif isinstance(unit, LabelCheck):
                summary.add_label(unit)
            elif isinstance(row, Row):
                places.append((row, _identifier(row), unit))
        summary.unread += unread
        if isinstance(row, Row):
            for bad in _special_outside(row, places, scope.engines):
                summary.add_bad(bad)
    summary.units = len(places)
    findings: list[Finding] = []
    suppressor = Suppressor(rows, scope)
    hit: dict[tuple[str, str, str], set[int]] = {}
    with time_limit(scope.seconds):  # of one row, for all: if that is not enough, the rows are audited in halves
        for engine in scope.engines:
            batches = [
                QuestionBatch([unit.question for _, _, unit in places], engine, context) for context in scope.contexts
            ]
            for batch in batches:
                findings += _judged(places, batch, scope, summary, suppressor, hit)
            if places:
                _compare(batches, summary)
    suppressor.add_unused(summary)
    _add_changes(places, scope, hit, summary)
    findings.sort(key=lambda finding: finding.row)
    return findings, summary


def _identifier(row: Row) -> str:
    own = row.fields.get("id")
    return _writable(str(row.number if own is None else own))


def _writable(text: str) -> str:
    """Escapes lone surrogates (of an id, or of a path that is not UTF-8), which output formats cannot hold."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _special_outside(
    row: Row, places: Sequence[tuple[Row, str, AuditUnit]], engines: Sequence[TokenizationEngine]
) -> Iterator[BadRow]:
    """Yields special tokens in a program's comments; those in its strings are findings (SPECIAL)."""
    source = row.fields.get("source", row.fields.get("code"))
    if not isinstance(source, str):
        return
    for engine in engines:
        for match in special_pattern(engine.tokenizer).finditer(source):
            if not any(match.group() in unit.question.text for at, _, unit in places if at is row):
                line = source.count("\n", 0, match.start()) + 1
                place = f"line {line}: {match.group()} of {engine.tokenizer.name}"
                yield BadRow(row.number, row.where, f"{place} in a comment")


def _compare(batches: Sequence[QuestionBatch], summary: AuditSummary) -> None:
    """Counts the operations whose occurrences have other classes in another context; the occurrences are the same."""
    for one, other in combinations(batches, 2):
        key = (one.engine.tokenizer.name, one.context, other.context)
        rows = one.occurrences.rows
        differs = rows[position_codes(one.occurrences) != position_codes(other.occurrences)]
        compared, different = summary.verdicts.get(key, (0, 0))
        summary.verdicts[key] = (compared + len(set(rows.tolist())), different + len(set(differs.tolist())))


def _add_changes(
    places: Sequence[tuple[Row, str, AuditUnit]],
    scope: AuditScope,
    hit: dict[tuple[str, str, str], set[int]],
    summary: AuditSummary,
) -> None:
    """Counts what a switch from the first tokenizer to the second changes for each class."""
    if len(scope.engines) < 2:
        return
    first, second = (engine.tokenizer.name for engine in scope.engines[:2])
    for kind in scope.hazards():
        for context in scope.contexts:
            before, after = hit.get((first, context, kind.name), set()), hit.get((second, context, kind.name), set())
            gained, lost = sorted(after - before), sorted(before - after)
            examples = [tuple(_described(places[at], kind) for at in some[:MAX_EXAMPLES]) for some in (gained, lost)]
            summary.add_change(HazardChange(kind.name, len(before), len(after), len(gained), len(lost), *examples))


def _described(place: tuple[Row, str, AuditUnit], kind: Hazard) -> str:
    row, _, unit = place
    question = unit.question
    return f"{_writable(row.where)}: {kind.describe(question.text, question.pattern, question.method)}"


def _judged(
    places: Sequence[tuple[Row, str, AuditUnit]],
    batch: QuestionBatch,
    scope: AuditScope,
    summary: AuditSummary,
    suppressor: Suppressor,
    hit: dict[tuple[str, str, str], set[int]],
) -> Iterator[Finding]:
    seen: set[tuple[object, ...]] = set()
    for kind in scope.hazards() if places else ():
        current_deadline().check()
        room: dict[int, int] = {}
        for at, severity, start, end in kind.find(batch).entries():
            current_deadline().check()
            row, identifier, unit = places[at]
            if severity > 0 and suppressor.suppresses(row.number, unit.line, kind.name):
                summary.suppressed += 1
                continue
            if severity > 0 and len(scope.engines) > 1:
                hit.setdefault((batch.engine.tokenizer.name, batch.context, kind.name), set()).add(at)
            key = (batch.engine.tokenizer.name, batch.context, kind.name, unit.question.method, unit.field)
            in_row, in_field = (row.number, kind.name), (row.number, kind.name, unit.question.method, unit.field)
            summary.count(key, in_field not in seen, in_row not in seen, severity)
            seen |= {in_row, in_field}
            if severity < scope.least:
                continue
            left = room.get(row.number, MAX_LISTED_CHARACTERS)
            room[row.number] = left - len(unit.question.text)
            if left <= 0:
                summary.unlisted += 1
            else:
                yield _finding(row, identifier, unit, batch, kind, (at, severity, start, end))


def _finding(
    row: Row, identifier: str, unit: AuditUnit, batch: QuestionBatch, kind: Hazard, hit: tuple[int, float, int, int]
) -> Finding:
    at, severity, start, end = hit
    question = unit.question
    subject, number = batch.texts, at
    if kind.looks_at == "pattern":
        subject, number = batch.queries.placed, int(batch.queries.index[at])
    text = subject.texts[number]
    written_start, written_end = subject.bytes_of(number, start, end)
    return Finding(
        row=row.number,
        where=_writable(row.where),
        id=identifier,
        field=unit.field,
        line=unit.line,
        column=unit.column,
        step=unit.step,
        method=question.method,
        hazard=kind.name,
        severity=round(severity, 4),
        tokenizer=batch.engine.tokenizer.name,
        context=batch.context,
        text=question.text,
        pattern=question.pattern,
        of=kind.looks_at,
        start=len(text[:start].encode()),
        end=len(text[:end].encode()),
        token_ids=subject.tokens_at(number, start, end),
        query=batch.query_ids(at),
        written=subject.written[number],
        written_start=written_start,
        written_end=written_end,
        boundaries=tuple(subject.tokens.boundaries(number)),
        why=kind.why(batch, at, start, end),
    )
