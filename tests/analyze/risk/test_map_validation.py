"""Cross-validation of program maps: too few outputs first."""

import numpy as np
import pytest

from analyze.risk.map_validation import BASELINES, cross_validate, weighted_auroc
from corpora.errors import InputError
from tests.analyze.risk.test_program_map import WEIGHTS, drawn


@pytest.mark.parametrize("failures", [0, 9, 91, 100])
def test_too_few_failed_or_correct_outputs_are_refused(failures: int) -> None:
    features, _ = drawn(100, WEIGHTS)
    failed = np.array([1.0] * failures + [0.0] * (100 - failures))
    with pytest.raises(InputError, match=f"too few outputs for a fit: {failures} failed"):
        cross_validate(features, failed, [str(number) for number in range(100)])


def test_labels_without_any_pattern_do_not_beat_their_mean() -> None:
    features, _ = drawn(200, WEIGHTS)
    failed = np.random.default_rng(5).permutation([1.0, 0.0] * 100)
    found = cross_validate(features, failed, list(map(str, range(200))))
    assert not found.beats_shipped
    assert found.auroc_interval[0] < 0.5 + 0.1


def test_a_pattern_is_found_and_calibrated() -> None:
    features, failed = drawn(400, WEIGHTS)
    found = cross_validate(features, failed, list(map(str, range(400))))
    assert found.beats_shipped
    assert found.auroc > max(found.baselines.values())
    assert found.baselines.keys() == BASELINES.keys()
    assert found.auroc_interval[0] < found.auroc < found.auroc_interval[1]
    assert found.expected == pytest.approx(found.failures, rel=0.05)
    assert [part.programs for part in found.quarters] == [100] * 4
    assert found.quarters[0].observed < found.quarters[3].observed


@pytest.mark.medium
def test_calls_of_one_program_are_on_one_side_of_a_fold() -> None:
    """A label that belongs to the program alone cannot be learnt from another call of it."""
    random = np.random.default_rng(1)
    programs = np.repeat(np.arange(40), 10)
    features = random.normal(size=(40, len(WEIGHTS)))[programs]
    failed = random.permutation([1.0, 0.0] * 20)[programs]
    found = cross_validate(features, failed, list(map(str, programs)))
    assert found.auroc < 0.75


@pytest.mark.medium
def test_the_same_seed_gives_the_same_figures() -> None:
    features, failed = drawn(100, WEIGHTS)
    names = list(map(str, range(100)))
    assert cross_validate(features, failed, names) == cross_validate(features, failed, names)


def test_auroc_is_the_probability_of_the_right_order() -> None:
    failed, scores = np.array([1.0, 1.0, 0.0, 0.0]), np.array([3.0, 1.0, 1.0, 0.0])
    assert weighted_auroc(failed, scores) == (1 + 1 + 0.5 + 1) / 4
