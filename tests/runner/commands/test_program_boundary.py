"""One program that breaks the work on it costs no other: every command reports it, does the rest and exits with 2."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from analyze.auditing import audit as auditing
from analyze.auditing.row_strings import audit_units
from rewrite.rewriting import rewrite_with
from runner.batch_rewriting import process
from runner.cli import main

GOOD = "def f(a):\n    return (a + 1) * 2\n"
REWRITTEN = "def f(a):\n    _t0 = a + 1\n    return _t0 * 2\n"
BAD = "def f(a):\n    spam = 1\n    return (a + 1) * 2\n"


def breaks(error: BaseException | None) -> Any:
    """`rewrite_once` that raises an exception for the program with `spam`; None kills the process."""
    whole = rewrite_with

    def faulty(once: Any, source: str, *arguments: Any) -> Any:
        if "spam" not in source:
            return whole(once, source, *arguments)
        if error is None:
            os.kill(os.getpid(), signal.SIGKILL)
        raise error  # type: ignore[misc]

    return faulty


@pytest.fixture
def rows(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl"
    lines = [{"id": name, "code": code, "input": "1"} for name, code in (("a", GOOD), ("b", BAD), ("c", GOOD))]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(path)


ERRORS = [
    ValueError("zip()"),
    SyntaxError("newer"),
    RecursionError("deep"),
    UnicodeError("no"),
    KeyError("x"),
    MemoryError(),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_a_row_whose_rewrite_breaks_is_written_unchanged(
    error: Exception, rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(process, "rewrite_with", breaks(error))
    assert main(["rewrite", rows, "--output", str(tmp_path / "out.jsonl")]) == 2
    made = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["code"] for row in made] == [REWRITTEN, BAD, REWRITTEN]
    assert type(error).__name__ in made[1]["rewrite"]["error"]
    said = capsys.readouterr().err
    assert re.search(rf"rows\.jsonl:2: [a-z ]+: {type(error).__name__}", said)
    assert "1 row of 3 failed; the first is" in said
    assert "Traceback" not in said


def test_some_failed_rows_can_be_tolerated(rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "rewrite_with", breaks(ValueError("zip()")))
    assert main(["rewrite", rows, "--output", str(tmp_path / "out.jsonl"), "--max-bad", "1"]) == 0


def test_a_file_whose_rewrite_breaks_costs_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, source in (("a", GOOD), ("b", BAD), ("c", GOOD)):
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    monkeypatch.setattr(process, "rewrite_with", breaks(ValueError("zip()")))
    assert main(["rewrite", str(tmp_path), "--write"]) == 2
    assert [(tmp_path / f"{name}.py").read_text(encoding="utf-8") for name in "abc"] == [REWRITTEN, BAD, REWRITTEN]
    said = capsys.readouterr()
    assert f"spellout: {tmp_path / 'b.py'}: internal error: ValueError: zip()" in said.err
    assert main(["rewrite", str(tmp_path / "b.py"), "--debug"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_a_row_whose_plan_breaks_is_named(
    rows: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = process.RewriteProcess.plan

    def plan(self: process.RewriteProcess, source: str, *arguments: Any, **options: Any) -> Any:
        if "spam" in source:
            raise TypeError("super(type, obj)")
        return whole(self, source, *arguments, **options)

    monkeypatch.setattr(process.RewriteProcess, "plan", plan)
    assert main(["plan", rows, "--examples", "0"]) == 2
    said = capsys.readouterr()
    assert [line.partition(":")[0] for line in said.out.splitlines()[:2]] == ["a", "c"]
    assert "rows.jsonl:2: internal error: TypeError: super(type, obj)" in said.err


def test_a_row_that_breaks_the_audit_is_named(
    rows: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def units(row: Any, execute: bool = True) -> Any:
        if "spam" in row.fields["code"]:
            raise TypeError("super(type, obj)")
        yield from audit_units(row, execute=execute)

    monkeypatch.setattr(auditing, "audit_units", units)
    assert main(["audit", rows]) == 2
    said = capsys.readouterr().err
    assert "rows.jsonl:2: not checked: internal error: TypeError: super(type, obj)" in said
    assert "audited 3 rows" in said


@pytest.mark.medium
def test_traces_of_the_other_rows_and_recipes_are_kept(
    rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(process, "rewrite_with", breaks(ValueError("zip()")))
    command = ["traces", rows, "--output", str(tmp_path / "out"), "--recipe", "decompose", "--keep-near-duplicates"]
    assert main(command) == 2
    said = capsys.readouterr()
    assert "rows.jsonl: 1 row of 3 failed" in said.err
    dropped = [json.loads(line) for line in (tmp_path / "out" / "_about" / "dropped.jsonl").read_text().splitlines()]
    assert [one["reason"] for one in dropped if "ValueError" in one["detail"]] == ["failed"]


def test_an_exception_outside_of_any_row_is_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("of ours\x1b[2J")

    program = tmp_path / "program.py"
    program.write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr("runner.commands.verify.check_equivalence", broken)
    assert main(["verify", str(program), str(program)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(r"spellout: internal error: ZeroDivisionError: of ours\x1b[2J (tests/")
    assert said.endswith("; --debug prints the traceback\n")
    assert main(["verify", str(program), str(program), "--debug"]) == 2
    assert "Traceback (most recent call last)" in capsys.readouterr().err


FRAGILE = """
import os, signal
from rewrite import intervention

@intervention
def fragile(source):
    if "spam" in source:
        {fault}
    return source.replace("(a + 1) * 2", "2 * (a + 1)")
"""


@pytest.mark.medium
@pytest.mark.usefixtures("every_core")
def test_a_row_that_kills_its_process_costs_no_other(
    rows: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    plugin = tmp_path / "fragile_rewrite.py"
    plugin.write_text(FRAGILE.format(fault="os.kill(os.getpid(), signal.SIGKILL)"), encoding="utf-8")
    how = ["--plugin", str(plugin), "--recipe", "fragile", "--unproven", "guard"]
    assert main(["rewrite", rows, "--output", str(tmp_path / "out.jsonl"), *how]) == 2
    made = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["code"] for row in made] == [GOOD.replace("(a + 1) * 2", "2 * (a + 1)"), BAD, made[0]["code"]]
    assert "rows.jsonl:2: its worker process died: it crashed, or memory ran out" in capfd.readouterr().err
