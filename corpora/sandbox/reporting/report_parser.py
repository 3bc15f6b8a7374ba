"""The only parser of what a program's process reports, on the caller's side. The program may have written any of it.

A message is one line. A result is flat: decimal numbers, then JSON strings, separated by tabs, in the order in which
`report_writer` writes them. The parser counts and measures each field before it decodes it. Anything else raises
ForgedReportError. The content is not trusted: it is the program's own statement about itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Literal, cast, get_args

from corpora.sandbox.reporting import json_shape
from corpora.sandbox.reporting.protocol import NAME_LIMIT, PARTS_LIMIT, REPORT_LIMIT, REPR_LIMIT, STDOUT_LIMIT

ReportedStatus = Literal["ok", "raised", "memory", "output"]
_STATUSES = get_args(ReportedStatus)
_SECONDS, _SIZE, _COUNT = (re.compile(rule, re.ASCII) for rule in (r"\d{1,7}\.\d{6}", r"\d{1,7}", r"\d{1,6}"))
# A character takes at most two escapes of six bytes.
_MAX_ESCAPED_BYTES = 12
# Limits of the JSON of a snapshot: characters outside strings, and nesting. `values.snapshot` stays below both.
MAX_SKELETON_LENGTH, MAX_NESTING_DEPTH = 4 << 20, 500
_MAX_UNCHECKED_BRACKETS = 400


class ForgedReportError(ValueError):
    """The report does not have the form that `report_writer` writes; the message says where it differs."""


@dataclass(frozen=True, slots=True)
class CallReport:
    """The report of one call.

    Attributes:
        status: How the call ended.
        seconds: Wall time.
        stdout_start: Bytes of standard output before the call.
        stdout_end: Bytes of standard output after the call.
        detail: One line for people.
        value: Repr of the result, if status is "ok".
        exception: Type name and message, if status is "raised".
        arguments: Reprs of the arguments after the call.
        globals: Reprs of the changed globals, by name.
        snapshot: `corpora.sandbox.values.snapshot` of result, arguments and globals, as JSON.
        stderr: Standard error.
    """

    status: ReportedStatus
    seconds: float = 0.0
    stdout_start: int = 0
    stdout_end: int = 0
    detail: str = ""
    value: str | None = None
    exception: tuple[str, str] | None = None
    arguments: tuple[str, ...] = ()
    globals: dict[str, str] = field(default_factory=dict)
    snapshot: str = ""
    stderr: str = ""


def parse_string(field: str, limit: int = REPORT_LIMIT) -> str:
    """Decode a JSON string of at most `limit` characters.

    Raises:
        ForgedReportError: The field is not such a string.
    """
    if len(field) > _MAX_ESCAPED_BYTES * limit + 2 or field[:1] != '"':
        raise ForgedReportError("a string is missing or too long")
    try:
        decoded, end = scanstring(field, 1, True)
    except ValueError:
        end = -1
    if end != len(field) or len(decoded) > limit:
        raise ForgedReportError("a string is malformed or too long")
    return cast(str, decoded)


def parse_call_report(line: str) -> CallReport:
    """Parse the line that reports one call.

    Raises:
        ForgedReportError: The line does not have the expected form.
    """
    if line.count("\t") > PARTS_LIMIT + 10:
        raise ForgedReportError("a result with too many fields")
    fields = line.split("\t")
    if len(fields) < 11:
        raise ForgedReportError("a result with missing fields")
    status, seconds, begin, end, count, detail, value, name, message, snapshot, stderr, *parts = fields
    if (
        status not in _STATUSES
        or not _SECONDS.fullmatch(seconds)
        or not (_SIZE.fullmatch(begin) and _SIZE.fullmatch(end))
    ):
        raise ForgedReportError("an invalid status, time or size")
    arguments = int(count) if _COUNT.fullmatch(count) else len(parts) + 1
    if arguments > len(parts) or (len(parts) - arguments) % 2 or not int(begin) <= int(end) <= STDOUT_LIMIT:
        raise ForgedReportError("an invalid number")
    shown = [parse_string(part, REPR_LIMIT) for part in parts]
    if sum(map(len, shown)) > 2 * REPR_LIMIT:
        raise ForgedReportError("reprs beyond the size limit")
    described = parse_string(snapshot)
    _check_snapshot(described)
    return CallReport(
        status=cast(ReportedStatus, status),
        seconds=float(seconds),
        stdout_start=int(begin),
        stdout_end=int(end),
        detail=parse_string(detail, NAME_LIMIT),
        value=parse_string(value, REPR_LIMIT) if status == "ok" else None,
        exception=(parse_string(name, NAME_LIMIT), parse_string(message, REPR_LIMIT)) if status == "raised" else None,
        arguments=tuple(shown[:arguments]),
        globals=dict(zip(shown[arguments::2], shown[arguments + 1 :: 2], strict=True)),
        snapshot=described,
        stderr=parse_string(stderr, STDOUT_LIMIT),
    )


_SNAPSHOT_FIELDS = {"ok": list, "raised": list, "arguments": list, "globals": dict, "capped": bool, "unread": bool}


def _check_snapshot(described: str) -> None:
    """Raise ForgedReportError unless a snapshot is JSON of the expected kind and within its limits."""
    if not described:
        return
    if described.count("[") + described.count("{") + described.count(",") > _MAX_UNCHECKED_BRACKETS:
        bones = json_shape.skeleton(described)
        if len(bones) > MAX_SKELETON_LENGTH or json_shape.nesting_depth(bones) > MAX_NESTING_DEPTH:
            raise ForgedReportError("a snapshot beyond the size limit")
    try:
        decoded = json_shape.decode(described)
    except ValueError as error:
        raise ForgedReportError(f"an invalid snapshot: {error}") from None
    if type(decoded) is not dict or any(
        type(content) is not _SNAPSHOT_FIELDS.get(name) for name, content in decoded.items()
    ):
        raise ForgedReportError("a snapshot with unexpected fields")
