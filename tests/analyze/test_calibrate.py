"""What a flag is worth, the severities from it, and that the kept file is what the shared data give."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.calibrate import FLOOR, Judged, auroc, cross_validated, fit, read_judged, risk_ratio, score, severity_of
from analyze.hazard import all_hazards
from analyze.severity import fitted, worth_of

DATA = Path(__file__).parents[3] / "shared" / "data"


def rows(*counts: tuple[bool, str, int]) -> list[Judged]:
    return [Judged("x", failed, frozenset(names.split())) for failed, names, size in counts for _ in range(size)]


def test_a_hazard_that_few_rows_carry_is_not_measured() -> None:
    assert fit(rows((True, "DIGITS", 2), (False, "DIGITS", 2), (False, "", 50))) == {}


def test_a_hazard_of_successes_gets_the_least_severity() -> None:
    assert fit(rows((True, "", 20), (False, "DIGITS", 20), (False, "", 20)))["DIGITS"].severity == FLOOR


def test_a_match_is_measured_and_never_severe() -> None:
    worth = fit(rows((True, "MATCH", 20), (False, "", 20)))["MATCH"]
    assert worth.ratio > 1
    assert worth.severity == 0


def test_the_ratio_of_shares() -> None:
    ratio, spread = risk_ratio(20, 40, 10, 80)
    assert ratio == pytest.approx(4.0)
    assert spread == pytest.approx(math.sqrt(1 / 20 - 1 / 40 + 1 / 10 - 1 / 80))


@given(st.floats(0.01, 100), st.floats(0, 5))
def test_severities_are_drawn_towards_none(ratio: float, spread: float) -> None:
    assert FLOOR <= severity_of(ratio, spread) <= max(FLOOR, 1 - 1 / ratio) + 1e-9


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=2))
def test_auroc_is_the_share_of_pairs(pairs: list[tuple[int, bool]]) -> None:
    bad = [value for value, failed in pairs if failed]
    good = [value for value, failed in pairs if not failed]
    if bad and good:
        wins = sum((b > g) + 0.5 * (b == g) for b in bad for g in good) / (len(bad) * len(good))
        assert auroc([value for value, _ in pairs], [failed for _, failed in pairs]) == pytest.approx(wins)


def test_a_rows_score_takes_its_hazards_together() -> None:
    found = fit(rows((True, "DIGITS EDGE", 20), (True, "", 20), (False, "DIGITS", 10), (False, "", 70)))
    both = score(Judged("x", True, frozenset({"DIGITS", "EDGE"})), found)
    assert max(found["DIGITS"].severity, found["EDGE"].severity) < both < 1


@pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not here")
def test_the_kept_severities_are_those_of_the_shared_data(capsys: pytest.CaptureFixture[str]) -> None:
    judged = read_judged(DATA)
    assert fit(judged) == fitted()
    failed = [row.failed for row in judged]
    value = auroc(cross_validated(judged), failed)
    with capsys.disabled():
        import sys

        sys.stdout.write(f"\nhazard score, {sum(failed)} failures of {len(failed)} rows, 10-fold AUROC {value:.3f}\n")
    assert value > 0.649  # what "the output is a string" alone gives


def test_every_fitted_name_is_a_hazard() -> None:
    assert set(fitted()) <= {kind.name for kind in all_hazards()}
    assert worth_of("ABSENT").count("[") == 1
    assert worth_of("SPECIAL") == ""
