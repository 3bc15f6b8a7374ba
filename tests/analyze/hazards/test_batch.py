"""A batch judges each question as it would be judged alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyze.hazards.base import all_hazards
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import SEARCH_METHODS
from analyze.tokens.contexts import Context
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer

PIECES = st.sampled_from(
    ["-.", ".-", " B", "a", "Hello", "_", "'", '"', "\n", "é", "e\u0301", "1234", "🙂", "<|eot_id|>"]
)
TEXTS = st.lists(PIECES, max_size=6).map("".join)
QUESTIONS = st.builds(
    StringQuestion,
    text=TEXTS,
    pattern=st.none() | TEXTS | st.sampled_from(["-.", "a", " B "]),
    method=st.sampled_from(["", "[]", "upper", "swapcase", *SEARCH_METHODS]),
    result=st.none() | TEXTS,
    cuts=st.lists(st.integers(0, 9), max_size=2).map(tuple),
    limit=st.integers(-1, 2),
    window=st.none() | st.tuples(st.integers(0, 4), st.integers(0, 9)),
)


def hits(batch: QuestionBatch) -> dict[str, list[tuple[int, float, int, int]]]:
    found = {}
    for kind in all_hazards():
        hits = kind.find(batch)
        columns = (hits.rows, hits.severity.round(9), hits.start, hits.end)
        found[kind.name] = sorted(zip(*(column.tolist() for column in columns), strict=True))
    return found


@pytest.mark.medium
@settings(max_examples=60, deadline=None)
@given(st.lists(QUESTIONS, max_size=6), st.sampled_from(["bare", "source", "trace"]))
def test_together_as_alone(questions: list[StringQuestion], context: Context) -> None:
    engine = engine_for(default_tokenizer())
    together = hits(QuestionBatch(questions, engine, context))
    alone = [hits(QuestionBatch([question], engine, context)) for question in questions]
    for name, found in together.items():
        assert found == sorted((at, *hit[1:]) for at, each in enumerate(alone) for hit in each[name])
    every_hit_has_a_severity_a_place_and_a_reason(QuestionBatch(questions, engine, context), together)


def every_hit_has_a_severity_a_place_and_a_reason(
    batch: QuestionBatch, found: dict[str, list[tuple[int, float, int, int]]]
) -> None:
    for kind in all_hazards():
        for row, severity, start, end in found[kind.name]:
            question = batch.questions[row]
            subject = question.text if kind.looks_at == "text" else question.pattern or ""
            assert 0 <= severity <= 1
            assert 0 <= start <= end <= len(subject)
            assert kind.why(batch, row, start, end)


@settings(max_examples=60, deadline=None)
@given(st.lists(QUESTIONS, max_size=4), st.sampled_from(["bare", "source", "trace"]))
def test_each_occurrence_has_exactly_one_class(questions: list[StringQuestion], context: Context) -> None:
    batch = QuestionBatch(questions, engine_for(default_tokenizer()), context)
    six = {"MATCH", "RESPLIT", "START_CUT", "END_CUT", "BOTH_CUT", "SWALLOWED"}
    assert sum(len(found) for name, found in hits(batch).items() if name in six) == len(batch.occurrences)
