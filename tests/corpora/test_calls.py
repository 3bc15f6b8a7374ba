"""A call of what the program does not define is refused before it runs, in every command; what may exist is not."""

import ast
import json
from pathlib import Path

import pytest

from corpora.calls import check_call, undefined_name_reason
from corpora.dataset import BadRow, Row, case_from_row
from corpora.errors import InputError
from rewrite import check_equivalence, plan_rewrite, rewrite_source
from runner.cli import main

SOURCE = "def f(x): return x\ndef grade(x): return x\nclass A: pass\nlimit = 3\n"


@pytest.mark.parametrize(
    "call", ["g(1)", "f(g)", "f(g(1))", "[g(x) for x in (1, 2)]", "g", "g.h(1)", "(lambda x: g)(1)"]
)
def test_an_undefined_name_is_refused(call: str) -> None:
    with pytest.raises(InputError, match="the program does not define g"):
        check_call(SOURCE, call)


def test_the_reason_lists_what_the_program_defines() -> None:
    reason = "the program does not define grad (did you mean 'grade'?); it defines f, grade, A"
    assert undefined_name_reason(ast.parse(SOURCE), "grad(1)") == reason
    assert undefined_name_reason(ast.parse("x = 1"), "f(1)") == "the program does not define f; it defines no function"


@pytest.mark.parametrize(
    "call",
    [
        "f(1)",
        "A()",
        "f(limit)",
        "len('a')",
        "f([x for x in (1, 2)])",
        "f((lambda y: y)(1))",
        "f(x=1)",
        "f(A().g)",
        "exit()",
    ],
)
def test_a_name_of_the_program_or_a_built_in_is_accepted(call: str) -> None:
    check_call(SOURCE, call)


@pytest.mark.parametrize(
    "source",
    [
        "from m import *",
        "g = lambda x: x",
        "import m.n as g",
        "import g.n",
        "for g in (len, abs): pass",
        "def f():\n    global g\n    g = 1",
        "if (g := len): pass",
        "exec('def g(x): return x')",
        "globals()['g'] = len",
        "import sys\nsetattr(sys.modules[__name__], 'g', len)",
        "try: import g\nexcept ImportError: g = None",
        "match len:\n    case g: pass",
        "async def g(x): pass",
    ],
)
def test_a_name_that_the_program_may_define_is_accepted(source: str) -> None:
    check_call(source, "g(1)")


@pytest.mark.parametrize("source", ["def f():\n    g = 1", "def f(g): pass", "x = [g for g in ()]", "x.g = 1"])
def test_a_name_that_is_bound_elsewhere_is_not_defined(source: str) -> None:
    with pytest.raises(InputError):
        check_call(source, "g(1)")


@pytest.mark.parametrize(
    "command", ["trace {}", "rewrite {}", "assess {}", "plan {}", "verify {} {}", "debug {} --model pocket"]
)
def test_every_command_refuses_the_call(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "program.py"
    path.write_text(SOURCE)
    assert main([*command.format(path, path).split(), "--call", "g(1)"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "does not define g" in captured.err and "it defines f, grade, A" in captured.err


@pytest.mark.parametrize("command", ["audit", "assess", "plan", "run", "traces"])
def test_every_command_reports_the_row(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"code": SOURCE, "call": "g(1)", "output": "1"}) + "\n")
    output = ["--output", str(tmp_path / "out")] if command in ("run", "traces") else []
    assert main([command, str(path), *output]) == 2
    if command != "traces":  # which lists it in dropped.jsonl
        assert "the program does not define g" in capsys.readouterr().err


def test_the_library_refuses_the_call() -> None:
    with pytest.raises(InputError, match="does not define g"):
        rewrite_source(SOURCE, calls=["g(1)"])
    with pytest.raises(InputError, match="does not define g"):
        plan_rewrite(SOURCE, ["g(1)"])
    with pytest.raises(InputError, match="does not define g"):
        check_equivalence(SOURCE, SOURCE, ["g(1)"])
    row = case_from_row(Row(1, "rows:1", {"code": SOURCE, "call": "g(1)"}))
    assert isinstance(row, BadRow) and "does not define g" in row.reason
