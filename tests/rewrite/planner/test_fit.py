"""How the weights are chosen: from too little data first."""

from __future__ import annotations

import json

import pytest

from corpora.errors import InputError
from rewrite.planner.exposure import find_diverging_line
from rewrite.planner.fit import (
    GRID,
    FailureExposure,
    best_price_index,
    fit_effects,
    held_out_exposure,
    lower_confidence_bound,
    read,
)
from rewrite.planner.weights import FILE, published, risk_weights_digest
from tests.places import DATA

LAST = len(GRID) - 1


def failures(count: int, until: int) -> list[FailureExposure]:
    """Failures that are exposed at the first `until` prices."""
    return [FailureExposure(tuple(place < until for place in range(len(GRID))), (1.0,) * len(GRID))] * count


def test_the_weights_were_fitted_with_the_current_risk_weights() -> None:
    content = json.loads(FILE.read_text())
    assert content["risk_weights"] == risk_weights_digest(), f"stale: {content['made_by']}"


def test_nothing_is_certain_of_nothing() -> None:
    assert lower_confidence_bound([]) == 0.0
    assert lower_confidence_bound([True]) < 0.5


def test_a_certain_share_is_below_the_share_and_comes_nearer_with_more() -> None:
    few, many = lower_confidence_bound([True] * 9 + [False]), lower_confidence_bound([True] * 90 + [False] * 10)
    assert 0.6 < few < many < 0.9


def test_too_few_failures_for_any_price_take_the_least_one() -> None:
    assert best_price_index(failures(3, LAST + 1)) == 0


def test_the_greatest_price_at_which_enough_is_exposed_is_taken() -> None:
    assert best_price_index(failures(100, 4)) == 3
    assert best_price_index(failures(100, LAST + 1)) == LAST


def test_a_price_is_tried_on_what_it_was_not_chosen_on() -> None:
    assert held_out_exposure(failures(100, 4)) == 1.0


def test_the_effect_of_temporaries_is_the_fraction_that_they_recovered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rewrite.planner.fit._changes", lambda code, recipe: recipe == "expressions" and code != "a")
    rows = [{"code": code, "recovered_by": by} for code, by in (("a", "expression"), ("a", "string"), ("b", "None"))]
    assert fit_effects(rows) == {"expressions": 0.5}


def test_an_output_that_there_is_not_has_no_wrong_line() -> None:
    assert find_diverging_line("def f(): return 1", "f()", "") is None


def test_data_that_is_missing_is_named() -> None:
    with pytest.raises(InputError, match="nowhere"):
        read(DATA / "nowhere.jsonl")


def test_the_published_weights_are_such_as_are_fitted() -> None:
    assert published().price in GRID
    assert published().effects.keys() == {"expressions", "idioms", "methods"}
