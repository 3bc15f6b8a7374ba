"""Table 1, Figure 1 and Figure 5 of runs: what is left out, then points, intervals and published values."""

from dataclasses import replace

from runner.experiments.figures.accuracies import figure_five, figure_one, table_one
from tests.runner.experiments.figures.samples import samples


def test_a_run_without_such_answers_has_no_figure() -> None:
    permutations = samples("permutations", "rw", kind="S5, length 8")
    assert table_one({"a": permutations}) is None and figure_five({"a": permutations}) is None
    assert figure_one({"a": samples("humaneval", "rw")}) is None


def test_rows_have_the_paper_s_names_order_and_values_where_it_has_them() -> None:
    every = samples("composition", "w", kind="string, depth 2") + samples("mine", "r")
    every += samples("zoo", "r", kind="set, depth 5") + samples("cruxeval_even", "rw")
    found = table_one({"a": every})
    assert found is not None
    assert [(one.x, one.accuracy) for one in found.points] == [
        ("CruxEval-O", 50.0),
        ("zoo, set", 100.0),
        ("strings, depth 2", 0.0),
        ("mine", 100.0),
    ]
    before, after = found.curves
    assert dict(before.values) == {"CruxEval-O": 85.0, "zoo, set": 100.0, "strings, depth 2": 75.0}
    assert dict(after.values) == {"CruxEval-O": 90.4, "strings, depth 2": 78.0}


def test_recovered_failures_count_after_rewriting_and_the_gain_is_their_share() -> None:
    again = [s for s in samples("humaneval", "rrrr", attempt="decompose") if s.case_key.endswith("3")]
    found = table_one({"a": samples("humaneval", "rrww") + again})
    assert found is not None
    assert [(one.series, one.accuracy) for one in found.points] == [
        ("as it stands", 50.0),
        ("after rewriting what failed", 75.0),
    ]
    assert found.differences[0].values == (("HumanEval", 25.0),)


def test_two_runs_are_series_of_their_own() -> None:
    found = table_one({"a": samples("humaneval", "r"), "b": samples("humaneval", "w")})
    assert found is not None
    assert [(one.series, one.accuracy) for one in found.points] == [
        ("a, as it stands", 100.0),
        ("b, as it stands", 0.0),
    ]


def test_permutations_are_ordered_by_steps_and_named_by_mode() -> None:
    free = samples("permutations", "ww", kind="S5, length 128") + samples("permutations", "rn", kind="S5, length 8")
    forced = samples("permutations", "rr", kind="S5, length 128", mode="forced-actions")
    found = figure_one({"free": free, "forced": forced})
    assert found is not None
    assert [(one.series, one.x, one.accuracy, one.asked) for one in found.points] == [
        ("free, free decoding", 8, 100.0, 1),
        ("free, free decoding", 128, 0.0, 2),
        ("forced, forced actions", 128, 100.0, 2),
    ]
    assert [curve.values for curve in found.curves] == [((128, 0.0),), ((128, 90.0),)]


def test_groups_of_the_same_length_are_series_of_their_own() -> None:
    both = samples("permutations", "w", kind="S5, length 8") + samples("permutations", "r", kind="S3, length 8")
    found = figure_one({"a": both})
    assert found is not None
    assert [(one.series, one.x, one.accuracy) for one in found.points] == [
        ("free decoding, S3", 8, 100.0),
        ("free decoding, S5", 8, 0.0),
    ]


def test_functions_are_sorted_by_accuracy_with_intervals_over_their_calls() -> None:
    calls = samples("atomic", "rrrrrwwwww", kind="half") + samples("atomic", "rrrrrrrrrr", kind="all")
    one_program = [replace(sample, source="def f(): ...\n") for sample in calls]
    found = figure_five({"a": one_program})
    assert found is not None
    assert [(one.x, one.accuracy, one.programs) for one in found.points] == [("all", 100.0, 1), ("half", 50.0, 1)]
    assert [one.interval and round(one.interval[0]) for one in found.points] == [72, 24]
    assert found.curves[0].values == (("all", 90.0), ("half", 90.0))
