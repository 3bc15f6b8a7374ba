"""Prices on made-up answers with known effects: the estimates recover them, and noise gets no price."""

import gzip
import json
import random
from math import exp
from pathlib import Path

import numpy as np
import pytest

from corpora import read_rows
from corpora.errors import InputError
from lab.evidence.pairs import FAILURES, FORMS
from lab.evidence.prices import (
    as_json,
    combination,
    main,
    measure,
    newcombe,
    read_samples,
    unchanged_control,
)
from lab.evidence.published_changes import changed_conditions, renamed_variables
from lab.evidence.ratios import fit_log_ratios
from lab.evidence.rewrite_effects import Recovery

VAN = "def f(a, b):\n    if a:\n        return b\n"
PROGRAMS = {
    "van": (VAN, "f(1, 2)"),
    "ren": (VAN.replace("a", "Var_1").replace("b", "Var_2"), "f(1, 2)"),
    "rtf": (VAN.replace("if a", "if not not a"), "f(1, 2)"),
    "gbc": (VAN.replace("    return", "    x = 1\n        x = 2\n        return"), "f(1, 2)"),
    "all": (VAN, "f(1, 2)"),
}
LENGTHS = random.Random(1)
EFFECTS = {"van": 0.0, "ren": 0.5, "rtf": 0.4, "gbc": 0.0, "all": 0.9}


def _rows(problems: int, seed: int = 0) -> list[dict[str, object]]:
    draw = random.Random(seed)
    rows: list[dict[str, object]] = []
    for number in range(problems):
        ability = draw.uniform(0.5, 1)
        for form, (code, call) in PROGRAMS.items():
            right = draw.random() < ability * exp(-EFFECTS[form])
            code += "    return 0\n" * (number % 3 if form == "gbc" else 0)
            name = {"id": f"s{number}", "problem": f"p{number}", "model": "m"}
            rows.append({**name, "form": form, "code": code, "call": call, "right": right})
    return rows


def _length(code: str, call: str) -> tuple[int, int]:
    return LENGTHS.randrange(5, 20), LENGTHS.randrange(50, 100)


@pytest.mark.parametrize("lost", ["code", "right", "form"])
def test_a_sample_without_one_of_its_forms_is_left_out(lost: str) -> None:
    rows = _rows(2)
    del rows[-1][lost]
    assert len(read_samples(read_rows(rows), _length)) == 1
    with pytest.raises(InputError, match="no sample in the forms van, ren"):
        read_samples(read_rows(rows[5:]), _length)


def test_a_renaming_that_changes_more_than_names_is_refused() -> None:
    with pytest.raises(ValueError, match="is longer than"):
        renamed_variables("x = 1", "x = y")


def test_conditions_count_once_and_the_rest_of_the_program_too() -> None:
    assert changed_conditions("while a and b: c = d", "while (a and b) or 0: c = e") == 2


@pytest.mark.medium
def test_known_effects_are_recovered_and_what_has_none_gets_no_price(tmp_path: Path) -> None:
    samples = read_samples(read_rows(_rows(3000)), _length)
    found = measure(samples)
    by_kind = {one.kind: one for one in found}
    renamed, condition, dead = (
        by_kind[kind] for kind in ("variable renamed", "condition rewritten", "dead statement added")
    )
    assert renamed.fit.estimates[renamed.index] == pytest.approx(0.25, abs=0.03)  # two variables
    assert condition.fit.estimates[condition.index] == pytest.approx(0.4, abs=0.06)
    low, high = dead.fit.interval(dead.index)
    assert low < 0 < high and dead.fit.p(dead.index) > 0.05
    assert renamed.fit.detectable(renamed.index, 6) > renamed.fit.detectable(renamed.index, 1)
    corrected = [one.fit.p(one.index) for one in found]
    content = as_json(found, corrected, Recovery((23, 51), (0, 9), 0.01), 0.01)
    assert content["priced"] == ["variable renamed", "condition rewritten"]
    measured, added = combination(samples, found[0].fit)
    assert measured == pytest.approx(0.9, abs=0.08) and added == pytest.approx(0.9, abs=0.1)
    assert unchanged_control(samples) == (0, None)


@pytest.mark.medium
def test_programs_that_are_only_asked_again_show_no_effect() -> None:
    rows = _rows(500)
    for row in rows:
        if row["form"] == "rtf":
            row["code"] = VAN
    count, control = unchanged_control(read_samples(read_rows(rows), _length))
    assert count == 500 and control is not None and control.estimates[0] == pytest.approx(0.4, abs=0.1)


def test_changes_that_always_come_together_are_refused() -> None:
    changes, right = np.ones((2, 2, 2)), np.ones((2, 2))
    changes[:, 0] = 0
    with pytest.raises(InputError, match="cannot be separated"):
        fit_log_ratios(changes, right, ["a", "b"])


def test_groups_that_are_always_wrong_change_nothing() -> None:
    changes, right = np.array([[[0.0], [1.0]]] * 4), np.array([[1, 1], [1, 0], [1, 0], [1, 1.0]])
    found = fit_log_ratios(changes, right, ["a", "b", "c", "d"])
    more = fit_log_ratios(np.vstack([changes, changes]), np.vstack([right, 0 * right]), ["a", "b", "c", "d"] * 2)
    assert found.estimates == pytest.approx(np.log([2.0])) and more.estimates == pytest.approx(found.estimates)


def test_the_interval_of_a_difference_reaches_both_ways() -> None:
    estimate, low, high = newcombe((5, 10), (5, 10))
    assert estimate == 0 and low == pytest.approx(-high)


@pytest.mark.medium
def test_the_command_prints_the_prices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forms, failures = tmp_path / FORMS, tmp_path / FAILURES
    with gzip.open(forms, "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in _rows(12))
    rows = [("x = 2", "expression"), ("x = 2", None), ("x = 1", None), (None, None)]
    fields = [
        {"benchmark": "cruxeval", "status": "wrong", "code": "x = 1", "paper_rewrite": a, "recovered_by": b}
        for a, b in rows
    ]
    failures.write_text("".join(json.dumps(row) + "\n" for row in fields))
    assert main(["--data", str(tmp_path)]) == 0
    failures.write_text("")
    with pytest.raises(SystemExit):
        main(["--data", str(tmp_path)])
    printed = capsys.readouterr().out
    assert "12 samples of 12 problems, 1 models" in printed and "1 of 2; by asking again: 0 of 2" in printed
