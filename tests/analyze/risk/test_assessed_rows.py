"""A data set is assessed row by row: rows that cannot be are named, and cost the others nothing."""

import numpy as np
import pytest

from analyze import Assessment, assess, assess_rows
from analyze.risk.map_fit import fit_program_map
from analyze.risk.panel import Panel
from analyze.risk.program_map import FEATURES, ReliabilityMap
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

    monkeypatch.setattr("analyze.risk.assessed_rows.assess", broken)
    bad, good = assess_rows([{"code": SOURCE, "input": "'a'"}, {"code": "def f(x):\n    return x\n", "input": "1"}])
    assert isinstance(bad, BadRow)
    assert bad.reason.startswith("internal error: ZeroDivisionError: ours")
    assert isinstance(good, tuple)


def test_a_source_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(InputError, match="no such file"):
        next(assess_rows("nowhere.jsonl"))


def test_runs_of_the_model_that_a_map_was_fitted_to_do_not_count_in_a_panel() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, len(FEATURES)))
    failed = (features[:, -1] > 0).astype(float)
    second = fit_program_map(features, failed, names=tuple(FEATURES))
    fitted = ReliabilityMap(fit_program_map(features, failed), second, ("own",))
    rows = [{"id": "a", "code": SOURCE, "input": "'ba'"}]
    others = Panel("panel", {"other@0.8": {"a": 1.0}}, {})
    both = Panel("panel", {"own@0.2": {"a": 0.0}, **others.failed}, {})

    def risk(panel: Panel) -> float | None:
        (found,) = assess_rows(rows, risk_map=fitted, panel=panel)
        assert isinstance(found, tuple)
        return found[1].risk

    assert risk(both) == risk(others)
    assert both.difficulty["a"] < others.difficulty["a"]
