"""Tables of states: what cannot be read first, then what they claim against the reference trace."""

import gzip
import json

import pytest

from analyze import diagnose, trace_call
from analyze.diagnosis.state_tables import read_tables, table_frames
from tests.places import DATA

SOURCE = """def f(xs):
    total = 0
    for x in xs:
        total += x
    if total > 9:
        total = 9
    return [total]
"""
TRACE = trace_call(SOURCE, "f([1, 2])")
HEAD = "| Line | Code | total | x |\n|------|------|---|---|\n"
DEFINITION = '| 1 | def f(xs): | <unassigned> | "undefined" |\n'
ROWS = (
    "| 2 | total = 0 | 0 | — |",
    "| 3 | for x in xs: | 0 | — |",
    "| 4 (iteration 1) | total += x | 1 | 1 |",
    "| 4 (iteration 2) | total += x | 3 | 2 |",
    "| 5 | if total > 9: | 3 | 2 |",
    "| 6 | total = 9 | 3 (not executed) | 2 |",
    "| 7 | return [total] | 3 | 2 |",
)
LOOP = ("| 3 (iteration 1) | for x in xs: | 1 | 1 |", "| 3 (iteration 2) | for x in xs: | 3 | 2 |")
END = "</table>\n<output>\nf([1, 2]) == [3]\n</output>"


def table(*rows: str, end: str = END) -> str:
    return HEAD + DEFINITION + "".join(row + "\n" for row in rows) + end


def changed(old: str, new: str) -> str:
    assert old in table(*ROWS)
    return table(*ROWS).replace(old, new)


@pytest.mark.parametrize(
    "output",
    [
        pytest.param("", id="nothing"),
        pytest.param("| a | b |\n| 1 | 2 |\n[ANSWER]1[/ANSWER]", id="another table"),
        pytest.param(HEAD + END, id="no rows"),
        pytest.param(table(*ROWS, end=""), id="no result"),
        pytest.param(table(*ROWS, end="Answer: [3] (a list)"), id="a result that cannot be read"),
        pytest.param(HEAD + "| 2 | total = 5 | 0 | - |\n" + END, id="a line that the program does not have"),
        pytest.param(HEAD + "| 2 | total = 0 | 0 |\n" + END, id="a cell too few"),
        pytest.param(HEAD + "||||\n" * 9 + END, id="empty cells"),
        pytest.param(table(*ROWS[2:], end="") + table(ROWS[0], ROWS[2]).replace(DEFINITION, ""), id="mixed tables"),
    ],
)
def test_what_is_no_table_of_states_claims_no_frames(output: str) -> None:
    assert table_frames(output, TRACE) == ()


def test_a_call_that_raises_is_not_compared_with_a_table() -> None:
    assert table_frames(table(*ROWS), trace_call(SOURCE, "f(5)")) == ()


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(table(*ROWS), id="all lines"),
        pytest.param(table(*(ROWS[index] for index in (0, 2, 3, 6))), id="without headers"),
        pytest.param(table(ROWS[0], *LOOP, ROWS[6]), id="headers after their iterations"),
        pytest.param(changed("| 4 (iteration 1)", "| 4.1"), id="another way to count"),
        pytest.param(table(*ROWS[:3], end="\n") + HEAD + "\n".join(ROWS[3:]) + "\n" + END, id="in two tables"),
        pytest.param(table(*ROWS[:3], end="\n") + table(*ROWS[3:]), id="the second with the definition"),
        pytest.param(changed("total += x | 3", "total += x | 4").replace(END, "\n") + table(*ROWS), id="corrected"),
        pytest.param(changed("total += x | 1 | 1", "`total += x` | `1` | '1'"), id="quotes and backticks"),
    ],
)
def test_a_right_table_has_no_divergence(output: str) -> None:
    found = diagnose(TRACE, output)
    assert (found.kind, found.correct, found.answer) == ("none", True, "[3]")


def test_a_wrong_value_is_a_state_at_the_step_after_its_line() -> None:
    found = diagnose(TRACE, changed("total += x | 3 | 2", "total += x | 4 | 2"))
    assert (found.kind, found.correct) == ("state", True)
    assert TRACE.frames[found.frame - 1].source == "        total += x\n"
    assert json.loads(found.predicted)["total"] == "4"


@pytest.mark.parametrize("first", [ROWS, ROWS[:3]])
def test_a_wrong_value_in_the_second_table_is_one(first: tuple[str, ...]) -> None:
    second = changed("total += x | 3 | 2", "total += x | 4 | 2")
    if first != ROWS:
        second = second.replace(DEFINITION + "\n".join(ROWS[:3]) + "\n", "")
    found = diagnose(TRACE, table(*first, end="\n") + second)
    assert (found.kind, json.loads(found.predicted)["total"]) == ("state", "4")


def test_an_iteration_too_many_or_too_few_is_another_step() -> None:
    more = table(*ROWS[:4], "| 4 (iteration 3) | total += x | 6 | 3 |", *ROWS[4:])
    assert (diagnose(TRACE, more).kind, diagnose(TRACE, more).correct) == ("event", True)
    fewer = table(*ROWS[:3], *ROWS[4:])
    assert diagnose(TRACE, fewer).kind in {"event", "action"}


def test_a_line_that_is_not_taken_with_a_value_of_its_own_is_another_step() -> None:
    assert diagnose(TRACE, changed("3 (not executed)", "9")).kind in {"event", "action"}


def test_a_wrong_result_after_right_states_is_a_return_value() -> None:
    found = diagnose(TRACE, changed("== [3]", "== [4]"))
    assert (found.kind, found.correct, found.answer) == ("return value", False, "[4]")


@pytest.mark.medium
@pytest.mark.skipif(not DATA.is_dir(), reason="needs the shared data beside the repository")
def test_published_tables_are_read_and_mostly_right() -> None:
    with gzip.open(DATA / "gpt5_tables_even.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:60]
    kinds = []
    for row in rows:
        trace = trace_call(row["code"], row["function_call"])
        if read_tables(row["response"], trace.context):
            found = diagnose(trace, row["response"])
            kinds.append(found.kind)
            assert found.correct or found.kind != "none"
    assert len(kinds) >= 57 and kinds.count("none") >= 55
