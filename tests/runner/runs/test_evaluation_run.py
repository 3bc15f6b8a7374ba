"""A run end to end on recorded outputs: asked, diagnosed, rewritten, checked, asked again, resumed."""

import io
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

import runner.runs.evaluation_run as experiment_module
import runner.runs.recording as records_module
from analyze import trace_call
from analyze.gold_trace.frames import frames_to_ids
from analyze.tokens.tokenizer import default_tokenizer
from corpora import Case
from runner.asking.backend import Backend
from runner.asking.generation import Generation, Prompt, Stopped
from runner.asking.prompts import PromptFormat
from runner.backends.replay import Replay
from runner.records.samples import Sample, SampleFile, read_samples
from runner.reports.run_report import RunInfo, write_report
from runner.runs.evaluation_run import EvaluationRun, EvaluationSettings

SOURCE = "def f(x):\n    return (x + 1) * (x + 2)\n"
CASE = Case("a", SOURCE, "f(1)", "6", benchmark="small")
END = "<|end_of_text|>"


def recording(path: Path, *rows: dict[str, str]) -> Replay:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Replay(path)


def experiment(folder: Path, backend: Replay, recipe: str = "decompose") -> EvaluationRun:
    progress = Progress(disable=True)
    return EvaluationRun(backend, EvaluationSettings(recipes=(recipe,)), SampleFile(folder / "samples.jsonl"), progress)


def right(source: str) -> str:
    return trace_call(source, "f(1)").text + END


def wrong(source: str) -> str:
    return right(source).replace('"6"', '"7"')


def run(folder: Path, output: str, *more: dict[str, str]) -> list[Sample]:
    backend = recording(folder / "outputs.jsonl", {"id": "a", "output": output}, *more)
    return experiment(folder, backend).run([CASE])


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_program_that_does_not_end_is_not_asked_and_says_why(tmp_path: Path) -> None:
    backend = recording(tmp_path / "o.jsonl", {"id": "a", "output": ""})
    (sample,) = experiment(tmp_path, backend).run([Case("a", "def f():\n    while True: pass\n", "f()")])
    assert sample.verdict == "not asked" and "no reference trace" in sample.reason


@pytest.mark.parametrize("broken", ["pose_question", "grade_trace"])
def test_a_case_that_breaks_the_run_is_a_record_and_the_others_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    module = experiment_module if broken == "pose_question" else records_module
    whole = getattr(module, broken)

    def breaks(first: Any, *others: Any) -> Any:
        if "odd" in (first.source if broken == "pose_question" else others[0].text):
            raise RecursionError("too deep\nby far")
        return whole(first, *others)

    monkeypatch.setattr(module, broken, breaks)
    backend = recording(
        tmp_path / "o.jsonl", {"id": "a", "output": right(SOURCE)}, {"id": "b", "output": "odd " + right(SOURCE)}
    )
    odd = Case("b", SOURCE + "# odd\n", "f(1)", benchmark="small")
    first, second = experiment(tmp_path, backend).run([CASE, odd])
    assert first.verdict == "correct" and second.verdict == "not asked"
    assert "RecursionError: too deep\\nby far" in second.reason
    assert [sample.verdict for sample in experiment(tmp_path, backend).run([CASE, odd])] == ["correct", "not asked"]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("program", "call", "asked"),
    [
        pytest.param("def f(x):\n    return x" + " and x" * 20_000, "f(1)", True, id="a long condition"),
        pytest.param("def f(x):\n    return " + "not " * 1_500 + "x", "f(1)", None, id="nested not"),
        pytest.param("def f(x):\n    return x", "f(1" + " and 1" * 20_000 + ")", True, id="a long call"),
        pytest.param("def f(x):\n    return x", f"f({'-' * 5_000}1)", None, id="a deep call"),
        pytest.param("def f(x):\n    return x" + ".a" * 900, "f(1)", None, id="many attributes"),
        pytest.param("def f(x):\n    return '\ud800'", "f(1)", None, id="a lone surrogate"),
    ],
)
def test_odd_programs_are_records_and_the_others_are_asked(
    tmp_path: Path, program: str, call: str, asked: bool | None
) -> None:
    """asked: None where that is the Python version's to say."""
    backend = recording(tmp_path / "o.jsonl", {"id": "a", "output": right(SOURCE)}, {"id": "b", "output": "x" + END})
    first, odd = experiment(tmp_path, backend).run([CASE, Case("b", program, call, benchmark="small")])[:2]
    assert first.verdict == "correct"
    assert odd.asked is asked or (asked is None and (odd.asked or odd.reason))


def test_a_program_that_depends_on_more_than_itself_is_kept_out_and_says_on_what(tmp_path: Path) -> None:
    backend = recording(tmp_path / "o.jsonl", {"id": "a", "output": "nonsense"})
    case = Case("a", "import time\ndef f():\n    return time.time(), list({'a', 'b', 'c', 'd'})\n", "f()")
    (sample,) = experiment(tmp_path, backend).run([case])
    assert sample.verdict == "not asked"
    assert sample.reason == "the program is nondeterministic: its result depends on time and hash order"


