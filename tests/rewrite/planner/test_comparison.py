"""Plans compared on generated inputs: passes that are at fault are dropped and named."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from analyze import trace_call
from corpora.errors import InputError
from rewrite.anf.rewrite_result import Rewritten
from rewrite.evidence.context import RewriteContext
from rewrite.passes import PassCandidate, find_candidates
from rewrite.passes.candidate import Edit
from rewrite.planner import discovery, shortening
from rewrite.planner.discovery import Apply, Made, apply_here
from rewrite.planner.planning import plan_rewrite
from tests.rewrite.planner.test_plan import CALL, SHORT, SHORT_CALL, SOURCE

LOOP = (
    "def f(items):\n    a_total_with_a_long_name = 0\n    for item in items:\n"
    "        a_total_with_a_long_name += item\n    return a_total_with_a_long_name\n"
)
ITEMS = "f([1, 2, 3, 4, 5])"
SEVERAL = "def f(text):\n    back = text[::-1]\n    return back + str(len(text.strip()) + 1)\n"


@pytest.fixture(autouse=True)
def _shrink_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs needs no simplest call here."""
    monkeypatch.setattr("rewrite.equivalence.check.SHRINK_SECONDS", 0.1)


def test_a_negative_number_of_examples_is_refused() -> None:
    with pytest.raises(InputError, match="examples must be at least 0"):
        plan_rewrite(SOURCE, CALL, examples=-1)


def broken(found: str, line: str) -> Apply:
    """Rewrites at fault: where they write `found`, the program does something else for some inputs."""

    def apply(function: Callable[[RewriteContext], Made], contexts: Sequence[RewriteContext]) -> Iterator[Made]:
        for given, made in zip(contexts, apply_here(function, contexts), strict=True):
            if isinstance(made, Rewritten) and given.evidence is not None:
                yield replace(made, source=made.source.replace(found, line))
            else:
                yield made

    return apply


@pytest.mark.medium
def test_a_pass_that_causes_a_difference_is_dropped_and_the_others_stay() -> None:
    plan = plan_rewrite(SEVERAL, "f('cba')", apply=broken(".reverse()\n", ".sort()\n"), failed=True)
    assert ".sort()" not in plan.source
    dropped = [one for one in plan.left if one.reason.startswith("dropped")]
    assert {one.line for one in dropped} == {2}
    assert all("it changes what f(" in one.reason for one in dropped)
    assert 3 in {one.line for one in plan.choices}
    assert plan.compared > 20


ALWAYS_BROKEN = ("    return ", "    if len(text) > 9: return ''\n    return ")


@pytest.mark.medium
def test_what_stays_at_fault_leaves_the_program_alone() -> None:
    plan = plan_rewrite(SHORT, SHORT_CALL, apply=broken(*ALWAYS_BROKEN), failed=True)
    assert plan.source == SHORT
    assert plan.tokens == plan.original_tokens
    assert any(one.reason.startswith("dropped") for one in plan.left)


@pytest.mark.medium
def test_without_examples_only_the_calls_are_compared() -> None:
    plan = plan_rewrite(SHORT, SHORT_CALL, examples=0, apply=broken(*ALWAYS_BROKEN), failed=True)
    assert "> 9" in plan.source
    assert plan.compared == 1


@pytest.mark.medium
def test_a_form_at_fault_is_given_up_and_the_passes_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def form(made: Rewritten, _: str) -> Rewritten:
        return replace(made, source=made.source.replace(".strip()", ""))

    monkeypatch.setattr(discovery, "plain_form", form)
    plan = plan_rewrite("def f(text):\n    return len(text[::-1].strip()) + 1\n", SHORT_CALL)
    assert ".strip()" in plan.source
    assert plan.choices
    assert any("copy propagation" in one.what for one in plan.left)


@pytest.mark.medium
def test_a_pass_at_fault_is_dropped_and_another_is_applied(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(source: str, calls: Sequence[str] = (), **known: Any) -> Iterator[PassCandidate]:
        for one in find_candidates(source, calls, **known):
            if one.name == "sum_loop":  # it forgets an item of long lists
                wrong = tuple(Edit(e.start, e.end, e.text.replace("items", "items[:9]")) for e in one.edits)
                yield replace(one, edits=wrong)
            else:
                yield one

    original = trace_call(LOOP, ITEMS).tokens or 0
    budget = int(0.6 * original)
    assert any("sum" in one.what for one in plan_rewrite(LOOP, ITEMS, budget=budget).choices)
    monkeypatch.setattr(shortening, "find_candidates", found)
    plan = plan_rewrite(LOOP, ITEMS, budget=budget)
    assert "items[:9]" not in plan.source
    [dropped] = [one for one in plan.left if one.reason.startswith("dropped")]
    assert "sum" in dropped.what
    assert dropped.tokens is not None and dropped.tokens < 0
