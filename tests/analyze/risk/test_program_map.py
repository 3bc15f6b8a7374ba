"""Maps of program-level risk: files that are none first."""

import json
from pathlib import Path

import numpy as np
import pytest

from analyze import trace_call
from analyze.risk.program_map import FEATURES, Floats, fit_program_map, load_program_map, program_features
from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError


def drawn(count: int, weights: Floats, seed: int = 0) -> tuple[Floats, Floats]:
    """Features, and failures that follow the weights."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(count, len(FEATURES)))
    failed = random.random(count) < 1 / (1 + np.exp(-(features @ weights)))
    return features, failed.astype(np.float64)


WEIGHTS = np.array([0.0, 2.0, 0.0, -1.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param("no JSON", "is not a map: ", id="no JSON"),
        pytest.param("[1]", "is not a map that", id="a list"),
        pytest.param('{"version": 0}', "is not a map that", id="another version"),
        pytest.param('{"version": 1, "weights": {"frame": 1}}', "did you mean 'frames'?", id="another feature"),
        pytest.param('{"version": 1, "weights": {}}', "was fitted with other features: run", id="no feature"),
    ],
)
def test_a_file_that_is_no_map_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        load_program_map(path)
    assert reason in str(error.value)


def test_a_missing_map_and_a_folder_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_program_map(tmp_path / "map.json")
    with pytest.raises(InputError, match="cannot be written"):
        fit_program_map(*drawn(50, WEIGHTS)).save(tmp_path / "no" / "map.json")


def test_a_map_is_the_same_after_reading_it_back(tmp_path: Path) -> None:
    features, failed = drawn(200, WEIGHTS)
    fitted = fit_program_map(features, failed, "200 drawn outputs")
    fitted.save(tmp_path / "map.json")
    found = load_program_map(tmp_path / "map.json")
    assert found == fitted
    assert found.risk(features[0]) == fitted.risk(features[0])
    assert list(json.loads((tmp_path / "map.json").read_text())["weights"]) == list(FEATURES)


def test_with_many_outputs_the_features_that_matter_are_found() -> None:
    fitted = fit_program_map(*drawn(20_000, WEIGHTS))
    assert list(fitted.weights.values()) == pytest.approx(list(WEIGHTS), abs=0.1)


def test_with_few_outputs_the_ranking_is_the_shipped_one() -> None:
    features, _ = drawn(40, WEIGHTS)
    fitted = fit_program_map(features, np.array([1.0, 0.0] * 20))
    risks = [fitted.risk(row) for row in features]
    assert np.corrcoef(risks, features[:, 0])[0, 1] > 0.6
    assert max(fitted.weights, key=lambda name: abs(fitted.weights[name])) == "shipped_log_odds"


def test_expected_failures_are_those_that_it_was_fitted_on() -> None:
    features, failed = drawn(300, WEIGHTS)
    fitted = fit_program_map(features, failed)
    assert sum(fitted.risk(row) for row in features) == pytest.approx(failed.sum(), rel=1e-3)


def test_a_feature_that_never_varies_has_no_effect() -> None:
    features, failed = drawn(300, WEIGHTS)
    features[:, 2] = 7.0
    fitted = fit_program_map(features, failed)
    assert fitted.weights["tokens"] == pytest.approx(0.0, abs=1e-4)


def test_features_of_a_program() -> None:
    trace = trace_call("def f(s):\n    return s.upper()", "f('ab')")
    found = dict(zip(FEATURES, program_features(trace, 0.5, default_tokenizer()), strict=True))
    assert found["shipped_log_odds"] == 0
    assert found["output_is_string"] == 1
    assert np.expm1(found["output"]) == pytest.approx(len("'AB'"))
    assert np.expm1(found["frames"]) == pytest.approx(len(trace.frames))
    assert np.isfinite(program_features(trace, 1.0, default_tokenizer())).all()
