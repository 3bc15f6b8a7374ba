"""What `corpora list` says of a benchmark's size is what the bench measured, or that nothing was measured."""

import json
from pathlib import Path

import pytest

from corpora import names
from runner.cli import main
from runner.inputs import benchmark_sizes
from runner.inputs.benchmark_sizes import describe_size


def test_what_was_measured_are_all_benchmarks() -> None:
    assert sorted(json.loads(benchmark_sizes.FILE.read_text())) == sorted(names()), "run bench/benchmark_sizes.py"


def test_the_list_shows_what_was_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpora", "list"]) == 0
    said = capsys.readouterr().out
    assert all(describe_size(name, 800) in said or describe_size(name) in said for name in names())
    assert "samples of its 800" in describe_size("cruxeval", 800) or "800 samples" in describe_size("cruxeval", 800)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"zoo": {}}'])
def test_without_a_measurement_none_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    (tmp_path / "sizes.json").write_text(content)
    for path in (tmp_path / "sizes.json", tmp_path / "missing.json"):
        monkeypatch.setattr(benchmark_sizes, "FILE", path)
        assert describe_size("zoo") == "size not measured"
