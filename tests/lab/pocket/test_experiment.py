"""The experiment: its arms, its rule, and the control for the place of a rewrite."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from analyze.gold_trace.trace import trace_call
from corpora import Case
from lab.pocket.answers import FILE
from lab.pocket.elsewhere import elsewhere, expose_elsewhere
from lab.pocket.experiment import RECIPES, effects, main
from lab.pocket.gate_programs import CRUXEVAL, CRUXEVAL_FILE, GENERATED
from lab.pocket.judged_arms import ALL, JudgedArm
from rewrite.baselines import PLACEBO
from runner.records.samples import ORIGINAL, REDRAW, Sample

TWO_LINES = "def f(a, b):\n    c = (a + 1) * b\n    d = (b + 2) * a\n    return c + d"
CALL = "f(3, 4)"


def test_other_lines_are_exposed_within_the_tokens() -> None:
    before = trace_call(TWO_LINES, CALL).tokens
    found = expose_elsewhere(TWO_LINES, [CALL], {2}, 100)
    assert "c = (a + 1) * b" in found and "d = (b + 2) * a" not in found
    after = trace_call(found, CALL).tokens
    assert before is not None and after is not None and before < after <= before + 100


@pytest.mark.parametrize(("lines", "tokens"), [({2}, 3), ({2, 3, 4}, 100), ({2}, 0)])
def test_without_another_line_or_tokens_the_program_stays(lines: set[int], tokens: int) -> None:
    assert expose_elsewhere(TWO_LINES, [CALL], lines, tokens) == TWO_LINES


def test_a_program_that_no_plan_changes_has_no_other_place() -> None:
    source = "def f(a):\n    return a\n"
    recipe = elsewhere([Case("a", source, "f(1)")])
    assert recipe(source) == source
    assert recipe("def g(a):\n    return (a + 1) * 2\n") == "def g(a):\n    return (a + 1) * 2\n"  # not in the cases


def answers(answer: Sample, population: str, right: Iterable[bool], attempt: str, index: int | None) -> list[Sample]:
    return [
        replace(
            answer,
            attempt=attempt,
            benchmark=population,
            case_key=f"{population}-{number}",
            key=f"{population}-{number}-{attempt}-{index}",
            source=f"program {number}",
            verdict="correct" if one else "incorrect",
            answer_index=index,
        )
        for number, one in enumerate(right)
    ]


def population(answer: Sample, name: str, recipe: list[bool]) -> list[Sample]:
    half = [number % 2 == 0 for number in range(len(recipe))]
    return [
        *answers(answer, name, half, ORIGINAL, None),
        *answers(answer, name, half, PLACEBO, None),
        *answers(answer, name, recipe, "decompose", None),
        *answers(answer, name, half, "letters", None),
        *answers(answer, name, [not one for one in half], ORIGINAL, 0),
    ]


def arms(found: list[JudgedArm], name: str) -> dict[str, JudgedArm]:
    return {one.arm: one for one in found if one.population == name}


def test_a_recipe_is_judged_against_the_placebo(answer: Sample) -> None:
    runs = {GENERATED: population(answer, GENERATED, [True] * 20), CRUXEVAL: population(answer, CRUXEVAL, [False] * 20)}
    found = effects(runs)
    assert set(arms(found, ALL)) == {REDRAW, PLACEBO, "decompose", "letters"}
    assert arms(found, GENERATED)["decompose"].verdict == "help"
    assert arms(found, CRUXEVAL)["decompose"].verdict == "harm"
    assert arms(found, ALL)["decompose"].verdict == "undecided"
    assert arms(found, ALL)["decompose"].own.samples == 40
    assert arms(found, GENERATED)["letters"].verdict == "undecided"
    assert arms(found, GENERATED)[PLACEBO].p is None
    helped = arms(found, GENERATED)["decompose"]
    assert helped.placebo.p is not None and helped.p == 2 * helped.placebo.p  # Holm


def test_sampled_answers_are_compared_with_the_greedy_ones(answer: Sample) -> None:
    again = arms(effects({GENERATED: population(answer, GENERATED, [True] * 20)}), GENERATED)[REDRAW]
    assert (again.own.samples, again.own.gained, again.own.lost) == (20, 10, 10)


@pytest.mark.slow
def test_the_command_asks_in_every_arm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"code": TWO_LINES, "input": "3, 4", "id": "a"}
    (tmp_path / CRUXEVAL_FILE).write_text(json.dumps(row) + "\n")
    words = ["--model", "random:1x64", "--limit", "1", "--data", str(tmp_path), "--output", str(tmp_path / "out")]
    assert main(words) == 0
    shown = capsys.readouterr().out
    for arm in (REDRAW, PLACEBO, *RECIPES[:1]):
        assert f"| all: {arm} |" in shown
    assert "- all: decompose: undecided" in shown
    assert main(["--answers", str(tmp_path / "out" / FILE)]) == 0
    assert capsys.readouterr().out == shown


def test_without_cruxeval_the_error_names_the_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SPELLOUT_DATA", raising=False)
    assert main(["--model", "random:1x64"]) == 2
    assert capsys.readouterr().err == "experiment: --data or SPELLOUT_DATA: name the folder of the published data\n"
