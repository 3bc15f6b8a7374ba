"""The greedy selection: its bounds, the reasons of what it rejects, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence

from rewrite.cost.greedy_selection import Rejection, select


def subtract(rest: int, price: int) -> int | str:
    return rest - price if price <= rest else "too expensive"


def least(_: int, found: Sequence[int]) -> int | None:
    return min(found, default=None)


def test_each_round_goes_on_with_the_preferred_state_and_the_last_round_says_what_was_rejected() -> None:
    found = select(8, lambda rest: (2, 5, 20), subtract, least)
    assert found.states == (8, 3, 1)
    assert found.last == 1
    assert {one.reason for one in found.rejected} == {"too expensive"}


def test_a_candidate_that_was_measured_and_not_preferred_keeps_its_state() -> None:
    found = select(9, lambda rest: (2, 5) if rest == 9 else (), subtract, least)
    assert found.rejected == (Rejection(9, 2, 7, ""),)


def test_rounds_and_measurements_are_bounded() -> None:
    measured: list[int] = []

    def measure(rest: int, price: int) -> int:
        measured.append(price)
        return rest - price

    found = select(100, lambda rest: range(1, 9), measure, least, max_rounds=2, max_tried=3)
    assert found.states == (100, 97, 94)
    assert measured == [1, 2, 3, 1, 2, 3]
    assert [one.candidate for one in found.rejected if one.reason.startswith("not tried: 3 ")] == [4, 5, 6, 7, 8]


def test_no_preference_ends_the_search() -> None:
    found = select(8, lambda rest: (2,), subtract, lambda rest, found: None)
    assert (found.states, found.rejected) == ((8,), (Rejection(8, 2, 6, ""),))
