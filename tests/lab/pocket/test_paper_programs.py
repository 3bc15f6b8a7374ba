"""The paper's kinds in the gate: a fixed number of held-out programs each, always the same."""

from collections import Counter

import pytest

from lab.pocket.hold_out import is_case_held_out
from lab.pocket.paper_programs import BENCHMARK, KINDS, cases


@pytest.mark.medium
def test_every_kind_has_its_programs_all_different_and_left_out_of_training() -> None:
    asked = list(cases())
    assert Counter(case.kind for case in asked) == {kind.name: kind.count for kind in KINDS}
    assert len({case.id for case in asked}) == len(asked)
    assert all(is_case_held_out(case) for case in asked)
    assert {case.benchmark for case in asked} == {BENCHMARK}
    assert asked == list(cases())


def test_the_first_programs_are_of_all_kinds() -> None:
    kinds = [case.kind for case in list(cases())[: 2 * len(KINDS)]]
    assert set(Counter(kinds).values()) == {2}


def test_the_longest_permutations_have_eight_steps() -> None:
    sources = [case.source for case in cases() if case.kind == "S5 8 steps"]
    assert len(sources) == 30
    assert all(source.count("a, b, c, d, e = ") == 8 for source in sources)
