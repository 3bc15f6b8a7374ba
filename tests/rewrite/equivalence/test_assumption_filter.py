"""Inputs outside what a rewrite assumes are named, and never among those that are the same."""

import pytest

from corpora.errors import InputError
from rewrite import check_equivalence, rewrite_source
from rewrite.evidence.assumptions import ORDERED, PLAIN_LOOKUP, Assumption, exactly, has_length

BEFORE = "def f(a, n):\n    return a.index(n + 1)\n"
AFTER = "def f(a, n):\n    _t0 = n + 1\n    return a.index(_t0)\n"
PLAINLY = (Assumption(2, 12, "a.index", PLAIN_LOOKUP),)


@pytest.mark.medium
def test_what_differs_outside_is_no_difference_within() -> None:
    assert check_equivalence(BEFORE, AFTER, ["f([1], 0)", "f(3, 'x')"], inputs="any").equivalent is False
    verdict = check_equivalence(BEFORE, AFTER, ["f([1], 0)"], assumes=PLAINLY, inputs="any")
    assert verdict.equivalent is True
    assert verdict.outside
    assert "break an assumption" in verdict.why
    assert all(
        reason == "not true at 2:12: a.index is the method that its type defines" for _, reason in verdict.outside
    )


@pytest.mark.medium
def test_a_given_call_outside_leaves_the_verdict_undecided() -> None:
    verdict = check_equivalence(BEFORE, AFTER, ["f([1], 0)", "f(3, 'x')"], examples=5, assumes=PLAINLY, inputs="any")
    assert verdict.equivalent is None
    assert verdict.why.startswith("f(3, 'x') breaks an assumption: not true at 2:12")


def test_a_difference_within_is_found() -> None:
    verdict = check_equivalence(BEFORE, AFTER.replace("n + 1", "n - 1"), ["f([1], 0)"], assumes=PLAINLY, inputs="any")
    assert verdict.equivalent is False


@pytest.mark.parametrize(("call", "holds"), [("f('a')", True), ("f('ab')", False), ("f([1])", False), ("f(0)", True)])
def test_each_fact_is_looked_at_where_it_is_evaluated(call: str, holds: bool) -> None:
    source = "def f(a):\n    if a == 0: return 1\n    return (a, 1)\n"
    assumes = [Assumption(3, 13, "a", exactly("str")), Assumption(3, 13, "a", has_length(1))]
    verdict = check_equivalence(source, source + "\n", [call], examples=0, assumes=assumes, inputs="any")
    assert bool(verdict.outside) is not holds


def test_a_result_that_never_came_breaks_what_is_assumed_of_it() -> None:
    source = "def f(a):\n    return sorted(a)\n"
    assumes = [Assumption(2, 12, "sorted(a)", ORDERED)]
    verdict = check_equivalence(source, source + "\n", ["f([1, ''])"], examples=0, assumes=assumes, inputs="any")
    assert [why for _, why in verdict.outside] == ["no value at 2:12: sorted(a) holds values in one order"]


def test_an_assumption_on_what_the_program_does_not_hold_is_refused() -> None:
    with pytest.raises(InputError, match="the program contains no b at 2:12"):
        check_equivalence(BEFORE, AFTER, ["f([1], 0)"], assumes=[Assumption(2, 12, "b", PLAIN_LOOKUP)], inputs="any")


@pytest.mark.medium
def test_an_expression_over_several_lines_is_found_again() -> None:
    source = "def f(a, é):\n    é = 'é'; return (a.strip(  # first\n        é[0]\n    )).find(é[:1])\n"
    made = rewrite_source(source, "expressions", calls=["f('abé', 'x')"])
    assert len(made.assumes) == 2
    assert check_equivalence(
        source, made.source, ["f('abé', 'x')"], examples=10, assumes=made.assumes, inputs="any"
    ).equivalent
