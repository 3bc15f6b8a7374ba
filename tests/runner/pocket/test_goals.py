from collections import Counter

from runner.pocket.data import WEIGHTS, held_out
from runner.pocket.goals import GOALS, NAME, cases


def test_every_goal_has_its_programs_all_different_and_left_out_of_training() -> None:
    asked = list(cases())
    assert Counter(case.kind for case in asked) == {goal.kind: goal.count for goal in GOALS}
    assert len({case.id for case in asked}) == len(asked)
    assert all(held_out(case) for case in asked)
    assert {case.benchmark for case in asked} == {NAME}
    assert asked == list(cases())


def test_every_kind_is_asked_about() -> None:
    assert len(GOALS) == len(WEIGHTS) + 2


def test_the_longest_permutations_have_eight_steps() -> None:
    sources = [case.source for case in cases() if case.kind == "S5 8 steps"]
    assert len(sources) == 30
    assert all(source.count("a, b, c, d, e = ") == 8 for source in sources)
