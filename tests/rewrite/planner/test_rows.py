"""Rows are planned each with its own calls; rows that cannot be are named."""

import pytest

from corpora import BadRow
from corpora.rows import FailedRow
from rewrite import plan_rewrite, plan_rows

SOURCE = "def f(x):\n    return (x + 1) * 2\n"


@pytest.mark.medium
def test_each_row_has_its_plan_or_the_reason() -> None:
    rows = [
        {"code": SOURCE, "calls": ["f(1)", "f(2)"]},
        {"code": SOURCE, "input": "3"},
        {"code": SOURCE},
        {"input": "1"},
        {"code": SOURCE, "call": "f("},
    ]
    several, single, *bad = plan_rows(rows, budget=4096, examples=3)
    assert isinstance(several, tuple)
    assert isinstance(single, tuple)
    assert several[1] == plan_rewrite(SOURCE, ["f(1)", "f(2)"], budget=4096, examples=3)
    assert single[0].number == 2
    reasons = [row.reason for row in bad if isinstance(row, BadRow)]
    assert reasons[:2] == [
        "no field 'calls' or 'call' or 'input'; it has code",
        "no field 'source' or 'code'; it has input",
    ]
    assert reasons[2:] == ["the call does not parse: '(' was never closed (line 1)"]


def test_a_program_that_does_not_parse_is_unreadable_and_the_rest_is_planned() -> None:
    bad, good = plan_rows([{"code": "def f(:", "input": "1"}, {"code": SOURCE, "input": "1"}], examples=0)
    assert isinstance(bad, BadRow) and not isinstance(bad, FailedRow)
    assert bad.reason == "the program does not parse: invalid syntax (line 1)"
    assert isinstance(good, tuple)
