"""Table 1's arithmetic on small runs counted by hand."""

from dataclasses import replace

from runner.statistics.summary import count_divergences, summarize
from tests.runner.records.test_samples import SAMPLE

RIGHT = replace(SAMPLE, id="right", source="right", case_key="right", verdict="correct", diagnosis=None)
WRONG = replace(SAMPLE, id="wrong", source="wrong", case_key="wrong", verdict="incorrect")
CUT = replace(SAMPLE, id="cut", source="cut", case_key="cut", verdict="truncated")
AGAIN = replace(WRONG, attempt="decompose", verdict="correct")


def test_no_samples_make_an_empty_table() -> None:
    assert summarize([]).rows == ()


def test_a_rewrite_that_was_never_asked_is_no_intervention() -> None:
    (row,) = summarize([WRONG, replace(AGAIN, verdict="not asked")]).rows
    assert (row.asked_again, row.recovered, row.after) == (0, 0, 0)


def test_a_sample_recovered_by_two_recipes_counts_once() -> None:
    (row,) = summarize([WRONG, AGAIN, replace(AGAIN, attempt="strings")]).rows
    assert (row.asked_again, row.recovered) == (1, 1)


def test_shares_leave_out_what_was_not_asked() -> None:
    (row,) = summarize([RIGHT, replace(WRONG, verdict="not asked")]).rows
    assert row.percent(row.correct) == 100.0 and row.not_asked == 1


def test_the_counts_of_a_small_run() -> None:
    (row,) = summarize([RIGHT, WRONG, CUT, AGAIN]).rows
    assert (row.samples, row.correct, row.incorrect, row.truncated, row.after) == (3, 1, 1, 1, 2)


def test_kinds_get_rows_only_where_there_are_several() -> None:
    table = summarize([replace(RIGHT, kind="x"), replace(WRONG, kind="y"), replace(CUT, benchmark="c", kind="z")])
    assert [(row.benchmark, row.kind) for row in table.rows] == [("b", ""), ("b", "x"), ("b", "y"), ("c", "")]


def test_divergences_are_counted_among_failed_originals_only() -> None:
    assert count_divergences([replace(RIGHT, diagnosis=SAMPLE.diagnosis), WRONG, CUT, AGAIN]) == [("state", 2)]


def test_a_failed_answer_that_is_no_trace_is_counted_beside_traces_only() -> None:
    value = replace(WRONG, diagnosis=None)
    assert count_divergences([RIGHT, value]) == []
    assert count_divergences([CUT, value]) == [("no trace", 1), ("state", 1)]
