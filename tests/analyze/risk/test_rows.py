"""A data set is assessed row by row: rows that cannot be are named, and cost the others nothing."""

import pytest

from analyze import Assessment, assess, assess_rows
from corpora import BadRow, InputError

SOURCE = "def f(x):\n    return x.find('a')\n"


def test_each_row_has_its_assessment_or_the_reason() -> None:
    rows = [{"solution": SOURCE, "input": "'ba'"}, {"solution": None, "input": "1"}, {"solution": SOURCE, "call": "f("}]
    good, *bad = assess_rows(rows, mapping={"code": "solution"})
    assert isinstance(good, tuple)
    assert (good[0].number, good[1].risk) == (1, assess(SOURCE, "f('ba')").risk)
    assert all(isinstance(row, BadRow) for row in bad)
    assert [row.number for row in bad if isinstance(row, BadRow)] == [2, 3]


def test_one_row_that_breaks_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(source: str, *_: object, **__: object) -> Assessment:
        if "find" in source:
            raise ZeroDivisionError("ours")
        return assess(source, "f(1)")

    monkeypatch.setattr("analyze.risk.rows.assess", broken)
    bad, good = assess_rows([{"code": SOURCE, "input": "'a'"}, {"code": "def f(x):\n    return x\n", "input": "1"}])
    assert isinstance(bad, BadRow)
    assert bad.reason == "could not be assessed: ZeroDivisionError: ours"
    assert isinstance(good, tuple)


def test_a_source_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(InputError, match="no such file"):
        next(assess_rows("nowhere.jsonl"))
