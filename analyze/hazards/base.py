"""What a hazard is: a name, an example that is run, a rule over a batch of questions, and a reason in words.

Each hazard is one file in `analyze/hazards/rules`, found by folder. The rules work on whole batches, with arrays,
because data sets have millions of strings; `classify` asks them about one. What it does not do: find the strings
(`analyze.auditing.row_strings`, `analyze.auditing.string_calls`) or write findings (`analyze.auditing.audit`).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from analyze.hazards.batch import OccurrenceArray, QuestionBatch
from analyze.hazards.severity import fitted_effects
from analyze.tokens.bpe_merges import explain_cut
from analyze.tokens.contexts import Context, inner_text
from analyze.tokens.engines import Ids
from analyze.tokens.token_spans import Bools


@dataclass(frozen=True)
class HazardExample:
    """A question with the context it is asked in, and the character spans of `text` at which the hazard stands."""

    text: str
    pattern: str | None = None
    method: str = ""
    context: Context = "trace"
    result: str | None = None
    cuts: tuple[int, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class HazardHits:
    """Where a hazard stands: rows of the batch, a severity in 0..1 for each, and character spans of the rows' texts."""

    rows: Ids
    severity: NDArray[np.float64]
    start: Ids
    end: Ids

    @staticmethod
    def from_tuples(found: Iterable[tuple[int, float, int, int]]) -> HazardHits:
        """From (row, severity, start, end) tuples."""
        columns = list(zip(*found, strict=True)) or [(), (), (), ()]
        whole = [np.array(columns[i], dtype=np.int64) for i in (0, 2, 3)]
        return HazardHits(whole[0], np.array(columns[1], dtype=np.float64), whole[1], whole[2])

    def __len__(self) -> int:
        return len(self.rows)


class Hazard:
    """One class of hazards. A subclass says where it stands and why; its name is the class of the shared definition."""

    name: ClassVar[str]
    summary: ClassVar[str]
    start_severity: ClassVar[float]
    """The severity to start from, before any calibration."""
    EXAMPLE: ClassVar[HazardExample]
    UNTOUCHED: ClassVar[HazardExample]
    """A question as near to the example as possible on which the hazard does not stand."""
    looks_at: ClassVar[Literal["text", "pattern"]] = "text"
    """Whose characters the spans of its hits count."""

    @property
    def severity(self) -> float:
        """The fitted severity, or the one to start from where nothing was fitted."""
        worth = fitted_effects().get(self.name)
        return self.start_severity if worth is None else worth.severity

    def find(self, batch: QuestionBatch) -> HazardHits:
        """Where it stands in the batch."""
        raise NotImplementedError

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        """One line for people, about a hit at characters [start, end) of that row's text."""
        raise NotImplementedError


class PositionHazard(Hazard):
    """One of the six classes of an occurrence; exactly one holds for each."""

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        """For each occurrence, whether it is of this class."""
        raise NotImplementedError

    def find(self, batch: QuestionBatch) -> HazardHits:
        """The occurrences that are of this class, each with the class's severity."""
        spots = batch.occurrences
        at = np.flatnonzero(self.member_mask(spots))
        return HazardHits(spots.rows[at], np.full(len(at), self.severity), spots.start[at], spots.end[at])

    def why_cut(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        """Which merges take bytes of the pattern across the edges of an occurrence."""
        a, b = batch.texts.bytes_of(row, start, end)
        question = batch.questions[row]
        query = inner_text(question.text[start:end], batch.context)
        return explain_cut(batch.engine.tokenizer, batch.texts.written[row], a, b, query)


@cache
def position_hazards() -> tuple[PositionHazard, ...]:
    """The six classes of an occurrence."""
    return tuple(found for found in all_hazards() if isinstance(found, PositionHazard))


def position_severity(spots: OccurrenceArray) -> NDArray[np.float64]:
    """The severity of each occurrence's class."""
    severity = np.zeros(len(spots))
    for kind in position_hazards():
        severity[kind.member_mask(spots)] = kind.severity
    return severity


def position_codes(spots: OccurrenceArray) -> Ids:
    """The class of each occurrence, as its place in `position_hazards`."""
    codes = np.zeros(len(spots), dtype=np.int64)
    for code, kind in enumerate(position_hazards()):
        codes[kind.member_mask(spots)] = code
    return codes


@cache
def all_hazards() -> tuple[Hazard, ...]:
    """Every hazard, by the names of their files."""
    import analyze.hazards.rules as folder

    modules = [importlib.import_module(f"{folder.__name__}.{m.name}") for m in pkgutil.iter_modules(folder.__path__)]
    kinds = [
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Hazard) and kind.__module__ == module.__name__
    ]
    return tuple(kind() for kind in kinds)


def get_hazard(name: str) -> Hazard:
    """The hazard of that name. Raises KeyError where there is none."""
    return {found.name: found for found in all_hazards()}[name]


def severity_array(values: NDArray[np.float64] | float, size: int) -> NDArray[np.float64]:
    """Severities as an array, each held to 0..1."""
    return np.clip(np.broadcast_to(np.asarray(values, dtype=np.float64), (size,)), 0.0, 1.0)
