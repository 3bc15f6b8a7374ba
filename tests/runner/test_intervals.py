import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runner.intervals import clustered, percent, wilson, wilson_percent


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
    assert percent(0, 0) == "—" and wilson_percent(0, 0) is None
    assert percent(0, 20) == "0 % (0–16)"
    assert percent(20, 20) == "100 % (84–100)"


def test_samples_that_fall_together_leave_more_open_than_samples_on_their_own() -> None:
    """40 programs of five calls that are all right or all wrong: 200 samples that are worth 40."""
    sums, counts = [5] * 20 + [0] * 20, [5] * 40
    low, high = clustered(sums, counts) or (0, 0)
    alone = wilson(100, 200)
    assert high - low > 1.9 * (alone[1] - alone[0])
    assert (low, high) == pytest.approx(wilson(20, 40), abs=0.02)


def test_a_program_of_many_calls_weighs_as_many() -> None:
    low, high = clustered([90, 0, 0], [90, 5, 5]) or (0, 0)
    assert low == 0 and high == 1, "whoever draws the large one thrice has 1, whoever never does has 0"


@pytest.mark.parametrize(
    ("sums", "counts"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([3], [5], id="one program"),
        pytest.param([5, 5, 3], [5, 5, 3], id="all right: it would say 100 to 100"),
        pytest.param([0, 0], [5, 2], id="none right"),
    ],
)
def test_where_drawing_programs_says_nothing_there_is_no_interval(sums: list[float], counts: list[int]) -> None:
    assert clustered(sums, counts) is None


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=30))
def test_the_same_answers_have_the_same_interval_in_any_size_of_batch(pairs: list[tuple[int, int]]) -> None:
    groups = [(right, right + wrong) for right, wrong in pairs if right + wrong]
    sums, counts = [group[0] for group in groups], [group[1] for group in groups]
    found = clustered(sums, counts)
    assert found == clustered(sums, counts)
    if found:
        assert 0 <= found[0] <= found[1] <= 1
