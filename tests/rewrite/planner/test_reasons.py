"""Each operation that stays as it is has a reason: for every operation of a program that runs, a row or a form."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest

from corpora.source_block import source_block
from rewrite.anf.rewrite_result import Rewritten
from rewrite.planner import exposing
from rewrite.planner.candidates import NOT_REACHED, Candidates
from rewrite.planner.choice import Candidate, CandidateSet
from rewrite.planner.exposing import SLIGHT
from rewrite.planner.line_forms import UNCERTAIN
from rewrite.planner.plan import Plan
from rewrite.planner.planning import plan_rewrite
from rewrite.planner.program import PlannedProgram
from rewrite.planner.reasons import NAMED, NO_FORM, NO_FURTHER_GAIN, NO_TOKENS_LEFT, OTHER_FORM, OVER_LIMIT
from rewrite.planner.stages import PlanStage

LOOPS = (
    "def f(s):\n    t = s.find('a')\n    if t < 0:\n        return s.upper()\n    return s[t:].translate({97: 'x'})\n"
)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_rewrite(LOOPS, "f('a banana and a half')", examples=0)


@pytest.mark.medium
def test_an_operation_that_does_not_run_needs_no_reason(plan: Plan) -> None:
    assert not any("keep s.upper()" in one.what for one in plan.left)


@pytest.mark.parametrize("operation", ["s.find('a')", "t < 0", "s[t:].translate({97: 'x'})"])
def test_each_operation_that_stays_has_a_reason(plan: Plan, operation: str) -> None:
    assert operation not in plan.source or any(operation in one.what and one.reason for one in plan.left)


def test_an_operation_without_another_form_says_so(plan: Plan) -> None:
    assert any(one.what == "keep t < 0" and one.reason == NO_FORM for one in plan.left)


SUM = source_block("""
    def f(text, n):
        return text.replace('a', '-').count('-') + n * len(text) + text.rindex('n') + text.lower().find('b', 1)
