"""What a program, a row or a file name contains steers no terminal, whichever command shows it; data stay exact."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from runner.cli import main

TITLE, ERASE, REVERSED = "\x1b]0;evil\x07", "\x08\x9b2K", "\u202e"
MESSAGE = TITLE + ERASE + REVERSED + "\r\nequivalent: no difference found"
SOURCE = f'''def f(s):
    """{TITLE}"""
    t = s + "{ERASE}{REVERSED}"  # {TITLE}
    if s == "a":
        raise ValueError({MESSAGE!r})
    return (t + "b").find("{ERASE}")
'''
OTHER = SOURCE.replace(repr(MESSAGE), repr(MESSAGE + "!"))
CALLS = ["--call", "f('a')", "--call", f"f('{ERASE}')"]


class Terminal(io.StringIO):
    """Standard output or error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "b.py").write_text(OTHER, encoding="utf-8")
    row = {"id": TITLE, "code": SOURCE, "call": "f('a')", "expected": ERASE, TITLE: 1}
    answer = row | {"output": f"{TITLE}<|call_sep|>{ERASE}", "call": "f('b')"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({TITLE: MESSAGE}) + "\n")
    (tmp_path / "outputs.jsonl").write_text(json.dumps(answer) + "\n")
    (tmp_path / f"{TITLE}.py").write_text(f"def f({ERASE}:\n", encoding="utf-8")
    return tmp_path


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("verify", "a.py", "b.py", *CALLS, "--examples", "3"),
    ("verify", "a.py", "a.py", *CALLS, "--examples", "3"),
    ("trace", "a.py", "--call", "f('a')"),
    ("trace", "a.py", "--call", "f('a')", "--format", "cwm"),
    ("trace", "a.py", "--call", "f('a')", "--format", "json"),
    ("plan", "a.py", *CALLS, "--explain", "--examples", "0"),
    ("rewrite", "a.py", "--explain"),
    ("rewrite", "a.py", "--diff", *CALLS[:2]),
    ("rewrite", "a.py", "b.py", "--recipe", "methods"),
    ("rewrite", f"{TITLE}.py"),
    ("rewrite", "rows.jsonl", "--output", "new.jsonl"),
    ("audit", "a.py", "--verbose"),
    ("audit", f"{TITLE}.py"),
    ("audit", "rows.jsonl", "--verbose"),
    ("assess", "a.py", *CALLS),
    ("assess", "rows.jsonl"),
    ("diagnose", "outputs.jsonl"),
    ("report", "outputs.jsonl"),
    ("verify", f"{TITLE}.py", "a.py"),
    ("trace", "a.py", "--call", TITLE),
    ("rewrite", "a.py", "--recipe", TITLE),
    ("traces", "rows.jsonl", "--output", "traces"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command).replace(TITLE, "TITLE")[:60])
@pytest.mark.parametrize("colour", [True, False])
def test_no_command_lets_a_program_steer_the_terminal(
    command: tuple[str, ...], colour: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command[0] == "traces":
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "" if colour else "1")
    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", shown)
    monkeypatch.setattr(sys, "stderr", shown)
    assert main(list(command)) in (0, 1, 2, 3)
    text = shown.getvalue()
    assert text
    for steering in ("\x1b]", "\x07", "\x08", "\x9b", REVERSED):
        assert steering not in text
    assert "internal error" not in text
    assert [line for line in text.splitlines() if line.startswith("equivalent: no difference found")] == []


DATA = (("rewrite", "a.py"), ("rewrite", "a.py", "--diff"), ("trace", "a.py", "--call", "f('b')", "--format", "cwm"))


@pytest.mark.parametrize("command", DATA, ids=" ".join)
def test_in_a_pipe_data_are_exact(
    command: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    main(list(command))
    assert f'"{ERASE}{REVERSED}"  # {TITLE}' in capsys.readouterr().out


def test_a_form_feed_does_not_split_a_line_of_a_diff(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "p.py"
    program.write_text("def f(a):\n    x = 'b\x0cc\x1cd'\n    return (a + 1) * 2\n")
    main(["rewrite", str(program), "--diff"])
    assert "     x = 'b\x0cc\x1cd'\n" in capsys.readouterr().out
