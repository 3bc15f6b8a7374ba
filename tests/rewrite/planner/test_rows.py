"""Rows are planned each with its own calls; rows that cannot be are named."""

from corpora import BadRow
from rewrite import plan_rewrite, plan_rows

SOURCE = "def f(x):\n    return (x + 1) * 2\n"


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
    assert len(reasons) == 3