""")


@pytest.mark.medium
def test_what_gets_a_name_because_it_is_evaluated_before_a_chosen_form_is_not_said_to_be_left() -> None:
    plan = plan_rewrite(SUM, "f('bananabandana', 2)", examples=0)
    assert "    index = text.replace('a', '-').count('-') + n * len(text) + text.rindex('n')\n" in plan.source
    (named,) = [one for one in plan.left if one.reason == NAMED]
    assert named.what.startswith("materialize nested values, text.replace('a', '-').count('-') + n *")


@pytest.mark.medium
@pytest.mark.parametrize(
    ("added", "told"), [(5, "; readable names, +5 tokens"), (0, "find('b', 1)"), (-5, "find('b', 1)")]
)
def test_what_readable_names_cost_is_told_in_the_last_row(
    added: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlannedProgram, "readable", lambda _, made: replace(made, tokens=made.tokens + added))
    plan = plan_rewrite(SUM, "f('bananabandana', 2)", examples=0)
    assert plan.choices[-1].what.endswith(told)


@pytest.mark.medium
def test_only_operations_of_the_program_are_kept() -> None:
    """An annotation and the format of a value are none; an operation in parentheses is one, and has another form."""
    source = "def f(s, n: list[int]) -> dict[str, int]:\n    return f'{s:>3}' + s * (len(n) - 1)\n"
    plan = plan_rewrite(source, "f('ab', [3])", examples=0)
    assert [one.what for one in plan.left if one.reason == NO_FORM] == ["keep f'{s:>3}' + s * (len(n) - 1)"]


def test_no_loop_is_left_out_silently() -> None:
    """Loops of `find` and `translate` are measured like any other form."""
    source = "def f(s, t):\n    return s.find(t)\n"
    plan = plan_rewrite(source, "f('banana' * 4, 'nan')", examples=0)
    told = [one for one in plan.left if "loops, s.find(t)" in one.what]
    assert plan.source != source or [one for one in told if one.reason]


@pytest.mark.medium
def test_a_loop_that_is_over_the_limit_alone_is_in_no_composition() -> None:
    source = "def f(s, t):\n    return s.split(t), s.rfind(t), s[::-1]\n"
    plan = plan_rewrite(source, "f('banana' * 4, 'nan')", examples=0, failed=True)
    told = {one.what: one.reason for one in plan.left}
    assert told["work on one element after the other, s.rfind(t)"] == OVER_LIMIT


SPLIT = (
    "def f(text):\n    parts = text.strip().split('n')\n    count = len(parts)\n"
    "    return '-'.join(parts[::-1]) + str(count)\n"
)


@pytest.mark.medium
def test_an_operation_with_other_forms_is_not_said_to_have_none() -> None:
    plan = plan_rewrite(SPLIT, "f('bananabandana')", examples=0)
    assert any("loops, text.strip().split('n')" in one.what for one in plan.left)
    assert not any("preconditions of a loop" in one.reason for one in plan.left)


@pytest.mark.medium
def test_a_form_that_is_dropped_beside_the_others_is_not_said_to_lack_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    apply, dropped = exposing._apply, list[Candidate]()

    def drop_one(program: PlannedProgram, first: PlanStage, selection: CandidateSet, candidates: Candidates) -> object:
        if dropped:
            return apply(program, first, selection, candidates)
        dropped.append(selection.in_order[0])
        return candidates.without(dropped[0], NO_FURTHER_GAIN)

    monkeypatch.setattr(exposing, "_apply", drop_one)
    plan = plan_rewrite("def f(text):\n    return text[::-1].strip()\n", "f('abcabc')", examples=0)
    assert dropped and NO_TOKENS_LEFT not in {one.reason for one in plan.left}
    assert NO_FURTHER_GAIN in {one.reason for one in plan.left}


@pytest.mark.medium
def test_a_form_that_costs_tokens_for_no_gain_that_is_printed_is_left_with_its_own_tokens() -> None:
    """The trace fails with near certainty with and without it."""
    source = (
        "def f(text, n):\n    t = 0\n    for i in range(n):\n        t += text[::-1].count('a') * i % 7\n    return t\n"
    )
    rows = {}
    for rounds in (20, 40):
        plan = plan_rewrite(source, f"f('banana bandana cabana', {rounds})", examples=0)
        rows[plan.source == source] = [one for one in plan.left if one.reason == SLIGHT]
    assert rows[False] == []
    slight = {one.what: one.tokens or 0 for one in rows[True]}
    assert 0 < slight["materialize nested values, text[::-1]"] < 4000


def test_a_form_without_which_others_gain_less_is_not_slight() -> None:
    """Of two forms that remove the risk together, the first row shows a small part of it."""
    stages = [PlanStage(Rewritten("", False), tokens, 1 - exp(-cost)) for tokens, cost in ((9, 16), (12, 8), (15, 0.1))]
    assert exposing._slight(stages, [8.0, 7.9]) is None
    assert exposing._slight([*stages, replace(stages[-1], tokens=16)], [8.0, 7.9, 0.0004]) == 2
    assert exposing._slight([*stages, replace(stages[-1], tokens=14)], [8.0, 7.9, 0.0004]) is None
    assert exposing._slight(stages[:2], [8.0]) == 0


@pytest.mark.medium
def test_where_the_whole_plan_is_uncertain_no_form_is_said_to_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exposing, "least_gain", lambda before, after: 0.0)
    plan = plan_rewrite(SPLIT, "f('bananabandana')", examples=0)
    reasons = {one.reason for one in plan.left}
    assert plan.source == SPLIT and UNCERTAIN in reasons
    assert not reasons & {OTHER_FORM, NO_TOKENS_LEFT}
    assert any("parts[::-1]" in one.what for one in plan.left)


BRANCHES = (
    "def f(a, b, c):\n    if c:\n        x = a.strip().upper() + b[::-1]\n    else:\n"
    "        x = b.strip().upper() + a[::-1]\n    return x\n"
)


@pytest.mark.medium
def test_siblings_have_one_row_with_all_lines_and_others_their_own() -> None:
    calls = ["f(' abc', 'cde ', True)", "f(' abc', 'cde ', False)"]
    plan = plan_rewrite(BRANCHES, calls, examples=0)
    rows = {one.what: (one.line, one.siblings) for one in plan.left}
    assert rows["keep a.strip().upper() + b[::-1]"] == (3, ())
    assert rows["replace string methods by loops, a.strip(), b.strip()"] == (3, (5,))
    assert {tuple(sorted((one.line, *one.siblings))) for one in plan.choices} == {(3, 5)}
    reports = [(one.line, one.reason.split(":")[0]) for one in plan.rewritten(BRANCHES).left]
    assert {(line, "replace string methods by loops, a.strip(), b.strip()") for line in (3, 5)} <= {*reports}


@pytest.mark.medium
def test_siblings_on_one_line_are_named_together() -> None:
    plan = plan_rewrite("def f(a, b):\n    return a[::-1] * 2 + b[::-1] * 2\n", "f('abc', 'cd')", examples=0)
    rows = {one.what: (one.line, one.siblings) for one in plan.left}
    assert rows["replace string methods by loops, a[::-1], b[::-1]"] == (2, ())


@pytest.mark.medium
def test_a_line_that_no_call_reaches_is_not_said_to_be_safe() -> None:
    source = "def f(a, n):\n    if n > 3:\n        return a.strip().lower()\n    return (a +\n        a.upper())\n"
    plan = plan_rewrite(source, "f('abcabc', 1)", examples=0)
    assert {one.reason for one in plan.left if one.what.endswith("a.strip()")} == {NOT_REACHED}
    assert NOT_REACHED not in {one.reason for one in plan.left if one.line > 3}
