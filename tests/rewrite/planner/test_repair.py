"""The chance of a repair: what repairs nothing first; then against drawing which operations a model gets wrong."""

from __future__ import annotations

from math import exp, log1p
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze import trace_call
from analyze.risk.steps import Operand, RecordedOperation
from rewrite.planner.objective import ProgramRisk, predict_risk
from rewrite.planner.repair import KnownFailure, Repair, StepHazard, find_failure, predict_repair

SOURCE = "def f(text, sep):\n    return text.upper().split(sep)[-1].strip() + '!'\n"
NAMED = """def f(text, sep):
    upper = text.upper()
    parts = upper.split(sep)
    last = parts[-1]
    strip = last.strip()
    return strip + '!'
"""
CALL = "f('ab-c d', '-')"


def risk(source: str) -> ProgramRisk:
    found = predict_risk([trace_call(source, CALL)])
    assert found is not None
    return found


def operation(name: str) -> RecordedOperation:
    return RecordedOperation("method", name, (), Operand("str", 1, "a"))


def step(hazard: float, *names: str) -> StepHazard:
    return StepHazard(hazard, frozenset(map(operation, names)))


def test_asking_again_repairs_nothing() -> None:
    before = risk(SOURCE).steps
    for failure in (KnownFailure(), KnownFailure(4)):
        assert predict_repair(before, before, failure).chance == pytest.approx(0, abs=1e-9)


def test_a_program_without_hazard_cannot_have_failed() -> None:
    assert Repair(0.0, 0.0, 0.0).chance == 0


def test_a_rewrite_of_another_step_than_the_wrong_one_repairs_nothing() -> None:
    before, after = [step(0.5, "upper"), step(0.5, "strip")], [step(0.5, "upper"), step(0.1, "reverse")]
    assert predict_repair([before], [after], KnownFailure(0)).chance == 0
    assert predict_repair([before], [after], KnownFailure(1)).chance == pytest.approx(exp(-0.1 - 0.5 + 0.5))


def test_an_operation_that_stays_in_an_easier_step_keeps_that_steps_hazard() -> None:
    found = predict_repair([[step(0.7, "upper", "strip")]], [[step(0.2, "upper"), step(0.3, "strip")]], KnownFailure())
    assert (found.ahead, found.covered, found.failed) == pytest.approx((0.5, 0.2, 0.7))


def test_a_step_without_operations_keeps_its_hazard() -> None:
    assert predict_repair([[step(0.7)]], [[step(0.1)]], KnownFailure()).covered == 0


def test_repeated_operations_are_kept_one_by_one() -> None:
    once, twice = [step(0.4, "upper")], [step(0.4, "upper"), step(0.4, "upper")]
    assert predict_repair([twice], [once], KnownFailure()).covered == pytest.approx(0.4)
    assert predict_repair([twice], [twice], KnownFailure()).covered == pytest.approx(0)


def test_temporaries_repair_a_nested_expression() -> None:
    before, after = risk(SOURCE), risk(NAMED)
    found = predict_repair(before.steps, after.steps, KnownFailure())
    assert found.chance > 0.5
    assert found.failed == pytest.approx(before.total)
    assert found.ahead == pytest.approx(after.total)


def test_an_output_says_where_the_model_failed() -> None:
    trace = trace_call(SOURCE, CALL)
    assert find_failure(trace, trace.text) is None
    assert find_failure(trace, "[ANSWER]'C D!'[/ANSWER]") is None
    assert find_failure(trace, "It is lower case. [ANSWER]'c d!'[/ANSWER]") == KnownFailure()
    assert find_failure(trace, trace.text.replace("'C D!'", "'c d!'")) == KnownFailure(len(trace.frames) - 2)


HAZARDS = st.lists(st.floats(0.05, 0.9), min_size=2, max_size=4)


@pytest.mark.medium
@given(HAZARDS, st.lists(st.booleans(), min_size=4, max_size=4), st.floats(0.0, 0.5), st.booleans())
def test_the_chance_is_that_of_operations_that_go_wrong_by_their_hazards(
    hazards: list[float], replaced: list[bool], new: float, knows_where: bool
) -> None:
    """Operations go wrong independently; a replaced one is as hard as `new`, and the others fail as before."""
    before = [step(hazard, str(number)) for number, hazard in enumerate(hazards)]
    after = [step(new, f"new {number}") if replaced[number] else one for number, one in enumerate(before)]
    at = len(before) - 1 if knows_where else None
    found = predict_repair([before], [after], KnownFailure(at)).chance
    rng, failed, repaired = Random(len(hazards)), 0, 0
    for _ in range(4000):
        wrong = [rng.random() < 1 - exp(-hazard) for hazard in hazards]
        seen = wrong[-1] and not any(wrong[:-1]) if knows_where else any(wrong)
        if seen:
            failed += 1
            again = [rng.random() < 1 - exp(-new) if replaced[at] else one for at, one in enumerate(wrong)]
            repaired += not any(again)
    if failed > 200:
        assert found == pytest.approx(repaired / failed, abs=0.12)


def test_a_hazard_is_that_of_the_risk() -> None:
    steps = risk(SOURCE).steps[0]
    assert sum(one.hazard for one in steps) == pytest.approx(-log1p(-risk(SOURCE).risk))
