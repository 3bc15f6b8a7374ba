"""Plans: what cannot be planned first; then what a plan says of a program, held against running it."""

from __future__ import annotations

import pytest

from analyze import trace_call
from corpora.errors import InputError
from corpora.execute import run_call
from rewrite import check_equivalence
from rewrite.planner.plan import plan_rewrite
from rewrite.planner.weights import published
from tests.analyze.shared_data import rows

SOURCE = (
    "def f(text, chars):\n"
    '    parts = text.replace(chars[0], "-").split("-")\n'
    "    total = len(parts) + len(text[::-1].strip())\n"
    '    return "-".join(parts).upper() + str(total)\n'
)
CALL = "f('abcabc', 'a')"


@pytest.mark.parametrize(
    ("source", "calls", "budget", "why"),
    [
        (SOURCE, [], 8192, "needs calls"),
        (SOURCE, ["f("], 8192, "no call that Python can read"),
        (SOURCE, [CALL], 0, "budget must be at least 1"),
        ("def f(:\n", [CALL], 8192, "<source>:1"),
    ],
)
def test_what_cannot_be_planned_is_said_in_one_line(source: str, calls: list[str], budget: int, why: str) -> None:
    with pytest.raises(InputError, match=why) as found:
        plan_rewrite(source, calls, budget=budget)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("source", "call", "why"),
    [
        ("def f():\n    while True:\n        pass\n", "f()", "shows nothing"),
        ("import random\ndef f():\n    return random.SystemRandom().random() + 1\n", "f()", "depends on"),
        ("def f(n):\n    return sum(x + 1 for x in range(n))\n", "f(100000)", ""),
    ],
)
def test_a_call_without_a_trace_leaves_the_program_alone(source: str, call: str, why: str) -> None:
    plan = plan_rewrite(source, [call])
    assert plan.source == source
    assert plan.tokens is None
    assert not plan.choices
    assert any(why in left.reason for left in plan.left)


def test_a_budget_below_the_first_frames_leaves_the_program_alone_and_says_by_how_much() -> None:
    plan = plan_rewrite(SOURCE, [CALL], budget=20)
    assert plan.source == SOURCE
    assert plan.tokens == plan.original_tokens
    assert any("too many" in left.reason for left in plan.left)


def test_a_call_that_raises_is_planned_as_any_other() -> None:
    plan = plan_rewrite(SOURCE, ["f('abc', '')"])
    assert run_call(plan.source, "f('abc', '')").exception == run_call(SOURCE, "f('abc', '')").exception


def test_a_plan_says_what_it_did_and_what_that_costs() -> None:
    plan = plan_rewrite(SOURCE, [CALL])
    assert plan.choices
    assert plan.risk < plan.original_risk
    assert {choice.line for choice in plan.choices} <= {2, 3, 4}
    assert plan.original_tokens == trace_call(SOURCE, CALL).tokens
    assert plan.tokens == trace_call(plan.source, CALL).tokens
    assert plan.tokens is not None
    assert plan.tokens <= published().most * plan.original_tokens
    assert check_equivalence(SOURCE, plan.source, [CALL], examples=20, assumes=plan.assumes).equivalent


def test_the_same_program_gets_the_same_plan() -> None:
    assert plan_rewrite(SOURCE, [CALL]) == plan_rewrite(SOURCE, [CALL])


@pytest.mark.parametrize("number", range(0, 400, 40))
def test_a_program_that_fits_still_fits_and_does_the_same(number: int) -> None:
    row = rows("cruxeval_even.jsonl")[number]
    call = f"f({row['input']})"
    before = trace_call(row["code"], call).tokens
    plan = plan_rewrite(row["code"], [call], budget=before + 40)
    assert plan.tokens is not None
    assert plan.tokens <= before + 40
    assert run_call(plan.source, call).value == run_call(row["code"], call).value
