"""The task of `integrations/inspect_ai` and `export --to inspect_ai`, in the real inspect_ai (extra `inspect`)."""

import json
from pathlib import Path

import pytest

from analyze import trace_call
from corpora.errors import InputError
from runner.cli import main
from runner.interchange.questions import grade, questions
from runner.interchange.recorded_samples import read_recorded
from tests.places import ROOT

pytestmark = pytest.mark.filterwarnings("ignore")
TASKS = ROOT / "integrations" / "inspect_ai" / "tasks.py"
ADD = "def f(x):\n    return x + 1\n"
TIMES = "def f(x):\n    return x * 3\n"
ROWS = [{"id": name, "code": code, "input": "1"} for name, code in (("a", ADD), ("b", TIMES), ("a", TIMES + "# 2\n"))]


def written(folder: Path) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def test_questions_have_the_prompt_and_are_graded_by_execution(tmp_path: Path) -> None:
    rows = list(questions(str(written(tmp_path))))
    assert [row["id"] for row in rows] == ["a", "b", "a"] and all("def main()" in row["prompt"] for row in rows)
    assert grade(rows[0], trace_call(ADD, "f(1)").text).correct
    assert not grade(rows[0], "nonsense").correct
    (bare,) = questions(str(written(tmp_path)), 1, "bare")
    assert bare["prompt"].startswith("<|begin_of_text|><|trace_context_start|>")


def test_the_task_is_asked_and_scored_by_inspect(tmp_path: Path) -> None:
    inspect_ai = pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    from inspect_ai.model import ModelOutput, get_model

    said = [trace_call(ADD, "f(1)").text, trace_call(TIMES, "f(1)").text, "nonsense"]
    model = get_model("mockllm/model", custom_outputs=[ModelOutput.from_content("mock", text) for text in said])

    async def count(text: str) -> int:
        return len(text)  # its own way fetches a vocabulary from the network

    model.api.count_text_tokens = count  # type: ignore[method-assign, unused-ignore]
    asked = {"task_args": {"benchmark": str(written(tmp_path))}, "model": model, "log_dir": str(tmp_path / "logs")}
    (log,) = inspect_ai.eval(f"{TASKS}@output_prediction", **asked, display="none", max_connections=1)
    assert log.error is None, log.error
    assert log.status == "success" and [s.scores["execution"].value for s in log.samples] == ["C", "C", "I"]
    assert log.results.scores[0].metrics["accuracy"].value == pytest.approx(2 / 3)
    assert log.eval.model_generate_config.stop_seqs or log.plan.config.stop_seqs == ["[/ANSWER]"]


def run(folder: Path, *options: str) -> Path:
    outputs, out = folder / "outputs.jsonl", folder / "run"
    said = [
        {**ROWS[0], "output": trace_call(ADD, "f(1)").text + "<|end_of_text|>"},
        {**ROWS[1], "output": "nonsense"},
    ]
    rows = [{**row, "answer_index": seed} for row in said for seed in (None, 0, 1)]
    outputs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["run", str(written(folder)), "--model", f"replay:{outputs}", "--recipe", "none", "--output", str(out)]
    assert main([*words, *options]) == 0
    return out


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_a_run_is_read_back_by_inspect(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    from inspect_ai.log import read_eval_log

    path = tmp_path / f"log{suffix}"
    assert main(["export", str(run(tmp_path)), "--to", "inspect_ai", "--output", str(path)]) == 0
    log = read_eval_log(str(path))
    assert log.status == "success" and log.results and log.samples
    (score,) = log.results.scores
    assert (score.metrics["accuracy"].value, score.scored_samples, score.unscored_samples) == (0.5, 2, 1)
    by_value = {sample.scores["spellout"].value: sample for sample in log.samples if sample.scores}
    assert by_value["C"].target == "2" and by_value["I"].output.completion == "nonsense"
    (unasked,) = [sample for sample in log.samples if not sample.scores]
    assert unasked.error and "no recorded output" in unasked.error.message
    assert len({(sample.id, sample.epoch) for sample in log.samples}) == 3, "ids that come twice are told apart"
    assert log.eval.metadata and log.eval.metadata["spellout_run"]["max_tokens"] == 8192


def test_answers_drawn_are_epochs(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    from inspect_ai.log import read_eval_log

    out = run(tmp_path, "--temperature", "0.5", "--num-samples", "2")
    assert main(["export", str(out), "--to", "inspect_ai", "--output", str(tmp_path / "log.eval")]) == 0
    log = read_eval_log(str(tmp_path / "log.eval"))
    assert log.eval.config.epochs == 2 and {sample.epoch for sample in log.samples or ()} == {1, 2}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "inspect_ai"], "needs the folder of a run"),
        (["RUN", "--to", "inspect_ai", "--recipe", "decompose"], "has no attempt decompose; its attempts are original"),
        (["RUN", "--to", "inspect_ai", "--output", "log.txt"], "must end in .eval or .json"),
        (["nowhere", "--to", "inspect_ai"], "is not the folder of a run"),
        (["RUN", "--to", "evalplus"], "does not apply to --to evalplus"),
    ],
)
def test_what_cannot_be_exported_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    out = run(tmp_path)
    assert main(["export", *(str(out) if word == "RUN" else word for word in words)]) == 2
    assert said in " ".join(capsys.readouterr().err.split())


def test_a_missing_package_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from runner.interchange.inspect_log import write_log
    from runner.records.run_folder import read_run

    monkeypatch.setitem(__import__("sys").modules, "inspect_ai.log", None)
    samples = read_run(run(tmp_path))
    with pytest.raises(InputError, match=r"pip install '\.\[inspect\]'"):
        write_log(samples, {}, 0.0, tmp_path / "x.eval")


@pytest.mark.parametrize("suffix", [".eval", ".json"])
def test_a_log_of_inspect_is_graded_without_a_model(tmp_path: Path, suffix: str) -> None:
    log = pytest.importorskip("inspect_ai.log", reason="needs the extra inspect")
    path = tmp_path / f"log{suffix}"
    assert main(["export", str(run(tmp_path)), "--to", "inspect_ai", "--output", str(path)]) == 0
    logged = log.read_eval_log(str(path)).samples
    found = read_recorded(path)
    assert found.format == "inspect_ai"
    assert len(found.samples) == sum(sample.error is None for sample in logged)
    assert {sample.verdict for sample in found.samples} <= {"correct", "incorrect", "truncated"}
