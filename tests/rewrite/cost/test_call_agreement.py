"""With calls, a change that does something else under them is left out and named; should that not do, all of it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from analyze.gold_trace.trace import Trace
from corpora.program import Outcome, Status
from rewrite.anf.rewrite_result import Rewritten, SkippedExpression
from rewrite.cost import call_agreement
from rewrite.cost.call_agreement import MAX_REWRITES, check_calls, confirm_unobserved, find_culprits, find_disagreement
from rewrite.cost.cost_limit import rewrite_with_calls
from rewrite.cost.trace_tokens import TracedCall
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipes import find_recipe
from rewrite.rewriting import check_compiled, rewrite_with

SOURCE = "def f(a):\n    b = len(a) + 1\n    c = sum(a) + b\n    return c\n"
CALLS = ["f([])", "f([1, 2])"]


def wrong_in_one(given: RewriteContext) -> Rewritten:
    """A rewrite one change of which does something else: `sum(a)` where it has a name."""
    made = rewrite_once(SOURCE, "expressions", given, options={})
    return replace(made, source=made.source.replace("= sum(a)\n", "= max(a)\n"))


def wrong(given: RewriteContext) -> Rewritten:
    """A rewrite that does something else whatever is left out of it."""
    made = rewrite_once(SOURCE, "expressions", given, options={})
    return replace(made, source=made.source.replace("sum(a)", "max(a)"), changed=True)


@pytest.mark.medium
def test_the_change_that_does_something_else_is_left_out_and_named() -> None:
    made = rewrite_with_calls(
        SOURCE, CALLS, wrong_in_one, unproven="assume", cost=None, unchanged=Rewritten(SOURCE, False)
    )
    assert "_t0 = len(a)\n" in made.source
    assert "c = sum(a) + b\n" in made.source
    assert [(one.line, one.reason) for one in made.left] == [
        (3, "sum(a) is left out: it does something else under f([]) (ending)")
    ]


def test_what_no_change_is_to_blame_for_is_refused_as_a_whole() -> None:
    unchanged = Rewritten(SOURCE, False)
    made = rewrite_with_calls(SOURCE, CALLS, wrong, unproven="assume", cost=None, unchanged=unchanged)
    reason = "it does something else under f([]) (ending)"
    assert (made.source, made.left) == (SOURCE, (SkippedExpression(1, f"all of it is left out: {reason}"),))


@pytest.mark.medium
def test_a_rewrite_that_rests_on_nothing_is_compared_too() -> None:
    unchanged = Rewritten("def f(a):\n    return a\n", False)
    other = Rewritten("def f(a):\n    return a or 1\n", True)
    assert check_calls(other, unchanged, ["f(1)"]) == other
    [left] = check_calls(other, unchanged, ["f(1)", "f(0)"]).left
    assert left.reason == "all of it is left out: it does something else under f(0) (value)"
    chance = check_calls(other, unchanged, ["f(__import__('random').random())"])
    assert [why for _, why in chance.unobserved] == ["not compared, nondeterministic: depends on random"]


def test_what_does_not_compile_is_not_given_back() -> None:
    unchanged = Rewritten("a = 1\n", False)
    made = check_compiled(Rewritten("a = (b = 1)\n", True), unchanged)
    assert made.source == unchanged.source
    assert "does not compile when rewritten" in made.left[0].reason


def test_those_to_blame_are_found_among_many() -> None:
    spots = [InterventionSite(n, n + 1) for n in range(64)]
    needed = {spots[7], spots[50]}
    asked: list[int] = []

    def agrees(left: Sequence[InterventionSite]) -> bool:
        asked.append(1)
        return needed <= set(left)

    assert set(find_culprits(spots, agrees)) >= needed
    assert len(find_culprits(spots, agrees)) < 16
    assert len(asked) <= 2 * MAX_REWRITES


@pytest.mark.parametrize(
    ("ends", "reason"),
    [
        (("ok", "timeout"), "f([]) was not compared, because its rewrite exceeded the time limit"),
        (("timeout", "ok"), "f([]) was not compared, because the program exceeded the time limit"),
        (("ok", "crashed"), "it does something else under f([]) (ending)"),
        (("timeout", "timeout"), ""),
    ],
)
def test_a_run_that_the_time_limit_ended_shows_no_difference(ends: tuple[Status, Status], reason: str) -> None:
    before, after = ((TracedCall("f([])", Trace("", (), Outcome(status)), None),) for status in ends)
    assert find_disagreement(before, after, SOURCE, f"{SOURCE}\n") == reason


NOTICES = "import sys\n\n\ndef f(a):\n    return 1 if sys.gettrace() else a\n"


@pytest.mark.medium
def test_a_rewrite_that_agrees_only_while_it_is_traced_is_refused() -> None:
    forged = NOTICES.replace("1 if sys.gettrace() else a", "1")
    made = rewrite_with(
        lambda given: Rewritten(forged, True), NOTICES, find_recipe("decompose"), ["f(2)"], None, None, {}
    )
    assert (made.source, made.changed) == (NOTICES, False)
    assert made.left == (SkippedExpression(1, "all of it is left out: it does something else under f(2) (value)"),)


@pytest.mark.medium
def test_a_rewrite_that_does_not_end_in_an_ordinary_run_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_agreement, "SECONDS", 0.5)
    endless = "import sys\n\n\ndef f(a):\n    while not sys.gettrace():\n        pass\n    return a\n"
    unchanged = Rewritten(endless, False)
    [left] = confirm_unobserved(Rewritten(endless + "\n", True), unchanged, ["f(1)"]).left
    assert left.reason.startswith(
        "all of it is left out: f(1) could not be compared (the original ended with 'timeout'"
    )
