"""Read rows of programs, one by one and in constant memory: JSON lines (also .gz), Parquet, Hugging Face data sets.

A row that cannot be used is a `BadRow` with file, line and reason, and reading goes on. Only what makes the whole
source unreadable (no such file, no network, a missing package) is an InputError. No program is run here.
"""

from __future__ import annotations

import ast
import gzip
import importlib
import json
import re
import warnings
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from typing import Any

from corpora.errors import InputError
from corpora.program import Case, Grading

LONGEST_ROW = 16 << 20
_HUGGING_FACE_ID = re.compile(r"[\w.-]+/[\w.-]+(:[\w.-]+)?")


@dataclass(frozen=True)
class Row:
    """One row: its number from 1, where it stands ("cases.jsonl:7"), and its fields under the names asked for."""

    number: int
    where: str
    fields: Mapping[str, object]


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be used, and why."""

    number: int
    where: str
    reason: str


def read_rows(source: str | Path, mapping: Mapping[str, str] | None = None) -> Iterator[Row | BadRow]:
    """The rows of a file (.parquet; .gz; anything else is read as JSON lines) or of a data set `org/name[:split]`.

    `mapping` renames: {"code": "solution"} reads the field `code` from the column `solution`. Blank lines are no rows.
    Raises InputError when the source as a whole cannot be read.
    """
    path = Path(source)
    if path.is_file():
        rows = _parquet_rows(path) if path.suffix == ".parquet" else _json_rows(path)
    elif _HUGGING_FACE_ID.fullmatch(str(source)) and not path.exists() and not path.suffix.startswith(".json"):
        rows = _hugging_face_rows(str(source))
    else:
        raise InputError("is a directory" if path.is_dir() else "no such file", where=str(source))
    for row in rows:
        yield _renamed(row, mapping or {}) if isinstance(row, Row) else row


def case_from_row(row: Row, benchmark: str = "") -> Case | BadRow:
    """A Case from CruxEval's fields (`code`, `input`, `output`, `id`) or `source`, `call`, `expected`, `id`.

    `input` is the text between the parentheses of `f(…)`. Optional: `output` or `expected`, `id` (default: the row's
    number), `kind`, `benchmark`, `grading`. A program or call that does not parse is a BadRow.
    """
    try:
        source = _text(row, "source", "code")
        call = _text(row, "call") if "call" in row.fields else f"f({_text(row, 'call', 'input')})"
        expected = _text(row, "expected", "output") if row.fields.keys() & {"expected", "output"} else None
        _check_parses("program", source, "exec")
        _check_parses("call", call, "eval")
        return Case(
            id=str(row.fields.get("id", row.number)),
            source=source,
            call=call,
            expected=expected,
            benchmark=_optional(row, "benchmark") or benchmark,
            kind=_optional(row, "kind"),
            grading=_grading(row),
        )
    except _RowError as error:
        return BadRow(row.number, row.where, str(error))


class _RowError(Exception):
    """Why a row is no Case."""


def _text(row: Row, *names: str) -> str:
    for name in names:
        if name in row.fields:
            value = row.fields[name]
            if isinstance(value, str):
                return value
            raise _RowError(f"field {name!r} is {type(value).__name__}, not text")
    raise _RowError(f"no field {' or '.join(map(repr, names))}; it has {', '.join(row.fields) or 'none'}")


def _optional(row: Row, name: str) -> str:
    return _text(row, name) if row.fields.get(name) is not None else ""


def _grading(row: Row) -> Grading:
    value = row.fields.get("grading", "return")
    if value == "return":
        return "return"
    if value == "state":
        return "state"
    raise _RowError(f"field 'grading' is {value!r}, not 'return' or 'state'")


def _check_parses(what: str, text: str, mode: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SyntaxWarning about an old escape is the program's business
            ast.parse(text, mode=mode)
    except SyntaxError as error:
        raise _RowError(f"the {what} does not parse: {error.msg}, its line {error.lineno}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise _RowError(f"the {what} does not parse: {error or type(error).__name__}") from error


def _renamed(row: Row, mapping: Mapping[str, str]) -> Row | BadRow:
    if not mapping:
        return row
    missing = [column for column in mapping.values() if column not in row.fields]
    if missing:
        return BadRow(row.number, row.where, f"no field {missing[0]!r}; it has {', '.join(row.fields) or 'none'}")
    fields = {name: value for name, value in row.fields.items() if name not in mapping.values()}
    return Row(row.number, row.where, {**fields, **{name: row.fields[column] for name, column in mapping.items()}})


def _json_rows(path: Path) -> Iterator[Row | BadRow]:
    if path.suffix in (".zst", ".bz2", ".xz", ".zip"):
        raise InputError(f"{path.suffix} is not read: unpack it first, or use .gz", where=str(path))
    number = line_number = 0
    try:
        with _opened(path) as file:
            while line := file.readline(LONGEST_ROW + 1):
                line_number += 1
                where = f"{path}:{line_number}"
                if len(line) > LONGEST_ROW and not line.endswith(b"\n"):
                    _skip_line(file)
                    number += 1
                    yield BadRow(number, where, f"the row is longer than {LONGEST_ROW} bytes")
                elif line.strip():
                    number += 1
                    yield _json_row(number, where, line)
    except (OSError, EOFError, zlib.error) as error:
        if line_number == 0:
            raise InputError(f"cannot be read: {_one_line(error)}", where=str(path)) from error
        where = f"{path}:{line_number + 1}"
        yield BadRow(number + 1, where, f"the rest of the file cannot be read: {_one_line(error)}")


def _opened(path: Path) -> BufferedIOBase:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")


def _skip_line(file: BufferedIOBase) -> None:
    while (more := file.readline(LONGEST_ROW)) and not more.endswith(b"\n"):
        continue


def _json_row(number: int, where: str, line: bytes) -> Row | BadRow:
    try:
        fields = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return BadRow(number, where, f"not UTF-8: {error.reason} at byte {error.start}")
    except (ValueError, RecursionError) as error:
        return BadRow(number, where, f"not JSON: {_one_line(error)}")
    if not isinstance(fields, dict):
        return BadRow(number, where, f"not a JSON object but {type(fields).__name__}")
    return Row(number, where, fields)


def _parquet_rows(path: Path) -> Iterator[Row | BadRow]:
    parquet = _needed("pyarrow.parquet")
    arrow_error: type[Exception] = _needed("pyarrow").ArrowException
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                for fields in batch.to_pylist():
                    number += 1
                    yield Row(number, f"{path}:{number}", fields)
    except (arrow_error, OSError, UnicodeDecodeError) as error:
        if number == 0:
            raise InputError(f"cannot be read as Parquet: {_one_line(error)}", where=str(path)) from error
        yield BadRow(number + 1, f"{path}:{number + 1}", f"the rest cannot be read: {_one_line(error)}")


def _hugging_face_rows(name: str) -> Iterator[Row | BadRow]:
    """Streamed, so that a large data set is never held; without `:split`, the first split that it lists."""
    datasets = _needed("datasets")
    identifier, _, split = name.partition(":")
    try:
        split = split or datasets.get_dataset_split_names(identifier)[0]
        rows = datasets.load_dataset(identifier, split=split, streaming=True)
        for number, fields in enumerate(rows, 1):
            yield Row(number, f"{identifier}:{split}:{number}", fields)
    except (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError) as error:
        message = f"no such file, and not to be had as a Hugging Face data set: {_one_line(error)}"
        raise InputError(message, where=name) from error


def _needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise InputError(f"needs {module.partition('.')[0]}: pip install 'spellout[datasets]'") from error


def _one_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
