"""The command line as a user meets it: a real process, its streams and its exit status."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from runner.cli import build_parser, command_module, command_names

ROOT = Path(__file__).parents[2]


def spellout(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "runner.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, cwd=ROOT, timeout=120, check=False)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "no-such-benchmark"], "no-such-benchmark"),
        (["run", "humaneval", "--model", "nonsense"], "unknown model"),
        (["run", "humaneval", "--recipe", "nonsense"], "unknown recipe"),
        (["run", "missing.jsonl"], "missing.jsonl"),
        (["report", "no-such-run"], "no-such-run: no samples.jsonl there"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_line_and_exit_2(arguments: list[str], says: str) -> None:
    done = spellout(*arguments)
    assert done.returncode == 2
    assert done.stdout == "" and says in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


def test_an_unknown_command_is_refused_by_name() -> None:
    done = spellout("nonsense")
    assert done.returncode == 2 and "invalid choice: 'nonsense'" in done.stderr


def test_help_names_every_command() -> None:
    done = spellout("--help")
    assert done.returncode == 0 and {"run", "report"} <= set(command_names())
    assert all(f"  {name} " in done.stdout for name in command_names())


@pytest.mark.parametrize("name", command_names())
def test_the_examples_of_every_command_parse(name: str) -> None:
    examples = command_module(name).EXAMPLES.strip().splitlines()
    assert examples
    for example in examples:
        command = example.strip().split("   ")[0].split(" > ")[0].split(" < ")[0]  # a column of its own explains
        for words in (shlex.split(part, comments=True) for part in command.split(" | ")):
            if words[:1] == ["spellout"]:
                build_parser([words[1]]).parse_args(words[1:])
