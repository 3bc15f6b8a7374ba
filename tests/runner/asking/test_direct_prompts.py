"""Direct answers: the paper's wording, and answers read and judged without a trace."""

from pathlib import Path

import pytest

from analyze import trace_call
from corpora import Case, load
from runner.asking.direct_prompts import OWN_WORDING, PAPER_WORDING, messages, read_answer, wording_of
from runner.asking.generation import Generation
from runner.cli import main
from runner.runs.grading import grade_direct_answer
from tests.models import SMALL_TRACER
from tests.places import SHARED

(SWAPS,) = load("permutations", length=8, size=1)
PROGRAM = Case("a", "def f(x):\n    return {'a': [x]}\n", "f(1)")
RAISES = Case("b", "def f(x):\n    return x[5]\n", "f([1])")


def test_the_prompt_of_s5_is_the_papers_word_for_word() -> None:
    paper = SHARED / "seeds" / "paper.txt"
    if not paper.exists():
        pytest.skip("no paper beside the project")
    _, _, text = paper.read_text(encoding="utf-8").partition("### System prompt\n")
    printed, _, rest = text.partition("### User prompt")
    (_, system), (_, user) = messages(SWAPS)
    assert " ".join(system.split()) == " ".join(printed.split())
    asked = rest.partition("\n")[2].partition("```")[0]
    first, last = asked.split("def execute_repl_trace", 1)[0].strip(), asked.strip().splitlines()[-1]
    assert user.startswith(first) and user.endswith(last)
    assert "print(" not in user and user.count("a, b, c, d, e =") == 8


def test_other_numbers_of_variables_have_their_own_names() -> None:
    (case,) = load("permutations", n=3, length=2, size=1)
    (_, system), (_, user) = messages(case)
    assert "Initializes 3 variables (a, b, c)" in system and user.endswith("in the format: a=X,b=X,c=X")
    assert (wording_of(case), wording_of(PROGRAM)) == (PAPER_WORDING, OWN_WORDING)


READ = "{'a': 4, 'b': 5, 'c': 2, 'd': 1, 'e': 3}"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a=4,b=5,c=2,d=1,e=3", READ),
        ("2. After: a=1,b=1,c=1,d=1,e=1\n\n**Answer:** a = 4, b = 5, c = 2, d = 1, e = 3\n", READ),
        ("a=4,b=5,c=2,d=1", None),
        ("", None),
        ("I cannot say.", None),
    ],
)
def test_an_assignment_is_read_from_the_last_line_that_has_all(text: str, answer: str | None) -> None:
    assert read_answer(text, SWAPS) == answer


def judged(case: Case, text: str, stopped: str = "end") -> str:
    trace = trace_call(case.source, case.call, case.grading)
    return grade_direct_answer(case, trace, Generation((), text, stopped)).verdict  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("case", "text", "verdict"),
    [
        pytest.param(PROGRAM, "Answer: {'a': [1]}", "correct", id="a value"),
        pytest.param(PROGRAM, "It is so.\nAnswer: 0\nAnswer: `{'a': [1]}`", "correct", id="the last answer counts"),
        pytest.param(PROGRAM, "Answer: {'a': [True]}", "incorrect", id="another type"),
        pytest.param(PROGRAM, "{'a': [1]}", "correct", id="the value alone"),
        pytest.param(PROGRAM, "I think\nthat it is 1", "not asked", id="no answer"),
        pytest.param(PROGRAM, "Answer: I cannot say", "not asked", id="prose"),
        pytest.param(RAISES, "Answer: IndexError", "correct", id="an exception"),
        pytest.param(RAISES, "Answer: IndexError('list index out of range')", "correct", id="with its text"),
        pytest.param(RAISES, "Answer: IndexError: list index", "correct", id="with its message"),
        pytest.param(PROGRAM, "Answer: {'a': [2 - 1]}", "correct", id="an expression of literals"),
        pytest.param(PROGRAM, "Answer: dict(a=[x])", "not asked", id="an expression that is not computed"),
        pytest.param(RAISES, "Answer: KeyError", "incorrect", id="another exception"),
        pytest.param(RAISES, "Answer: None", "incorrect", id="no exception"),
        pytest.param(SWAPS, "a=0,b=0,c=0,d=0,e=0", "incorrect", id="a wrong state"),
    ],
)
def test_direct_answers_are_judged_by_value(case: Case, text: str, verdict: str) -> None:
    assert judged(case, text) == verdict


def test_the_right_state_is_right_and_what_ran_out_is_truncated() -> None:
    truth = trace_call(SWAPS.source, SWAPS.call, "state").frames
    values = ",".join(f"{name}={value}" for name, value in eval(SWAPS.expected or "").items())
    assert truth and judged(SWAPS, values) == "correct"
    assert judged(SWAPS, "First, a is", "limit") == "truncated" and judged(SWAPS, "", "failed") == "not asked"


@pytest.mark.model
def test_a_model_that_does_not_chat_and_options_about_traces_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    words = [
        "run",
        "permutations",
        "--length",
        "1",
        "--num-programs",
        "1",
        "--model",
        str(SMALL_TRACER),
        "--prompt",
        "direct",
        "--output",
        str(tmp_path / "o"),
    ]
    assert main(words) == 2
    assert "has no chat template" in capsys.readouterr().err
    assert main([*words, "--mode", "forced-actions"]) == 2
    assert "asks for no trace" in capsys.readouterr().err
