"""`spellout rewrite`: exit statuses, what goes where, files that are written whole or not at all."""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path

import pytest

from corpora.errors import InputError
from runner.commands import rewrite as command

SOURCE = "def f(a):\n    return len(a) + 1\n"
AFTER = "def f(a):\n    _t0 = len(a)\n    return _t0 + 1\n"


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args(words))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_an_unknown_recipe_is_refused(program: Path) -> None:
    with pytest.raises(InputError, match="no recipe 'typo'"):
        run(str(program), "--recipe", "typo")


def test_what_does_not_parse_is_named_with_line_and_column_and_the_others_are_done(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n", encoding="utf-8")
    missing = tmp_path / "missing.py"
    assert run(str(broken), str(missing), str(program)) == 2
    said = capsys.readouterr()
    assert said.out == AFTER
    assert said.err.splitlines() == [
        f"spellout: {broken}:1:7: invalid syntax",
        f"spellout: {missing}: No such file or directory",
    ]


def test_check_says_what_would_change_and_changes_nothing(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(program), "--check") == 1
    assert capsys.readouterr().out == f"{program}\n"
    assert program.read_text(encoding="utf-8") == SOURCE
    program.write_text(AFTER, encoding="utf-8")
    assert run(str(program), "--check") == 0


def test_write_changes_the_file_and_keeps_its_mode_and_line_ends(program: Path) -> None:
    program.write_bytes(SOURCE.replace("\n", "\r\n").encode())
    program.chmod(0o755)
    assert run(str(program), "--write") == 0
    assert program.read_bytes() == AFTER.replace("\n", "\r\n").encode()
    assert program.stat().st_mode & 0o777 == 0o755
    assert list(program.parent.iterdir()) == [program]


@pytest.mark.parametrize(
    ("head", "encoding"),
    [("", "utf-8-sig"), ("# -*- coding: latin-1 -*-\n", "latin-1"), ("# coding: cp1252\n", "cp1252")],
)
def test_write_keeps_the_encoding_that_the_file_declares(program: Path, head: str, encoding: str) -> None:
    program.write_bytes((head + SOURCE + "# é\n").encode(encoding))
    assert run(str(program), "--write") == 0
    assert program.read_bytes() == (head + AFTER + "# é\n").encode(encoding)


def test_write_follows_a_link_and_keeps_it(program: Path) -> None:
    link = program.parent / "link.py"
    link.symlink_to(program)
    assert run(str(link), "--write") == 0
    assert link.is_symlink()
    assert program.read_text(encoding="utf-8") == AFTER


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"# coding: typo\n", "unknown encoding: typo"),
        (b"x = '\xff'\n", "invalid or missing encoding declaration"),
        (b"\n\nx = '\xff'\n", "invalid start byte"),
    ],
)
def test_what_cannot_be_decoded_is_refused(
    program: Path, content: bytes, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_bytes(content)
    assert run(str(program)) == 2
    assert reason in capsys.readouterr().err
    assert program.read_bytes() == content


def test_a_file_that_cannot_be_written_is_named_and_the_others_are_done(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other" / "program.py"
    other.parent.mkdir()
    other.write_text(SOURCE, encoding="utf-8")
    real = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if target == other:
            raise PermissionError(1, "Operation not permitted")
        return real(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    assert run(str(other), str(program), "--write") == 2
    said = capsys.readouterr()
    assert said.err == f"spellout: {other}: Operation not permitted\n"
    assert said.out == f"{program}\n"
    assert other.read_text(encoding="utf-8") == SOURCE
    assert list(other.parent.iterdir()) == [other]
    assert program.read_text(encoding="utf-8") == AFTER


def test_diff_shows_the_change(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(program), "--diff") == 0
    assert "-    return len(a) + 1\n+    _t0 = len(a)\n" in capsys.readouterr().out


def test_explain_names_the_rule_of_each_change_and_what_was_left(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(SOURCE + "class A(B):\n    x = len(str(1))\n", encoding="utf-8")
    assert run(str(program), "--explain") == 0
    assert capsys.readouterr().err.splitlines() == [
        f"{program}:2:12: temporaries: len(a)",
        f"{program}:4: left alone, a value: class body: a temporary may become an attribute",
    ]


def test_standard_input_and_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(SOURCE))
    assert run("-", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["source"] == AFTER
    change = {"intervention": "temporaries", "line": 2, "column": 12, "expression": "len(a)"}
    assert record["applied"] == [change]
    assert record["origins"] == [1, 2, 2]
    assert record["positions"] == [[1, 1], [2, 12], [2, 5]]