def test_a_failed_program_that_no_rewrite_changes_is_not_asked_again(tmp_path: Path) -> None:
    case = Case("a", "def f(x):\n    return x\n", "f(1)")
    backend = recording(tmp_path / "o.jsonl", {"id": "a", "output": "nonsense"})
    first, again = experiment(tmp_path, backend).run([case])
    assert first.verdict == "incorrect"
    assert again.verdict == "not asked" and again.rewrite and again.rewrite.checked == "unchanged"


def test_a_right_answer_is_not_rewritten(tmp_path: Path) -> None:
    (sample,) = run(tmp_path, right(SOURCE))
    assert (sample.verdict, sample.predicted, sample.reference) == ("correct", "6", "6")


def test_a_wrong_answer_is_diagnosed_rewritten_checked_and_asked_again(tmp_path: Path) -> None:
    first, again = run(tmp_path, wrong(SOURCE))
    assert first.verdict == "incorrect" and first.predicted == "7" and first.diagnosis
    assert first.diagnosis.kind == "return value"
    assert again.rewrite and again.rewrite.checked == "same" and again.source != SOURCE
    assert again.reason == "no recorded output"


@pytest.mark.medium
def test_an_answer_recovered_by_the_rewrite_is_counted(tmp_path: Path) -> None:
    _, again = run(tmp_path, wrong(SOURCE))
    row = {"id": "a", "attempt": "decompose", "output": right(again.source)}
    folder = tmp_path / "second"
    folder.mkdir()
    samples = run(folder, wrong(SOURCE), row)
    assert [sample.verdict for sample in samples] == ["incorrect", "correct"]
    table = write_report(folder, samples, RunInfo("", "replay", 8192, ("decompose",), (), 0.0))
    assert table.rows[0].recovered == 1
    assert "now answered correctly" in (folder / "report.md").read_text()
    assert json.loads((folder / "summary.json").read_text())["rows"][0]["recovered"] == 1


class Refusing(Replay):
    """A recording that must not be asked."""

    def generate(self, *_: object, **__: object) -> list[object]:  # type: ignore[override]
        raise AssertionError("asked again")


def test_the_same_run_again_asks_nothing_and_returns_the_same(tmp_path: Path) -> None:
    first = run(tmp_path, wrong(SOURCE))
    again = experiment(tmp_path, Refusing(tmp_path / "outputs.jsonl")).run([CASE])
    assert again == first


@pytest.mark.medium
@pytest.mark.parametrize("kept", [0, 1])
def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path, kept: int) -> None:
    first = run(tmp_path, wrong(SOURCE))
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:kept]) + '{"key": "cu')
    assert run(tmp_path, wrong(SOURCE)) == first
    assert len(path.read_text().splitlines()) == 2


class Writing(Backend):
    """A model that writes what it is told to, up to the limit of the question."""

    name = "writing"
    prompt_formats: tuple[PromptFormat, ...] = ("bare",)
    gives_ids = True

    def __init__(self, *ids: int) -> None:
        self.tokenizer = default_tokenizer()
        self.ids = ids
        self.limits: list[int] = []

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: object) -> list[Generation]:
        self.limits.append(max_tokens)
        ids = self.ids[:max_tokens]
        stopped: Stopped = "limit" if len(self.ids) >= max_tokens else "end"
        return [Generation(ids, self.tokenizer.decode(list(ids)), stopped) for _ in prompts]


def ask(folder: Path, backend: Writing, cases: list[Case], **settings: Any) -> list[Sample]:
    file = SampleFile(folder / f"{len(list(folder.iterdir()))}.jsonl")
    chosen = EvaluationSettings(**{"recipes": (), "max_tokens": 500, **settings})
    return EvaluationRun(backend, chosen, file, Progress(disable=True)).run(cases)


LOOP = Case("b", "def f(n):\n    for i in range(n):\n        pass\n", "f(9)", benchmark="small")


def test_an_answer_much_longer_than_its_trace_is_not_waited_for(tmp_path: Path) -> None:
    (sample,) = ask(tmp_path, Writing(*range(9000)), [CASE], stop_after=1.25)
    assert sample.reference_tokens
    assert sample.output_tokens == math.ceil(1.25 * sample.reference_tokens) < 500
    assert (sample.stopped, sample.verdict) == ("long", "truncated")


def test_every_answer_is_waited_for_unless_asked_otherwise(tmp_path: Path) -> None:
    (sample,) = ask(tmp_path, Writing(*range(9000)), [CASE])
    assert (sample.output_tokens, sample.stopped, sample.verdict) == (500, "limit", "truncated")


def test_the_limit_of_new_tokens_holds_all_the_same(tmp_path: Path) -> None:
    (sample,) = ask(tmp_path, Writing(*range(9000)), [CASE], stop_after=50.0)
    assert (sample.output_tokens, sample.stopped) == (500, "limit")


