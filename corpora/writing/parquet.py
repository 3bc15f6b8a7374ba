"""Writes rows as Parquet (extra `datasets`).

A column gets an Arrow type if all its values have that type and are read back unchanged. Any other column (mixed types,
objects with different keys, integers beyond 64 bits) is written as JSON strings and marked in the schema: the reader of
this package decodes them, other tools see a column of strings. A missing field is null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from corpora.errors import InputError
from corpora.reading.optional_packages import require_package
from corpora.reading.parquet import JSON_METADATA
from corpora.rows import one_line
from corpora.writing.json_lines import as_json
from corpora.writing.spool import RowSpool
from corpora.writing.targets import OutputTarget

ROW_GROUP_SIZE = 2048
"""Rows per row group: readers hold one in memory, and small ones are slow to read."""


@contextmanager
def parquet_writer(target: OutputTarget) -> Iterator[Callable[[Mapping[str, object]], None]]:
    """Collects rows, and writes them at the end of the block, when the type of every column is known."""
    arrow, parquet = require_package("pyarrow"), require_package("pyarrow.parquet")
    with RowSpool(target.folder) as spool:
        yield spool.add
        if spool.size and not spool.columns:
            raise InputError("Parquet cannot represent rows without fields", where=target.name)
        try:
            schema = arrow.schema([_field(arrow, name, kind) for name, kind in _types(arrow, spool).items()])
            with parquet.ParquetWriter(target.file, schema) as writer:
                for batch in spool.batches(ROW_GROUP_SIZE):
                    writer.write_table(_table(arrow, schema, batch, target.name))
        except (arrow.ArrowException, UnicodeEncodeError) as error:
            raise InputError(f"cannot be written as Parquet: {one_line(error)}", where=target.name) from error


def _types(arrow: Any, spool: RowSpool) -> dict[str, Any]:
    """The Arrow type of each column; None for a column that needs JSON."""
    found = dict.fromkeys(spool.columns, arrow.null())
    for batch in spool.batches(ROW_GROUP_SIZE):
        for name, known in found.items():
            if known is not None:
                found[name] = _common_type(arrow, known, _type(arrow, [row.get(name) for row in batch]))
    return found


def _type(arrow: Any, values: list[object]) -> Any:
    """The Arrow type that preserves these values; None if there is none."""
    try:
        column = arrow.array(values)
        exact = repr(column.to_pylist()) == repr(values)
    except (arrow.ArrowException, ValueError, TypeError, OverflowError, RecursionError):
        return None
    return column.type if exact and not _has_empty_struct(arrow, column.type) else None


def _has_empty_struct(arrow: Any, kind: Any) -> bool:
    """Whether a type contains an object without keys, which Parquet does not support."""
    inner = [kind.field(number).type for number in range(kind.num_fields)]
    return (arrow.types.is_struct(kind) and not inner) or any(_has_empty_struct(arrow, one) for one in inner)


def _common_type(arrow: Any, one: Any, other: Any) -> Any:
    """The common type of two batches: equal types, apart from empty lists and null values."""
    if other is None or one.equals(other) or arrow.types.is_null(other):
        return None if other is None else one
    if arrow.types.is_null(one):
        return other
    if arrow.types.is_list(one) and arrow.types.is_list(other):
        inner = _common_type(arrow, one.value_type, other.value_type)
        return None if inner is None else arrow.list_(inner)
    return None


def _field(arrow: Any, name: str, kind: Any) -> Any:
    return arrow.field(name, arrow.string(), metadata=JSON_METADATA) if kind is None else arrow.field(name, kind)


def _table(arrow: Any, schema: Any, batch: list[dict[str, object]], name: str) -> Any:
    columns = []
    for field in schema:
        values = [row.get(field.name) for row in batch]
        if field.metadata:
            values = [None if value is None else as_json(value, name) for value in values]
        columns.append(arrow.array(values, field.type))
    return arrow.Table.from_arrays(columns, schema=schema)
