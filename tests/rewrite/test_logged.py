"""Random programs whose operands log that they were evaluated (`tests.rewrite.logged`), with fixed seeds."""

import pytest

from tests.rewrite.logged import difference, options, outcome, program
from tests.samples import sampled


def test_the_programs_are_worth_comparing() -> None:
    sources = {seed: program(seed) for seed in range(40)}
    logs = [log for source in sources.values() if compiles(source) and (log := outcome(source)[1])]
    assert len(logs) > 20
    assert len({str(options(seed)) for seed in sources}) > 20


def compiles(source: str) -> bool:
    try:
        compile(source, "<program>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", sampled(range(30), map(str, range(30)), every=2))
def test_a_few_programs_do_the_same(seed: int) -> None:
    assert difference(seed) == ""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("start", range(1000, 1500, 50))
def test_many_programs_do_the_same(start: int) -> None:
    assert [told for seed in range(start, start + 50) if (told := difference(seed))] == []
