"""The test of repairs: only failures count, against the placebo and against sampled answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from lab.pocket.answers import FILE, read_answers, write_answers
from lab.pocket.judged_arms import ALL, JudgedArm
from lab.pocket.repairs import effects, main
from lab.populations import MBPP
from rewrite.baselines import PLACEBO
from runner.records.samples import ORIGINAL, REDRAW, Sample, Verdict


def _answers(answer: Sample, attempt: str, right: Sequence[bool], index: int | None = None) -> list[Sample]:
    verdicts: list[Verdict] = ["correct" if one else "incorrect" for one in right]
    return [
        replace(answer, attempt=attempt, case_key=str(n), source=f"program {n}", verdict=verdict, answer_index=index)
        for n, verdict in enumerate(verdicts)
    ]


def _found(runs: dict[str, list[Sample]]) -> dict[tuple[str, str], JudgedArm]:
    return {(one.population, one.arm): one for one in effects(runs)}


def test_answers_to_programs_that_were_right_do_not_count(answer: Sample) -> None:
    right = [True] * 10 + [False] * 10
    every = [*_answers(answer, ORIGINAL, right), *_answers(answer, "decompose", [False] * 10 + [True] * 10)]
    found = _found({"p": [*every, *_answers(answer, PLACEBO, right)]})["p", "decompose"]
    assert (found.own.samples, found.own.gained, found.own.lost) == (10, 10, 0)
    assert (found.placebo.samples, found.placebo.difference, found.verdict) == (10, 1.0, "repairs")
    assert found.placebo.p is not None and found.p == found.placebo.p  # one recipe: nothing to correct


def test_the_placebo_may_repair_more(answer: Sample) -> None:
    wrong, ten = _answers(answer, ORIGINAL, [False] * 10), [True] * 10
    run = [*wrong, *_answers(answer, PLACEBO, ten), *_answers(answer, "repair", [False] * 10)]
    found = _found({"p": [*run, *_answers(answer, ORIGINAL, [True] * 5 + [False] * 5, index=0)]})
    assert found["p", "repair"].verdict == "undecided"  # the protocol has no other word for it
    assert (found["p", "repair"].p or 1) < 0.05
    assert found["p", "repair"].redraw.difference == -0.5
    for control in (found["p", PLACEBO], found["p", REDRAW]):
        assert (control.p, control.placebo.samples, control.redraw.samples) == (None, 0, 0)
    assert found["p", REDRAW].own.gained == 5


def test_without_a_difference_it_is_undecided(answer: Sample) -> None:
    run = [_answers(answer, arm, [False, True] * 5 if arm != ORIGINAL else [False] * 10) for arm in (ORIGINAL, PLACEBO)]
    same = _answers(answer, "planned", [True, False] * 5)
    found = _found({"a": [*run[0], *run[1], *same], "b": []})
    assert found[ALL, "planned"].verdict == "undecided" and ("b", "planned") not in found


@pytest.mark.slow
def test_the_command_asks_again_about_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "a", "setup": "", "code": "def f(a):\n    return (a + 1) * 2", "tests": [{"call": "f(3)"}]}
    (tmp_path / "mbpp_even.jsonl").write_text(json.dumps(row) + "\n")
    words = ["--model", "random:1x64", "--limit", "1", "--data", str(tmp_path), "--output", str(tmp_path / "out")]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "| all: decompose | 2 | 0 (0.0%) |" in shown and "mbpp" not in shown  # too few programs
    assert read_answers(tmp_path / "out" / FILE)[MBPP]
    assert main(["--answers", str(tmp_path / "out" / FILE)]) == 0
    assert capsys.readouterr().out == shown


@pytest.mark.slow
def test_the_command_goes_on_from_published_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "a", "setup": "", "code": "def f(a):\n    return (a + 1) * 2", "tests": [{"call": "f(3)"}]}
    (tmp_path / "mbpp_even.jsonl").write_text(json.dumps(row) + "\n")
    words = ["--model", "random:1x64", "--limit", "1", "--data", str(tmp_path)]
    assert main([*words, "--output", str(tmp_path / "out")]) == 0
    first = read_answers(tmp_path / "out" / FILE)
    repaired = [replace(one, verdict="correct") if one.attempt == "decompose" else one for one in first[MBPP]]
    failed = [replace(one, stopped="failed") if one.attempt == PLACEBO else one for one in repaired]
    write_answers({**first, MBPP: failed}, tmp_path / FILE)
    assert main([*words, "--output", str(tmp_path / "again"), "--answers", str(tmp_path / FILE)]) == 0
    assert "| all: decompose | 2 | 1 (50.0%) |" in capsys.readouterr().out  # which asking would not give
    again = read_answers(tmp_path / "again" / FILE)[MBPP]
    assert [(one.key, one.verdict, one.stopped) for one in again] == [
        (one.key, one.verdict, one.stopped) for one in repaired
    ]
