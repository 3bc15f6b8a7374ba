"""The simulation in `bench/interval_coverage.py`, with few replications: a seeded check that the claims hold."""

from collections.abc import Callable
from statistics import fmean

import pytest
from interval_coverage import (
    Method,
    accuracy_coverage,
    auroc_coverage,
    cell,
    difference_coverage,
    false_positives,
    mcnemar,
    odds_coverage,
    of_accuracy,
    of_difference,
    sign_flip,
)

REPLICATIONS = 60


@pytest.mark.medium
@pytest.mark.parametrize(
    ("simulation", "method"), [(accuracy_coverage, of_accuracy), (difference_coverage, of_difference)]
)
@pytest.mark.parametrize("programs", [10, 30])
def test_intervals_cover_the_true_value_about_as_often_as_they_say(
    simulation: Callable[[int, int, Method], list[float]], method: Method, programs: int
) -> None:
    assert fmean(simulation(programs, REPLICATIONS, method)) > 92


@pytest.mark.medium
def test_the_test_keeps_its_level_where_mcnemars_does_not() -> None:
    assert fmean(false_positives(30, REPLICATIONS, sign_flip)) < 7
    assert max(false_positives(30, REPLICATIONS, mcnemar)) > 20


@pytest.mark.medium
def test_intervals_of_associations_cover_the_true_value() -> None:
    assert fmean(auroc_coverage(30, 8)) > 80 and auroc_coverage(10, 8) == []
    assert fmean(odds_coverage(60, 10)) > 80


def test_an_interval_that_is_never_given_has_no_figure() -> None:
    assert cell([]) == "not given"
    assert cell([80.0, 90.0]) == "85.0 (80.0–90.0)"