def test_a_right_answer_is_never_cut(tmp_path: Path) -> None:
    trace = trace_call(CASE.source, CASE.call)
    ids = frames_to_ids(trace.frames, default_tokenizer())
    (sample,) = ask(tmp_path, Writing(*ids), [CASE], stop_after=1.0001)
    assert (sample.verdict, sample.stopped, sample.output_tokens) == ("correct", "end", len(ids))


def test_an_answer_is_cut_at_the_same_place_whatever_stands_beside_it(tmp_path: Path) -> None:
    backend = Writing(*range(9000))
    together = ask(tmp_path, backend, [CASE, LOOP], stop_after=1.25)
    alone = [*ask(tmp_path, backend, [CASE], stop_after=1.25), *ask(tmp_path, backend, [LOOP], stop_after=1.25)]
    assert [(one.output, one.stopped) for one in together] == [(one.output, one.stopped) for one in alone]
    assert backend.limits[0] == max(backend.limits)


def test_an_answer_is_not_waited_for_once_it_can_no_longer_be_right(tmp_path: Path) -> None:
    garbage = default_tokenizer().encode("no trace at all, and so on " * 40)
    (sample,) = ask(tmp_path, Writing(*garbage), [CASE], stop_at_divergence=True)
    assert (sample.stopped, sample.verdict) == ("divergence", "incorrect") and sample.output_tokens < 40
    ids = frames_to_ids(trace_call(CASE.source, CASE.call).frames, default_tokenizer())
    (sample,) = ask(tmp_path, Writing(*ids), [CASE], stop_at_divergence=True)
    assert (sample.stopped, sample.verdict) == ("end", "correct")


def test_a_prompt_longer_than_the_context_is_not_asked_and_the_others_are(tmp_path: Path) -> None:
    long = Case("long", "def f(x):\n    return x\n" + "# so much\n" * 400, "f(1)", benchmark="small")
    backend = Writing(*range(9000))
    backend.context = 200
    asked, unasked = ask(tmp_path, backend, [CASE, long])
    assert asked.stopped == "context" and asked.output_tokens + asked.prompt_tokens == 200
    assert unasked.verdict == "not asked" and "exceeds the model's context of 200" in unasked.reason


class Down(Writing):
    """A server that does not answer at first."""

    up = False

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: object) -> list[Generation]:
        if self.up:
            return super().generate(prompts, max_tokens, on_token)
        return [Generation((), "", "failed", why="no server there") for _ in prompts]


def test_what_a_server_did_not_answer_is_in_no_figure_and_asked_again(tmp_path: Path) -> None:
    backend, file = Down(*range(90)), tmp_path / "samples.jsonl"
    settings = EvaluationSettings(recipes=(), max_tokens=50)
    (sample,) = EvaluationRun(backend, settings, SampleFile(file), Progress(disable=True)).run([CASE])
    assert (sample.verdict, sample.reason) == ("not asked", "no server there")
    backend.up = True
    (sample,) = EvaluationRun(backend, settings, SampleFile(file), Progress(disable=True)).run([CASE])
    assert sample.asked and sample.stopped == "limit"


class Narrow(Writing):
    """A model whose device holds so many questions at once, and of the odd ones none."""

    def __init__(self, most: int) -> None:
        super().__init__(1)
        self.most = most
        self.asked: list[int] = []

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: object) -> list[Generation]:
        import torch

        self.asked.append(len(prompts))
        if len(prompts) > self.most or any("odd" in prompt.source for prompt in prompts):
            raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB")
        return super().generate(prompts, max_tokens, on_token)


@pytest.mark.medium
@pytest.mark.model
@pytest.mark.parametrize("most", [1, 2, 3, 8])
def test_out_of_memory_halves_the_batch_and_loses_no_sample(tmp_path: Path, most: int) -> None:
    pytest.importorskip("torch")
    backend = Narrow(most)
    cases = [Case(str(number), SOURCE + f"# {number}\n", "f(1)") for number in range(7)]
    cases.insert(2, Case("odd", SOURCE + "# odd\n", "f(1)"))
    said = io.StringIO()
    progress = Progress(console=Console(file=said), disable=True)
    settings = EvaluationSettings(recipes=(), batch_size=8, max_tokens=4)
    found = EvaluationRun(backend, settings, SampleFile(tmp_path / "samples.jsonl"), progress).run(cases)
    assert [sample.id for sample in found] == [case.id for case in cases]
    assert [sample.id for sample in found if not sample.asked] == ["odd"]
    assert "with a batch of one" in found[2].reason
    assert "out of memory with batches of 8: retrying with 4" in said.getvalue()
    assert len(read_samples(tmp_path / "samples.jsonl")) == len(cases) and max(backend.asked) == 8


@pytest.mark.model
def test_another_failure_of_the_model_is_no_matter_of_memory(tmp_path: Path) -> None:
    class Broken(Writing):
        def generate(self, *_: Any) -> list[Generation]:
            raise RuntimeError("CUDA error: an illegal memory access was encountered")

    broken = EvaluationRun(
        Broken(1), EvaluationSettings(), SampleFile(tmp_path / "samples.jsonl"), Progress(disable=True)
    )
    with pytest.raises(RuntimeError, match="illegal memory access"):
        broken.run([CASE])
