"""Simple generated programs: seeded, of all kinds, and with the numbers of the paper's programs."""

from itertools import islice

import pytest

from lab.pocket.simple_programs import cases
from lab.short_functions import kinds


def test_a_stream_depends_on_its_seed_only() -> None:
    first, again, other = (list(islice(cases(seed), 50)) for seed in ("a", "a", "b"))
    assert first == again != other
    assert len({case.id for case in first}) == 50


@pytest.mark.medium
def test_the_zoo_comes_with_its_own_numbers_and_permutations_with_eight_steps() -> None:
    drawn = list(islice(cases("ranges"), 4000))
    bits = [int(case.call[14:-1]) for case in drawn if case.kind.startswith("bitwise")]
    numbers = [int(case.call[14:-1]) for case in drawn if case.kind.startswith("math")]
    assert max(bits) > 200
    assert min(numbers) < -80 < 80 < max(numbers)
    assert {case.kind for case in drawn} >= {f"S5, length {length}" for length in range(1, 9)}


def test_every_kind_is_drawn() -> None:
    names = {case.kind.partition(",")[0] for case in islice(cases("kinds"), 1000)}
    assert names >= {"boolean", "dictionary", "S3", "S4", "S5", *kinds.KINDS}
    assert any("drill" in name for name in names)
