"""The section "One program through the whole" of docs/design.md: its program goes through the stages that it names."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import is_dataclass
from pathlib import Path
from pkgutil import resolve_name
from types import CodeType, FrameType
from typing import Any

import pytest

from analyze.diagnosis.divergence import diagnose
from analyze.gold_trace.trace import trace_call
from corpora.program import Case
from rewrite.equivalence.check import check_equivalence
from rewrite.equivalence.judgement import find_unobserved_difference
from rewrite.planner.plan import Plan
from rewrite.planner.planning import plan_rewrite
from rewrite.rewriting import rewrite_source
from runner.backends import load_model
from runner.records.samples import Sample
from runner.runs.model_evaluation import evaluate
from runner.runs.question import PosedQuestion, pose_question
from runner.statistics.summary import summarize
from tests.places import ROOT

SECTION = (ROOT / "docs" / "design.md").read_text("utf-8").partition("## One program through the whole")[2]
SECTION = SECTION.partition("\n## ")[0]
PROGRAM = SECTION.partition("```python\n")[2].partition("```")[0]
CALL = "f('banana')"
ROWS: list[tuple[str, str, str, str]] = re.findall(
    r"^\| ([\w ]+) \| `([\w.]+)` \| `(\w+)` \| (.+) \|$", SECTION, re.MULTILINE
)


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_rewrite(PROGRAM, CALL)


@pytest.fixture(scope="module")
def recording(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recorded outputs: the answer to the original is 26 instead of 36, those to the rewritten programs are correct."""
    sources = {"decompose": rewrite_source(PROGRAM, calls=[CALL]).source, "planned": plan.source}
    outputs = {"original": wrong_output()} | {name: trace_call(source, CALL).text for name, source in sources.items()}
    path = tmp_path_factory.mktemp("recorded") / "outputs.jsonl"
    rows = ({"id": "a", "attempt": attempt, "output": output} for attempt, output in outputs.items())
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def wrong_output() -> str:
    return trace_call(PROGRAM, CALL).text.replace('"36"', '"26"')


def code(function: Any) -> CodeType:
    """The code of a function, or of the `__init__` of a class."""
    found: CodeType = (function.__init__ if inspect.isclass(function) else function).__code__
    return found


@contextmanager
def called() -> Iterator[set[CodeType]]:
    """The code objects of the functions that this thread calls meanwhile."""
    found: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        found.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def said(stage: str) -> str:
    """What the page says of the program at a stage."""
    return {row[0]: row[3] for row in ROWS}[stage]


def test_every_stage_has_a_function_and_a_dataclass() -> None:
    assert len(ROWS) == 10
    for _, function, dataclass, _ in ROWS:
        assert callable(resolve_name(function))
        hints = str(inspect.signature(resolve_name(function)).return_annotation)
        assert dataclass == resolve_name(function).__name__ or dataclass in hints, f"{function} -> {hints}"


def test_the_picture_shows_the_dataclasses() -> None:
    picture = SECTION.split("```")[1]
    assert set(re.findall(r"\w*[A-Z]\w*", picture)) == {dataclass for _, _, dataclass, _ in ROWS}


@pytest.mark.medium
def test_the_stages_of_the_program_are_as_shown(plan: Plan) -> None:
    trace = trace_call(PROGRAM, CALL)
    found = diagnose(trace, wrong_output())
    rewritten = rewrite_source(PROGRAM, calls=[CALL])
    verdict = check_equivalence(PROGRAM, rewritten.source, [CALL], assumes=rewritten.assumes)
    assert all(is_dataclass(one) for one in (trace, found, rewritten, verdict, plan))
    assert said("reference trace") == f"{len(trace.frames)} frames; the result is {trace.outcome.value}"
    assert said("diagnosis") == f"{found.kind} at frame {found.frame}: {found.answer} instead of {found.truth}"
    body = rewritten.source.splitlines()[1:]
    assert said("rewrite") == ", ".join(f"`{line.strip()}`" for line in body)
    assert verdict.equivalent and said("equivalence") == "equivalent"
    assert (plan.tokens or 0) > (plan.original_tokens or 0) and (plan.risk or 0) < (plan.original_risk or 0)
    assert said("plan") == "more tokens, less predicted risk"


@pytest.mark.medium
def test_a_run_goes_through_these_functions(recording: Path) -> None:
    with called() as functions:
        samples = evaluate(
            f"replay:{recording}", [Case("a", PROGRAM, CALL)], recipes=("decompose", "planned"), max_tokens=1024
        )
        table = summarize(samples)
    assert [name for _, name, _, _ in ROWS if code(resolve_name(name)) not in functions] == []
    assert code(find_unobserved_difference) in functions
    assert all(isinstance(sample, Sample) for sample in samples)
    assert said("asked again") == "; ".join(f"{one.attempt}: {one.verdict}" for one in samples)
    row = table.rows[0]
    assert said("report") == f"correct: {row.correct} of {row.asked}; after intervention: {row.after}"


@pytest.mark.medium
def test_the_prompt_has_the_call(recording: Path) -> None:
    posed = pose_question(Case("a", PROGRAM, CALL), "original", load_model(f"replay:{recording}"))
    assert isinstance(posed, PosedQuestion)
    assert said("prompt") == f"the program, with a `main` that returns `{CALL}`"
    assert posed.text.rstrip().endswith(f"\n    return {CALL}")
