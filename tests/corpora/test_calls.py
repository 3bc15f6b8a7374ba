"""A call of what the program does not define is refused before it runs, in every command; what may exist is not."""

import ast
import json
from pathlib import Path

import pytest

from analyze import trace_call
from corpora.calls import check_call, main_reason, undefined_name_reason
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
        "len(f('a'))",
        "limit + 1",
        "f([x for x in (1, 2)])",
        "f((lambda y: y)(1))",
        "f(x=1)",
        "f(A().g)",
    ],
)
def test_a_name_of_the_program_or_a_built_in_is_accepted(call: str) -> None:
    check_call(SOURCE, call)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("1+1", "1[+]1: does not call the program; it defines f, grade, A"),
        ("exit()", "does not call the program"),
        ("[x for x in range(3)]", "does not call the program"),
        ("f", "f: is a name and no call: write f"),
    ],
)
def test_an_expression_that_does_not_call_the_program_is_refused(call: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        check_call(SOURCE, call)
    with pytest.raises(InputError, match=reason):
        check_equivalence(SOURCE, SOURCE, [call])
    with pytest.raises(InputError, match=reason):
        plan_rewrite(SOURCE, [call])


def test_a_program_may_define_what_replaces_a_built_in() -> None:
    check_call("def len(x): return x", "len('a')")
    check_call("exec('def len(x): return x')", "len('a')")


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


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("def main(n): return n", "main(1)"),
        ("def main(n): return n", "f(main)"),
        ("def main(n): return n\ndef f(n): return main(n)", "f(1)"),
        ("def f(n):\n    global main\n    def g(main): return main\n    return g(n) + main(n)", "f(1)"),
        ("def f(n):\n    def g(main): return main\n    return g(n) + main(n)", "f(1)"),
        ("class A:\n    def g(self): return main(1)\ndef main(n): return n", "A().g()"),
        ("f = lambda n: main(n)\ndef main(n): return n", "f(1)"),
    ],
)
def test_a_trace_would_replace_the_main_that_a_call_reaches(source: str, call: str) -> None:
    assert "the name main" in main_reason(source, call)
    assert trace_call(source, call).outcome.status == "refused"


@pytest.mark.parametrize(
    ("source", "call"),
    [
        ("def f(n): return n\ndef main(): print(f(1))\nmain()", "f(1)"),
        ("def f(n): return n\nif __name__ == '__main__':\n    f(1)", "f(1)"),
        ("def f(main): return main", "f(1)"),
        ("def f(n):\n    main = n\n    return main", "f(1)"),
        ("def f(n):\n    def main(): return n\n    return main()", "f(1)"),
        ("def f(n):\n    from os import path as main\n    return main.join('a', n)", "f('b')"),
        ("def f(n): return n.main", "f(1)"),
    ],
)
def test_another_main_is_no_obstacle(source: str, call: str) -> None:
    assert main_reason(source, call) == ""


def test_main_is_refused_by_what_traces_and_compared_by_what_does_not() -> None:
    source = "def main(n): return [n, 1]\n"
    with pytest.raises(InputError, match="the name main"):
        plan_rewrite(source, ["main(3)"])
    row = case_from_row(Row(1, "rows:1", {"code": source, "call": "main(3)"}))
    assert isinstance(row, BadRow) and "the name main" in row.reason
    assert check_equivalence(source, source.replace("1", "2"), ["main(3)"]).equivalent is False
