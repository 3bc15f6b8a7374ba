"""The published weights are those that the script makes, and what they are worth is measured outside the fit."""

from __future__ import annotations

import numpy as np
import pytest

from analyze.risk.features import WORDS
from analyze.risk.fit import fit, judged_steps
from analyze.risk.judged import GIVEN, Judged, read_judged
from analyze.risk.model import published
from analyze.risk.validate import auroc, validate
from tests.places import DATA

pytest.importorskip("sklearn", reason="scikit-learn is missing (extra fit)")


@pytest.fixture(scope="module")
def programs() -> list[Judged]:
    """The judged programs; skips where the data is missing."""
    if not (DATA / "cwm_failures_even.jsonl").is_file():
        pytest.skip(f"{DATA} is missing")
    return read_judged(DATA)


@pytest.mark.slow
def test_the_published_weights_are_what_the_fit_gives(programs: list[Judged]) -> None:
    made = fit(programs)
    assert made.bias == pytest.approx(published().bias, abs=0.05)
    assert made.weights == pytest.approx(dict(published().weights), abs=0.05)


@pytest.mark.slow
def test_a_failure_teaches_up_to_its_first_wrong_frame_and_no_further(programs: list[Judged]) -> None:
    failure = next(program for program in programs if program.wrong is not None and program.wrong > GIVEN)
    assert list(failure.seen) == list(range(GIVEN, (failure.wrong or 0) + 1))
    steps, wrong = judged_steps([failure])
    assert steps.shape == (len(failure.seen), len(WORDS))
    assert wrong.tolist() == [False] * (len(steps) - 1) + [True]


@pytest.mark.slow
def test_the_risk_tells_failures_from_successes_outside_the_fit(programs: list[Judged]) -> None:
    validation = validate(programs, repeats=1)
    assert auroc(validation.failed, validation.scores["risk"]) > auroc(
        validation.failed, validation.scores["seven simple features"]
    )
    assert np.mean([rank < 3 for rank in validation.ranks]) > 0.7


def test_an_auroc_is_the_share_of_pairs_in_the_right_order() -> None:
    failed = np.array([True, True, False, False])
    assert auroc(failed, np.array([[4.0, 1.0, 2.0, 1.0]])) == pytest.approx((1 + 1 + 0 + 0.5) / 4)
