"""The command line as users see it: output, error messages, exit status; as a process with closed or full streams."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest

from analyze.gold_trace import trace
from analyze.risk import steps
from rewrite.equivalence import coverage
from rewrite.evidence import gather
from runner.cli import build_parser, command_module, command_names, main
from tests.places import ROOT


@dataclass(frozen=True)
class CommandResult:
    returncode: int
    stdout: str
    stderr: str


def spellout(*arguments: str) -> CommandResult:
    """Runs a command in this process, which saves a second of imports per command."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr), contextlib.chdir(ROOT):
        try:
            status = main(arguments)
        except SystemExit as end:  # argparse
            status = end.code if isinstance(end.code, int) else 0
    return CommandResult(status, stdout.getvalue(), stderr.getvalue())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "no-such-benchmark"], "no-such-benchmark"),
        (["run", "humaneval", "--model", "nonsense"], "unknown model"),
        (["run", "humaneval", "--recipe", "nonsense"], "unknown recipe"),
        (["run", "missing.jsonl"], "missing.jsonl"),
        (["run", "runner/cli.py", "--model", "pocket"], "runner/cli.py: is a program, not a data set"),
        (["experiment", "effect", "--model", "nonsense"], "unknown model"),
        (["report", "no-such-run"], "no-such-run: is not the folder of a run"),
        (["rewrite", "a.py", "", "--write"], "spellout: PATH: must not be empty"),
        (["plan", "", "--call", "f()"], "spellout: FILE|DATASET: must not be empty"),
        (["report", "a", "--figures", ""], "spellout: --figures: must not be empty"),
        (["corpora", "make", "demo", "--output="], "spellout: --output: must not be empty"),
        (["trace", "\x1b[2J.py", "--call", "1"], "\\x1b[2J.py: no such file"),
        (["trace", "[/x].py", "--call", "1"], "[/x].py: no such file"),
        (["trace", "\udcff.py", "--call", "1"], "\\udcff.py: no such file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = spellout(*arguments)
    assert done.returncode == 2
    assert done.stdout == "" and says in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_an_option_without_a_value_is_not_an_empty_one() -> None:
    given = build_parser(["traces"]).parse_args(["traces", "a.jsonl", "--output", "a", "--ray"])
    assert given.ray == ""


@pytest.mark.parametrize("name", command_names())
def test_an_unknown_option_prints_the_usage_of_that_command(name: str) -> None:
    given = {
        "corpora": ["make", "zoo"],
        "trace": ["x", "--call=x"],
        "experiment": ["list"],
        "export": ["--to=evalplus"],
        "traces": ["x", "--output=y"],
    }
    done = spellout(name, *given.get(name, ["x"] * 2), "--no-such-option")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"usage: spellout {name} ") and "--no-such-option" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["audit", "x", "--fail-on", "much"], "'much' is not a severity from 0 to 1, 'warning', a class or 'labels'"),
        (["audit", "x", "--min-severity", "nan"], "'nan' is not a severity from 0 to 1"),
        (["audit", "x", "--show", "-1"], "'-1' is not an integer of at least 0"),
        (["trace", "x", "--call", "f()", "--seconds", "0"], "'0' is not a positive number of seconds"),
        (["corpora", "show", "zoo", "--index", "many"], "'many' is not an integer of at least 0"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_value_is_told_in_words_and_no_private_name(arguments: list[str], says: str) -> None:
    done = spellout(*arguments)
    assert done.returncode == 2 and done.stderr.endswith(f": {says}\n")


def test_the_version() -> None:
    command = [sys.executable, "-m", "runner.cli", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    assert done.returncode == 0 and done.stdout == f"spellout {version('spellout')}\n"


@pytest.mark.medium
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["corpora", "list"], ["corpora", "make", "zoo"], ["trace", "-", "--call", "f()"]],
    ids=" ".join,
)
def test_output_that_cannot_be_written_is_one_line_and_exit_2(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "runner.cli", *arguments]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, input="def f(): pass\n", cwd=ROOT, check=False
        )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "spellout: standard output: No space left on device"


@pytest.mark.medium
@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["corpora", "make", "zoo"], ["audit", "-", "--static", "--jobs", "1"]],
    ids=lambda a: a[0],
)
def test_a_reader_that_has_seen_enough_is_no_error(arguments: list[str]) -> None:
    command = [sys.executable, "-m", "runner.cli", *arguments]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        rows = '{"code": "def f(s):\\n    return s.find(\'a\')", "input": "\'banana\'"}\n'
        done = subprocess.run(
            command, stdout=closed, stderr=subprocess.PIPE, text=True, input=rows, cwd=ROOT, timeout=120, check=False
        )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr and "Broken pipe" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["rewrit", "x.py"], "rewrite"),
        (["audit", "x.jsonl", "--tokeniser", "llama-3"], "--tokenizer"),
        (["audit", "x.jsonl", "--format", "htlm"], "html"),
        (["experiment", "tabel1"], "table1"),
        (["run", "humanevl"], "humaneval"),
        (["run", "humaneval", "--recipe", "decompse"], "decompose"),
        (["run", "humaneval", "--model", "pockte"], "pocket"),
        (["rewrite", "x.py", "--recipe", "decompse"], "decompose"),
        (["corpora", "show", "zo"], "zoo"),
        (["corpora", "show", "zoo", "--set", "dept=2"], "depth"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_unknown_name_is_told_with_the_one_that_was_probably_meant(arguments: list[str], meant: str) -> None:
    done = spellout(*arguments)
    assert done.returncode == 2 and f"did you mean {meant!r}?" in done.stderr


def test_an_unknown_command_is_refused_by_name() -> None:
    done = spellout("nonsense")
    assert done.returncode == 2 and "invalid choice: 'nonsense'" in done.stderr


def test_help_names_every_command() -> None:
    done = spellout("--help")
    assert done.returncode == 0 and {"run", "report"} <= set(command_names())
    assert all(re.search(rf"^    {name}( |$)", done.stdout, re.MULTILINE) for name in command_names())


@pytest.mark.parametrize("name", command_names())
def test_the_examples_of_every_command_parse(name: str) -> None:
    examples = command_module(name).EXAMPLES.strip().splitlines()
    assert examples
    for example in examples:
        command = example.strip().split("   ")[0].split(" > ")[0].split(" < ")[0]  # a column of its own explains
        for words in (shlex.split(part, comments=True) for part in re.split(r" \| | && ", command)):
            if words[:1] == ["spellout"]:
                build_parser([words[1]]).parse_args(words[1:])


def test_the_observers_that_commands_load_beforehand_are_those_that_they_use() -> None:
    known = {module.OBSERVER for module in (steps, trace, coverage, gather)}
    named = {one for name in command_names() for one in getattr(command_module(name), "OBSERVERS", ())}
    assert named == known


@pytest.mark.medium
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_full_place_for_output_is_exit_2(tmp_path: Path, stream: str) -> None:
    with Path("/dev/full").open("w") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        arguments = ["corpora", "list"] if stream == "stdout" else ["report", str(tmp_path / "a\nb")]
        command = [sys.executable, "-m", "runner.cli", *arguments]
        done = subprocess.run(command, **streams, text=True, cwd=ROOT, timeout=120, check=False)  # type: ignore[call-overload]
    assert done.returncode == 2
    assert stream == "stderr" or len(done.stderr.splitlines()) == 1


def test_an_error_is_one_line_whatever_the_name(tmp_path: Path) -> None:
    done = spellout("report", str(tmp_path / "a\nb\x1b[31m"))
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "\x1b" not in done.stderr
