"""The worker process of rewrites: answers belong to their questions, also if some were not awaited."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest

from corpora.deadline import time_limit
from corpora.errors import InputError
from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.planner.discovery import make_form
from rewrite.planner.planning import plan_rewrite
from runner.batch_rewriting.process import RewriteProcess

SOURCE = "def f(text):\n    return len(text.strip()) + 1\n"
CALL = "f(' ab ')"
UNPROVEN = RewriteContext("leave")
MAKE = partial(make_form, SOURCE)


@pytest.fixture
def process() -> Iterator[RewriteProcess]:
    with time_limit(120.0), closing(RewriteProcess()) as found:
        yield found


def test_a_source_that_cannot_be_read_leaves_no_answer_behind(process: RewriteProcess) -> None:
    with pytest.raises(InputError, match="does not parse"):
        list(process._each(partial(make_form, "def f(:\n"), [UNPROVEN, UNPROVEN]))
    assert process.rewrite(SOURCE).changed


def test_an_answer_that_is_not_awaited_is_not_that_to_the_next_question(process: RewriteProcess) -> None:
    contexts = [UNPROVEN, RewriteContext("assume", gather_evidence(SOURCE, [CALL]))]
    first, second = process._each(MAKE, contexts)
    assert first != second
    answers = process._each(MAKE, contexts)
    assert next(answers) == first
    del answers
    process._each(MAKE, contexts[1:])  # begins, although nothing asks for an answer
    assert list(process._each(MAKE, [UNPROVEN])) == [first]


@pytest.mark.medium
def test_a_plan_is_the_same_as_in_this_process(process: RewriteProcess) -> None:
    assert process.plan(SOURCE, [CALL], 8192) == plan_rewrite(SOURCE, [CALL])
