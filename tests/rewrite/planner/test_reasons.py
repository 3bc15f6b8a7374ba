"""Each operation that stays as it is has a reason: for every operation of a program that runs, a row or a form."""

from __future__ import annotations

import pytest

from rewrite.planner.candidates import SHORTER
from rewrite.planner.plan import Plan
from rewrite.planner.planning import plan_rewrite
from rewrite.planner.reasons import NO_FORM, OTHER_FORM, OVER_LIMIT

LOOPS = (
    "def f(s):\n    t = s.find('a')\n    if t < 0:\n        return s.upper()\n    return s[t:].translate({97: 'x'})\n"
)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_rewrite(LOOPS, "f('a banana and a half')", examples=0)


def test_an_operation_that_does_not_run_needs_no_reason(plan: Plan) -> None:
    assert not any("keep s.upper()" in one.what for one in plan.left)


@pytest.mark.parametrize("operation", ["s.find('a')", "t < 0", "s[t:].translate({97: 'x'})"])
def test_each_operation_that_stays_has_a_reason(plan: Plan, operation: str) -> None:
    assert operation not in plan.source or any(operation in one.what and one.reason for one in plan.left)


def test_an_operation_without_another_form_says_so(plan: Plan) -> None:
    assert any(one.what == "keep t < 0" and one.reason == NO_FORM for one in plan.left)


def test_no_loop_is_left_out_silently() -> None:
    """Loops of `find` and `translate` are measured like any other form."""
    source = "def f(s, t):\n    return s.find(t)\n"
    plan = plan_rewrite(source, "f('banana' * 4, 'nan')", examples=0)
    told = [one for one in plan.left if "loops, s.find(t)" in one.what]
    assert plan.source != source or [one for one in told if one.reason]


def test_a_loop_that_is_over_the_limit_alone_is_in_no_composition() -> None:
    source = "def f(s, t):\n    return s.split(t), s.rfind(t), s[::-1]\n"
    plan = plan_rewrite(source, "f('banana' * 4, 'nan')", examples=0)
    told = {one.what: one.reason for one in plan.left}
    assert told["work on one element after the other, s.rfind(t)"] == OVER_LIMIT
    assert told["work on one element after the other, s[::-1]"] in (OTHER_FORM, SHORTER)
