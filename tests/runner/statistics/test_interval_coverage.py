"""The simulation in `bench/interval_coverage.py`, with few replications: a seeded check that the claims hold."""

import runpy
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from runner.statistics.intervals import Interval, accuracy_interval, difference_interval

REPLICATIONS = 60
SCRIPT: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[3] / "bench" / "interval_coverage.py"))


def of_accuracy(right: Any, counts: Any) -> Interval | None:
    return accuracy_interval(right.tolist(), counts.tolist())


def of_difference(sums: Any, counts: Any) -> Interval | None:
    return difference_interval(sums.tolist(), counts.tolist())


@pytest.mark.medium
@pytest.mark.parametrize(
    ("simulation", "method"), [("accuracy_coverage", of_accuracy), ("difference_coverage", of_difference)]
)
@pytest.mark.parametrize("programs", [10, 30])
def test_intervals_cover_the_true_value_about_as_often_as_they_say(simulation: str, method: Any, programs: int) -> None:
    assert fmean(SCRIPT[simulation](programs, REPLICATIONS, method)) > 92


@pytest.mark.medium
def test_the_test_keeps_its_level_where_mcnemars_does_not() -> None:
    assert fmean(SCRIPT["false_positives"](30, REPLICATIONS, SCRIPT["sign_flip"])) < 7
    assert max(SCRIPT["false_positives"](30, REPLICATIONS, SCRIPT["mcnemar"])) > 20


@pytest.mark.medium
def test_intervals_of_associations_cover_the_true_value() -> None:
    assert fmean(SCRIPT["auroc_coverage"](30, 8)) > 80 and SCRIPT["auroc_coverage"](10, 8) == []
    assert fmean(SCRIPT["odds_coverage"](60, 10)) > 80
