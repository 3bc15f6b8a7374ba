"""What is offered for a line: nothing without risk, then by kind, and idioms with temporaries for the other values."""

from __future__ import annotations

import pytest

from rewrite.evidence.context import InterventionSite
from rewrite.planner.candidates import Candidate, list_candidates
from rewrite.planner.planning import Planner
from rewrite.planner.risks import LineRisks
from rewrite.planner.weights import PlannerWeights

WEIGHTS = PlannerWeights({"expressions": 0.25, "idioms": 1.0, "methods": 1.0}, price=0.0, most=3.0)
REVERSE, ADD = InterventionSite(10, 15, "reverse_listed"), InterventionSite(20, 25, "temporaries")
NAMED = InterventionSite(10, 15, "temporaries")
LOOP = InterventionSite(10, 15, "reverse")


def listed(
    *spots: InterventionSite, risk: float = 0.8, source: str = ""
) -> dict[frozenset[InterventionSite], Candidate]:
    """The candidates for one line, by their values."""
    risks = LineRisks({1: risk}, risk, {})
    return {one.spots: one for one in list_candidates(dict.fromkeys(spots, 1), source, risks, WEIGHTS)}


def test_a_line_without_risk_has_no_candidates() -> None:
    assert listed(REVERSE, ADD, risk=0.0) == {}


def test_a_value_that_an_idiom_computes_gets_no_loop() -> None:
    assert set(listed(REVERSE, LOOP)) == {frozenset({REVERSE})}
    assert set(listed(LOOP)) == {frozenset({LOOP})}


def test_one_kind_needs_no_other_to_be_whole() -> None:
    assert set(listed(ADD, NAMED)) == {frozenset({ADD, NAMED}), frozenset({ADD}), frozenset({NAMED})}
    assert frozenset({REVERSE, NAMED}) not in listed(REVERSE, NAMED)


def test_idioms_are_offered_with_temporaries_for_the_other_values() -> None:
    found = listed(REVERSE, NAMED, ADD)
    assert found[frozenset({REVERSE, ADD})].kind == "idioms"
    assert not any({REVERSE, NAMED} <= spots for spots in found)


@pytest.mark.parametrize(("spots", "share"), [({REVERSE}, 0.5), ({ADD}, 0.125), ({REVERSE, ADD}, 0.625)])
def test_a_candidate_removes_the_risk_of_its_operations(spots: set[InterventionSite], share: float) -> None:
    assert listed(REVERSE, ADD)[frozenset(spots)].gain == pytest.approx(0.8 * share)


@pytest.mark.parametrize(("operation", "share"), [("i + 1", 0.2), ("i + j", 0.5), ("-i", 0.5)])
def test_the_next_number_has_a_smaller_part_of_the_risk(operation: str, share: float) -> None:
    site = InterventionSite(20, 20 + len(operation), "temporaries")
    found = listed(REVERSE, site, source=" " * 20 + operation)
    assert found[frozenset({site})].gain == pytest.approx(0.8 * 0.25 * share)


def test_a_short_trace_may_grow_by_the_spare_tokens_and_a_long_one_by_its_multiple() -> None:
    weights = PlannerWeights(WEIGHTS.effects, price=0.0, most=2.0, spare=100)
    short = Planner("def f(n):\n    return n\n", ["f(1)"], weights=weights)
    long = Planner("def f(n):\n    for i in range(n):\n        n += i\n    return n\n", ["f(9)"], weights=weights)
    assert short.original is not None and short.limit == short.original + 100
    assert long.original is not None and long.limit == 2 * long.original
    assert Planner(short.source, ["f(1)"], budget=long.original, weights=weights).limit <= long.original
