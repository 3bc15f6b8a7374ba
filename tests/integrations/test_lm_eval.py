"""The tasks of `integrations/lm_eval` in the real lm-evaluation-harness (extra `lm-eval`)."""

import json
from pathlib import Path
from typing import Any

import pytest

from analyze import trace_call
from runner.asking.prompts import prompt_text
from tests.places import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")
FOLDER = ROOT / "integrations" / "lm_eval"
ROWS = [
    {"id": "a", "code": "def f(x):\n    return x + 1\n", "input": "1", "output": "2"},
    {"id": "b", "code": "def f(x):\n    return x * 3\n", "input": "1", "output": "3"},
]


def evaluated(task: str, metadata: dict[str, object], answer: Any) -> tuple[float, list[str]]:
    """The accuracy that the harness reports, and the prompts that it asked."""
    lm_eval = pytest.importorskip("lm_eval", reason="needs the extra lm-eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    asked: list[str] = []

    class Scripted(LM):  # type: ignore[misc, unused-ignore]
        def generate_until(self, requests: list[Any], *_: object, **__: object) -> list[str]:
            asked.extend(request.args[0] for request in requests)
            return [answer(request.doc) for request in requests]

        def loglikelihood(self, *_: object, **__: object) -> Any:
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    manager = TaskManager(include_path=str(FOLDER), include_defaults=False, metadata=metadata)
    found = lm_eval.simple_evaluate(model=Scripted(), tasks=[task], task_manager=manager, bootstrap_iters=0)
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
