"""A few of the campaign's programs, by their seeds."""

import pytest

from tests.rewrite.passes.campaign import difference, program


@pytest.mark.medium
@pytest.mark.parametrize("first", [0, 100])
def test_passes_on_random_programs_do_the_same_on_calls_that_nobody_has_seen(first: int) -> None:
    assert not any(difference(seed) for seed in range(first, first + 4))


def test_the_same_seed_gives_the_same_program() -> None:
    assert program(7) == program(7) != program(8)
