"""Two runs side by side: pairs by sample, nothing that only one run asked, no test where it means nothing."""

from dataclasses import replace

from runner.records.samples import Sample
from runner.reports.run_comparison import compare_runs, rows, sentences
from tests.runner.records.test_samples import SAMPLE
from tests.runner.statistics.test_recipe_effects import FAILED, FULL, asked


def run(**verdicts: str) -> list[Sample]:
    return [sample for name, verdict in verdicts.items() for sample in asked(name, verdict)]


def test_samples_are_paired_and_not_counted_apart() -> None:
    before, after = run(a="correct", b="incorrect", c="incorrect"), run(c="correct", b="correct", a="incorrect")
    (group,) = compare_runs(before, after).groups
    paired = group.paired
    assert (paired.samples, paired.before, paired.after, paired.gained, paired.lost) == (3, 1, 2, 2, 1)
    assert group.fair and paired.p == 1.0


def test_what_only_one_run_answered_is_left_out_and_counted() -> None:
    before = run(a="correct", b="correct", c="not asked")
    after = run(a="incorrect", c="correct", d="correct", e="correct")
    comparison = compare_runs(before, after)
    (group,) = comparison.groups
    assert (group.paired.samples, group.only_before, group.only_after) == (1, 1, 3)
    assert "b, original: excluded, because only one run has an answer: 3 in this run, 1 in the other run." in list(
        sentences(comparison)
    )


def test_columns_and_sentences_name_the_runs() -> None:
    comparison = replace(compare_runs(run(a="correct", b="correct"), run(a="incorrect")), names=("old", "new"))
    assert comparison.columns[2:4] == ("correct in old", "correct in new")
    assert "only one run has an answer: 0 in new, 1 in old." in str(comparison)


def test_samples_with_one_id_and_other_programs_are_other_samples() -> None:
    other = [replace(sample, source="another", case_key="another") for sample in run(a="correct")]
    comparison = compare_runs(run(a="correct"), other)
    assert comparison.groups[0].paired.samples == 0 and rows(comparison) == []
    assert "b, original: no sample was answered in both runs." in list(sentences(comparison))


def test_the_name_of_the_benchmark_is_no_part_of_a_sample() -> None:
    """The same rows, read from another file."""
    (group,) = compare_runs(run(a="correct"), [replace(s, benchmark="c") for s in run(a="incorrect")]).groups
    assert (group.benchmark, group.paired.lost, group.only_before, group.only_after) == ("c", 1, 0, 0)


def test_the_same_run_against_itself_has_no_difference() -> None:
    comparison = compare_runs(FULL, FULL)
    assert comparison.changes == () and all(group.paired.p == 1.0 for group in comparison.groups)


def test_after_rewriting_failures_alone_there_is_no_test() -> None:
    comparison = compare_runs(FAILED, FAILED)
    assert [group.fair for group in comparison.groups] == [True, False, False]
    assert [row[-1] for row in rows(comparison)] == ["1.000", "—", "—"]
    said = " ".join(sentences(comparison))
    assert said.count("sign-flip test") == 1 and "only failures were asked again" in said


def test_in_the_full_protocol_recipes_are_tested_too() -> None:
    assert all(group.fair for group in compare_runs(FULL, FULL).groups)


def test_changed_verdicts_are_listed_with_what_they_were() -> None:
    comparison = compare_runs(run(a="truncated"), run(a="correct"))
    (change,) = comparison.changes
    assert (change.id, change.attempt, change.before, change.after) == ("a", SAMPLE.attempt, "truncated", "correct")
    assert list(sentences(comparison))[-1] == "truncated → correct: 1"
