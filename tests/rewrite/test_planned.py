"""Random programs that read late, under recipes, plans and passes (`tests.rewrite.planned`), with fixed seeds."""

import pytest

from tests.rewrite.planned import calls, difference, program
from tests.samples import sampled


def test_the_programs_are_worth_comparing() -> None:
    sources = [program(seed) for seed in range(60)]
    for source in sources:
        compile(source, "<program>", "exec", dont_inherit=True)
    for part in ("lazy = (", "lambda", "match ", "case Point(", ":= ", "nonlocal", "class ", "import ", "yield"):
        assert any(part in source for source in sources), part
    assert calls(0) == calls(0) and program(0) == program(0)


@pytest.mark.medium
@pytest.mark.parametrize("seed", sampled(range(8), map(str, range(8)), every=2))
def test_a_few_programs_do_the_same(seed: int) -> None:
    assert difference(seed, examples=15) == ""


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 1024, 6))
def test_many_programs_do_the_same(start: int) -> None:
    assert [told for seed in range(start, start + 6) if (told := difference(seed))] == []
