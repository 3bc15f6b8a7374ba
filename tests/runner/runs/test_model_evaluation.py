"""A run from Python: the same refusals, records and folders as of `spellout run`."""

import json
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from libcst.codemod import VisitorBasedCodemodCommand

from analyze import trace_call
from corpora import Case, load
from corpora.errors import InputError
from rewrite.anf.intervention import StatementIntervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from runner import evaluate, load_model, read_run
from runner.backends.replay import Replay
from runner.cli import main
from runner.statistics.summary import summarize
from tests.models import SMALL_TRACER

ADD = "def f(x):\n    return x + 1\n"
NESTED = "def f(x):\n    return (x + 1) * (x + 2)\n"
ROWS = [{"id": "a", "code": ADD, "input": "1"}, {"id": "b", "code": NESTED, "input": "1"}]


@pytest.fixture
def recording(tmp_path: Path) -> Replay:
    """Right about the first row, wrong about the second."""
    outputs = [trace_call(ADD, "f(1)").text + "<|end_of_text|>", "nothing"]
    path = tmp_path / "outputs.jsonl"
    path.write_text("".join(json.dumps({"id": n, "output": o}) + "\n" for n, o in zip("ab", outputs, strict=True)))
    return Replay(path)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"recipes": ["letter"]}, "--recipe letter: unknown recipe"),
        ({"mode": "force"}, "--mode force: must be one of free, forced-actions, forced"),
        ({"decode": "fast"}, "--decode fast: must be one of verified, plain"),
        ({"prompt": "two-shot"}, "--prompt two-shot: must be one of bare, oneshot, direct"),
        ({"num_samples": 3}, "--num-samples 3: does not apply to greedy decoding"),
        ({"mode": "forced", "temperature": 1.0}, "--temperature 1.0: does not apply to --mode forced"),
        ({"max_tokens": 0}, "--max-tokens 0: must be at least 1"),
        ({"mode": "forced"}, "--mode forced: needs a model; a recording has only complete answers"),
        ({"mapping": {"code": "solution"}}, "none of its 2 rows could be read"),
        ({"generator_options": {"size": 3}}, "--num-programs 3: does not apply to a data set"),
    ],
)
def test_what_run_refuses_is_refused_before_anything_is_written(
    recording: Replay, tmp_path: Path, settings: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as found:
        evaluate(recording, ROWS, output=tmp_path / "run", **settings)
    assert said in str(found.value) and "\n" not in str(found.value)
    assert not (tmp_path / "run").exists()


def test_a_setting_that_there_is_not_is_a_type_error(recording: Replay) -> None:
    said = r"evaluate\(\) got an unexpected .* 'max_token' \(did you mean 'max_tokens'\?\)"
    with pytest.raises(TypeError, match=said):
        evaluate(recording, ROWS, max_token=3)


@pytest.mark.medium
def test_rows_in_memory_are_asked_about_and_rewritten(recording: Replay, tmp_path: Path) -> None:
    samples = evaluate(recording, ROWS, output=tmp_path / "run")
    assert [(s.id, s.attempt, s.verdict) for s in samples] == [
        ("a", "original", "correct"),
        ("b", "original", "incorrect"),
        ("b", "decompose", "not asked"),
    ]
    records = tmp_path / "run" / "samples.jsonl"
    lines = records.read_text().splitlines(keepends=True)
    for order in (lines, lines[::-1]):
        records.write_text("".join(order))
        assert read_run(tmp_path / "run") == samples, "whatever was answered first"
    assert evaluate(recording, ROWS, output=tmp_path / "run", recipes="decompose") == samples, "one recipe is a recipe"
    (row, *_) = summarize(samples).rows
    assert (row.benchmark, row.asked, row.correct) == ("rows", 2, 1)


def by_temporary(source: str) -> str:
    """A rewrite by a plain function."""
    return source.replace("return (x + 1)", "y = x + 1\n    return y")


class Reordered(VisitorBasedCodemodCommand):
    """`x + 2` as `2 + x`."""

    def leave_BinaryOperation(  # noqa: N802 - LibCST's name
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BinaryOperation:
        swapped = isinstance(updated_node.right, cst.Integer) and updated_node.right.value == "2"
        return updated_node.with_changes(left=updated_node.right, right=updated_node.left) if swapped else updated_node


class NamedResult(StatementIntervention):
    """Assigns what is returned to a variable, whose name is a setting."""

    name = "named_result"
    statements = (cst.Return,)

    def __init__(self, variable: str) -> None:
        super().__init__()
        self.variable = variable

    def claims(self, node: cst.Return, plan: LoweringPlan) -> bool:
        return isinstance(node.value, cst.BinaryOperation)

    def expand(self, node: cst.Return, steps: Lowering) -> cst.Return:
        assert node.value is not None
        steps.assign(self.variable, node.value)
        return cst.Return(cst.Name(self.variable))


def wrong(source: str) -> str:
    """A rewrite that the gate must drop."""
    return source.replace("x + 2", "x + 3")


@pytest.mark.medium
def test_the_gate_drops_a_function_that_computes_something_else(recording: Replay) -> None:
    (_, _, dropped) = evaluate(recording, ROWS, recipes=[wrong])
    assert (dropped.attempt, dropped.verdict, dropped.source) == ("wrong", "not asked", NESTED)
    assert dropped.rewrite is not None and "it does something else" in dropped.rewrite.left[0][1]
    assert dropped.reason.endswith("(`rewrite.left` says why)")


@pytest.mark.medium
def test_recipes_from_outside_are_named_in_the_records_and_the_report(recording: Replay, tmp_path: Path) -> None:
    recipes = [by_temporary, Reordered, NamedResult("found")]
    evaluate(recording, ROWS, output=tmp_path / "run", recipes=recipes)
    records = [json.loads(line) for line in (tmp_path / "run" / "samples.jsonl").read_text().splitlines()]
    sources = {record["attempt"]: record["source"] for record in records if record["id"] == "b"}
    assert sources == {
        "original": NESTED,
        "by_temporary": "def f(x):\n    y = x + 1\n    return y * (x + 2)\n",
        "reordered": "def f(x):\n    return (x + 1) * (2 + x)\n",
        "named_result": "def f(x):\n    found = (x + 1) * (x + 2)\n    return found\n",
    }
    report = (tmp_path / "run" / "report.md").read_text()
    assert all(name in report for name in sources)


def test_it_goes_on_with_its_folder_and_refuses_another_run_there(recording: Replay, tmp_path: Path) -> None:
    first = evaluate(recording, ROWS, output=tmp_path / "run", recipes=())
    assert evaluate(recording, ROWS, output=tmp_path / "run", recipes=()) == first
    with pytest.raises(InputError, match="has a run with --recipe none, not decompose"):
        evaluate(recording, ROWS, output=tmp_path / "run")


def test_without_a_folder_nothing_is_left(recording: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    before = set(tmp_path.rglob("*"))
    assert len(evaluate(recording, ROWS, recipes=())) == 2
    assert set(tmp_path.rglob("*")) == before


def test_the_backend_is_left_as_it_was(recording: Replay) -> None:
    evaluate(recording, ROWS, prompt="bare", recipes=())
    assert recording.prompt_formats == Replay.prompt_formats


@pytest.mark.medium
def test_cases_ask_what_the_command_line_asks_by_name(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    by_name = evaluate(
        str(SMALL_TRACER), "permutations", generator_options={"size": 2, "length": 2, "seed": 3}, recipes=()
    )
    cases: list[Case] = list(load("permutations", size=2, length=2, seed=3))
    in_memory = evaluate(load_model(str(SMALL_TRACER)), cases, recipes=())
    assert [s.output for s in by_name] == [s.output for s in in_memory] and len(by_name) == 2
    words = ["run", "permutations", "--num-programs", "2", "--length", "2", "--seed", "3", "--recipe", "none"]
    words += ["--model", str(SMALL_TRACER)]
    assert main([*words, "--output", str(tmp_path / "run")]) == 0
    assert read_run(tmp_path / "run") == by_name
