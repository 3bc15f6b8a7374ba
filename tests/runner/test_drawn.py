"""Several answers to each sample: means over seeds, intervals over programs, and no test that needs one answer."""

from dataclasses import replace

import pytest

from runner.comparison import compare_runs, rows, sentences
from runner.drawn import accuracy_interval, drawn, told
from runner.effects import effects
from runner.experiments.findings import Findings, as_csv, point
from runner.intervals import clustered, wilson_percent
from runner.recipe_table import recipe_remarks, recipe_tables
from runner.report import headlines, remarks
from runner.samples import Sample
from runner.summary import summarize
from tests.runner.test_samples import SAMPLE


def answers(name: str, *right: bool, attempt: str = "original", program: str = "") -> list[Sample]:
    own = replace(SAMPLE, id=name, case=name, source=program or name, attempt=attempt, temperature=0.5, rewrite=None)
    return [
        replace(own, seed=number, key=f"{name}{attempt}{number}", verdict="correct" if one else "incorrect")
        for number, one in enumerate(right)
    ]


MIXED = [*answers("a", True, True), *answers("b", True, False), *answers("c", False, False)]


def test_the_accuracy_is_the_mean_over_the_seeds() -> None:
    (row,) = summarize(MIXED).rows
    assert (row.asked, row.correct, row.percent(row.correct)) == (6, 3, 50.0)
    assert row.drawn == drawn(MIXED) and row.drawn is not None
    assert (row.drawn.seeds, row.drawn.samples, row.drawn.right_once, row.drawn.right_always) == (2, 3, 2, 1)


def test_its_interval_is_over_programs() -> None:
    (row,) = summarize(MIXED).rows
    low, high = clustered([2, 1, 0], [2, 2, 2]) or (0.0, 0.0)
    assert row.interval == (100 * low, 100 * high) and row.by_program is None


def test_answers_to_calls_of_one_program_are_one_cluster() -> None:
    same = [*answers("a", True, True, program="p"), *answers("b", False, False, program="p"), *answers("c", True, True)]
    low, high = clustered([2, 2], [4, 2]) or (0.0, 0.0)
    assert accuracy_interval(same) == (100 * low, 100 * high)


@pytest.mark.parametrize("right", [True, False])
def test_where_all_are_right_or_wrong_it_is_as_wide_as_so_many_programs(right: bool) -> None:
    same = [sample for name in "abc" for sample in answers(name, right, right, right)]
    assert accuracy_interval(same) == wilson_percent(3 if right else 0, 3)


def test_where_all_programs_have_one_share_there_is_none() -> None:
    assert accuracy_interval([*answers("a", True, False), *answers("b", False, True)]) is None


def test_one_answer_a_sample_is_counted_as_before() -> None:
    once = [*answers("a", True), *answers("b", False)]
    assert drawn(once) is None and accuracy_interval(once) == wilson_percent(1, 2) and drawn([]) is None
    assert accuracy_interval([]) is None


def test_a_rewrite_recovers_the_answer_that_it_follows_and_no_other() -> None:
    first = answers("a", False, False, True)
    again = answers("a", True, False, attempt="decompose", program="rewritten")
    (row,) = summarize([*first, *again]).rows
    assert (row.correct, row.recovered, row.asked_again, row.after) == (1, 1, 2, 2)
    (effect,) = effects([*first, *again])
    assert effect.drawn and effect.paired is None and (effect.failed, effect.recovered) == (2, 1)


FULL = [*MIXED, *answers("a", True, False, attempt="decompose"), *answers("b", True, True, attempt="decompose")]


def test_pairs_of_drawn_answers_are_not_tested() -> None:
    (effect,) = effects(FULL)
    assert effect.paired and effect.paired.p is None and not effect.paired.once
    assert (effect.paired.gained, effect.paired.lost) == (1, 1)
    said = " ".join(recipe_remarks([effect]))
    assert "McNemar" not in said and "of 4 answers" in said
    ((_, _, [cells]),) = recipe_tables([effect])
    assert cells[2:7] == ("75.0%", "75.0%", "1", "1", "—")


def test_people_are_told_that_answers_were_drawn() -> None:
    table = summarize(MIXED)
    (line,) = headlines(table)
    assert "50.0% of 6 answers to 3 samples right" in line
    said = " ".join(remarks(MIXED, table))
    assert "up to 2 answers were drawn to each of 3 samples, at temperature 0.5" in said
    assert "66.7 % of them (pass@2), all are for 33.3 %" in said
    assert row_told() in said


def row_told() -> str:
    found = drawn(MIXED)
    assert found is not None
    return told(found)


def test_runs_of_drawn_answers_are_compared_by_their_shares() -> None:
    greedy = [replace(s, seed=None, temperature=0.0) for s in (*answers("a", True), *answers("b", True))]
    comparison = compare_runs(greedy, MIXED)
    (group,) = comparison.groups
    paired = group.paired
    assert (paired.samples, paired.before, paired.after, paired.gained, paired.lost) == (2, 2.0, 1.5, 0, 1)
    assert paired.difference == -0.25 and paired.p is None
    assert [(change.id, change.before, change.after) for change in comparison.changes] == [
        ("b", "correct", "1 of 2 right")
    ]
    assert [row[-1] for row in rows(comparison)] == ["—"] and "McNemar" not in " ".join(sentences(comparison))


def test_points_of_experiments_have_the_same_interval() -> None:
    one = point("nested", 1, MIXED)
    assert one.accuracy == 50.0 and one.interval == accuracy_interval(MIXED)
    none = point("nested", 1, answers("a", True, False))
    assert none.interval is None and as_csv(Findings("", "", (none,))).splitlines()[1].endswith("50.0,,,1,,")
    assert Findings("", "", (one,)).intervals == "bootstrap over programs"
    assert Findings("", "", (point("", 1, answers("a", True)),)).intervals == "Wilson"
