import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.tokenization.arm_differences import differences, mean_effect


def group(share: float, programs: int = 200, seeds: int = 3, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (rng.random((programs, seeds)) < share).astype(float)


def test_no_difference_in_few_programs_decides_nothing() -> None:
    assert mean_effect("x", [np.zeros((2, 3))], [1]).verdict == "undecided"


def test_no_difference_in_many_programs_does_not_hold() -> None:
    assert mean_effect("x", [np.zeros((2000, 3))], [1]).verdict == "does not hold"


def test_a_large_difference_holds() -> None:
    assert mean_effect("x", [group(0.5)], [1]).verdict == "holds"


def test_seeds_that_disagree_decide_nothing() -> None:
    rows = np.tile([0.6, 0.0, -0.1], (400, 1))
    assert mean_effect("x", [rows], [1]).verdict == "undecided"


@given(st.integers(0, 50), st.floats(0.1, 0.9))
def test_the_interval_is_around_the_estimate(seed: int, share: float) -> None:
    found = mean_effect("x", [group(share, seed=seed), group(share, seed=seed + 1)], [1, -1])
    assert found.low < found.estimate < found.high
    assert found.programs == 400


def test_differences_are_paired_by_program_and_seed() -> None:
    before = {("a", 0): True, ("a", 1): False, ("b", 0): False, ("b", 1): False}
    after = {("a", 0): True, ("a", 1): True, ("b", 0): True, ("b", 1): False}
    assert differences(before, after, [("a", "a"), ("b", "b")]).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(KeyError):
        differences(before, after, [("a", "c")])
