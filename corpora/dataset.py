"""Reads the rows of a data set one by one, in constant memory. Every command reads its input through this module.

Sources are JSON, CSV and Parquet, compressed or not, standard input, Hugging Face data sets, benchmarks by name, and
Python objects. A row that cannot be used is a `BadRow` with file, line and reason, and reading continues. An
InputError is raised only if the whole source cannot be read (no such file, no rows, no network, a missing package). No
program is run.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path

from corpora import benchmarks
from corpora.calls import untraceable_reason
from corpora.errors import InputError, did_you_mean
from corpora.literals import label_text, parsed_or_reason
from corpora.program import Case, Grading
from corpora.reading import hugging_face
from corpora.reading.files import file_rows
from corpora.reading.in_memory import case_fields, object_rows
from corpora.reading.streams import COMPRESSIONS, FORMATS, STANDARD_INPUT
from corpora.row_programs import CALL_FIELDS, PROGRAM_FIELDS
from corpora.rows import BadRow, Row, Rows

__all__ = ["BadRow", "Row", "case_from_row", "case_rows", "is_bare_hub_id", "read_rows"]


def read_rows(source: str | Path | Iterable[object], mapping: Mapping[str, str] | None = None) -> Rows:
    """The rows of a data set.

    Args:
        source: One of

            - a file: .jsonl, .json, .csv, .tsv or .parquet, each also as .gz or .zst; the format of another name is
              detected from its content;
            - "-", standard input, whose format is detected;
            - "hf:org/name" or "hf:org/name:split", a Hugging Face data set (`org/name` without `hf:` is
              accepted in this version only);
            - the name of a benchmark of `corpora.names()`, which takes precedence over a file of that name;
            - an iterable of mappings: a list of dicts, a pandas data frame, a `datasets.Dataset`, cases, or rows.
        mapping: Renames columns: {"code": "solution"} reads the field `code` from the column `solution`.

    Returns:
        An iterator of `Row` and `BadRow`. Blank lines are skipped.

    Raises:
        InputError: The source as a whole cannot be read or has no rows; raised when the first row is requested.
    """
    rows = _rows_of_source(source) if isinstance(source, str | Path) else object_rows(source)
    for row in rows:
        yield _renamed(row, mapping or {}) if isinstance(row, Row) else row


def is_bare_hub_id(source: str) -> bool:
    """Whether a name is read as a Hugging Face id without `hf:`: it is `org/name` and does not look like a file."""
    suffix = Path(source.partition(":")[0]).suffix.lower()
    looks_like_a_file = suffix in {*FORMATS, *COMPRESSIONS, ".py"} or source.startswith((".", "~"))
    is_id = hugging_face.ID.fullmatch(source) is not None and source.count("/") == 1
    return is_id and not looks_like_a_file and not Path(source).exists()


def case_rows(cases: Iterable[Case], name: str) -> Rows:
    """Cases as rows, numbered under the name of their benchmark."""
    for number, case in enumerate(cases, 1):
        yield Row(number, f"{name}:{number}", case_fields(case))


def _rows_of_source(source: str | Path) -> Rows:
    rows = iter(_source_rows(str(source)))
    first = next(rows, None)
    if first is None:
        raise InputError("contains no rows", where="standard input" if str(source) == STANDARD_INPUT else str(source))
    yield from chain([first], rows)


def _source_rows(name: str) -> Rows:
    if name.startswith(hugging_face.PREFIX):
        return hugging_face.hub_rows(name.removeprefix(hugging_face.PREFIX), name)
    if name.isidentifier() and name in benchmarks.names():
        return case_rows(benchmarks.load(name), name)
    if name == STANDARD_INPUT or Path(name).exists():
        return file_rows(name)
    if is_bare_hub_id(name):
        message = f"write hf:{name}: the next version reads {name} as a file only"
        warnings.warn(message, FutureWarning, stacklevel=4)
        return hugging_face.hub_rows(name, f"{name} (no such file; read as hf:{name})")
    raise InputError("no such file", where=name)


def case_from_row(row: Row, benchmark: str = "") -> Case | BadRow:
    """A case from CruxEval's fields (`code`, `input`, `output`, `id`) or from `source`, `call`, `expected`, `id`.

    Args:
        row: `input` has the arguments of the call, without the parentheses of `f(…)`. Optional fields: `output` or
            `expected` (the result as text, or as a value), `id` (default: the number of the row), `kind`, `benchmark`,
            `grading`. A field that is None counts as missing.
        benchmark: Used if the row names none.

    Returns:
        The case; a `BadRow` if a required field is missing, or if the program or the call does not parse.
    """
    try:
        source = _required_string(row, "source", "code")
        call = _optional_string(row, "call")
        if call is None:
            call = f"f({_required_string(row, 'call', 'input')})"
        expected = _label(row, "expected", "output")
        program = _parsed("program", source, "exec")
        _parsed("call", call, "eval")
        if missing := untraceable_reason(source, program, call):
            raise _RowError(missing)
        return Case(
            id=str(row.number if row.fields.get("id") is None else row.fields["id"]),
            source=source,
            call=call,
            expected=expected,
            benchmark=_optional_string(row, "benchmark") or benchmark,
            kind=_optional_string(row, "kind") or "",
            grading=_grading(row),
        )
    except _RowError as error:
        return BadRow(row.number, row.where, str(error))


class _RowError(Exception):
    """Why a row is not a case."""


def _required_string(row: Row, *names: str) -> str:
    """The first of these fields that is a string. Raises _RowError if none is."""
    found = _optional_string(row, *names)
    if found is None:
        raise _RowError(missing_field_reason(row, *names))
    return found


def _optional_string(row: Row, *names: str) -> str | None:
    """The first of these fields that is not None; None if there is none. Raises _RowError if it is not a string."""
    for name in names:
        value = row.fields.get(name)
        if isinstance(value, str):
            return value
        if value is not None:
            raise _RowError(missing_field_reason(row, name))
    return None


def _label(row: Row, *names: str) -> str | None:
    """The first of these fields that is not None, as `label_text`; None if there is none. Raises _RowError."""
    name = next((name for name in names if row.fields.get(name) is not None), None)
    try:
        return None if name is None else label_text(row.fields[name])
    except ValueError as error:
        raise _RowError(f"field {name!r} is {error}") from None


def missing_field_reason(row: Row, *names: str) -> str:
    """Why a row has no string in any of these fields: it is null, has another type, or does not exist.

    >>> missing_field_reason(Row(1, "rows:1", {"source_code": "", "call": None}), "source", "call")
    "field 'call' is null"
    >>> missing_field_reason(Row(1, "rows:1", {"cod": ""}), "source", "code")
    "no field 'source' or 'code' (did you mean 'cod'?); it has cod"
    """
    for name in names:
        if name in row.fields:
            value = row.fields[name]
            return f"field {name!r} is {'null' if value is None else f'{type(value).__name__}, not a string'}"
    close = next(filter(None, (did_you_mean(name, row.fields) for name in names)), "")
    return f"no field {' or '.join(map(repr, names))}{close}; it has {', '.join(row.fields) or 'none'}"


def _grading(row: Row) -> Grading:
    value = row.fields.get("grading")
    if value in (None, "return"):
        return "return"
    if value == "state":
        return "state"
    raise _RowError(f"field 'grading' is {value!r}, not 'return' or 'state'")


def _parsed(what: str, text: str, mode: str) -> ast.Module:
    tree: ast.Module | str = parsed_or_reason(text, mode)
    if isinstance(tree, str):
        raise _RowError(f"the {what} does not parse: {tree}")
    return tree


_KNOWN_FIELDS = (*PROGRAM_FIELDS, *CALL_FIELDS, "output", "expected", "id")


def _renamed(row: Row, mapping: Mapping[str, str]) -> Row | BadRow:
    if not mapping:
        return row
    missing = [column for column in mapping.values() if column not in row.fields]
    if missing:
        pairs = [(field, column) for field, column in mapping.items() if column in missing and field in row.fields]
        swapped = next((pair for pair in pairs if pair[1] in _KNOWN_FIELDS), None)
        if swapped:
            reason = f"no column {swapped[1]!r}: the field comes first (did you mean {swapped[1]}={swapped[0]}?)"
            return BadRow(row.number, row.where, reason)
        return BadRow(row.number, row.where, missing_field_reason(row, missing[0]))
    fields = {name: value for name, value in row.fields.items() if name not in mapping.values()}
    return Row(row.number, row.where, {**fields, **{name: row.fields[column] for name, column in mapping.items()}})
