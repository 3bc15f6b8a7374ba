"""A run over a Ray cluster, in local mode with two actors of a small tracer: the records of a run without one."""

from pathlib import Path

import pytest

from corpora.errors import InputError
from runner.backends import load_model
from runner.cli import main
from runner.records.samples import read_samples
from tests.models import SMALL_TRACER

pytestmark = [pytest.mark.model, pytest.mark.slow, pytest.mark.filterwarnings("default")]


@pytest.mark.parametrize("spec", ["ray:", "ray:0:pocket", "ray:x:pocket", "ray:2", "ray:2:"])
def test_a_spec_without_a_number_or_model_is_refused_with_its_form(spec: str) -> None:
    with pytest.raises(InputError, match="must be ray:N:MODEL"):
        load_model(spec)


def test_two_actors_answer_as_one_model(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    ray = pytest.importorskip("ray")
    try:
        found: list[dict[str, tuple[str, str, str, str]]] = []
        for mode in ("free", "forced-actions"):
            for model in (str(SMALL_TRACER), f"ray:2:{SMALL_TRACER}"):
                out = tmp_path / f"{mode}-{len(model)}"
                words = ["run", "permutations", "--model", model, "--mode", mode, "--output", str(out)]
                words += ["--limit", "5", "--batch-size", "2", "--recipe", "none", "--max-tokens", "120"]
                assert main([*words, "--prompt", "bare"]) == 0
                samples = read_samples(out / "samples.jsonl")
                found.append({one.id: (one.output, one.verdict, one.decode, one.stopped) for one in samples})
        assert len(found[0]) == 5 and found[0] == found[1] and found[2] == found[3] != found[0]
        with pytest.raises(InputError, match="no actor of the cluster could load nonsense"):
            load_model("ray:1:nonsense")
    finally:
        ray.shutdown()
