"""The options of a data set of traces, and the rows that do not get into it."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import metadata
from typing import Literal

Stratum = Literal["risk", "hazard"]

MAX_TOKENS = 16_384
MAX_FRAMES = 10_000
SECONDS = 5.0
MEGABYTES = 512
VALIDATION = 0.05
SIMILARITY = 0.9
MAX_OVERLAP = 0.5
ROWS_PER_SHARD = 200
CALLS_PER_FUNCTION = 100


def spellout_version() -> str:
    """The installed version; "(not installed)" for a checkout."""
    try:
        return metadata.version("spellout")
    except metadata.PackageNotFoundError:
        return "(not installed)"


@dataclass(frozen=True)
class TraceRequest:
    """Everything that shapes a data set, in values that can be sent between processes.

    Attributes:
        source: Name of the data set, benchmark or package.
        mapping: Field to column.
        limit: Number of rows that are read; None for all.
        functions: Patterns of the functions whose calls are recorded, for a package; empty for all.
        calls_per_function: Calls of a function that are recorded, at most, for a package.
        format: Name of a format of `runner.traces.formats`.
        tokenizer: Name of the tokenizer that counts.
        recipes: Recipes under which each program is traced again.
        decontaminate: Benchmarks and files whose programs must not occur.
        max_overlap: Rows with at least this share of a benchmark program's n-grams are dropped.
        similarity: Programs whose estimated Jaccard similarity to an earlier one is at least this are dropped; None to
            keep them.
        max_tokens: Limit on the tokens of a trace.
        max_frames: Limit on its frames.
        seconds: Time limit of a run.
        megabytes: Memory limit of a run.
        risk: Whether risk and hazards are assessed.
        stratify: What samples are drawn by; None for no sampling.
        per_stratum: The number of rows of each stratum.
        validation: The share of program families in the validation split.
        seed: Random seed of samples and splits.
        weak_isolation: Whether programs may run at isolation level C.
        commit: The commit of the source; "" if it has none.
        license: The licence of the source, for rows that name none; "" if it is unknown.
        spellout: The version of Spellout.
        rows_per_shard: Rows in a shard.
    """

    source: str
    mapping: tuple[tuple[str, str], ...] = ()
    limit: int | None = None
    functions: tuple[str, ...] = ()
    calls_per_function: int = CALLS_PER_FUNCTION
    format: str = "cwm"
    tokenizer: str = "llama-3"
    recipes: tuple[str, ...] = ()
    decontaminate: tuple[str, ...] = ()
    max_overlap: float = MAX_OVERLAP
    similarity: float | None = SIMILARITY
    max_tokens: int = MAX_TOKENS
    max_frames: int = MAX_FRAMES
    seconds: float = SECONDS
    megabytes: int = MEGABYTES
    risk: bool = False
    stratify: Stratum | None = None
    per_stratum: int | None = None
    validation: float = VALIDATION
    seed: int = 0
    weak_isolation: bool = False
    commit: str = ""
    license: str = ""
    spellout: str = field(default_factory=spellout_version)
    rows_per_shard: int = ROWS_PER_SHARD

    @property
    def assesses(self) -> bool:
        """Whether rows need an assessment."""
        return self.risk or self.stratify is not None


@dataclass(frozen=True)
class DroppedRow:
    """A row of the source, or one of its rewrites, that is not in the data set.

    Attributes:
        row: The number of the source's row, from 1.
        where: Location for messages, such as "cases.jsonl:7".
        id: Its id; "" if it was not read.
        reason: Why, in a few words that are counted.
        detail: More about this row.
        call_number: The number of the call among the row's calls, from 1; None if the row was not read.
        recipe: The recipe of a rewrite; None for an original.
    """

    row: int
    where: str
    id: str
    reason: str
    detail: str = ""
    call_number: int | None = None
    recipe: str | None = None


class DroppedRowError(Exception):
    """A row or a rewrite cannot be in the data set.

    Attributes:
        reason: Why, in a few words that are counted.
        detail: More about this row.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail
