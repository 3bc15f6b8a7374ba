"""`spellout report` of recorded outputs: what cannot be graded first."""

import json
from pathlib import Path

import pytest

from runner.cli import main
from tests.runner.experiments.figures.samples import samples
from tests.runner.reports.viewer.runs import write_run

CODE = "def f(s):\n    return s.upper()"
CASES = [{"id": f"sample_{n}", "code": CODE, "input": repr(chr(97 + n))} for n in range(12)]


def _cases(folder: Path) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps({**case, "output": "None"}) + "\n" for case in CASES))
    return path


def _generations(folder: Path, right: int) -> Path:
    """CruxEval's form: the first `right` outputs are right."""
    path = folder / f"{right}.json"
    values = [repr(chr(65 + n)) if n < right else "'?'" for n in range(len(CASES))]
    path.write_text(json.dumps({f"sample_{n}": [value] for n, value in enumerate(values)}))
    return path


def test_outputs_without_programs_ask_for_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(_generations(tmp_path, 3))]) == 2
    said = capsys.readouterr().err
    assert "12: has no program and call; name the data set that has them (--benchmark)" in said
    assert "no output could be graded" in said


def test_reasons_that_are_not_listed_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "outputs.jsonl"
    rows = [{"id": n, "code": "", "call": f"f{n}(1)", "output": "1"} for n in range(7)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["report", str(path)]) == 2
    assert "  2: other reasons" in capsys.readouterr().err


@pytest.mark.medium
def test_outputs_are_graded_by_execution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["report", str(_generations(tmp_path, 3)), "--benchmark", str(_cases(tmp_path)), "--json"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["rows"][0]["correct"] == 3
    assert "CruxEval generations, 12 outputs graded (answers read from: whole output 12)" in err


@pytest.mark.medium
def test_two_files_are_compared_by_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.jsonl"  # named otherwise, with its programs
    own.write_text("".join(json.dumps({**case, "id": n, "output": "'A'"}) + "\n" for n, case in enumerate(CASES)))
    benchmark = ["--benchmark", str(_cases(tmp_path))]
    assert main(["report", str(own), "--against", str(_generations(tmp_path, 3)), *benchmark, "--json"]) == 0
    [group] = json.loads(capsys.readouterr().out)["against"]["groups"]
    assert (group["paired"]["samples"], group["paired"]["gained"], group["paired"]["lost"]) == (12, 0, 2)
    assert main(["report", str(own), "--against", str(_generations(tmp_path, 3)), *benchmark]) == 0
    shown = capsys.readouterr().out
    assert "own.jsonl against " in shown and "(here)" not in shown and "there" not in shown


@pytest.mark.medium
def test_the_runs_of_an_experiment_are_reported_together_with_their_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    write_run(tmp_path / "experiment" / "zoo", *samples("zoo", "rw", kind="set, depth 5"))
    write_run(tmp_path / "experiment" / "atomic", *samples("atomic", "r", kind="sort_chars"))
    assert main(["report", str(tmp_path / "experiment"), "--figures", str(tmp_path / "figures")]) == 0
    out, err = capsys.readouterr()
    assert "zoo: 50.0% of 2 samples" in out and "atomic: 100.0% of 1 samples" in out
    assert "table1.svg, table1.pdf, table1.csv, figure5.svg" in err
    assert "no figure1: the records have no answers about permutations" in err
    assert (tmp_path / "figures" / "figure5.pdf").is_file()


def test_runs_in_several_modes_are_not_reported_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_run(tmp_path / "free", *samples("zoo", "r"))
    write_run(tmp_path / "forced", *samples("zoo", "r", mode="forced-actions"))
    assert main(["report", str(tmp_path)]) == 2
    assert "has runs in several modes (forced-actions, free); name one of" in capsys.readouterr().err
