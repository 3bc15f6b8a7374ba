"""`spellout plan`: what it refuses, a program, a data set, and what goes where."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from analyze import trace_call
from rewrite.planner.line_forms import UNTRIED
from rewrite.planner.plan import Plan, RejectedPass
from rewrite.planner.reasons import NO_FORM
from runner.cli import main

SOURCE = "def f(s):\n    return s[::-1].strip()\n"  # its plan takes a tenth of the time of one for three operations
CALL = "f('abc')"
FIB = "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(
            ["{tmp}/a.py"],
            'a.py: a program needs a call, such as --call "f(…)"; it defines f(',
            id="a program without a call",
        ),
        pytest.param(["{tmp}/missing.py", "--call", "f(1)"], "missing.py: no such file", id="no such program"),
        pytest.param(
            ["{tmp}/missing.py", "--call", "f(1)", "--tokenizer", "{tmp}/no.json"],
            "missing.py: no such file",
            id="no such program, before its tokenizer is loaded",
        ),
        pytest.param(["{tmp}/broken.py", "--call", "f(1)"], "2:", id="a program that does not parse"),
        pytest.param(["{tmp}/a.py", "--call", "f("], "--call f(: is not a Python expression", id="half a call"),
        pytest.param(
            ["{tmp}/a.py", "--call", CALL, "--failed", "--answer", "{tmp}/missing.txt"],
            "missing.txt: no such file",
            id="no such output",
        ),
        pytest.param(["{tmp}/a.jsonl", "--failed", "--answer", "a"], "--answer: needs --failed, and", id="two outputs"),
        pytest.param(["{tmp}/bad.jsonl"], "none of its 2 rows could be read", id="nothing that can be read"),
        pytest.param(["{tmp}/a.jsonl", "--max-bad", "0"], "1 of 2 rows could not be read", id="too much that cannot"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("a = 1\nb = = 2\n")
    (tmp_path / "bad.jsonl").write_text('{"code": "x = 1"}\nno json\n')
    (tmp_path / "a.jsonl").write_text(json.dumps({"code": SOURCE, "call": CALL}) + '\n{"code": "x = 1"}\n')
    assert main(["plan", *(part.replace("{tmp}", str(tmp_path)) for part in arguments)]) == 2
    assert says in capsys.readouterr().err.replace("\n", " ")


@pytest.mark.medium
def test_the_program_goes_to_standard_output_and_what_it_costs_beside_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.py"
    file.write_text(SOURCE)
    assert main(["plan", str(file), "--call", CALL]) == 0
    printed, said = capsys.readouterr()
    assert "s = s[::-1]\n" in printed
    compile(printed, "a.py", "exec")
    assert "tokens" in said
    assert "predicted risk" in said


@pytest.mark.medium
def test_what_does_not_fit_is_shortened_until_it_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "fib.py"
    file.write_text(FIB)
    assert main(["plan", str(file), "--call", "fib(9)", "--budget", "3000", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["original_tokens"] > 3000 >= plan["tokens"]
    assert [choice["line"] for choice in plan["choices"]]


def test_what_cannot_be_made_to_fit_says_by_how_much(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.py"
    file.write_text(SOURCE)
    assert main(["plan", str(file), "--call", CALL, "--budget", "30"]) == 1
    printed, said = capsys.readouterr()
    assert printed == SOURCE
    assert "too many" in said
    assert re.search(r"it fits a budget of (\d+) tokens unchanged \(--budget \1\), and a smaller one if forms", said)
    assert "over budget by" in said


def test_what_has_no_trace_is_unknown_and_exits_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.py"
    file.write_text(SOURCE)
    assert main(["plan", str(file), "--call", "f(1, 2)"]) == 3
    printed, said = capsys.readouterr()
    assert printed == SOURCE
    assert "tokens unknown -> unknown of 8,192; predicted risk unknown" in said
    assert "0.0%" not in said
    assert main(["plan", str(file), "--call", "f(1, 2)", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["risk"] is None


@pytest.mark.medium
def test_a_call_that_raises_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.py"
    file.write_text("def f(x):\n    return x[1]\n")
    calls = [word for call in ("f([7])", "f([1, 2])", "f()") for word in ("--call", call)]
    assert main(["plan", str(file), *calls, "--examples", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["notes"] == [
        "f() is not used: TypeError: f() missing 1 required positional argument: 'x'",
        "f([7]) raises IndexError: list index out of range; its trace ends with the exception",
    ]


@pytest.mark.medium
def test_rejected_candidates_are_counted_and_listed_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.py"
    file.write_text(SOURCE)
    assert main(["plan", str(file), "--call", CALL]) == 0
    assert "--explain lists them" in capsys.readouterr().err
    assert main(["plan", str(file), "--call", CALL, "--explain"]) == 0
    said = capsys.readouterr().err
    assert "another form of the operation was chosen" in said
    assert "--explain" not in said


def test_a_limit_that_cut_the_search_is_told_without_explain(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.py"
    file.write_text(SOURCE)
    kept, untried = (RejectedPass(2, "materialize a", None, None, reason) for reason in (NO_FORM, UNTRIED))
    plan = Plan(SOURCE, 9, 9, 0.1, 0.1, left=(kept,))
    monkeypatch.setattr("runner.commands.plan._make_plan", lambda *_, **__: plan)
    assert main(["plan", str(file), "--call", CALL]) == 0
    assert "not tried" not in capsys.readouterr().err
    plan = replace(plan, left=(kept, untried))
    assert main(["plan", str(file), "--call", CALL]) == 0
    said = capsys.readouterr().err
    assert "2 candidates or lines left alone (--explain lists them); 1 of them not tried: only 48 variants" in said


@pytest.mark.medium
def test_what_explains_does_not_point_at_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.py"
    file.write_text("def f(s, o):\n    if s.startswith(o):\n        return s\n    return o + f(s, o[-2::-1])\n")
    arguments = ["plan", str(file), "--call", "f('abba', 'bab')", "--risk-map", "words"]
    assert main([*arguments, "--explain"]) == 0
    said = capsys.readouterr().err
    assert "left as it is: no form surely lowers the predicted risk\n" in said
    assert "--explain" not in said
    assert main(arguments) == 0
    assert capsys.readouterr().err.count("--explain") == 1


@pytest.mark.medium
def test_lines_that_change_together_are_named_in_one_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.py"
    branches = ("a.strip().upper() + b[::-1]", "b.strip().upper() + a[::-1]")
    file.write_text(
        "def f(a, b, c):\n    if c:\n        x = {}\n    else:\n        x = {}\n    return x\n".format(*branches)
    )
    calls = ["--call", "f(' abc', 'cde ', True)", "--call", "f(' abc', 'cde ', False)"]
    assert main(["plan", str(file), *calls, "--examples", "0", "--explain"]) == 0
    said = capsys.readouterr().err
    assert re.search(r"^3, 5 │", said, re.MULTILINE)
    assert re.search(r"^lines 3, 5: replace string methods by loops, a\.strip\(\), b\.strip\(\)", said, re.MULTILINE)


@pytest.mark.medium
def test_rows_are_planned_each_with_its_own_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [{"code": SOURCE, "call": CALL}, {"code": SOURCE, "input": "'xyx'"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["plan", str(file), "--json"]) == 0
    plans = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [plan["where"] for plan in plans] == [plan["id"] for plan in plans] == [f"{file}:1", f"{file}:2"]
    assert main(["plan", str(file)]) == 0
    printed = capsys.readouterr().out
    assert f"{file}:1: tokens " in printed
    assert "programs" in printed
    ratios = [plan["tokens"] / plan["original_tokens"] for plan in plans]
    shown = dict(line.split("│") for line in printed.splitlines() if "│" in line)
    shown = {name.strip(): value.strip() for name, value in shown.items()}
    assert shown["token ratio, median"] == f"{sum(ratios) / 2:.2f}"
    assert shown["token ratio, 90th percentile"] == f"{max(ratios):.2f}"


@pytest.mark.medium
@pytest.mark.usefixtures("every_core")
def test_a_data_set_names_each_program_and_says_if_one_is_over_budget(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    rows = [
        {"id": "short", "code": "def f(x):\n    return x\n", "call": "f(1)"},
        {"id": "long", "code": FIB, "call": "fib(12)"},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["plan", str(file), "--budget", "200"]) == 1
    printed = capsys.readouterr().out
    assert "short: tokens " in printed
    assert "long: tokens " in printed
    assert "over budget by" in printed


@pytest.mark.medium
def test_after_a_failure_the_chance_of_a_repair_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, output = tmp_path / "a.py", tmp_path / "output.txt"
    file.write_text(SOURCE)
    output.write_text(trace_call(SOURCE, CALL).text.replace("'cba'", "'cbb'"))
    assert main(["plan", str(file), "--call", CALL, "--failed", "--answer", str(output), "--examples", "3"]) == 0
    assert re.search(r"chance that it repairs the failure [1-9]\d%", capsys.readouterr().err)


@pytest.mark.medium
def test_of_recorded_outputs_the_wrong_ones_are_planned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    right = trace_call(SOURCE, CALL).text
    outputs = {"right": right, "wrong": right.replace("'cba'", "'cbb'")}
    rows = [{"id": name, "code": SOURCE, "call": CALL, "output": output} for name, output in outputs.items()]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert main(["plan", str(tmp_path / "rows.jsonl"), "--failed", "--examples", "0", "--json"]) == 0
    plans = {one["id"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert plans["right"]["source"] == SOURCE
    assert plans["right"]["repair"] is None
    assert plans["wrong"]["source"] != SOURCE
    assert plans["wrong"]["repair"] > 0
