"""The published weights are those that the script makes, and what they are worth is measured outside the fit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from analyze.risk.features import FEATURE_DESCRIPTIONS, StepFeatures
from analyze.risk.risk_model import published_weights, read_weights, sample_risk
from analyze.risk.steps import PROMPT_FRAMES
from lab.risk.fit import LABELLED_STRENGTHS, PANEL_STRENGTHS, chosen_strengths, fit, folds, judged_steps, main
from lab.risk.labelled_traces import LabelledTrace, read_labelled_traces
from lab.risk.validate import auroc, validate
from tests.places import DATA

pytest.importorskip("sklearn", reason="scikit-learn is missing (extra fit)")


@pytest.fixture(scope="module")
def programs() -> list[LabelledTrace]:
    """The judged programs; skips where the data is missing."""
    if not (DATA / "cwm_failures_even.jsonl").is_file():
        pytest.skip(f"{DATA} is missing")
    return read_labelled_traces(DATA)


LABELLED = Path(__file__).with_name("labelled")


@pytest.mark.medium
def test_weights_of_the_small_data_set_separate_its_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.risk.fit.FILE", tmp_path / "weights.json")
    assert main(["--data", str(LABELLED), "--write"]) == 0
    weights = read_weights(tmp_path / "weights.json")
    assert json.loads((tmp_path / "weights.json").read_text())["made_from"].endswith("of 40 programs, 16 of them wrong")
    programs = read_labelled_traces(LABELLED)
    risks = [
        sample_risk(
            weights.risk(StepFeatures(dict(zip(FEATURE_DESCRIPTIONS, row, strict=True)), ())) for row in one.features
        )
        for one in programs
    ]
    failed = np.array([one.failed for one in programs])
    assert auroc(failed, np.array([risks])) > 0.6  # in sample


@pytest.mark.medium
def test_strengths_are_chosen_among_those_of_the_grid_without_the_program_that_is_predicted() -> None:
    programs = read_labelled_traces(LABELLED)
    found = chosen_strengths(programs)
    assert found.panel in PANEL_STRENGTHS and found.labelled in LABELLED_STRENGTHS
    few = programs[::3]
    assert chosen_strengths(few) == chosen_strengths(few)
    parts = list(folds(len(programs), 3))
    assert sorted(at for _, test in parts for at in test) == list(range(len(programs)))
    assert not any(set(train) & set(test) for train, test in parts)


@pytest.mark.slow
def test_the_published_weights_are_what_the_fit_gives(programs: list[LabelledTrace]) -> None:
    made = fit(programs)
    assert made.bias == pytest.approx(published_weights().bias, abs=0.05)
    assert made.weights == pytest.approx(dict(published_weights().weights), abs=0.05)


@pytest.mark.slow
def test_a_failure_teaches_up_to_its_first_wrong_frame_and_no_further(programs: list[LabelledTrace]) -> None:
    failure = next(program for program in programs if program.wrong is not None and program.wrong > PROMPT_FRAMES)
    assert list(failure.labelled_frames) == list(range(PROMPT_FRAMES, (failure.wrong or 0) + 1))
    steps, wrong = judged_steps([failure])
    assert steps.shape == (len(failure.labelled_frames), len(FEATURE_DESCRIPTIONS))
    assert wrong.tolist() == [False] * (len(steps) - 1) + [True]


@pytest.mark.slow
def test_the_risk_tells_failures_from_successes_outside_the_fit(programs: list[LabelledTrace]) -> None:
    validation = validate(programs, repeats=1)
    assert auroc(validation.failed, validation.scores["risk"]) > auroc(
        validation.failed, validation.scores["seven simple features"]
    )
    assert np.mean([rank < 3 for rank in validation.ranks]) > 0.7


def test_an_auroc_is_the_share_of_pairs_in_the_right_order() -> None:
    failed = np.array([True, True, False, False])
    assert auroc(failed, np.array([[4.0, 1.0, 2.0, 1.0]])) == pytest.approx((1 + 1 + 0 + 0.5) / 4)
