"""`spellout debug`: what it refuses, then outputs from a file, recorded outputs, a run and a model."""

import io
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from analyze import trace_call
from runner.cli import main
from tests.models import SMALL_TRACER
from tests.places import DATA, ROOT
from tests.runner.reports.viewer.runs import record, rewritten, write_run

SOURCE = "def f(x):\n    y = x + 1\n    return y\n"
OUTPUT = trace_call(SOURCE, "f(1)").text.replace('"y": "2"', '"y": "3"')
PAGE = ROOT / "docs" / "debug.md"
FAILURES = DATA / "cwm_failures_even.jsonl"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program, an output and recorded outputs, and no commands on standard input."""
    monkeypatch.chdir(tmp_path)
    type_commands(monkeypatch)
    Path("program.py").write_text(SOURCE)
    Path("output.txt").write_text(OUTPUT)
    row = {"id": "a", "code": SOURCE, "call": "f(1)", "output": OUTPUT}
    Path("outputs.jsonl").write_text("".join(json.dumps(row | {"id": name}) + "\n" for name in ("a", "b", "c", "d")))
    Path("twice.jsonl").write_text(f"{json.dumps(row)}\n" * 2 + "{\n")
    Path("unnamed.jsonl").write_text(json.dumps(row | {"id": None}) + "\n")
    Path("generations.json").write_text(json.dumps({"sample_0": ["1"]}))
    return tmp_path


def type_commands(monkeypatch: pytest.MonkeyPatch, *commands: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{command}\n" for command in commands)))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("- --call f(1) --model pocket", "standard input has the commands; write the program to a file"),
        ("program.py --model pocket", "name the call of a program with --call, or a recorded output with --id"),
        ("program.py --call f(1)", "name a model with --model, or a file with its answer with --answer"),
        ("program.py --call f( --answer output.txt", "--call f(: is not a Python expression"),
        ("unnamed.jsonl --id None", "unnamed.jsonl: no row has the field `id`"),
        ("outputs.jsonl --call f(1) --model pocket", "outputs.jsonl: is a data set, not a program"),
        ("program.py --call f(1) --answer missing.txt", "missing.txt: no such file"),
        ("program.py --call f(1) --answer outputs.jsonl", "spellout debug outputs.jsonl --id"),
        ("program.py --call g(1) --model nowhere", "the program does not define g; it defines f"),
        ("program.py --call f(1) --model nowhere", "unknown model"),
        ("outputs.jsonl --id e", "no output has the id 'e'; the ids are: a, b, c …"),
        ("outputs.jsonl --id a --attempt decompose", "a has no attempt 'decompose'; it has: original"),
        ("empty.jsonl --id a", "empty.jsonl"),
        ("program.py --call f(1) --answer output.txt --attempt original", "--attempt: needs --id"),
        ("program.py --call f(1) --answer output.txt --column id=name", "--column: needs --id"),
        ("program.py --call f(1) --answer output.txt --benchmark humaneval", "--benchmark: needs --id"),
        ("program.py --call f(1) --answer output.txt --max-tokens 9", "--max-tokens: needs --model"),
        ("outputs.jsonl --id a --call f(1)", "--call: does not apply to --id"),
        ("twice.jsonl --id a", "twice.jsonl: 2 outputs have the id 'a': number them (answer_index)"),
        ("twice.jsonl --id c", "the ids are: a; 1 row cannot be read, the first: twice.jsonl:3: "),
        ("generations.json --id sample_0", "generations.json"),
    ],
)
def test_what_cannot_be_debugged_is_refused_in_one_line(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["debug", *words.split()]) == 2
    captured = capsys.readouterr()
    assert message in captured.err and captured.out == ""
    assert len(captured.err.splitlines()) == 1


def test_a_nondeterministic_program_has_no_reference(capsys: pytest.CaptureFixture[str]) -> None:
    Path("program.py").write_text("import random\ndef f(x):\n    return random.random()\n")
    assert main(["debug", "program.py", "--call", "f(1)", "--answer", "output.txt"]) == 2
    assert "program.py: has no unique reference trace" in capsys.readouterr().err


def test_a_mistake_in_a_script_ends_it_with_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_commands(monkeypatch, "step", "print z")
    assert main(["debug", "program.py", "--call", "f(1)", "--answer", "output.txt"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "spellout: command 2: this frame has no variable 'z'; it has: none\n"
    assert "frame 1 of 7" in captured.out


@pytest.mark.parametrize("words", ["program.py --call f(1) --answer output.txt", "outputs.jsonl --id b"])
def test_an_output_is_stepped_through(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_commands(monkeypatch, "until divergence", "print y")
    assert main(["debug", *words.split()]) == 0
    printed = capsys.readouterr().out
    assert "frame 4 of 7, line 3 in f: the state differs" in printed
    assert printed.endswith("y (model): 3\ny (reference): 2\n")


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("", "no answer; the output is empty\n"),
        ("I do not know.\nSorry.", "no answer; no trace\n"),
        ("[ANSWER]\n5\n[/ANSWER]", "incorrect; no trace, read from [ANSWER] block\n"),
        ("[ANSWER]\n2\n[/ANSWER]", "correct; no trace, read from [ANSWER] block\n"),
    ],
)
def test_an_output_that_is_no_trace_is_judged_as_diagnose_judges_it(
    output: str, verdict: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("output.txt").write_text(output)
    assert main(["debug", "program.py", "--call", "f(1)", "--answer", "output.txt"]) == 0
    assert capsys.readouterr().out.startswith(verdict)


@pytest.mark.medium
def test_an_attempt_of_a_run_is_chosen_by_its_recipe(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(folder / "run", record(wrong="'worfw'"), rewritten())
    assert main(["debug", str(run), "--id", "reverse", "--attempt", "decompose"]) == 0
    assert capsys.readouterr().out.startswith("correct; no divergence")
    assert main(["debug", str(run), "--id", "reverse"]) == 0
    assert capsys.readouterr().out.startswith("incorrect; first divergence: return value at frame 4")


def test_one_of_several_sampled_answers_is_chosen_by_its_number(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [record(wrong="'worfw'"), record()]
    numbered = [replace(one, key=str(n), answer_index=n) for n, one in enumerate(answers)]
    run = str(write_run(folder / "run", *numbered))
    assert main(["debug", run, "--id", "reverse"]) == 2
    assert "2 outputs have the id 'reverse'; choose one: reverse#0, reverse#1\n" in capsys.readouterr().err
    assert main(["debug", run, "--id", "reverse#1"]) == 0
    assert capsys.readouterr().out.startswith("correct; no divergence")


@pytest.mark.medium
@pytest.mark.model
def test_a_model_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="torch is missing (extra model)")
    assert main(["debug", "program.py", "--call", "f(1)", "--model", str(SMALL_TRACER), "--max-tokens", "256"]) == 0
    assert "frame 0 of " in capsys.readouterr().out


@pytest.mark.skipif(not FAILURES.is_file(), reason="no recorded outputs of CWM (docs/published_data.md)")
@pytest.mark.slow
def test_every_recorded_output_of_cwm_can_be_stepped_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for row in map(json.loads, FAILURES.read_text(encoding="utf-8").splitlines()):
        type_commands(monkeypatch, "step 100000", "frame 0", "next", "print", "where", "list", "until divergence")
        status, printed = main(["debug", str(FAILURES), "--id", row["id"]]), capsys.readouterr().out
        assert status == (2 if "; no divergence\n" in printed else 0)
        assert "divergence" in printed or (not row["output"] and "the output is empty" in printed)


def test_the_page_shows_what_its_commands_print(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## Example")[2].partition("\n## ")[0]
    program, commands, shown = (block.partition("\n")[2] for block in section.split("```")[1::2])
    trace, script, debug = re.fullmatch(r"(.*) \| sed .*\n(.*) \|\n? *(.*)\n", commands, re.DOTALL).groups()  # type: ignore[union-attr]
    Path("program.py").write_text(program)
    assert main(shlex.split(trace)[1:]) == 0
    Path("output.txt").write_text(capsys.readouterr().out.replace("(2, 1)", "(3, 1)"))
    type_commands(monkeypatch, *shlex.split(script)[1].replace("\\n", "\n").splitlines())
    assert main(shlex.split(debug)[1:]) == 0
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == shown.splitlines()
