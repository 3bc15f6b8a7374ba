"""The story of a run: the rule that selects a program, the frames up to the first divergence, and the table."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from analyze import diagnose, trace_call
from lab.demo_story import choose_program, main, print_story, table_rows, trace_lines
from runner.records.samples import Divergence, Sample
from runner.reports.debugger.believed_trace import believed_trace
from runner.terminal.console import PlainConsole
from tests.runner.statistics.test_summary import RIGHT, WRONG

SOURCE = "def f(a):\n    b = a + 1\n    return b * 2\n"
SAME = Divergence("none", None, "", "")
STATE = Divergence("state", 3, "2", "3")


def attempts(
    name: str, *, again: bool | None, control: bool | None, tokens: int = 9, exact: bool = True
) -> list[Sample]:
    """A failed sample; with the recipe and the control, each right or not, or not asked."""
    first = replace(WRONG, id=name, case_key=name, diagnosis=STATE, reference_tokens=tokens)
    found = [first]
    for attempt, right in (("decompose", again), ("placebo", control)):
        if right is not None:
            kind = SAME if right and exact else STATE
            verdict = "correct" if right else "incorrect"
            found.append(replace(first, attempt=attempt, verdict=verdict, diagnosis=kind))  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    ("others", "name", "words"),
    [
        ([], "good", "the 1 of 1 failed programs that are answered correctly after decompose, in each step, and not"),
        ([attempts("longer", again=True, control=False, tokens=99)], "good", "the 2 of 2 failed programs"),
        ([attempts("shorter", again=True, control=False, tokens=3)], "shorter", "the 2 of 2"),
        ([attempts("lucky", again=True, control=True, tokens=3)], "good", "the 1 of 2"),
        ([attempts("wrong step", again=True, control=False, tokens=3, exact=False)], "good", "the 1 of 2"),
        ([attempts("not asked", again=True, control=None, tokens=3)], "good", "the 1 of 2"),
    ],
)
def test_the_program_with_the_shortest_trace_that_only_the_recipe_repairs_is_shown(
    others: list[list[Sample]], name: str, words: str
) -> None:
    samples = [*attempts("good", again=True, control=False), *(one for other in others for one in other)]
    chosen = choose_program(samples, "decompose")
    assert chosen is not None and chosen.first.id == name and chosen.again is not None
    assert words in chosen.rule


@pytest.mark.parametrize(
    ("samples", "words"),
    [
        (attempts("a", again=True, control=True), "each is correct after the control too, or has a wrong step"),
        (attempts("a", again=False, control=True), "answered again after decompose, none of them correctly"),
        (attempts("a", again=None, control=True), "not changed by decompose"),
    ],
)
def test_without_a_good_example_the_rule_says_what_is_shown(samples: list[Sample], words: str) -> None:
    chosen = choose_program(samples, "decompose")
    assert chosen is not None and words in chosen.rule


def test_without_a_failure_there_is_nothing_to_show() -> None:
    assert choose_program([RIGHT], "decompose") is None


def test_the_frames_end_at_the_first_divergence() -> None:
    trace = trace_call(SOURCE, "f(1)")
    wrong = trace.text.replace('"b": "2"', '"b": "3"')
    assert wrong != trace.text
    lines = list(trace_lines(believed_trace(trace, wrong, diagnose(trace, wrong))))
    assert lines[-2].split() == ["line", "return", "b", "*", "2", "b:", "3"]
    assert lines[-1].strip() == "^ first divergence: b is 2"
    right = list(trace_lines(believed_trace(trace, trace.text, diagnose(trace, trace.text))))
    assert right[-1].split() == ["return", "return", "b", "*", "2", "return", "value:", "4"]


def test_the_table_counts_what_was_asked_again() -> None:
    samples = [RIGHT, *attempts("a", again=True, control=False), *attempts("b", again=None, control=True)]
    before, after, control = table_rows(samples, "decompose")
    assert before[1].startswith("1 of 3: 33.3 %") and before[2:] == ("", "")
    assert after[1].startswith("2 of 3: 66.7 %") and after[2:] == ("1", "1")
    assert control[1].startswith("2 of 3") and control[2:] == ("2", "1")


def test_the_story_fits_a_screen_and_shows_both_programs() -> None:
    trace = trace_call(SOURCE, "f(1)")
    first, again, control = attempts("a", again=True, control=False)
    wrong = trace.text.replace('"b": "2"', '"b": "3"')
    program = {"source": SOURCE, "call": "f(1)", "grading": "return", "reference": "4"}
    samples = [
        replace(first, output=wrong, **program),  # type: ignore[arg-type]
        replace(again, output=trace.text, **program),  # type: ignore[arg-type]
        replace(control, output=wrong, **program),  # type: ignore[arg-type]
    ]
    file = StringIO()
    print_story(samples, "decompose", Path("runs/demo"), PlainConsole(file=file, width=80))
    text = file.getvalue()
    assert len(text.splitlines()) < 50
    assert max(len(line) for line in text.splitlines() if line.startswith("  ")) <= 80
    for words in (
        "first divergence: b is 2",
        "(incorrect)",
        "(correct)",
        "spellout view runs/demo",
        "--id a",
        "after the control",
        "no rewrite can lose here",
    ):
        assert words in text


@pytest.mark.parametrize("is_exact", [True, False])
def test_the_story_says_if_a_correct_answer_has_a_wrong_step(is_exact: bool) -> None:
    trace = trace_call(SOURCE, "f(1)")
    first, again = attempts("a", again=True, control=None)
    wrong = trace.text.replace('"b": "2"', '"b": "3"')
    program = {"source": SOURCE, "call": "f(1)", "grading": "return", "reference": "4"}
    output = trace.text if is_exact else wrong
    samples = [replace(first, **program), replace(again, output=output, **program)]  # type: ignore[arg-type]
    file = StringIO()
    print_story(samples, "decompose", Path("runs/demo"), PlainConsole(file=file, width=80))
    assert ("The answer is correct although a step before it is wrong." in file.getvalue()) != is_exact


@pytest.mark.parametrize(("again", "said"), [(True, False), (False, True), (None, True)])
def test_the_story_says_if_no_program_is_repaired(again: bool | None, said: bool) -> None:
    program = {"source": SOURCE, "call": "f(1)", "grading": "return", "reference": "4"}
    samples = [replace(one, **program) for one in attempts("a", again=again, control=None)]  # type: ignore[arg-type]
    file = StringIO()
    print_story(samples, "decompose", Path("runs/demo"), PlainConsole(file=file, width=80))
    assert ("No failed program is answered correctly after decompose." in file.getvalue()) == said


def test_a_folder_without_records_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "samples.jsonl").write_text("")
    assert main([str(tmp_path)]) == 2
    assert main([str(tmp_path / "none")]) == 2
    assert [line.startswith("story: ") for line in capsys.readouterr().err.splitlines()] == [True, True]
