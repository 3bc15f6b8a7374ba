"""The search for a cheap rewrite: what it may take, what it says once that is spent, and how often it rewrites."""

from __future__ import annotations

import pytest

from corpora.errors import InputError
from rewrite.cost import cost_limit
from rewrite.cost.cost_limit import rewrite_with_calls
from rewrite.cost.deadline import NEVER, Deadline, OutOfTimeError
from rewrite.evidence.given import Given
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.planning import plan_rewrite
from rewrite.result import Rewritten

LINE = "    n = n.replace('a', 'b').strip()\n"
CALL = "f('banana')"


def program(lines: int) -> str:
    return "def f(n):\n" + LINE * lines + "    return n\n"


class Counting:
    """A rewriter that counts, and whose clock is the number of rewrites."""

    def __init__(self, source: str, most: int) -> None:
        self.source, self.most, self.count = source, most, 0

    def __call__(self, given: Given) -> Rewritten:
        self.count += 1
        return rewrite_once(self.source, "decompose", given, options={})


class Rewrites(Deadline):
    """A deadline that passes after some rewrites."""

    rewriter: Counting

    def check(self) -> None:
        if self.rewriter.count >= self.rewriter.most:
            raise OutOfTimeError


def search(lines: int, most: int) -> tuple[Rewritten, Counting]:
    rewriter = Counting(program(lines), most)
    deadline = Rewrites(9, 0)
    object.__setattr__(deadline, "rewriter", rewriter)
    found = rewrite_with_calls(rewriter.source, [CALL], rewriter, unproven="assume", cost=1.5, deadline=deadline)
    return found, rewriter


def test_a_program_whose_search_is_out_of_time_is_left_as_it_is_and_says_so() -> None:
    found, rewriter = search(5, 3)
    assert rewriter.count == 3
    assert (found.source, found.changed, found.tokens) == (program(5), False, found.original_tokens)
    [left] = found.left
    assert (
        left.reason == "left as it is: 9 seconds were up (--seconds) before a rewrite within the token limit was found"
    )


def test_a_plan_that_is_out_of_time_is_the_program_as_it_is() -> None:
    plan = plan_rewrite(program(3), [CALL], deadline=Deadline.after(0))
    assert (plan.source, plan.tokens, plan.choices) == (program(3), plan.original_tokens, ())
    assert plan.tokens is not None
    assert "left as it is: 0 seconds were up (--seconds) before a plan was found" in plan.notes


def test_a_rewrite_that_its_own_limit_ends_is_out_of_time() -> None:
    def ended() -> None:
        raise InputError("it takes more than 1 second")

    with pytest.raises(InputError):
        NEVER.held(ended)()
    with pytest.raises(OutOfTimeError):
        Deadline.after(0).held(ended)()


def test_what_is_far_over_is_left_out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_limit, "MAX_LEFT_OUT", 4)
    found, rewriter = search(30, 1000)
    assert rewriter.count < 12
    assert found.tokens is not None and found.original_tokens is not None
    assert found.tokens <= 1.5 * found.original_tokens
    assert any("more in the longest trace" in left.reason for left in found.left)
