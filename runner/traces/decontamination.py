"""Finds programs of benchmarks in the rows of a data set: by the overlap of normalized n-grams.

The overlap of a row with a benchmark program is the share of the program's distinct n-grams (10 normalized tokens, with
names that a program may choose replaced) that occur in the row. It finds copies with other names, comments and
formatting, and a benchmark's function inside a longer program.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from corpora import BadRow
from corpora.atomic_files import replacing_path
from corpora.errors import InputError
from corpora.row_programs import program_field
from runner.inputs.datasets import data_rows
from runner.traces.normalized_tokens import ngrams, normalize_tokens

NGRAM = 10
FILE = "benchmarks.index"


@dataclass(frozen=True)
class Overlap:
    """The benchmark program that overlaps most with a row.

    Attributes:
        benchmark: Name of the benchmark or file.
        item: Id of the program there.
        share: Share of its n-grams that the row contains, in 0..1.
        ngrams: The number of its n-grams.
    """

    benchmark: str
    item: str
    share: float
    ngrams: int


@dataclass(frozen=True)
class BenchmarkIndex:
    """The n-grams of benchmark programs.

    Attributes:
        items: (benchmark, id, number of n-grams) of each program.
        places: Hash of an n-gram to the programs that contain it.
    """

    items: tuple[tuple[str, str, int], ...]
    places: dict[int, tuple[int, ...]]

    def overlap(self, tokens: Sequence[str]) -> Overlap | None:
        """The largest overlap of a program, given by its anonymous tokens; None if there is none."""
        counts: Counter[int] = Counter()
        for gram in ngrams(tokens, NGRAM):
            counts.update(self.places.get(_hash(gram), ()))
        if not counts:
            return None
        best = max(counts, key=lambda item: (counts[item] / self.items[item][2], -item))
        benchmark, identifier, size = self.items[best]
        return Overlap(benchmark, identifier, counts[best] / size, size)


def build_index(names: Iterable[str]) -> BenchmarkIndex:
    """The index of benchmarks and files.

    Raises:
        InputError: A benchmark or file cannot be read, or has no programs.
    """
    items: list[tuple[str, str, int]] = []
    places: dict[int, list[int]] = {}
    for name in names:
        seen: set[bytes] = set()
        for row in data_rows(name, []):
            field = None if isinstance(row, BadRow) else program_field(row)
            if field is None or isinstance(row, BadRow):
                where, reason = row.where, row.reason if isinstance(row, BadRow) else "it has no program"
                raise InputError(f"cannot be compared with: {where}: {reason}", where=f"--decontaminate {name}")
            tokens = normalize_tokens(str(row.fields[field]))
            if tokens.digest not in seen:
                seen.add(tokens.digest)
                grams = ngrams(tokens.anonymous, NGRAM)
                for gram in grams:
                    places.setdefault(_hash(gram), []).append(len(items))
                items.append((name, str(row.fields.get("id", row.number)), len(grams)))
    return BenchmarkIndex(tuple(items), {gram: tuple(found) for gram, found in places.items()})


def save_index(index: BenchmarkIndex, folder: Path) -> None:
    """Writes the index for all processes and machines."""
    with replacing_path(folder / FILE) as unfinished:
        unfinished.write_bytes(pickle.dumps((index.items, index.places)))


@lru_cache(1)
def load_index(folder: Path) -> BenchmarkIndex:
    """Reads what `save_index` of this command wrote."""
    items, places = pickle.loads((folder / FILE).read_bytes())
    return BenchmarkIndex(items, places)


def _hash(gram: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(gram, digest_size=8).digest(), "big")
