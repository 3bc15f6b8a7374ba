"""The file beside a rewritten program with what it assumes: `spellout rewrite` writes it, `verify` reads it."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.errors import InputError
from rewrite.evidence.assumptions import Assumption, read_assumptions
from runner.inputs.source_files import read_source

SUFFIX = ".assumes.json"


@dataclass(frozen=True)
class RecordedAssumptions:
    """What a rewrite assumes.

    Attributes:
        assumes: The assumptions.
        calls: The calls that showed them.
        stale: Why the assumptions do not apply to the programs at hand, or "".
    """

    assumes: tuple[Assumption, ...] = ()
    calls: tuple[str, ...] = ()
    stale: str = ""


def assumption_file(program: str) -> Path:
    """The file with the assumptions of a rewritten program.

    >>> assumption_file("after.py").name
    'after.py.assumes.json'
    """
    return Path(program + SUFFIX)


def record_assumptions(
    program: str, before: str, after: str, assumes: Sequence[Assumption], calls: Sequence[str]
) -> Path | None:
    """Write the file beside a rewritten program, or delete an earlier one if there are no calls.

    Args:
        program: The file of the rewritten program.
        before: The original source.
        after: The rewritten source.
        assumes: The assumptions.
        calls: The calls that showed them.

    Returns:
        The file; None without calls.

    Raises:
        InputError: The file cannot be written.
    """
    from corpora.writing.targets import replacing_file  # most rewrites are written to standard output

    path = assumption_file(program)
    try:
        if not calls:
            path.unlink(missing_ok=True)
            return None
        record = {
            "before": _digest(before),
            "after": _digest(after),
            "calls": list(calls),
            "assumes": [one._asdict() for one in assumes],
        }
        with replacing_file(path) as file:
            file.write((json.dumps(record, indent=1) + "\n").encode())
    except OSError as error:
        raise InputError(error.strerror or str(error), where=str(path)) from None
    return path


def recorded_assumptions(program: str, before: str, after: str) -> RecordedAssumptions | None:
    """What the file beside a rewritten program says; None if there is none.

    Args:
        program: The file of the rewritten program.
        before: The source of the original.
        after: The source of the rewritten program.

    Raises:
        InputError: The file is not readable, or is no such file.
    """
    path = assumption_file(program)
    if program == "-" or not path.exists():
        return None
    record = _read_json(str(path))
    if not isinstance(record, dict) or not isinstance(record.get("calls"), list):
        raise InputError("is no record of assumptions", where=str(path))
    texts = {"BEFORE": before, "AFTER": after}
    changed = [name for name, text in texts.items() if record.get(name.lower()) != _digest(text)]
    calls = tuple(map(str, record["calls"]))
    if changed:
        why = f"{' and '.join(changed)} changed since: --assumes {path} applies them anyway"
        return RecordedAssumptions((), calls, f"{path}: its assumptions are not used, because {why}")
    return RecordedAssumptions(read_assumption_file(str(path)), calls)


def read_assumption_file(path: str) -> tuple[Assumption, ...]:
    """Read assumptions from the file beside a program, the output of `spellout rewrite --json`, or a JSON list.

    Raises:
        InputError: The file is none of these.
    """
    record = _read_json(path)
    try:
        return read_assumptions(record.get("assumes") if isinstance(record, dict) else record)
    except InputError as error:
        raise InputError(str(error), where=path) from None


def _read_json(path: str) -> Any:
    try:
        return json.loads(read_source(path).text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not the JSON output of one rewrite ({error})", where=path) from None


def _digest(text: str) -> str:
    """A digest of a source, with line ends as Python reads them."""
    from hashlib import sha256

    with suppress(UnicodeEncodeError):
        return sha256(io.StringIO(text, newline=None).read().encode()).hexdigest()
    return ""
