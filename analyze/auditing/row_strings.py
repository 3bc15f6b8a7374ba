"""The strings of a row that an audit checks: literals, inputs, targets and string operations.

Operations are found statically and by execution. Each string is a question with its field, its line and, if it was
executed, its step.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from analyze.auditing.label_errors import LabelCheck, check_label
from analyze.auditing.string_call_probes import OBSERVED
from analyze.auditing.string_calls import cut_positions, find_literals, find_operations
from analyze.diagnosis.answer_comparison import final_answer
from analyze.gold_trace.trace import trace_call
from analyze.hazards.batch import StringQuestion
from analyze.hazards.match_positions import SEARCH_METHODS
from corpora.calls import untraceable_reason
from corpora.dataset import BadRow, Row, missing_field_reason
from corpora.deadline import OutOfTimeError
from corpora.execute import run_observed
from corpora.literals import label_text, parsed_or_reason
from corpora.program import Outcome, trace_context
from corpora.sandbox.reporting.json_shape import decode_shaped

MAX_CHARACTERS = 2**18
"""Maximum length of a string that is checked. In a context, it is at most twelve times as long."""
OBSERVER = "analyze.auditing.string_call_probes:StringCallObserver"


@dataclass(frozen=True)
class AuditUnit:
    """One question of a row.

    Attributes:
        field: "literal", "input", "target", "operation" or "execution".
        line: Line of the program, from 1 (0 for inputs and targets).
        question: The string and its operation.
        column: Column of that line in characters, from 1 (0 for inputs and targets).
        step: Number of the operation in the execution, from 1 (0 if it was not executed).
    """

    field: str
    line: int
    question: StringQuestion
    column: int = 0
    step: int = 0


@dataclass(frozen=True)
class ProgramFields:
    """The fields of a row: its id, the program, and the call and target if it has them."""

    id: str
    source: str
    call: str | None
    target: str | None


class UnreadRow(BadRow):
    """A row that could not be read as a program with its call. A plain BadRow marks a smaller problem."""


def read_fields(row: Row) -> ProgramFields | BadRow:
    """Reads the fields of CruxEval's rows (`code`, `input`, `output`) or of ours (`source`, `call`, `expected`)."""
    values = dict(row.fields)
    for name in ("expected", "output"):
        try:
            values[name] = None if values.get(name) is None else label_text(values[name])
        except ValueError as error:
            return UnreadRow(row.number, row.where, f"field {name!r} is {error}")
    for name in ("source", "code", "call", "input", "expected", "output"):
        value = values.get(name)
        if value is not None and not isinstance(value, str):
            return UnreadRow(row.number, row.where, f"field {name!r} is {type(value).__name__}, not text")
        if isinstance(value, str) and not _encodable(value):
            return UnreadRow(row.number, row.where, f"lone surrogates in field {name!r}")
    source = _first(values, "source", "code")
    if source is None:
        return UnreadRow(row.number, row.where, missing_field_reason(row, "source", "code"))
    given = _first(values, "input")
    call = _first(values, "call") or (f"f({given})" if given is not None else None)
    return ProgramFields(str(values.get("id", row.number)), source, call, _first(values, "expected", "output"))


def audit_units(row: Row, *, execute: bool = True) -> Iterator[AuditUnit | BadRow | LabelCheck]:
    """Yields everything to check in a row, and its label if the call is executed.

    Args:
        row: The row.
        execute: Whether to run the program.

    Yields:
        Units; for a string or row that cannot be checked, a BadRow with the reason.
    """
    fields = read_fields(row)
    if isinstance(fields, BadRow):
        yield fields
        return
    tree = parsed_or_reason(fields.source, "exec")
    if isinstance(tree, str):
        yield UnreadRow(row.number, row.where, f"the program does not parse: {tree}")
        return
    column = _character_columns(fields.source)
    found: list[AuditUnit | BadRow | LabelCheck] = [
        AuditUnit("literal", entry.line, StringQuestion(entry.value), column(entry.line, entry.column))
        for entry in find_literals(tree)
    ]
    found += _in_call(row, fields)
    found += _in_target(fields.target)
    unparsed = any(isinstance(unit, BadRow) for unit in found)
    executed = list(_executed(row, fields, column)) if execute and fields.call and not unparsed else []
    seen = {(unit.line, unit.question.method) for unit in executed if isinstance(unit, AuditUnit)}
    static = [
        AuditUnit("operation", entry.line, entry.question, column(entry.line, entry.column))
        for entry in find_operations(tree)
        if (entry.line, entry.method) not in seen
    ]
    for unit in (*found, *static, *executed):
        reason = _why_unjudged(unit.question) if isinstance(unit, AuditUnit) else ""
        if isinstance(unit, AuditUnit) and reason:
            place = f"in a string of its {unit.field}, line {unit.line}"
            unit = BadRow(row.number, row.where, f"not checked: {reason} {place}")
        yield unit


ColumnOf = Callable[[int, int], int]
"""Converts a line and the byte of the line (from 0, as `ast` counts) to a column in characters, from 1."""


def _character_columns(source: str) -> ColumnOf:
    if source.isascii():
        return lambda line, byte: byte + 1
    lines = [line.encode() for line in source.split("\n")]

    def column(line: int, byte: int) -> int:
        # A line beyond the end is one of a program that the program itself compiled.
        before = lines[line - 1][:byte] if 0 < line <= len(lines) else b" " * byte
        return len(before.decode(errors="ignore")) + 1

    return column


