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
from lab.pocket.answers import FILE, write_answers
from lab.pocket.elsewhere import elsewhere, expose_elsewhere
from lab.pocket.experiment import RECIPES, effects, main
from lab.pocket.gate_programs import CRUXEVAL, CRUXEVAL_FILE, GENERATED, HUMANEVAL, PAPER
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
    assert helped.own.p is not None and helped.own_p == 2 * helped.own.p
    assert arms(found, GENERATED)[PLACEBO].own_p is None


def test_sampled_answers_are_compared_with_the_greedy_ones(answer: Sample) -> None:
    again = arms(effects({GENERATED: population(answer, GENERATED, [True] * 20)}), GENERATED)[REDRAW]
    assert (again.own.samples, again.own.gained, again.own.lost) == (20, 10, 10)


def gate_answers(answer: Sample, right: float) -> dict[str, list[Sample]]:
    """Answers of the gate that no renaming changes; `right` is the share of right ones about CruxEval."""
    arms = (ORIGINAL, PLACEBO, "temporary_names")
    runs = {
        name: [one for arm in arms for one in answers(answer, name, [n < 24 * share for n in range(24)], arm, None)]
        for name, share in ((GENERATED, 0.5), (CRUXEVAL, right))
    }
    return runs | {name: answers(answer, name, [True], ORIGINAL, None) for name in (HUMANEVAL, PAPER)}


@pytest.fixture
def recorded(answer: Sample, tmp_path: Path) -> list[str]:
    """Options that name answers with a verdict."""
    write_answers({GENERATED: population(answer, GENERATED, [True] * 20)}, tmp_path / FILE)
    return ["--answers", str(tmp_path / FILE)]


@pytest.mark.parametrize(
    ("right", "why"),
    [(None, "--gate names no answers of the gate"), (0.2, "the gate does not hold: cruxeval: 20.8% right")],
)
def test_without_a_gate_that_holds_nothing_is_compared_with_the_placebo(
    answer: Sample,
    recorded: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    right: float | None,
    why: str,
) -> None:
    if right is not None:
        write_answers(gate_answers(answer, right), tmp_path / "gate.jsonl.gz")
        recorded += ["--gate", str(tmp_path / "gate.jsonl.gz")]
    assert main(recorded) == 0
    shown = capsys.readouterr().out
    assert "less the placebo" not in shown and "help" not in shown
    (row,) = (line for line in shown.splitlines() if line.startswith("| generated: decompose |"))
    assert "| 10 | 0 | 0.002 | +50.0 (" in row and row.endswith(") | 0.004 |")  # Holm: of two recipes
    assert f"- no verdict, and no comparison with the placebo: {why}" in shown


def test_with_a_gate_that_holds_there_is_a_verdict(
    answer: Sample, recorded: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_answers(gate_answers(answer, 0.5), tmp_path / "gate.jsonl.gz")
    assert main([*recorded, "--gate", str(tmp_path / "gate.jsonl.gz")]) == 0
    shown = capsys.readouterr().out
    assert "| p, corrected | less the placebo |" in shown
    assert "- generated: decompose: help (against the placebo, corrected p = 0.004)." in shown


def test_the_gate_of_another_model_or_of_few_populations_says_nothing(
    answer: Sample, recorded: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*recorded, "--gate", recorded[1]]) == 2
    assert "the gate's answers have none about cruxeval, humaneval, paper-kinds" in capsys.readouterr().err
    write_answers(gate_answers(replace(answer, model="another"), 0.5), tmp_path / "gate.jsonl.gz")
    assert main([*recorded, "--gate", str(tmp_path / "gate.jsonl.gz")]) == 2
    assert "gate.jsonl.gz: not of the same model: another, replay" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_asks_in_every_arm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"code": TWO_LINES, "input": "3, 4", "id": "a"}
    (tmp_path / CRUXEVAL_FILE).write_text(json.dumps(row) + "\n")
    words = ["--model", "random:1x64", "--limit", "1", "--data", str(tmp_path), "--output", str(tmp_path / "out")]
    assert main(words) == 0
    shown = capsys.readouterr().out
    for arm in (REDRAW, PLACEBO, *RECIPES[:1]):
        assert f"| all: {arm} |" in shown
    assert "- no verdict" in shown
    assert main(["--answers", str(tmp_path / "out" / FILE)]) == 0
    assert capsys.readouterr().out == shown


def test_without_cruxeval_the_error_names_the_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SPELLOUT_DATA", raising=False)
    assert main(["--model", "random:1x64"]) == 2
    assert capsys.readouterr().err == "experiment: --data or SPELLOUT_DATA: name the folder of the published data\n"
