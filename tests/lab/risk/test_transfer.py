"""Transfer of maps on made-up programs: what ranks them is found, a map of noise is no better than its baselines."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from analyze.risk.program_map import SHIPPED_MAPS, WITHOUT_PANEL, load_reliability_map
from corpora.errors import InputError
from corpora.program import Case
from lab.risk.programs import (
    MeasuredProgram,
    _ProgramOutcome,
    family,
    measure,
    pocket_failures,
    read_programs,
    text_features,
)
from lab.risk.transfer import (
    across_families,
    calibration_slope,
    fit_words,
    left_out_family,
    main,
    outcomes,
    transfer,
    words_map,
)


def _programs(benchmark: str, count: int, seed: int, *, stated: bool = False) -> list[MeasuredProgram]:
    """Programs whose log-odds of failure are twice the first feature."""
    draws, made = np.random.default_rng(seed), []
    for number in range(count):
        odds, *others = draws.normal(size=len(WITHOUT_PANEL))
        rate = 1 / (1 + np.exp(-2 * odds))
        rates = {name: float(draws.random() < rate) for name in ("gpt", "claude", "cwm", "pocket")} | {
            "panel": float(rate)
        }
        text = tuple(map(float, draws.normal(size=9)))
        made.append(MeasuredProgram(benchmark, f"s{number}", f"p{number}", (odds, *others), text, rates, stated))
    return made


@pytest.mark.medium
def test_a_map_that_knows_what_makes_programs_hard_beats_both_baselines_elsewhere() -> None:
    train = outcomes(_programs("cruxeval", 300, 0), "cruxeval", "panel")
    test = outcomes(_programs("livecodebench", 300, 1), "livecodebench", "panel")
    found = transfer(fit_words, train, test)
    assert found.map > 0.75 and found.interval[0] > 0.05 and found.frames < 0.6
    count, expected, seen = found.above
    assert found.slope > 1 and count > 50 and expected < seen  # the prior of the weights makes risks flat


@pytest.mark.medium
def test_a_family_is_ranked_by_programs_and_families_that_the_map_was_not_fitted_on() -> None:
    found = left_out_family(_programs("cruxeval", 200, 2), "gpt")
    assert found.map > 0.7 and (found.fitted_on, found.tested_on) == ("the other families", "gpt")
    assert [one.tested_on for one in across_families(_programs("cruxeval", 60, 3))] == [
        "claude",
        "cwm",
        "gpt",
        "pocket",
    ]


def test_risks_that_are_too_extreme_have_a_slope_below_one() -> None:
    odds = np.linspace(-3, 3, 400)
    rates, extreme = (1 / (1 + np.exp(-factor * odds)) for factor in (1, 2))
    assert calibration_slope(rates, rates) == pytest.approx(1, abs=0.01)
    assert calibration_slope(extreme, rates) == pytest.approx(0.5, abs=0.01)


@pytest.mark.medium
def test_the_command_prints_both_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "programs.jsonl"
    made = [*_programs("cruxeval", 50, 4), *_programs("livecodebench", 50, 5)]
    made += [*_programs("cruxeval", 50, 6, stated=True), *_programs("humaneval", 50, 7, stated=True)]
    made += [*_programs("livecodebench", 40, 8, stated=True), *_programs("mbpp", 40, 9, stated=True)]
    rows = [json.dumps(asdict(one)) for one in made] + ['{"of": "cruxeval", "sample": "s"}', "{"]
    path.write_text("\n".join(rows))
    assert len(read_programs(path)) == len(made) and words_map(made).program_map.fitted_on.startswith(
        "answers in words"
    )
    assert main([str(path)]) == 0
    assert "each of 4 families left out" in capsys.readouterr().out


def test_a_file_without_programs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "programs.jsonl"
    path.write_text('{"of": "cruxeval", "sample": "s"}\n')
    with pytest.raises(InputError, match="has no programs"):
        read_programs(path)


@pytest.mark.medium
def test_a_program_is_measured_in_words_and_with_states_unless_its_trace_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = Case("s", "def f(a):\n    return a + 1\n", "f(1)", benchmark="cruxeval")
    words, states = measure(_ProgramOutcome(case, "cruxeval", "p", case.source, {"panel": 0.5}, True, pocket=1.0))
    assert (words.stated, states.stated, states.failed) == (False, True, {"pocket": 1.0, "cwm": 0.0})
    assert len(words.features) == len(WITHOUT_PANEL)
    (failure,) = measure(_ProgramOutcome(case, "humaneval", "p", case.source, {}, True, "nonsense"))
    assert failure.failed == {"cwm": 1.0}
    (alone,) = measure(_ProgramOutcome(case, "mbpp", "p", case.source, {}, pocket=0.0))
    assert alone.failed == {"pocket": 0.0}
    monkeypatch.setattr("lab.risk.programs.SECONDS", 1.0)
    endless = Case("s", "def f(a):\n    while True:\n        a += 1\n", "f(1)")
    assert measure(_ProgramOutcome(endless, "cruxeval", "p", endless.source, {"panel": 0.5})) == []


@pytest.mark.medium
def test_the_embedded_model_is_judged_by_its_greedy_answers_to_unchanged_programs() -> None:
    found = pocket_failures("experiment", "cruxeval")
    assert len(found) == 400 and sum(found.values()) == 301


def test_features_of_the_text_count_what_they_name() -> None:
    nested = "def f(a):\n    for i in a:\n        while i:\n            i -= a[-1].b\n    return i\n"
    assert text_features(nested, "f([1])")[2:] == pytest.approx((2, np.log1p(2), 1, *np.log1p([1, 1, 1, 1])))
    assert family("o1-preview@0") == "o1"


def test_the_shipped_map_of_words_is_found_by_name() -> None:
    found = load_reliability_map(Path("words"))
    assert "answers in words" in found.program_map.fitted_on and SHIPPED_MAPS["words"].is_file()
    easy, hard = ([odds, 3.0, 6.0, 0, 0, 0, 0, 0, np.nan] for odds in (-4.0, 1.0))
    assert found.risk(easy) < found.risk(hard)
