import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from lab.tokenization.__main__ import main as compare
from runner.pocket.findings.__main__ import main

pytestmark = [pytest.mark.model, pytest.mark.slow]
CONFIG = """
seeds = [0, 1]
programs = 200
random_share = 0.5
evaluated = 1
[training]
hidden = 64
layers = 1
inner = 64
micro = 2048
streams = 1
"""


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("experiment") / "tiny.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def test_an_unknown_run_and_untrained_models_are_named(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = config.parent / "none"
    assert main(["--config", str(config), "--output", str(output), "--only", "bpe-7"]) == 2
    assert "bpe-0, characters-0, bpe-1, characters-1, not bpe-7" in capsys.readouterr().err
    assert compare(["--config", str(config), "--models", str(output)]) == 2
    assert "not trained yet: bpe-0, characters-0" in capsys.readouterr().err


def test_the_experiment_runs_from_training_to_the_page(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = config.parent / "out"
    options = ["--config", str(config), "--output", str(models)]
    assert main(options) == 0
    curves = [path.read_text(encoding="utf-8") for path in sorted(config.parent.glob("out/*/curve.jsonl"))]
    assert len(curves) == 4
    seen = {json.loads(curve.splitlines()[-1])["documents"] for curve in curves[:2]}
    assert min(seen) >= 200
    figure = config.parent / "figure.svg"
    assert compare(["--config", str(config), "--models", str(models), "--figure", str(figure)]) == 0
    page = capsys.readouterr().out
    assert "<svg" in figure.read_text(encoding="utf-8")
    assert compare(["--results", str(models / "results.json.gz")]) == 0
    assert capsys.readouterr().out == page
    assert "| interaction: strings gain more than lists | 16 |" in page
    assert "undecided" in page  # sixteen programs decide nothing
    assert main(options) == 0  # nothing is left to train
    assert curves == [path.read_text(encoding="utf-8") for path in sorted(config.parent.glob("out/*/curve.jsonl"))]
