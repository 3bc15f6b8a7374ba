"""What `corpora list` says a run takes is what the bench measured, or that nothing was measured."""

import json
from pathlib import Path

import pytest

from corpora import names
from runner.cli import main
from runner.inputs import run_times


def test_what_was_measured_are_benchmarks() -> None:
    assert "zoo" in json.loads(run_times.FILE.read_text())["benchmarks"].keys() <= set(names())


def test_the_list_shows_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpora", "list"]) == 0
    said = capsys.readouterr().out
    for name in names():
        assert run_times.describe_run_time(name, 800) in said or run_times.describe_run_time(name) in said
        assert "s per sample (3 asked" in run_times.describe_run_time(name), "bench/run_times.py measures all"
    assert "samples of its 800" in run_times.describe_run_time(
        "cruxeval", 800
    ) or "800 samples" in run_times.describe_run_time("cruxeval", 800)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"benchmarks": {"zoo": {}}}'])
def test_without_a_measurement_none_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    (tmp_path / "times.json").write_text(content)
    for path in (tmp_path / "times.json", tmp_path / "missing.json"):
        monkeypatch.setattr(run_times, "FILE", path)
        assert run_times.describe_run_time("zoo") == "run time not measured"
