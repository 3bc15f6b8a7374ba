"""What a case is asked as, and why it is not."""

from __future__ import annotations

from typing import cast

import pytest

from corpora import Case
from runner.asking.backend import Backend
from runner.runs.question import SkippedQuestion, pose_question

LOOP = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i * i\n    return total"


@pytest.mark.medium
def test_planned_says_that_a_program_is_over_budget() -> None:
    no_backend = cast(Backend, None)  # a program that is not rewritten needs none
    asked = pose_question(Case("a", LOOP, "f(30)"), "planned", no_backend, budget=100)
    assert isinstance(asked, SkippedQuestion)
    assert asked.reason == "its trace is over the budget of 100 tokens, and no shortening makes it fit"
