"""The objective of a plan: traces without a prediction first; then that it is what `assess` predicts."""

from __future__ import annotations

import json

import pytest

from analyze import assess, trace_call
from analyze.risk.features import FEATURE_DESCRIPTIONS
from rewrite.planner.objective import FILE, plain_step, predict_risk, standard_error, support
from tests.rewrite.planner.test_plan import CALL, PROGRAMS, SOURCE


def test_a_trace_that_was_cut_has_no_prediction() -> None:
    assert predict_risk([]) is None
    assert predict_risk([trace_call("def f():\n    while True: pass\n", "f()", seconds=0.2)]) is None


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
    assert "reversed(str) in 3" in support(before, after)
    assert "few" not in support(after, before)


def test_the_refits_have_the_features_of_the_map() -> None:
    for refit in json.loads(FILE.read_text(encoding="utf-8"))["refits"]:
        assert set(refit) == {"", *FEATURE_DESCRIPTIONS}
