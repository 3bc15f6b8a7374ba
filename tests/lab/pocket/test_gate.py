"""The gate: fails a model whose answers depend on names, and one that has nothing to lose; resumes its runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from analyze.gold_trace.trace import trace_call
from corpora import Case
from lab.pocket.answers import FILE
from lab.pocket.benchmark_overlap import fingerprints
from lab.pocket.gate import GateResult, judge, main, measure
from lab.pocket.gate_programs import (
    CRUXEVAL,
    CRUXEVAL_FILE,
    GENERATED,
    HUMANEVAL,
    PAPER,
    generated_cases,
    temporary_names,
)
from lab.pocket.typed_programs import typed_program
from rewrite.baselines import PLACEBO
from rewrite.cost.budget import BUDGET
from rewrite.pipeline.registration import recipe_name
from runner.asking.backend import Backend
from runner.backends import load_model
from runner.records.samples import ORIGINAL, Sample, read_samples
from runner.runs.question import PosedQuestion, SkippedQuestion, pose_question
from tests.places import ROOT

SIZE = 24
"""Programs for which an interval without any change is within five points."""


def cases(name: str, size: int) -> list[Case]:
    source = "def f(text):\n    joined = text + 'x{}'\n    return joined"
    return [Case(f"{name}-{n}", source.format(n), f"f('{name}')", benchmark=name) for n in range(size)]


ASKED = {GENERATED: cases(GENERATED, SIZE), CRUXEVAL: cases(CRUXEVAL, SIZE)}
ASKED |= {HUMANEVAL: cases(HUMANEVAL, 2), PAPER: cases(PAPER, 2)}
Answer = Callable[[PosedQuestion], bool]


def every_second(question: PosedQuestion) -> bool:
    return int(question.case.id.rpartition("-")[2]) % 2 == 0


def every_second_with_names(question: PosedQuestion) -> bool:
    return every_second(question) and "_t0" not in question.case.source


Pose = Callable[[Case, str, Backend, int], PosedQuestion | SkippedQuestion]


@pytest.fixture(scope="module", autouse=True)
def pose() -> Iterator[Pose]:
    """Each program is rewritten and traced once: the models of these tests differ in their answers only.

    No recipe here is `planned`, so that questions do not depend on the budget.
    """
    known: dict[object, PosedQuestion | SkippedQuestion] = {}

    def posed(case: Case, attempt: str, backend: Backend, budget: int) -> PosedQuestion | SkippedQuestion:
        key = case, attempt, type(backend)
        if key not in known:
            known[key] = pose_question(case, attempt, backend, budget)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runner.runs.evaluation_run.pose_question", posed)
        yield posed


@pytest.fixture(scope="module")
def questions(pose: Pose, tmp_path_factory: pytest.TempPathFactory) -> list[PosedQuestion]:
    """Every program in every arm."""
    file = tmp_path_factory.mktemp("gate") / "outputs.jsonl"
    file.write_text('{"id": "-", "output": ""}\n')
    backend = load_model(f"replay:{file}")
    found = []
    for name, programs in ASKED.items():
        renamed = name in (GENERATED, CRUXEVAL)
        arms = (ORIGINAL, PLACEBO, recipe_name(temporary_names(programs))) if renamed else (ORIGINAL,)
        found += [pose(case, arm, backend, BUDGET) for case in programs for arm in arms]
    assert all(isinstance(one, PosedQuestion) for one in found)
    return [one for one in found if isinstance(one, PosedQuestion)]


def replayed(questions: Sequence[PosedQuestion], is_right: Answer, folder: Path) -> GateResult:
    rows = [
        {
            "id": one.case.id,
            "attempt": one.attempt,
            "source": one.case.source,
            "call": one.case.call,
            "output": one.trace.text if is_right(one) else "",
        }
        for one in questions
    ]
    file = folder / "outputs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return judge(measure(load_model(f"replay:{file}"), ASKED, {}, folder, 32))


@pytest.fixture(scope="module")
def steady(questions: list[PosedQuestion], tmp_path_factory: pytest.TempPathFactory) -> tuple[GateResult, Path]:
    folder = tmp_path_factory.mktemp("steady")
    return replayed(questions, every_second, folder), folder


@pytest.mark.medium
def test_the_gate_fails_a_model_whose_answers_depend_on_names(questions: list[PosedQuestion], tmp_path: Path) -> None:
    found = replayed(questions, every_second_with_names, tmp_path)
    assert [why.partition(":")[0] for why in found.failures] == [
        f"{name}, temporary_names" for name in (GENERATED, CRUXEVAL) for _ in range(2)
    ]
    assert "-50.0 points, not below 3" in found.failures[0] and "is not within ±5" in found.failures[1]


@pytest.mark.medium
def test_the_gate_holds_for_a_model_whose_answers_do_not(steady: tuple[GateResult, Path]) -> None:
    found, _ = steady
    assert found.failures == ()
    names = [name.strip() for name, *_ in found.rows[:7]]
    assert names == [GENERATED, PLACEBO, "temporary_names", CRUXEVAL, PLACEBO, "temporary_names", HUMANEVAL]
    assert [(name, asked) for name, asked, *_ in found.rows[7:]] == [(PAPER, "2 of 2")]


def runs_of(folder: Path) -> Mapping[str, list[Sample]]:
    return {name: read_samples(folder / name / "samples.jsonl") for name in ASKED}


def graded(samples: Sequence[Sample], **changes: str) -> list[Sample]:
    return [replace(sample, **changes) for sample in samples]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "changes", "failure"),
    [
        (CRUXEVAL, {"verdict": "correct"}, "cruxeval: 100.0% right, not 25 to 75%"),
        (CRUXEVAL, {"verdict": "incorrect"}, "cruxeval: 0.0% right, not 25 to 75%"),
        (HUMANEVAL, {"verdict": "truncated"}, "humaneval: no program right"),
        (PAPER, {"verdict": "not asked", "stopped": "failed"}, "2 questions have no answer: run the command again"),
    ],
)
def test_each_condition_is_named(
    steady: tuple[GateResult, Path], name: str, changes: dict[str, str], failure: str
) -> None:
    runs = dict(runs_of(steady[1]))
    assert judge(runs).failures == ()
    assert judge(runs | {name: graded(runs[name], **changes)}).failures == (failure,)


def test_only_wrong_answers_that_a_limit_ended_are_cut_off(steady: tuple[GateResult, Path]) -> None:
    samples = runs_of(steady[1])[CRUXEVAL]
    right = [replace(one, stopped="long") for one in samples if one.is_correct]
    wrong = graded([one for one in samples if not one.is_correct], verdict="incorrect", stopped="divergence")
    runs = {name: right + wrong if name == CRUXEVAL else right for name in ASKED}
    assert judge(runs).cut_off == ()
    unchanged = [one for one in wrong if one.attempt == ORIGINAL]
    cut = [
        replace(one, verdict="truncated", stopped=limit)
        for one, limit in zip(unchanged, ["long", "long", "context"], strict=False)
    ]
    renamed = graded([one for one in wrong if one.attempt != ORIGINAL], verdict="truncated", stopped="long")
    (said,) = judge(runs | {CRUXEVAL: [*right, *cut, *unchanged[len(cut) :], *renamed]}).cut_off
    parts = "2 at 1.5 times the reference trace, 1 at the end of the model's context"
    assert said == f"cruxeval: 3 of {len(unchanged)} wrong answers were cut off: {parts}"


def test_a_renaming_that_changed_no_program_or_too_few_is_no_evidence(steady: tuple[GateResult, Path]) -> None:
    runs = dict(runs_of(steady[1]))
    few = [
        s for s in runs[GENERATED] if s.attempt != PLACEBO or s.case_key in {t.case_key for t in runs[GENERATED][:5]}
    ]
    none = [sample for sample in runs[GENERATED] if sample.attempt != PLACEBO]
    for samples, programs in ((few, 5), (none, 0)):
        (failure,) = judge(runs | {GENERATED: samples}).failures
        assert failure == f"generated, placebo: too few programs for an interval ({programs})"


@pytest.mark.slow
def test_a_random_model_does_not_pass_and_the_runs_resume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"code": case.source, "input": "'a'", "id": case.id} for case in ASKED[CRUXEVAL]]
    (tmp_path / CRUXEVAL_FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["--model", "random:1x64", "--limit", "1", "--data", str(tmp_path), "--output", str(tmp_path / "gate")]
    assert main(words) == 1
    first = capsys.readouterr().out
    assert "the gate does not hold: generated, placebo: too few programs" in first
    records = [(tmp_path / "gate" / name / "samples.jsonl").read_bytes() for name in ASKED]
    assert main(words) == 1
    assert capsys.readouterr().out == first
    assert records == [(tmp_path / "gate" / name / "samples.jsonl").read_bytes() for name in ASKED]
    assert main(["--answers", str(tmp_path / "gate" / FILE)]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.medium
def test_the_published_answers_need_no_extra_for_training() -> None:
    blocked = "import sys; sys.modules |= dict.fromkeys(('pyarrow', 'peft', 'sklearn')); "
    command = "from lab.pocket.gate import main; main(['--answers', 'lab/pocket/measured/gate.jsonl.gz'])"
    done = subprocess.run(
        [sys.executable, "-c", blocked + command], cwd=ROOT, text=True, capture_output=True, check=True
    )
    assert "| cruxeval | 400 of 400 |" in done.stdout


@pytest.mark.medium
def test_without_cruxeval_the_error_names_the_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SPELLOUT_DATA", raising=False)
    assert main(["--model", "random:1x64"]) == 2
    assert capsys.readouterr().err == "gate: --data or SPELLOUT_DATA: name the folder of the published data\n"
    assert main([]) == 2
    assert capsys.readouterr().err == "gate: --model: name the model to ask\n"
    assert main(["--model", "random:1x64", "--data", str(tmp_path)]) == 2
    assert "cruxeval_even.jsonl" in capsys.readouterr().err


def test_generated_programs_have_no_known_function() -> None:
    first, second = generated_cases(2, frozenset())
    assert fingerprints(first.source) and first.source != second.source
    (found,) = generated_cases(1, fingerprints(first.source))
    assert found == second


@pytest.mark.parametrize(
    ("source", "call", "renamed"),
    [
        (
            "def f(a, b=1):\n    _t0 = a.a\n    return b, _t0",
            "f(1, b=2)",
            "def f(_t1, b=1):\n    _t2 = _t1.a\n    return b, _t2",
        ),
        ("def f(a):\n    return locals()", "f(1)", "def f(a):\n    return locals()"),
        ("def f():\n    return 1", "f()", "def f():\n    return 1"),
    ],
)
def test_local_variables_become_temporaries_where_nothing_observes_them(source: str, call: str, renamed: str) -> None:
    rewrite = temporary_names([Case("a", source, call)])
    assert rewrite(source) == renamed
    assert rewrite(renamed) == renamed


@pytest.mark.parametrize("seed", range(5))
def test_renaming_to_temporaries_keeps_the_outcome(seed: int) -> None:
    case = typed_program(Random(seed))
    renamed = temporary_names([case])(case.source)
    before, after = (trace_call(source, case.call).outcome for source in (case.source, renamed))
    assert (before.status, before.snapshot) == (after.status, after.snapshot)
