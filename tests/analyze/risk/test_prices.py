"""Prices of changes: what has none is named, and the interval of a sum is that of its parts."""

import json

import pytest

from analyze.risk.prices import FILE, kinds, price

CONTENT = json.loads(FILE.read_text())


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"no kind of change: tea \(kinds: variable renamed, "):
        price({"tea": 1})


def test_a_kind_whose_effect_the_data_do_not_show_is_named_and_adds_nothing() -> None:
    found = price({"frame added": 10, "trace doubled": 0})
    assert (found.estimate, found.low, found.high, found.unpriced) == (0, 0, 0, ("frame added",))


def test_one_unit_of_a_priced_kind_has_its_measured_interval() -> None:
    for kind in CONTENT["priced"]:
        found, measured = price({kind: 1}), CONTENT["kinds"][kind]
        assert (found.low, found.estimate, found.high) == pytest.approx(
            (measured["low"], measured["estimate"], measured["high"]), abs=2e-4
        )


def test_prices_are_proportional_and_a_sum_has_at_most_the_sum_of_the_intervals() -> None:
    one, two = price({"variable renamed": 1}), price({"variable renamed": 2})
    assert two.estimate == pytest.approx(2 * one.estimate) and two.low == pytest.approx(2 * one.low)
    other = price({"condition rewritten": 1})
    both = price({"variable renamed": 1, "condition rewritten": 1})
    assert both.estimate == pytest.approx(one.estimate + other.estimate)
    assert both.high - both.low <= one.high - one.low + other.high - other.low


def test_a_price_is_published_only_if_its_interval_excludes_zero() -> None:
    assert all(CONTENT["kinds"][kind]["low"] > 0 for kind in CONTENT["priced"])
    assert {kind for kind in kinds() if CONTENT["kinds"][kind]["low"] > 0} == set(CONTENT["priced"])
