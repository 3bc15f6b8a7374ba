"""What recipes did, on small runs counted by hand: alone or not, in either protocol, beside the placebo."""

from dataclasses import replace

from rewrite.baselines import PLACEBO
from runner.records.samples import Sample
from runner.reports.recipe_table import recipe_remarks, recipe_tables
from runner.reports.run_report import headlines
from runner.statistics.intervals import accuracy_interval, interval_in_percent, wilson
from runner.statistics.recipe_effects import recipe_effects
from runner.statistics.summary import summarize
from tests.runner.records.test_samples import SAMPLE


def asked(name: str, *verdicts: str, recipe: str = "") -> list[Sample]:
    """An original and, after each further word of the form recipe=verdict, an attempt."""
    first, *others = verdicts
    own = replace(SAMPLE, id=name, case_key=name, source=f"program of {name}", diagnosis=None)
    found = [replace(own, verdict=first)]  # type: ignore[arg-type]
    for text in others:
        attempt, _, verdict = text.partition("=")
        changed = replace(own, attempt=attempt, source="rewritten", verdict=verdict, reference_tokens=6)  # type: ignore[arg-type]
        found.append(changed)
    return found


FAILED = [
    *asked("a", "incorrect", "x=correct", "y=correct"),
    *asked("b", "truncated", "x=correct", "y=truncated"),
    *asked("c", "incorrect", "x=incorrect", "y=not asked"),
    *asked("d", "correct"),
]


def test_unique_recoveries_are_those_of_no_other_recipe() -> None:
    x, y = recipe_effects(FAILED)
    assert (x.recipe, x.asked, x.recovered, x.unique) == ("x", 3, 2, 1)
    assert (y.recipe, y.asked, y.recovered, y.unique) == ("y", 2, 1, 0)


def test_truncation_and_length_are_of_those_asked_again() -> None:
    x, y = recipe_effects(FAILED)
    assert (x.truncated_before, x.truncated_after) == (1, 0) and (y.truncated_before, y.truncated_after) == (1, 1)
    assert (x.before, x.after) == (6, 18)


def test_where_only_failures_were_asked_again_there_is_no_test() -> None:
    """Nothing could be lost: the test would call every gain significant."""
    assert all(effect.paired is None for effect in recipe_effects(FAILED))
    ((_, columns, _),) = recipe_tables(recipe_effects(FAILED))
    assert "p" not in columns and "lost" not in columns
    assert "sign-flip" not in " ".join(recipe_remarks(recipe_effects(FAILED)))


FULL = [
    *asked("a", "incorrect", "x=correct", f"{PLACEBO}=correct"),
    *asked("b", "incorrect", "x=correct", f"{PLACEBO}=incorrect"),
    *asked("c", "correct", "x=incorrect", f"{PLACEBO}=correct"),
    *asked("d", "correct", "x=not asked", f"{PLACEBO}=correct"),
]


def test_where_all_were_asked_again_gains_stand_beside_losses_and_the_placebo() -> None:
    x, placebo = recipe_effects(FULL)
    assert x.paired and placebo.paired
    assert (x.paired.samples, x.paired.before, x.paired.after, x.paired.gained, x.paired.lost) == (3, 1, 2, 2, 1)
    assert (placebo.paired.samples, placebo.paired.gained, placebo.paired.lost) == (4, 1, 0)
    assert (x.recovered, x.unique, x.failed) == (2, 1, 2), "what the placebo recovers too is not unique"


def test_a_recipe_is_tested_against_the_control_on_the_samples_of_both() -> None:
    x, placebo = recipe_effects(FULL)
    assert x.against_control and placebo.against_control is None
    found = x.against_control
    assert (found.samples, found.before, found.after, found.gained, found.lost) == (3, 2, 2, 1, 1)
    said = " ".join(recipe_remarks([x, placebo]))
    assert "x against the control: of 3 samples asked before and after, 1 gained, 1 lost" in said


def test_failures_alone_are_tested_against_the_control_too() -> None:
    failures = [*asked("a", "incorrect", "x=correct", f"{PLACEBO}=incorrect"), *asked("b", "correct")]
    x, _ = recipe_effects(failures)
    assert x.paired is None and x.against_control and x.against_control.p == 1.0
    assert (x.against_control.gained, x.against_control.lost) == (1, 0)


def test_a_redraw_of_the_unchanged_program_is_a_control() -> None:
    x, redraw = recipe_effects(
        [*asked("a", "incorrect", "x=correct", "redraw=correct"), *asked("b", "correct", "x=correct")]
    )
    assert redraw.is_control and x.against_control and x.against_control.samples == 1
    (row,) = summarize([*asked("a", "incorrect", "redraw=correct")]).rows
    assert row.recovered == 0


def test_where_nothing_was_right_the_placebo_tells_the_protocol() -> None:
    wrong = asked("a", "incorrect", "x=correct", f"{PLACEBO}=incorrect")
    assert [effect.paired is not None for effect in recipe_effects(wrong)] == [True, True]
    # The placebo as one more recipe for failures alone: a right answer was not asked again.
    assert [effect.paired for effect in recipe_effects([*wrong, *asked("b", "correct")])] == [None, None]


def test_the_placebo_recovers_nothing_in_table_1() -> None:
    (row,) = summarize([*asked("a", "incorrect", f"{PLACEBO}=correct"), *asked("b", "correct")]).rows
    assert (row.correct, row.recovered, row.after, row.asked_again) == (1, 0, 1, 0)


def test_a_right_answer_that_a_rewrite_repeats_is_no_recovery() -> None:
    (row,) = summarize([*asked("a", "correct", "x=correct"), *asked("b", "incorrect", "x=incorrect")]).rows
    assert (row.correct, row.recovered, row.after, row.asked_again) == (1, 0, 1, 1)


def test_without_a_placebo_the_full_table_says_what_is_not_known() -> None:
    said = " ".join(recipe_remarks(recipe_effects([sample for sample in FULL if sample.attempt != PLACEBO])))
    assert "there is no control" in said and "sign-flip test by program: p = 1.000" in said


def test_an_attempt_whose_original_was_not_asked_is_in_no_row() -> None:
    assert recipe_effects(asked("a", "not asked", "x=correct")) == []


def test_the_interval_of_programs_with_several_calls_is_clustered() -> None:
    one = [
        replace(sample, case_key=f"{sample.case_key}{call}", call=f"f({call})")
        for sample in FULL[::3]
        for call in range(5)
    ]
    (row,) = summarize(one).rows
    assert (row.asked, row.programs, row.interval) == (20, 4, None), "four programs are too few"
    (line,) = headlines(summarize(one))
    assert "50.0% of 20 samples of 4 programs correct (too few programs)" in line
    more = [
        replace(sample, source=f"{sample.source}{n}", case_key=f"{sample.case_key}{n}")
        for sample in one
        for n in range(5)
    ]
    (row,) = summarize(more).rows
    assert row.programs == 20 and row.interval == interval_in_percent(accuracy_interval([5, 0] * 10, [5] * 20))
    assert summarize(FULL).rows[0].interval == interval_in_percent(wilson(2, 4))
