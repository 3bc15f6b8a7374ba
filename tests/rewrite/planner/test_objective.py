"""The objective of a plan: traces without a prediction first; then that it is what `assess` predicts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from analyze import assess, trace_call
from analyze.risk.features import FEATURE_DESCRIPTIONS
from analyze.risk.prices import price
from analyze.risk.program_map import WORDS, load_reliability_map
from analyze.risk.risk_model import published_weights
from rewrite.planner.objective import (
    DOUBT,
    FILE,
    least_gain,
    left_alone,
    plain_step,
    predict_risk,
    standard_error,
    support,
)
from tests.rewrite.planner.test_plan import CALL, PROGRAMS, SOURCE


def test_a_trace_that_was_cut_has_no_prediction() -> None:
    assert predict_risk([]) is None
    assert predict_risk([trace_call("def f():\n    while True: pass\n", "f()", seconds=0.2)]) is None


@pytest.mark.medium
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_objective_is_what_assess_predicts(name: str) -> None:
    source, call = PROGRAMS[name]
    found = predict_risk([trace_call(source, call)])
    assert found is not None
    assert found.risk == pytest.approx(assess(source, call).risk)
    assert sum(found.lines.values()) == pytest.approx(found.total)


def test_several_calls_have_the_mean_of_their_sums() -> None:
    calls = [CALL, "f('banana', 'n')"]
    single = [predict_risk([trace_call(SOURCE, call)]) for call in calls]
    both = predict_risk([trace_call(SOURCE, call) for call in calls])
    assert both is not None
    assert both.total == pytest.approx(sum(one.total for one in single if one) / 2)


def test_a_plain_step_has_a_small_risk() -> None:
    assert 0 < plain_step() < 0.01


def test_what_does_not_change_has_no_error_and_another_program_has() -> None:
    before, after = (predict_risk([trace_call(one, CALL)]) for one in (SOURCE.replace("[::-1]", ""), SOURCE))
    assert before is not None and after is not None
    assert standard_error(before, before) == 0
    assert standard_error(before, after) > 0
    assert "0.0 pp" in support(before, before)


def test_operations_that_few_programs_of_the_map_have_are_named() -> None:
    source = "def f(s):\n    return s.upper()\n"
    rare = "def f(s):\n    return ''.join(map(str.upper, reversed(s[::-1])))\n"
    before, after = (predict_risk([trace_call(one, "f('ab')")]) for one in (source, rare))
    assert before is not None and after is not None
    assert "3 have reversed(str)" in support(before, after)
    assert "programs behind it" not in support(after, before)


def test_the_refits_have_the_features_of_the_map() -> None:
    for refit in json.loads(FILE.read_text(encoding="utf-8"))["refits"]:
        assert set(refit) == {"", *FEATURE_DESCRIPTIONS}


def test_what_surely_gains_nothing_is_below_the_bound() -> None:
    before, after = (predict_risk([trace_call(one, CALL)]) for one in (SOURCE, SOURCE.replace("[::-1]", "")))
    assert before is not None and after is not None
    assert least_gain(before, before) == 0
    assert least_gain(before, after) == pytest.approx(
        before.total - after.total - DOUBT * standard_error(before, after)
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_in_words_the_objective_is_what_assess_predicts_with_that_map(name: str) -> None:
    source, call = PROGRAMS[name]
    risk_map = load_reliability_map(Path(WORDS))
    found = predict_risk([trace_call(source, call)], risk_map=risk_map)
    assert found is not None
    assert found.risk == pytest.approx(assess(source, call, risk_map=risk_map).risk)


def test_in_words_the_derivative_is_that_of_the_total() -> None:
    weights, risk_map = published_weights(), load_reliability_map(Path(WORDS))
    near = replace(weights, bias=weights.bias + 1e-5)
    one, other = (predict_risk([trace_call(SOURCE, CALL)], one, risk_map=risk_map) for one in (weights, near))
    assert one is not None and other is not None
    assert one.derivative[""] == pytest.approx((other.total - one.total) / 1e-5, rel=1e-3)


def test_changes_cost_their_price_and_its_error() -> None:
    before = predict_risk([trace_call(SOURCE, CALL)])
    assert before is not None
    after = replace(before, changes={"condition rewritten": 2.0})
    assert after.cost - before.cost == pytest.approx(price({"condition rewritten": 2}).estimate)
    assert standard_error(before, after) == pytest.approx(price({"condition rewritten": 2}).error)
    assert least_gain(before, after) < 0
    assert "changes with a price of 0.169" in left_alone(before, after)
