"""Keeps rows in a temporary file until all of them are known, for formats whose columns come before the rows."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile


class RowSpool:
    """Rows on disk, and the names of all their fields in order of first occurrence.

    Args:
        folder: Where to create the temporary file; None: the folder of the system.
    """

    def __init__(self, folder: Path | None) -> None:
        self.columns: dict[str, None] = {}
        self.size = 0
        self._file = TemporaryFile(dir=folder)  # noqa: SIM115 - closed by __exit__

    def __enter__(self) -> RowSpool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: Mapping[str, object]) -> None:
        """Store one row."""
        self.columns.update(dict.fromkeys(row))
        self.size += 1
        pickle.dump(dict(row), self._file)

    def rows(self) -> Iterator[dict[str, object]]:
        """All rows in order."""
        self._file.seek(0)
        for _ in range(self.size):
            yield pickle.load(self._file)

    def batches(self, size: int) -> Iterator[list[dict[str, object]]]:
        """All rows in order, in lists of at most `size` rows."""
        rows = self.rows()
        while batch := list(islice(rows, size)):
            yield batch
