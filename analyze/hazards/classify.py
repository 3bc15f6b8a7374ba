"""`classify`: each occurrence of a pattern that a string method sees, with its hazard, its tokens and the reason.

What it does not do: data sets (`analyze.auditing.audit`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyze.hazards.base import all_hazards, position_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import SEARCH_METHODS
from analyze.tokens.contexts import as_context
from analyze.tokens.engines import TokenizationEngine, engine_for
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Occurrence:
    """One occurrence as its method sees it.

    hazard: MATCH, RESPLIT, START_CUT, END_CUT, BOTH_CUT or SWALLOWED; start, end: its bytes in the text;
    tokens: the ids that touch it where the text stands; why: the reason in one line; written_start, written_end: its
    bytes in what the context writes; query: the ids of the pattern alone; written_query: the ids that touch the pattern
    where it is written in the same context; also: the further hazards at this place (SINGLE_SPLIT, HIDDEN_CHAR) and of
    the whole row (ABSENT, INCONSISTENT, QUERY_CUT); severity: 0..1, of the hazard and SINGLE_SPLIT together.
    """

    hazard: str
    start: int
    end: int
    tokens: tuple[int, ...]
    why: str
    written_start: int
    written_end: int
    query: tuple[int, ...]
    written_query: tuple[int, ...]
    also: tuple[str, ...] = ()
    severity: float = field(default=0.0, compare=False)


def classify(
    pattern: str,
    text: str,
    *,
    method: str = "find",
    context: str = "trace",
    tokenizer: Tokenizer | None = None,
) -> list[Occurrence]:
    """The occurrences of `pattern` in `text` that `method` sees, in the order of the text; none where there are none.

    method: a method of `analyze.hazards.match_positions.SEARCH_METHODS`; context: "bare" (text), "source"
    (f(repr(text))) or "trace" ({"text": json.dumps(repr(text))}). Raises InputError for another method or context, or
    for lone surrogates.

    >>> [(o.hazard, o.start, o.end) for o in classify("-.", "a-.-.b", method="rsplit", context="bare")]
    [('END_CUT', 1, 3), ('START_CUT', 3, 5)]
    """
    if method not in SEARCH_METHODS:
        raise InputError(
            f"no such method{did_you_mean(method, SEARCH_METHODS)}; there are {', '.join(SEARCH_METHODS)}", where=method
        )
    require_encodable(pattern, text)
    engine = _reference_engine(tokenizer or default_tokenizer())
    return occurrences_in(QuestionBatch([StringQuestion(text, pattern, method)], engine, as_context(context)))


def occurrences_in(batch: QuestionBatch) -> list[Occurrence]:
    """Every occurrence of a batch's first question."""
    classes = {(int(s), int(e)): kind for kind in position_hazards() for _, _, s, e in _hits(batch, [kind.name])}
    others = [kind.name for kind in all_hazards() if kind not in position_hazards() and kind.name in _BESIDE]
    beside = [(name, start, end) for name in others for _, _, start, end in _hits(batch, [name])]
    return [
        _occurrence(batch, (start, end), classes[start, end].name, beside)
        for start, end in zip(batch.occurrences.start.tolist(), batch.occurrences.end.tolist(), strict=True)
    ]


_BESIDE = {"SINGLE_SPLIT", "HIDDEN_CHAR", "ABSENT", "INCONSISTENT", "QUERY_CUT"}
_OF_ROW = {"ABSENT", "INCONSISTENT", "QUERY_CUT"}


def _hits(batch: QuestionBatch, names: Sequence[str]) -> list[tuple[int, float, int, int]]:
    found = [kind.find(batch) for kind in all_hazards() if kind.name in names]
    return [
        hit
        for hits in found
        for hit in zip(hits.rows.tolist(), hits.severity.tolist(), hits.start.tolist(), hits.end.tolist(), strict=True)
    ]


def _occurrence(
    batch: QuestionBatch, span: tuple[int, int], name: str, beside: list[tuple[str, int, int]]
) -> Occurrence:
    kinds = {kind.name: kind for kind in all_hazards()}
    also = tuple(other for other, start, end in beside if other in _OF_ROW or (start, end) == span)
    text = batch.questions[0].text
    a, b = batch.texts.bytes_of(0, *span)
    severity = kinds[name].severity + (kinds["SINGLE_SPLIT"].severity if "SINGLE_SPLIT" in also else 0.0)
    number = int(batch.queries.index[0])
    return Occurrence(
        hazard=name,
        start=len(text[: span[0]].encode()),
        end=len(text[: span[1]].encode()),
        tokens=batch.texts.tokens_at(0, *span),
        why=kinds[name].why(batch, 0, *span),
        written_start=a,
        written_end=b,
        query=batch.query_ids(0),
        written_query=batch.queries.placed.inner_ids(number) if number >= 0 else (),
        also=also,
        severity=min(1.0, severity),
    )


def require_encodable(*texts: str) -> None:
    """Raises InputError where a text holds lone surrogates, which no tokenizer can encode."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"lone surrogate at character {error.start}, which no tokenizer encodes") from None


def _reference_engine(tokenizer: Tokenizer) -> TokenizationEngine:
    return engine_for(tokenizer, "tokenizers")
