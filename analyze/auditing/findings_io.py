"""Reads and writes findings as JSON lines or Parquet, one file per shard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from analyze.auditing.findings import Finding
from corpora.reading.optional_packages import require_package

Format = Literal["jsonl", "parquet"]


def findings_in(folder: Path) -> Iterator[dict[str, Any]]:
    """Yields the findings of a finished audit, shard after shard, as JSON objects."""
    for part in sorted((folder / "findings").iterdir()):
        if part.suffix == ".parquet":
            with require_package("pyarrow.parquet").ParquetFile(part) as file:
                for batch in file.iter_batches():
                    yield from batch.to_pylist()
        elif part.suffix == ".jsonl":
            with part.open(encoding="utf-8") as lines:
                yield from map(json.loads, lines)


@contextmanager
def writer(path: Path, kind: Format) -> Iterator[Callable[[Sequence[Finding]], None]]:
    """Yields a function that writes lists of findings to a file, as JSON lines or as Parquet row groups."""
    if kind == "jsonl":
        with path.open("w", encoding="utf-8") as file:
            yield lambda found: file.writelines(json.dumps(vars(finding)) + "\n" for finding in found)
        return
    schema, arrow, parquet = parquet_schema(), require_package("pyarrow"), require_package("pyarrow.parquet")
    with parquet.ParquetWriter(path, schema) as table:
        yield lambda found: table.write_table(arrow.Table.from_pylist([vars(one) for one in found], schema=schema))


def parquet_schema() -> Any:
    """Returns the Parquet columns, the attributes of `Finding`. Raises InputError without pyarrow."""
    pa = require_package("pyarrow")
    whole = {"row", "line", "column", "step", "count", "start", "end", "written_start", "written_end"}
    lists = {"token_ids", "query", "boundaries"}

    def kind(name: str) -> Any:
        if name in whole:
            return pa.int64()
        if name in lists:
            return pa.list_(pa.int64())
        return pa.float64() if name == "severity" else pa.string()

    return pa.schema([(name, kind(name)) for name in Finding.__dataclass_fields__])
