"""Maps fitted to recorded outputs: too few first."""

import json
from pathlib import Path

import pytest

from analyze import assess
from analyze.risk.program_map import load_reliability_map, program_features
from runner.cli import main

SHORT = "def f(s):\n    return s\n"
LONG = "def f(s):\n    t = ''\n    for c in s:\n        t = c.upper() + t.replace('a', 'b')\n    return t[::-1]\n"


def _outputs(folder: Path, count: int) -> Path:
    """A model that fails on the longer program."""
    path = folder / "outputs.jsonl"
    rows = [
        {
            "id": 2 * n + hard,
            "code": f"# {n}\n{LONG if hard else SHORT}",
            "input": f"'{'ab' * n}'",
            "output": f"'{'ab' * n}'",
        }
        for n in range(1, count + 1)
        for hard in (0, 1)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.medium
def test_too_few_outputs_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess", "--fit", str(_outputs(tmp_path, 3)), "--save", str(tmp_path / "map.json")]) == 2
    assert (
        "too few outputs for a fit: 3 failed and 3 correct programs; 10 of each are needed" in capsys.readouterr().err
    )
    assert not (tmp_path / "map.json").exists()


def test_a_program_beside_a_fit_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess", "cases.jsonl", "--fit", str(_outputs(tmp_path, 3))]) == 2
    assert "cases.jsonl: is not assessed together with --fit" in capsys.readouterr().err


def test_nothing_to_assess_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess"]) == 2
    assert "needs a program or a data set, or --fit OUTPUTS" in capsys.readouterr().err


@pytest.mark.medium
def test_a_fitted_map_gives_the_risks_of_the_next_assessment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "map.json"
    assert main(["assess", "--fit", str(_outputs(tmp_path, 20)), "--save", str(path)]) == 0
    assert "40 calls, 20.0 failures; 10-fold cross-validation by program" in capsys.readouterr().out
    assert load_reliability_map(path).program_map.fitted_on == "40 outputs of outputs for 40 calls"
    program = tmp_path / "program.py"
    for source, low, high in ((SHORT, 0.0, 0.4), (LONG, 0.6, 1.0)):
        program.write_text(source)
        assert main(["assess", str(program), "--call", "f('abababab')", "--risk-map", str(path), "--json"]) == 0
        risk = json.loads(capsys.readouterr().out)["risk"]
        assert low < risk < high
    assert main(["assess", str(program), "--call", "f('abababab')", "--risk-map", str(path)]) == 0
    shown = capsys.readouterr()
    assert "risks are estimates, fitted on 40 outputs of outputs for 40 calls; see" in shown.err
    assert "CWM" not in shown.err + shown.out


@pytest.mark.medium
def test_the_saved_map_with_panel_gives_new_programs_the_risks_that_it_has_when_it_is_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, panel, data = tmp_path / "map.json", tmp_path / "panel.jsonl", tmp_path / "new.jsonl"
    right = {"strong": (True, True), "weak": (True, False), "outputs@0.2": (False, False)}
    rows = [
        {"run": run, "id": number, "right": [is_right[number % 2]]}
        for run, is_right in right.items()
        for number in range(2, 46)
    ]
    panel.write_text("".join(json.dumps(one) + "\n" for one in rows))
    fit = ["assess", "--fit", str(_outputs(tmp_path, 20)), "--panel", str(panel), "--save", str(path)]
    assert main(fit) == 0
    assert "with panel difficulty:" in capsys.readouterr().out
    new = [{"id": name, "code": LONG, "input": "'abab'"} for name in (44, 45, 99)]
    data.write_text("".join(json.dumps(one) + "\n" for one in new))
    found = assess(LONG, "f('abab')")
    assert found.risk is not None
    others = tmp_path / "others.jsonl"
    others.write_text("".join(json.dumps(one) + "\n" for one in rows if one["run"] != "outputs@0.2"))
    for options, difficulties in (([], (None,) * 3), (["--panel", str(others)], (0.0, 0.0, None))):
        assert main(["assess", str(data), "--risk-map", str(path), *options, "--json", "--jobs", "1"]) == 0
        risks = [json.loads(line)["risk"] for line in capsys.readouterr().out.splitlines()]
        features = [program_features(found.trace, found.risk, found.string_operations, one) for one in difficulties]
        assert risks == pytest.approx([load_reliability_map(path).risk(row) for row in features])
