"""The search for a cheap rewrite: what it may take, what it says once that is spent, and how often it rewrites."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from corpora.deadline import Deadline, OutOfTimeError, time_limit
from rewrite.anf.rewrite_result import Rewritten
from rewrite.cost import cost_limit
from rewrite.cost.cost_limit import rewrite_with_calls
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.discovery import Made
from rewrite.planner.planning import plan_rewrite

LINE = "    n = n.replace('a', 'b').strip()\n"
CALL = "f('banana')"


def program(lines: int) -> str:
    return "def f(n):\n" + LINE * lines + "    return n\n"


class Counting:
    """A rewriter that counts, and whose clock is the number of rewrites."""

    def __init__(self, source: str, most: int) -> None:
        self.source, self.most, self.count = source, most, 0

    def __call__(self, given: RewriteContext) -> Rewritten:
        self.count += 1
        return rewrite_once(self.source, "decompose", given, options={})


@dataclass(frozen=True)
class Rewrites(Deadline):
    """A deadline that passes after some rewrites."""

    rewriter: Counting

    def check(self) -> None:
        if self.rewriter.count >= self.rewriter.most:
            raise OutOfTimeError(self.spent)


def search(lines: int, most: int) -> tuple[Rewritten, Counting]:
    rewriter = Counting(program(lines), most)
    with time_limit(Rewrites(9, math.inf, rewriter)):
        unchanged = Rewritten(rewriter.source, False)
        made = rewrite_with_calls(rewriter.source, [CALL], rewriter, unproven="assume", cost=1.5, unchanged=unchanged)
        return made, rewriter


@pytest.mark.medium
def test_a_program_whose_search_is_out_of_time_is_left_as_it_is_and_says_so() -> None:
    found, rewriter = search(5, 3)
    assert rewriter.count == 3
    assert (found.source, found.changed, found.tokens) == (program(5), False, found.original_tokens)
    [left] = found.left
    assert left.reason.endswith("limit of 9 s (--seconds) has passed, and no rewrite within the token limit was found")


def test_a_plan_that_is_out_of_time_is_the_program_as_it_is() -> None:
    rewriter = Counting(program(3), 3)

    def apply(function: Callable[[RewriteContext], Made], contexts: Sequence[RewriteContext]) -> Iterator[Made]:
        for given in contexts:
            rewriter.count += 1
            yield function(given)

    with time_limit(Rewrites(9, math.inf, rewriter)):
        plan = plan_rewrite(program(3), [CALL], apply=apply)
    assert (plan.source, plan.tokens, plan.choices) == (program(3), plan.original_tokens, ())
    assert plan.tokens is not None
    assert "left as it is: its time limit of 9 s (--seconds) has passed, and no plan was found" in plan.notes


def test_a_plan_whose_calls_do_not_run_in_time_is_the_program_as_it_is() -> None:
    with time_limit(0):
        plan = plan_rewrite(program(3), [CALL])
    assert (plan.source, plan.tokens, plan.choices) == (program(3), None, ())
    assert plan.notes == ("left as it is: its time limit of 0 s (--seconds) has passed, and its calls had not run",)


@pytest.mark.medium
def test_what_is_far_over_is_left_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_limit, "MAX_LEFT_OUT", 4)
    found, rewriter = search(30, 1000)
    assert rewriter.count < 12
    assert found.tokens is not None and found.original_tokens is not None
    assert found.tokens <= 1.5 * found.original_tokens
    assert any("more in the longest trace" in left.reason for left in found.left)
