"""The interface of a hazard: a name, an example that is run as a test, a rule over a batch, and a reason in words.

Each hazard is one module in `analyze/hazards/rules`, which is discovered automatically. Rules work on whole batches
with arrays, because data sets hold millions of strings. `classify` applies them to a single string.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from analyze.hazards.batch import OccurrenceArray, QuestionBatch, StringQuestion
from analyze.hazards.severity import fitted_effects
from analyze.tokens.bpe_merges import explain_cut
from analyze.tokens.contexts import Context, inner_text
from analyze.tokens.engines import Ids, engine_for
from analyze.tokens.token_spans import Bools
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from analyze.tokens.vocabulary import byte_vocabulary


@dataclass(frozen=True)
class HazardExample:
    """A question, the context it is asked in, and the character spans of `text` where the hazard is found.

    Attributes:
        text: The string.
        pattern: What the operation looks for.
        method: The operation.
        context: The context.
        result: What the operation returns.
        cuts: Character positions of an index or slice.
        spans: Where the hazard is found.
        missing: Bytes that the vocabulary has no token for; it has the other single bytes only (default: Llama-3's).
    """

    text: str
    pattern: str | None = None
    method: str = ""
    context: Context = "trace"
    result: str | None = None
    cuts: tuple[int, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    missing: bytes = b""

    def batch(self) -> QuestionBatch:
        """The question as a batch under the vocabulary of the example."""
        question = StringQuestion(self.text, self.pattern, self.method, self.result, self.cuts)
        tokenizer = _byte_tokenizer(self.missing) if self.missing else default_tokenizer()
        return QuestionBatch([question], engine_for(tokenizer, "tokenizers"), self.context)


@cache
def _byte_tokenizer(missing: bytes) -> Tokenizer:
    return Tokenizer(byte_vocabulary(missing), "single bytes")


@dataclass(frozen=True)
class HazardHits:
    """The places where a hazard was found.

    Attributes:
        rows: int64 [hits]; the row of the batch.
        severity: float64 [hits]; in 0..1.
        start: int64 [hits]; first character in the row's text (or pattern, see `Hazard.looks_at`).
        end: int64 [hits]; one past the last character.
    """

    rows: Ids
    severity: NDArray[np.float64]
    start: Ids
    end: Ids

    @staticmethod
    def from_tuples(found: Iterable[tuple[int, float, int, int]]) -> HazardHits:
        """Builds the arrays from (row, severity, start, end) tuples."""
        columns = list(zip(*found, strict=True)) or [(), (), (), ()]
        whole = [np.array(columns[i], dtype=np.int64) for i in (0, 2, 3)]
        return HazardHits(whole[0], np.array(columns[1], dtype=np.float64), whole[1], whole[2])

    def entries(self) -> Iterator[tuple[int, float, int, int]]:
        """Returns the hits one by one, as (row, severity, start, end)."""
        columns = (self.rows, self.severity, self.start, self.end)
        return zip(*(column.tolist() for column in columns), strict=True)

    def __len__(self) -> int:
        return len(self.rows)


class Hazard:
    """Base class of all hazards. A subclass finds the hazard in a batch and explains each hit.

    Attributes:
        name: The code used in reports, such as "EDIT_RETOK".
        summary: One sentence for the catalogue.
        message: What a finding says, with {text}, {pattern} and {method} (default: the summary).
        families: What the class means for families of tokenizers, or where it does not apply.
        start_severity: The severity used until one is fitted (see `analyze.hazards.severity`).
        EXAMPLE: A question on which the hazard is found; run as a test and shown in the catalogue.
        UNTOUCHED: A near miss: a question as similar as possible on which the hazard is not found.
        looks_at: Whether the spans of its hits count characters of the text or of the pattern.
        is_error: Whether the class is an error for all models, whatever was measured.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    message: ClassVar[str] = ""
    families: ClassVar[str] = "all, with the same meaning"
    start_severity: ClassVar[float]
    EXAMPLE: ClassVar[HazardExample]
    UNTOUCHED: ClassVar[HazardExample]
    looks_at: ClassVar[Literal["text", "pattern"]] = "text"
    is_error: ClassVar[bool] = False

    @property
    def severity(self) -> float:
        """The fitted severity, or `start_severity` if none was fitted."""
        effect = fitted_effects().get(self.name)
        return self.start_severity if effect is None else effect.severity

    def find(self, batch: QuestionBatch) -> HazardHits:
        """Finds the hazard in the batch."""
        raise NotImplementedError

    def hits(self, rows: Ids, start: Ids, end: Ids, factor: NDArray[np.float64] | float = 1.0) -> HazardHits:
        """Returns hits whose severity is the hazard's, times a factor, and at most 1."""
        return HazardHits(rows, np.clip(np.full(len(rows), self.severity * factor), 0.0, 1.0), start, end)

    def describe(self, text: str, pattern: str | None, method: str) -> str:
        """Returns the message of a finding, in one line, with its strings cut to 40 characters.

        >>> get_hazard("ABSENT").describe("a-.-.b", "-.", "split")
        "'-.' has no token of its own in 'a-.-.b'"
        """
        shown = "whitespace" if pattern is None else quote_short(pattern)
        name = {"": "the program", "[]": "an index", "in": "`in`"}.get(method, f"{method}()")
        if not self.message:
            return self.summary
        return self.message.format(text=quote_short(text), pattern=shown, method=name)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        """Explains the hit at characters [start, end) of a row's text, in one line."""
        raise NotImplementedError


def quote_short(text: str, most: int = 40) -> str:
    """Returns the repr of a string, with an ellipsis for what exceeds `most` characters.

    >>> quote_short("a" * 60, 5)
    "'aaaaa…'"
    """
    return repr(text if len(text) <= most else f"{text[:most]}…")


class PositionHazard(Hazard):
    """One of the six classes of an occurrence. Each occurrence belongs to exactly one of them."""

    def member_mask(self, spots: OccurrenceArray) -> Bools:
        """Returns, for each occurrence, whether it belongs to this class."""
        raise NotImplementedError

    def find(self, batch: QuestionBatch) -> HazardHits:
        """Returns the occurrences of this class, each with the class's severity."""
        spots = batch.occurrences
        at = np.flatnonzero(self.member_mask(spots))
        return self.hits(spots.rows[at], spots.start[at], spots.end[at])

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        """Names the merges that carry bytes of the pattern across the edges of an occurrence."""
        if not batch.engine.tokenizer.is_byte_level:
            return f"its tokens are {batch.format_tokens(batch.texts.tokens_at(row, start, end))}"
        a, b = batch.texts.bytes_of(row, start, end)
        query = inner_text(batch.questions[row].text[start:end], batch.context)
        return explain_cut(batch.engine.tokenizer, batch.texts.written[row], a, b, query)


@cache
def position_hazards() -> tuple[PositionHazard, ...]:
    """Returns the six classes of an occurrence."""
    return tuple(found for found in all_hazards() if isinstance(found, PositionHazard))


def position_severity(spots: OccurrenceArray) -> NDArray[np.float64]:
    """Returns the severity of each occurrence's class."""
    severities: NDArray[np.float64] = np.array([kind.severity for kind in position_hazards()])
    return severities[position_codes(spots)]


def position_codes(spots: OccurrenceArray) -> Ids:
    """Returns the class of each occurrence, as an index into `position_hazards()`."""
    codes = np.zeros(len(spots), dtype=np.int64)
    for code, kind in enumerate(position_hazards()):
        codes[kind.member_mask(spots)] = code
    return codes


@cache
def all_hazards() -> tuple[Hazard, ...]:
    """Returns every hazard, sorted by the name of its module."""
    import analyze.hazards.rules as folder

    modules = [importlib.import_module(f"{folder.__name__}.{m.name}") for m in pkgutil.iter_modules(folder.__path__)]
    return tuple(
        kind()
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Hazard) and kind.__module__ == module.__name__
    )


def get_hazard(name: str) -> Hazard:
    """Returns the hazard of that name. Raises KeyError if there is none."""
    return {found.name: found for found in all_hazards()}[name]
