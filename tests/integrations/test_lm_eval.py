"""The tasks of `integrations/lm_eval` in the real lm-evaluation-harness (extra `lm-eval`)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyze import trace_call
from runner.asking.prompts import prompt_text
from runner.interchange.recorded_samples import read_recorded
from tests.places import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")
FOLDER = ROOT / "integrations" / "lm_eval"
ROWS = [
    {"id": "a", "code": "def f(x):\n    return x + 1\n", "input": "1", "output": "2"},
    {"id": "b", "code": "def f(x):\n    return x * 3\n", "input": "1", "output": "3"},
]


def scripted(answer: Callable[[dict[str, Any]], str], asked: list[str]) -> Any:
    """A model of the harness with these answers, which notes the prompts that it is asked."""
    from lm_eval.api.model import LM

    class Scripted(LM):  # type: ignore[misc, unused-ignore]
        def generate_until(self, requests: list[Any], *_: object, **__: object) -> list[str]:
            asked.extend(request.args[0] for request in requests)
            return [answer(request.doc) for request in requests]

        def loglikelihood(self, *_: object, **__: object) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    return Scripted()


def evaluated(task: str, metadata: dict[str, object], answer: Any) -> tuple[float, list[str]]:
    """The accuracy that the harness reports, and the prompts that it asked."""
    lm_eval = pytest.importorskip("lm_eval", reason="needs the extra lm-eval")
    from lm_eval.tasks import TaskManager

    asked: list[str] = []
    manager = TaskManager(include_path=str(FOLDER), include_defaults=False, metadata=metadata)
    found = lm_eval.simple_evaluate(
        model=scripted(answer, asked), tasks=[task], task_manager=manager, bootstrap_iters=0
    )
    return found["results"][task]["correct,none"], asked


def right(row: dict[str, Any]) -> str:
    return trace_call(row["source"], row["call"]).text


def test_the_harness_asks_the_prompt_of_a_run_and_counts_right_answers(tmp_path: Path) -> None:
    path = tmp_path / "crux.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))

    def first_only(row: dict[str, Any]) -> str:
        return right(row) if row["id"] == "a" else "nonsense"

    accuracy, asked = evaluated("spellout_cruxeval", {"path": str(path)}, first_only)
    assert accuracy == 0.5
    from runner.runs.cases import load_cases

    assert asked == [prompt_text(case, "oneshot") for case in load_cases(str(path), [], None).cases]


def test_humaneval_is_a_task_too() -> None:
    accuracy, asked = evaluated("spellout_humaneval", {"rows": 3}, right)
    assert accuracy == 1.0 and len(asked) == 3


TASK = """\
task: spellout_test
dataset_path: json
dataset_kwargs: {{data_files: {{test: {path}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{code}}}}\\n\\nassert f({{{{input}}}}) == "
doc_to_target: "= {{{{output}}}}"
generation_kwargs: {{until: ["\\n\\n"], do_sample: false}}
metric_list: [{{metric: exact_match}}]
"""


def test_logged_samples_are_graded_without_a_model(tmp_path: Path) -> None:
    lm_eval = pytest.importorskip("lm_eval", reason="needs the extra lm-eval")
    from lm_eval.loggers import EvaluationTracker
    from lm_eval.tasks import TaskManager

    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "task.yaml").write_text(TASK.format(path=rows))
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    asked = {"tasks": ["spellout_test"], "task_manager": manager, "bootstrap_iters": 0, "log_samples": True}
    found = lm_eval.simple_evaluate(model=scripted(lambda row: "2", []), **asked)
    tracker = EvaluationTracker(output_path=str(tmp_path / "out"))
    samples = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=samples)
    tracker.save_results_samples(task_name="spellout_test", samples=samples["spellout_test"])
    (path,) = tmp_path.glob("out/**/samples_*.jsonl")
    recorded = read_recorded(path)
    assert recorded.format == "lm-evaluation-harness" and not recorded.unmatched
    assert {(one.id, one.verdict) for one in recorded.samples} == {("a", "correct"), ("b", "incorrect")}
