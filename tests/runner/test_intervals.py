import pytest

pytest.importorskip("scipy")

from hypothesis import given
from hypothesis import strategies as st

from runner.intervals import percent, wilson

pytestmark = pytest.mark.model


def test_the_bounds_of_a_published_example() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I: 81 of 263.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


@given(right=st.integers(0, 200), more=st.integers(0, 200))
def test_the_share_lies_in_its_interval(right: int, more: int) -> None:
    count = right + more
    if count:
        low, high = wilson(right, count)
        assert 0 <= low <= right / count + 1e-12 and right / count - 1e-12 <= high <= 1


def test_nothing_counted_is_a_dash() -> None:
    assert percent(0, 0) == "—"
    assert percent(0, 20) == "0 % (0–16)"
    assert percent(20, 20) == "100 % (84–100)"
