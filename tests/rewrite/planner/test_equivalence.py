"""Plans of benchmark programs do what the programs do: a sample of `tests.rewrite.planner.equivalence`."""

from __future__ import annotations

import pytest

from tests.rewrite.planner.equivalence import checked, cruxeval, humaneval


@pytest.mark.slow
@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("start", range(0, 400, 25))
def test_a_plan_of_cruxeval_does_the_same_within_its_assumptions(start: int, failed: bool) -> None:
    assert checked(list(cruxeval())[start], examples=15, failed=failed).difference == ""


@pytest.mark.slow
@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("start", range(0, 164, 16))
def test_a_plan_of_humaneval_does_the_same_within_its_assumptions(start: int, failed: bool) -> None:
    programs = list(humaneval())
    assert checked(programs[start % len(programs)], examples=15, failed=failed).difference == ""
