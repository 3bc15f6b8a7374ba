"""Several answers to each sample: means over seeds, intervals and tests by program."""

from dataclasses import replace

from runner.experiments.accuracy_results import AccuracyResults, accuracy_point, as_csv
from runner.records.samples import Sample
from runner.reports.recipe_table import recipe_remarks, recipe_tables
from runner.reports.run_comparison import compare_runs, rows, sentences
from runner.reports.run_report import headlines, remarks
from runner.statistics.intervals import accuracy_interval, interval_in_percent, wilson
from runner.statistics.recipe_effects import recipe_effects
from runner.statistics.repeated_answers import describe_repeated_answers, estimate_accuracy, repeated_answers
from runner.statistics.summary import summarize
from tests.runner.records.test_samples import SAMPLE


def answers(name: str, *right: bool, attempt: str = "original", program: str = "") -> list[Sample]:
    own = replace(
        SAMPLE, id=name, case_key=name, source=program or name, attempt=attempt, temperature=0.5, rewrite=None
    )
    return [
        replace(own, answer_index=number, key=f"{name}{attempt}{number}", verdict="correct" if one else "incorrect")
        for number, one in enumerate(right)
    ]


MIXED = [*answers("a", True, True), *answers("b", True, False), *answers("c", False, False)]


def test_the_accuracy_is_the_mean_over_the_seeds() -> None:
    (row,) = summarize(MIXED).rows
    assert (row.asked, row.correct, row.percent(row.correct)) == (6, 3, 50.0)
    assert row.drawn == repeated_answers(MIXED) and row.drawn is not None
    assert (row.drawn.seeds, row.drawn.samples, row.drawn.right_once, row.drawn.right_always) == (2, 3, 2, 1)


def many(*right: bool, programs: int = 12) -> list[Sample]:
    return [sample for number in range(programs) for sample in answers(f"p{number}", *right)]


def test_its_interval_is_clustered_by_program() -> None:
    (row,) = summarize([*MIXED, *many(True, False)]).rows
    assert row.interval == interval_in_percent(accuracy_interval([2, 1, 0, *[1] * 12], [2] * 15))
    assert summarize(MIXED).rows[0].interval is None, "three programs are too few"


def test_answers_to_calls_of_one_program_are_one_cluster() -> None:
    same = [*answers("a", True, True, program="p"), *answers("b", False, False, program="p"), *many(True, True)]
    found = estimate_accuracy(same)
    assert (found.programs, found.interval) == (13, interval_in_percent(accuracy_interval([2] * 13, [4, *[2] * 12])))


def test_programs_that_differ_in_trailing_newlines_are_one_cluster() -> None:
    same = [*answers("a", True, True, program="p"), *answers("b", False, False, program="p\n"), *many(True, True)]
    assert estimate_accuracy(same).programs == 13
    assert compare_runs(same, same).groups[0].paired.programs == 13


def test_one_answer_a_sample_has_wilsons_interval() -> None:
    once = [*answers("a", True), *answers("b", False)]
    assert repeated_answers(once) is None and estimate_accuracy(once).interval == interval_in_percent(wilson(1, 2))
    assert repeated_answers([]) is None and estimate_accuracy([]).interval is None


def test_a_rewrite_recovers_the_answer_that_it_follows_and_no_other() -> None:
    first = answers("a", False, False, True)
    again = answers("a", True, False, attempt="decompose", program="rewritten")
    (row,) = summarize([*first, *again]).rows
    assert (row.correct, row.recovered, row.asked_again, row.after) == (1, 1, 2, 2)
    (effect,) = recipe_effects([*first, *again])
    assert effect.drawn and effect.paired is None and (effect.failed, effect.recovered) == (2, 1)


FULL = [*MIXED, *answers("a", True, False, attempt="decompose"), *answers("b", True, True, attempt="decompose")]


def test_pairs_of_drawn_answers_are_tested_by_program() -> None:
    (effect,) = recipe_effects(FULL)
    assert effect.paired and effect.paired.p == 1.0
    assert (effect.paired.gained, effect.paired.lost) == (1, 1)
    said = " ".join(recipe_remarks([effect]))
    assert "sign-flip test by program: p = 1.000" in said and "of 4 answers" in said
    ((_, _, [cells]),) = recipe_tables([effect])
    assert cells[2:7] == ("75.0% (too few programs)", "75.0% (too few programs)", "1", "1", "1.000")


def test_people_are_told_that_answers_were_drawn() -> None:
    table = summarize(MIXED)
    (line,) = headlines(table)
    assert "50.0% of 6 answers to 3 samples correct" in line
    said = " ".join(remarks(MIXED, table))
    assert "up to 2 answers were sampled for each of 3 samples, at temperature 0.5" in said
    assert "66.7 % of them (pass@2), all are for 33.3 %" in said
    assert row_told() in said


def row_told() -> str:
    found = repeated_answers(MIXED)
    assert found is not None
    return describe_repeated_answers(found)


def test_runs_of_drawn_answers_are_compared_by_their_shares() -> None:
    greedy = [replace(s, answer_index=None, temperature=0.0) for s in (*answers("a", True), *answers("b", True))]
    comparison = compare_runs(greedy, MIXED)
    (group,) = comparison.groups
    paired = group.paired
    assert (paired.samples, paired.before, paired.after, paired.gained, paired.lost) == (2, 2.0, 1.5, 0, 1)
    assert paired.difference == -0.25 and paired.p == 1.0
    assert [(change.id, change.before, change.after) for change in comparison.changes] == [
        ("b", "correct", "1 of 2 correct")
    ]
    assert [row[-1] for row in rows(comparison)] == ["1.000"]
    assert "too few programs for an interval: 2" in " ".join(sentences(comparison))


def test_points_of_experiments_have_the_same_interval() -> None:
    every = [*MIXED, *many(True, False)]
    one = accuracy_point("nested", 1, every)
    assert (
        one.accuracy == 50.0 and one.interval == estimate_accuracy(every).interval == summarize(every).rows[0].interval
    )
    none = accuracy_point("nested", 1, answers("a", True, False))
    assert none.interval is None and as_csv(AccuracyResults("", "", (none,))).splitlines()[1].endswith("50.0,,,1")
