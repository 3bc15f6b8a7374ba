"""Maps of program-level risk: files that are none first."""

import json
from pathlib import Path

import numpy as np
import pytest

from analyze import trace_call
from analyze.risk.map_fit import Floats, fit_program_map
from analyze.risk.program_map import (
    FEATURES,
    WITHOUT_PANEL,
    ReliabilityMap,
    load_reliability_map,
    program_features,
    shipped_panel_map,
)
from corpora.errors import InputError


def drawn(count: int, weights: Floats, seed: int = 0) -> tuple[Floats, Floats]:
    """Features, and failures that follow the weights."""
    random = np.random.default_rng(seed)
    features = random.normal(size=(count, len(FEATURES)))
    failed = random.random(count) < 1 / (1 + np.exp(-(features @ weights)))
    return features, failed.astype(np.float64)


WEIGHTS = np.array([0.0, 2.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param("no JSON", "is not a map: ", id="no JSON"),
        pytest.param("[1]", "is not a map that", id="a list"),
        pytest.param('{"version": 2}', "is a damaged map", id="nothing in it"),
        pytest.param('{"version": 0}', "is not a map that", id="another version"),
        pytest.param(
            '{"version": 2, "program_map": {"weights": {"frame": 1}}}', "did you mean 'frames'?", id="another feature"
        ),
        pytest.param(
            '{"version": 2, "program_map": {"weights": {}}}', "was fitted with other features: run", id="no feature"
        ),
    ],
)
def test_a_file_that_is_no_map_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    path = tmp_path / "map.json"
    path.write_text(content)
    with pytest.raises(InputError) as error:
        load_reliability_map(path)
    assert reason in str(error.value)


def test_a_missing_map_and_a_folder_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_reliability_map(tmp_path / "map.json")
    with pytest.raises(InputError, match="cannot be written"):
        ReliabilityMap(fit_program_map(*drawn(50, WEIGHTS))).save(tmp_path / "no" / "map.json")


def test_a_map_is_the_same_after_reading_it_back(tmp_path: Path) -> None:
    features, failed = drawn(200, WEIGHTS)
    fitted = ReliabilityMap(
        fit_program_map(features, failed, "200 drawn outputs"),
        fit_program_map(features, failed, names=tuple(FEATURES)),
        ("one", "other"),
    )
    fitted.save(tmp_path / "map.json")
    found = load_reliability_map(tmp_path / "map.json")
    assert found == fitted
    assert found.risk(features[0]) == fitted.risk(features[0])
    content = json.loads((tmp_path / "map.json").read_text())
    assert list(content["program_map"]["weights"]) == list(WITHOUT_PANEL)


def test_the_panel_counts_only_where_it_knows_the_program() -> None:
    weights = np.array([*[0.0] * (len(FEATURES) - 1), 3.0])
    features, failed = drawn(400, weights)
    fitted = ReliabilityMap(fit_program_map(features, failed), fit_program_map(features, failed, names=tuple(FEATURES)))
    row = features[0].copy()
    row[-1] = 3.0
    assert fitted.risk(row) > 0.9
    row[-1] = np.nan
    assert fitted.risk(row) == fitted.program_map.risk(row)


def test_the_shipped_panel_map_ranks_by_risk_and_difficulty() -> None:
    assert list(shipped_panel_map().weights) == ["shipped_log_odds", "panel"]
    assert all(weight > 0 for weight in shipped_panel_map().weights.values())


def test_with_many_outputs_the_features_that_matter_are_found() -> None:
    fitted = fit_program_map(*drawn(20_000, WEIGHTS))
    assert list(fitted.weights.values()) == pytest.approx(list(WEIGHTS[:-1]), abs=0.1)


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
    found = dict(zip(FEATURES, program_features(trace, 0.5, 1, 0.5), strict=True))
    assert found["shipped_log_odds"] == 0
    assert found["output_is_string"] == 1
    assert found["panel"] == 0
    assert np.expm1(found["output"]) == pytest.approx(len("'AB'"))
    assert np.expm1(found["frames"]) == pytest.approx(len(trace.frames))
    assert np.isfinite(program_features(trace, 1.0, 0, 0.0)).all()
    assert np.isnan(program_features(trace, 1.0, 0)[-1])
