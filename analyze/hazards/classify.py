"""`classify`: the occurrences of a pattern that a string method sees, each with its hazard, its tokens and the reason.

`analyze.auditing.audit` does the same for data sets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from analyze.hazards.base import Hazard, all_hazards, get_hazard, position_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import SEARCH_METHODS
from analyze.tokens.contexts import as_context
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.errors import InputError, did_you_mean


@dataclass(frozen=True)
class Occurrence:
    """One occurrence of a pattern, as the method sees it.

    Attributes:
        hazard: MATCH, RESPLIT, START_CUT, END_CUT, BOTH_CUT or SWALLOWED.
        start: First byte in the text.
        end: One past the last byte.
        tokens: Ids of the tokens that touch the occurrence inside its context.
        why: The reason, in one line.
        written_start: First byte in what the context writes.
        written_end: One past the last byte there.
        query: Ids of the pattern on its own.
        written_query: Ids of the tokens that touch the pattern where the same context writes it.
        also: Further hazards at this place (SINGLE_SPLIT, HIDDEN_CHAR) and of the whole row (ABSENT, INCONSISTENT,
            QUERY_CUT).
        severity: In 0..1, for the hazard and SINGLE_SPLIT together.
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
    pattern: str, text: str, *, method: str = "find", context: str = "trace", tokenizer: Tokenizer | None = None
) -> list[Occurrence]:
    """Returns the occurrences of `pattern` in `text` that `method` sees, in the order of the text.

    Args:
        pattern: What is searched for.
        text: The string that is searched.
        method: A key of `analyze.hazards.match_positions.SEARCH_METHODS` (default: "find").
        context: "bare" (the text itself), "source" (f(repr(text))) or "trace" ({"text": json.dumps(repr(text))}).
        tokenizer: The model's tokenizer (default: Llama-3's with CWM's special tokens).

    Raises:
        InputError: If the method or context is unknown, or a string holds lone surrogates.

    Example:
        >>> [(o.hazard, o.start, o.end) for o in classify("-.", "a-.-.b", method="rsplit", context="bare")]
        [('END_CUT', 1, 3), ('START_CUT', 3, 5)]
    """
    if method not in SEARCH_METHODS:
        hint = did_you_mean(method, SEARCH_METHODS)
        raise InputError(f"unknown method{hint}; choose from {', '.join(SEARCH_METHODS)}", where=method)
    require_encodable(pattern, text)
    engine = engine_for(tokenizer or default_tokenizer(), "tokenizers")
    return occurrences_in(QuestionBatch([StringQuestion(text, pattern, method)], engine, as_context(context)))


def occurrences_in(batch: QuestionBatch) -> list[Occurrence]:
    """Returns every occurrence in a batch's first question."""
    classes = {(start, end): kind for kind in position_hazards() for _, _, start, end in kind.find(batch).entries()}
    others = [kind for kind in all_hazards() if kind.name in _ADDITIONAL]
    additional = [(kind.name, (start, end)) for kind in others for _, _, start, end in kind.find(batch).entries()]
    spans = zip(batch.occurrences.start.tolist(), batch.occurrences.end.tolist(), strict=True)
    return [_occurrence(batch, span, classes[span], additional) for span in spans]


_ADDITIONAL = {"SINGLE_SPLIT", "HIDDEN_CHAR", "ABSENT", "INCONSISTENT", "QUERY_CUT"}
_OF_ROW = {"ABSENT", "INCONSISTENT", "QUERY_CUT"}


def _occurrence(
    batch: QuestionBatch, span: tuple[int, int], kind: Hazard, additional: list[tuple[str, tuple[int, int]]]
) -> Occurrence:
    also = tuple(other for other, place in additional if other in _OF_ROW or place == span)
    text = batch.questions[0].text
    a, b = batch.texts.bytes_of(0, *span)
    severity = kind.severity + (get_hazard("SINGLE_SPLIT").severity if "SINGLE_SPLIT" in also else 0.0)
    number = int(batch.queries.index[0])
    return Occurrence(
        hazard=kind.name,
        start=len(text[: span[0]].encode()),
        end=len(text[: span[1]].encode()),
        tokens=batch.texts.tokens_at(0, *span),
        why=kind.why(batch, 0, *span),
        written_start=a,
        written_end=b,
        query=batch.query_ids(0),
        written_query=batch.queries.placed.inner_ids(number) if number >= 0 else (),
        also=also,
        severity=min(1.0, severity),
    )


def require_encodable(*texts: str) -> None:
    """Raises InputError if a string holds lone surrogates, which no tokenizer can encode."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InputError(f"lone surrogate at character {error.start}, which no tokenizer encodes") from None
