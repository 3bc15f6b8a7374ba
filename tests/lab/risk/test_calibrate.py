"""What a flag is worth, the severities from it, and that the kept file is what the shared data give."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.hazards.base import all_hazards
from analyze.hazards.severity import fitted_effects, format_odds_ratio
from lab.risk.calibrate import (
    FLOOR,
    LabelledRow,
    LabelledSteps,
    auroc,
    cross_validated,
    fit,
    flag_effects,
    hazard_odds_ratio,
    read_labelled_rows,
    read_labelled_steps,
    risk_ratio,
    row_score,
    severity_of,
)
from lab.risk.step_hazards import HAZARDS
from tests.places import DATA

pytest.importorskip("sklearn", reason="scikit-learn is missing (extra fit)")


def steps(*groups: tuple[int, int, bool, str]) -> LabelledSteps:
    """Groups of (right steps, wrong steps, searched, hazards), each step a program of its own, all texts as long."""
    single = [
        (searched, [name in names.split() for name in HAZARDS], wrong)
        for right, bad, searched, names in groups
        for wrong in [False] * right + [True] * bad
    ]
    beside = np.array([(float(searched), 0.0, 1.0) for searched, _, _ in single])
    hazards, wrong = np.array([held for _, held, _ in single]), np.array([wrong for _, _, wrong in single])
    return LabelledSteps(beside, hazards, wrong, np.arange(len(single)))


def test_what_a_search_alone_explains_is_nothing_that_a_hazard_adds() -> None:
    found = hazard_odds_ratio(steps((900, 9, False, ""), (80, 20, True, ""), (40, 10, True, "ABSENT")), "ABSENT")
    assert found is not None
    assert found[0] == pytest.approx(1.0, abs=0.05)


def test_what_a_hazard_adds_beside_a_search_is_its_odds_ratio() -> None:
    found = hazard_odds_ratio(steps((900, 9, False, ""), (800, 200, True, ""), (400, 400, True, "ABSENT")), "ABSENT")
    assert found is not None
    assert found[0] == pytest.approx(4.0, rel=0.1)
    assert found[1] == pytest.approx(math.sqrt(1 / 800 + 1 / 200 + 2 / 400), rel=0.1)


def test_steps_of_one_program_count_as_one() -> None:
    apart = steps((900, 90, False, ""), (80, 20, True, ""), (30, 20, True, "ABSENT"))
    together = replace(apart, programs=apart.programs // 5)
    one, other = hazard_odds_ratio(apart, "ABSENT"), hazard_odds_ratio(together, "ABSENT")
    assert one is not None and other is not None
    assert one[0] == other[0] and other[1] > one[1]
    assert hazard_odds_ratio(replace(apart, programs=apart.programs // 6), "ABSENT") is None


def test_a_hazard_without_a_failure_has_a_finite_worth_with_a_wide_interval() -> None:
    found = hazard_odds_ratio(steps((900, 9, False, ""), (80, 20, True, ""), (12, 0, True, "DIGITS")), "DIGITS")
    assert found is not None
    assert 0 < found[0] < 1 and found[0] * math.exp(1.96 * found[1]) > 1


def rows(*counts: tuple[bool, str, int]) -> list[LabelledRow]:
    return [LabelledRow("x", failed, frozenset(names.split())) for failed, names, size in counts for _ in range(size)]


def test_a_hazard_that_few_rows_carry_is_not_measured() -> None:
    assert flag_effects(rows((True, "DIGITS", 2), (False, "DIGITS", 2), (False, "", 50))) == {}


def test_a_hazard_of_successes_gets_the_least_severity() -> None:
    assert flag_effects(rows((True, "", 20), (False, "DIGITS", 20), (False, "", 20)))["DIGITS"].severity == FLOOR


def test_a_match_is_measured_and_never_severe() -> None:
    worth = flag_effects(rows((True, "MATCH", 20), (False, "", 20)))["MATCH"]
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
    found = flag_effects(rows((True, "DIGITS EDGE", 20), (True, "", 20), (False, "DIGITS", 10), (False, "", 70)))
    both = row_score(LabelledRow("x", True, frozenset({"DIGITS", "EDGE"})), found)
    assert max(found["DIGITS"].severity, found["EDGE"].severity) < both < 1


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the published data is not here (docs/published_data.md)")
def test_the_kept_severities_are_those_of_the_shared_data(capsys: pytest.CaptureFixture[str]) -> None:
    judged = read_labelled_rows(DATA)
    assert fit(judged, read_labelled_steps(DATA)) == fitted_effects()
    failed = [row.failed for row in judged]
    value = auroc(cross_validated(judged), failed)
    with capsys.disabled():
        import sys

        sys.stdout.write(f"\nhazard score, {sum(failed)} failures of {len(failed)} rows, 10-fold AUROC {value:.3f}\n")
    assert value > 0.649  # what "the output is a string" alone gives


def test_every_fitted_name_is_a_hazard() -> None:
    assert set(fitted_effects()) <= {kind.name for kind in all_hazards()}
    assert format_odds_ratio("ABSENT").count("[") == 1
    assert format_odds_ratio("MATCH").endswith("the reference")
    assert all(
        worth.is_significant or "not significant" in format_odds_ratio(name)
        for name, worth in fitted_effects().items()
        if worth.severity
    )
    assert format_odds_ratio("SPECIAL") == ""
