"""The one parser of what a program's process says, on the caller's side. A program can have written any of it.

A message is one line. A result is flat: numbers in plain digits, then JSON strings, separated by tabs, in the order in
which `report_writer` writes them; each is counted and measured before it is decoded. What is not
exactly that raises ForgedError. What it does not do: believe the content. That is the program's own word about itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Literal, cast, get_args

from corpora.sandbox.reporting import json_shape
from corpora.sandbox.reporting.protocol import NAME_LIMIT, PARTS_LIMIT, REPORT_LIMIT, REPR_LIMIT, STDOUT_LIMIT

Told = Literal["ok", "raised", "memory", "output"]
_STATUSES = get_args(Told)
_SECONDS, _SIZE, _COUNT = (re.compile(rule, re.ASCII) for rule in (r"\d{1,7}\.\d{6}", r"\d{1,7}", r"\d{1,6}"))
# A character is at most two escapes of six bytes; and no repr is longer than all of them together may be.
_WIDEST = 12
# Of a snapshot's JSON: what is not inside strings, and how deep. `corpora.sandbox.values.snapshot` stays below both.
MOST_BONES, MOST_DEPTH = 4 << 20, 500
_SMALL = 400


class ForgedError(ValueError):
    """What came is not what the reporter writes; the text says in what."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is told about one call. stdout_start and stdout_end: bytes of standard output before and after it."""

    status: Told
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


def text(field: str, limit: int = REPORT_LIMIT) -> str:
    """A JSON string of at most `limit` characters. Raises ForgedError."""
    if len(field) > _WIDEST * limit + 2 or field[:1] != '"':
        raise ForgedError("a text is missing or too long")
    try:
        decoded, end = scanstring(field, 1, True)
    except ValueError:
        end = -1
    if end != len(field) or len(decoded) > limit:
        raise ForgedError("a text is broken or too long")
    return cast(str, decoded)


def result(line: str) -> Result:
    """The result that a line tells. Raises ForgedError."""
    if line.count("\t") > PARTS_LIMIT + 10:
        raise ForgedError("a result of too many parts")
    status, seconds, begin, end, count, detail, value, name, message, snapshot, stderr, *parts = _split(line)
    if (
        status not in _STATUSES
        or not _SECONDS.fullmatch(seconds)
        or not (_SIZE.fullmatch(begin) and _SIZE.fullmatch(end))
    ):
        raise ForgedError("a status, a time or a size that there is not")
    arguments = int(count) if _COUNT.fullmatch(count) else len(parts) + 1
    if arguments > len(parts) or (len(parts) - arguments) % 2 or not int(begin) <= int(end) <= STDOUT_LIMIT:
        raise ForgedError("a number that is none")
    shown = [text(part, REPR_LIMIT) for part in parts]
    if sum(map(len, shown)) > 2 * REPR_LIMIT:
        raise ForgedError("longer reprs than are kept")
    described = text(snapshot)
    _check_snapshot(described)
    return Result(
        status=cast(Told, status),
        seconds=float(seconds),
        stdout_start=int(begin),
        stdout_end=int(end),
        detail=text(detail, NAME_LIMIT),
        value=text(value, REPR_LIMIT) if status == "ok" else None,
        exception=(text(name, NAME_LIMIT), text(message, REPR_LIMIT)) if status == "raised" else None,
        arguments=tuple(shown[:arguments]),
        globals=dict(zip(shown[arguments::2], shown[arguments + 1 :: 2], strict=True)),
        snapshot=described,
        stderr=text(stderr, STDOUT_LIMIT),
    )


def _split(line: str) -> list[str]:
    fields = line.split("\t")
    if len(fields) < 11:
        raise ForgedError("a result with parts missing")
    return fields


_NODES = {"ok": list, "raised": list, "arguments": list, "globals": dict, "capped": bool, "unread": bool}


def _check_snapshot(described: str) -> None:
    """That a snapshot is JSON of its own kind, and no more of it than there can be. Raises ForgedError."""
    if not described:
        return
    if described.count("[") + described.count("{") + described.count(",") > _SMALL:
        bones = json_shape.skeleton(described)
        if len(bones) > MOST_BONES or json_shape.depth(bones) > MOST_DEPTH:
            raise ForgedError("a larger snapshot than there is")
    try:
        decoded = json_shape.decode(described)
    except ValueError as error:
        raise ForgedError(f"a snapshot that is none: {error}") from None
    if type(decoded) is not dict or any(type(held) is not _NODES.get(name) for name, held in decoded.items()):
        raise ForgedError("a snapshot of other parts")
