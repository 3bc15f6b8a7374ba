"""From parts to the data set: drops duplicates, draws samples, splits by family, and writes the Parquet files.

It reads the parts one by one, twice: what rows have in common, then the rows. The files are written beside the earlier
ones and put in their place at the end.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from analyze.risk.assessment_folder import risk_band
from corpora.atomic_files import replacing_path
from corpora.reading.optional_packages import require_package
from runner.traces.index import IndexedRow, KeptRow, RowIndex
from runner.traces.layout import CONTAMINATED, DATA, DROPPED, WORK
from runner.traces.normalized_tokens import hash_text
from runner.traces.schema import data_schema
from runner.traces.shard_tracing import trace_store
from runner.traces.trace_request import TraceRequest

ROWS_PER_FILE = 10_000
SPLITS = ("train", "validation")
_COMPARED = ["row", "where", "id", "call_number", "recipe", "given_family"]
_COMPARED += ["program_digest", "call_digest", "trace_digest", "minhash"]


@dataclass
class DataSetCounts:
    """What is in a data set, and what is not.

    Attributes:
        read: Rows of the source.
        dropped: Reason to the number of rows.
        splits: Split to the number of rows.
        recipes: Recipe to the number of rows.
        families: The number of program families.
        largest_family: The rows of the largest one.
        tokens: Histogram of tokens: power of two to rows below it.
        frames: Histogram of frames.
        all_tokens: Sum of the tokens.
        licenses: Licence to rows; "not given" for those without.
        isolation: Isolation level to rows.
        python: Python version to rows.
        exceptions: Rows whose call raises an exception.
    """

    read: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)
    recipes: Counter[str] = field(default_factory=Counter)
    families: int = 0
    largest_family: int = 0
    tokens: Counter[int] = field(default_factory=Counter)
    frames: Counter[int] = field(default_factory=Counter)
    all_tokens: int = 0
    licenses: Counter[str] = field(default_factory=Counter)
    isolation: Counter[str] = field(default_factory=Counter)
    python: Counter[str] = field(default_factory=Counter)
    exceptions: int = 0

    @property
    def kept(self) -> int:
        """Rows in the data set."""
        return sum(self.splits.values())

    def add(self, split: str, table: Any) -> None:
        """Counts rows, given as an Arrow table."""
        self.splits[split] += table.num_rows
        self.recipes.update(recipe or "" for recipe in table["recipe"].to_pylist())
        for name, histogram in (("tokens", self.tokens), ("frames", self.frames)):
            histogram.update(1 << number.bit_length() for number in table[name].to_pylist())
        self.all_tokens += sum(table["tokens"].to_pylist())
        self.licenses.update(one["license"] or "not given" for one in table["provenance"].to_pylist())
        self.isolation.update(table["isolation"].to_pylist())
        self.python.update(table["python"].to_pylist())
        self.exceptions += table.num_rows - table["exception"].null_count


def curate(
    folder: Path, request: TraceRequest, parts: int, on_progress: Callable[[int], None] = lambda _: None
) -> DataSetCounts:
    """Writes the data set from the parts in a folder.

    Args:
        folder: The folder.
        request: The options.
        parts: The number of parts.
        on_progress: Called with the number of rows of each part that was read.
    """
    counts = DataSetCounts()
    with RowIndex(folder / WORK / "index.sqlite", request.similarity, request.seed) as index:
        for part in range(parts):
            rows = list(_indexed(folder, part, request))
            for row in rows:
                index.add(row)
            on_progress(len(rows))
        if request.per_stratum is not None:
            index.sample(request.per_stratum)
        _write_data(folder, request, parts, index, counts)
        _write_dropped(folder, parts, index, counts)
        counts.families, counts.largest_family = index.families()
    return counts


def _indexed(folder: Path, part: int, request: TraceRequest) -> Iterator[IndexedRow]:
    names = [*_COMPARED, "risk", "hazards"]
    table = require_package("pyarrow.parquet").read_table(trace_store(folder).part_path(part), columns=names)
    for place, row in enumerate(table.to_pylist()):
        yield IndexedRow(part, place, **{name: row[name] for name in _COMPARED}, stratum=_stratum(row, request))


def _stratum(row: dict[str, Any], request: TraceRequest) -> str:
    if request.stratify == "risk":
        risk = row["risk"]
        return "unknown risk" if risk is None else f"risk from {risk_band(risk)}"
    return "+".join(row["hazards"] or ["no hazard"]) if request.stratify == "hazard" else ""


def split_of(family: int, request: TraceRequest) -> str:
    """The split of a program family: by a hash of its number and the seed."""
    digest = int.from_bytes(hash_text(f"{request.seed}\0{family}", 8), "big")
    return SPLITS[digest < request.validation * 2**64]


def _write_data(folder: Path, request: TraceRequest, parts: int, index: RowIndex, counts: DataSetCounts) -> None:
    unfinished = folder / WORK / f"{DATA}.tmp"
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    with ExitStack() as stack:
        files = {split: stack.enter_context(_SplitFiles(unfinished, split)) for split in SPLITS}
        for part in range(parts):
            kept = index.kept(part)
            for split, file in files.items():
                if rows := [row for row in kept if split_of(row.family, request) == split]:
                    table = _table(trace_store(folder).part_path(part), rows)
                    file.write(table)
                    counts.add(split, table)
    shutil.rmtree(folder / DATA, ignore_errors=True)
    unfinished.rename(folder / DATA)


def _table(path: Path, rows: list[KeptRow]) -> Any:
    arrow, schema = require_package("pyarrow"), data_schema()
    names = [name for name in schema.names if name != "family"]
    table = require_package("pyarrow.parquet").read_table(path, columns=names).take([row.place for row in rows])
    families = arrow.array([row.family for row in rows], arrow.int64())
    return table.append_column("family", families).select(schema.names).cast(schema)


class _SplitFiles(ExitStack):
    """The files of a split, each with at most `ROWS_PER_FILE` rows and those of the part that began before."""

    def __init__(self, folder: Path, split: str) -> None:
        super().__init__()
        self._folder, self._split = folder, split
        self._number = self._rows = 0
        self._writer: Any = None

    def write(self, table: Any) -> None:
        """Appends rows."""
        if self._writer is None:
            file = self.enter_context((self._folder / f"{self._split}-{self._number:05d}.parquet").open("wb"))
            parquet = require_package("pyarrow.parquet")
            self._writer = self.enter_context(parquet.ParquetWriter(file, data_schema(), compression="zstd"))
        self._writer.write_table(table)
        self._rows += table.num_rows
        if self._rows >= ROWS_PER_FILE:
            self.close()
            self._writer, self._number, self._rows = None, self._number + 1, 0


def _write_dropped(folder: Path, parts: int, index: RowIndex, counts: DataSetCounts) -> None:
    """Writes `dropped.jsonl` and `contaminated.jsonl` from the markers and the index."""
    store = trace_store(folder)
    with (
        replacing_path(folder / DROPPED) as dropped_path,
        replacing_path(folder / CONTAMINATED) as contaminated_path,
        dropped_path.open("w", encoding="utf-8") as dropped,
        contaminated_path.open("w", encoding="utf-8") as contaminated,
    ):
        for part in range(parts):
            found = store.read_summary(part)
            counts.read += found.rows
            for row in found.dropped:
                counts.dropped[row["reason"]] += 1
                dropped.write(json.dumps(row) + "\n")
            contaminated.writelines(json.dumps(row) + "\n" for row in found.contaminated)
        for one in index.dropped():
            counts.dropped[one.reason] += 1
            dropped.write(json.dumps(asdict(one)) + "\n")