def _why_unjudged(question: StringQuestion) -> str:
    """Returns why the strings of a question are not checked; empty if they are."""
    strings = (question.text, question.pattern or "", question.result or "")
    if max(map(len, strings)) > MAX_CHARACTERS:
        return f"more than {MAX_CHARACTERS:,} characters"
    return "" if all(map(_encodable, strings)) else "lone surrogates"


def _first(values: Any, *names: str) -> str | None:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _encodable(text: str) -> bool:
    # Faster than encoding; only surrogates cannot be encoded.
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def _in_call(row: Row, fields: ProgramFields) -> Iterator[AuditUnit | BadRow]:
    if fields.call is None:
        return
    tree = parsed_or_reason(fields.call.strip(), "eval")
    if isinstance(tree, str):
        yield UnreadRow(row.number, row.where, f"the call does not parse: {tree}")
        return
    if not any(isinstance(node, ast.Call | ast.Name) for node in ast.walk(tree)):
        yield UnreadRow(row.number, row.where, "the call is a literal and calls nothing")
    for entry in find_literals(tree):
        yield AuditUnit("input", 0, StringQuestion(entry.value))


def _in_target(target: str | None) -> list[AuditUnit]:
    """Returns the strings in the target; if it is not an expression (`<object>`), its text."""
    if target is None:
        return []
    tree = parsed_or_reason(target.strip(), "eval")
    values = [target] if isinstance(tree, str) else [entry.value for entry in find_literals(tree)]
    return [AuditUnit("target", 0, StringQuestion(value)) for value in values]


def _executed(row: Row, fields: ProgramFields, column: ColumnOf) -> Iterator[AuditUnit | BadRow | LabelCheck]:
    """Yields the executed operations and the label check; a BadRow if the program did not run to its end."""
    tree = parsed_or_reason(fields.source, "exec")
    missing = untraceable_reason(fields.source, tree, fields.call or "") if isinstance(tree, ast.Module) else ""
    if missing:
        yield UnreadRow(row.number, row.where, missing)
        return
    try:
        outcome, lines = run_observed(trace_context(fields.source, fields.call or ""), OBSERVER, {})
        if fields.target is not None and fields.target.strip():
            yield _label(row, fields, outcome)
    except OutOfTimeError as error:
        yield BadRow(row.number, row.where, f"its execution is not checked: {error.message}")
        return
    ended = False
    for line in lines:
        record = _record(line)
        if record is None:
            yield BadRow(row.number, row.where, "the execution's record was tampered with")
            return
        if "steps" in record:
            ended = True
            if record["cut"]:
                left = f"{record['cut']} executed operations beyond the limits are not checked"
                yield BadRow(row.number, row.where, left)
        else:
            at = column(record["line"], record["column"])
            yield AuditUnit("execution", record["line"], _question(record), at, record["step"])
    if not outcome.has_ended or not ended:
        yield BadRow(row.number, row.where, f"executed only in part: {outcome.detail or outcome.status}")


def _label(row: Row, fields: ProgramFields, outcome: Outcome) -> LabelCheck:
    call, label = fields.call or "", (fields.target or "").strip()
    if row.fields.get("grading") == "state" and outcome.status == "ok":
        outcome = replace(outcome, value=final_answer(trace_call(fields.source, call, "state").frames, "state"))
    verdict, gives = check_label(fields.source, call, label, outcome)
    return LabelCheck(row.number, row.where, call, label, gives, verdict)


def _record(line: str) -> dict[str, Any] | None:
    """Parses one line of the observer; None if it is malformed (the program can write to the channel)."""
    try:
        record = decode_shaped(line, _SHAPE)
        needed = {"steps", "kept", "cut"} if "steps" in record else {"step", "line", "column", "method", "text"}
        right = needed <= record.keys() and all(_TYPES[name](value) for name, value in record.items())
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return record if right else None


def _count(value: object) -> bool:
    return type(value) is int and 0 <= value < 1 << 31


def _string(value: object) -> bool:
    return type(value) is str


def _positions(value: object, *sizes: int) -> bool:
    return isinstance(value, list) and len(value) in sizes and all(v is None or type(v) is int for v in value)


_PART = r"(?:null|-?\d{1,4000})"
_VALUE = rf"(?:-?\d{{1,19}}|\[{_PART}(?:, {_PART}){{0,2}}\])?"
_SHAPE = re.compile(rf"\{{: {_VALUE}(?:, : {_VALUE}){{0,11}}\}}", re.ASCII)
_TYPES: dict[str, Callable[[object], bool]] = {
    **dict.fromkeys(("steps", "kept", "cut", "step", "line", "column"), _count),
    **dict.fromkeys(("text", "pattern", "result"), _string),
    "limit": lambda value: type(value) is int and -(1 << 31) <= value < 1 << 63,  # what `split` and `replace` accept
    "method": lambda value: value in OBSERVED or value in ("in", "[]"),
    "index": lambda value: _positions(value, 1, 3),
    "window": lambda value: _positions(value, 2),
}


def _question(record: dict[str, Any]) -> StringQuestion:
    text, index = record["text"], record.get("index")
    cuts: tuple[int, ...] = ()
    if index is not None:
        cuts = cut_positions(index[0] if len(index) == 1 else slice(*index), len(text))
    window = record.get("window")
    return StringQuestion(
        text=text,
        pattern=record.get("pattern") if record["method"] in SEARCH_METHODS else None,
        method=record["method"],
        result=record.get("result") if record["method"] != "join" else None,
        cuts=cuts,
        limit=record.get("limit", -1),
        window=slice(*window).indices(len(text))[:2] if window else None,
    )
