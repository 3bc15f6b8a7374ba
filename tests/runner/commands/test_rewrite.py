"""`spellout rewrite`: exit statuses, what goes where, files that are written whole or not at all."""

from __future__ import annotations

import argparse
import io
import json
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from corpora import Row, read_rows, write_rows
from corpora.deadline import Deadline
from corpora.errors import InputError
from corpora.source_block import source_block
from rewrite import recipe_names
from rewrite.anf.rewrite_result import Rewritten, SkippedExpression
from rewrite.pipeline.recipes import SUMMARIES
from rewrite.pipeline.registration import external_recipes
from runner.batch_rewriting.output import FileRewrite, RewriteWriter
from runner.batch_rewriting.process import RewriteProcess
from runner.cli import main
from runner.commands import rewrite as command
from tests.places import ROOT

SOURCE = "def f(a):\n    return len(a) + 1\n"
LEFT = SOURCE.replace("return", "exec(a); return")  # left unchanged, with a reason
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
    with pytest.raises(InputError, match="unknown recipe 'typo'"):
        run(str(program), "--recipe", "typo")


@pytest.mark.medium
@pytest.mark.usefixtures("every_core")
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
        f"spellout: {broken}:1:7: does not parse: invalid syntax",
        f"spellout: {missing}: no such file",
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


def test_write_refuses_the_papers_own_tool(program: Path) -> None:
    with pytest.raises(InputError, match="may change the behaviour"):
        run(str(program), "--recipe", "paper", "--write")
    assert program.read_text(encoding="utf-8") == SOURCE


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


def test_a_program_that_reads_line_numbers_is_told_that_they_change(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(f"import traceback\n{SOURCE}", encoding="utf-8")
    assert run(str(program)) == 0
    assert capsys.readouterr().err == f"{program}: line numbers change, and the program may read them: traceback\n"
    program.write_text("import traceback\n", encoding="utf-8")
    assert run(str(program)) == 0
    assert "line numbers" not in capsys.readouterr().err


def test_explain_names_the_rule_of_each_change_and_what_was_left(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(SOURCE + "class A(B):\n    x = len(str(1))\n", encoding="utf-8")
    assert run(str(program), "--explain") == 0
    assert capsys.readouterr().err.splitlines() == [
        f"{program}:2:12: temporaries: len(a)",
        f"{program}:4: left unchanged, a value: class body: a temporary may become an attribute",
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


def test_folders_are_walked_and_files_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("b.py", "sub/a.py", ".hidden/c.py", "__pycache__/d.py", "env/e.py", "gen/f.py", "text.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SOURCE, encoding="utf-8")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    (tmp_path / "pyproject.toml").write_text('[tool.spellout]\nexclude = ["gen"]\n', encoding="utf-8")
    assert run(str(tmp_path)) == 0
    assert capsys.readouterr().out == f"# {tmp_path}/b.py\n{AFTER}# {tmp_path}/sub/a.py\n{AFTER}"
    assert run(str(tmp_path), "--check") == 1
    assert capsys.readouterr().out.splitlines() == [f"{tmp_path}/b.py", f"{tmp_path}/sub/a.py"]


def test_a_folder_without_python_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no Python files in this folder"):
        run(str(tmp_path))


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("typo = 1", "unknown key 'typo'; known are recipe, threshold"),
        ("depth = 0", "depth must be an integer >= 1, not 0"),
        ("recipe = 'strings'\ndepth = 2", "this recipe takes no option 'depth'"),
        ("recipe = 'nothing'", "unknown recipe 'nothing'"),
        ("exclude = 'a'", "exclude must be a list of patterns"),
        ("depth = ", "Invalid value"),
    ],
)
def test_settings_without_a_meaning_are_refused_with_their_file(program: Path, table: str, told: str) -> None:
    (program.parent / "pyproject.toml").write_text(f"[tool.spellout]\n{table}\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        run(str(program))
    assert told in str(error.value)
    assert str(error.value).startswith(str(program.parent / "pyproject.toml"))


def test_the_settings_of_a_project_hold_where_the_command_line_says_nothing(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = program.parent / "pyproject.toml"
    settings.write_text('[tool.spellout]\nnames = "readable"\nrelease = true\nthreshold = 3\n', encoding="utf-8")
    assert run(str(program)) == 0
    assert capsys.readouterr().out == SOURCE
    assert run(str(program), "--threshold", "1", "--no-release") == 0
    assert capsys.readouterr().out == AFTER.replace("_t0", "len_a")
    assert run(str(program), "--recipe", "strings") == 0  # takes no threshold


@pytest.mark.parametrize("flag", [[], ["--check"], ["--diff"]])
@pytest.mark.parametrize(
    ("name", "text"),
    [("rows.jsonl", '{"code": "x = 1"}\n'), ("rows", '{"code": "x = 1"}\n{"code": "x"}\n'), ("rows.csv", "code\nx\n"),
     ("list.py", '[{"a": 1}]\n'), ("rows.jsonl.gz", "no gzip")],
)  # fmt: skip
def test_rows_are_no_program(
    tmp_path: Path, name: str, text: str, flag: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert run(str(tmp_path / name), *flag) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"spellout: {tmp_path / name}: is a data set, not a program: add --output FILE for the rewritten rows\n"
    )


@pytest.mark.medium
@pytest.mark.usefixtures("every_core")
def test_rows_in_and_rows_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.jsonl"
    lines = [{"code": SOURCE, "id": 7}, {"code": "def f(:"}, {"input": "1"}, {"source": "x = 1", "more": [1]}]
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    out = tmp_path / "out.jsonl"
    said = r"1 row of 4 failed, and 1 could not be read; the first is .*rows\.jsonl:2: at 1:\d of the program"
    with pytest.raises(InputError, match=said):
        run(str(rows), "--output", str(out))
    made = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["original"] for row in made] == [SOURCE, "def f(:", "x = 1"]
    assert made[0]["code"] == AFTER and made[0]["id"] == 7
    assert made[0]["rewrite"]["applied"] == [["temporaries", 2]]
    assert "never closed" in made[1]["rewrite"]["error"] or "invalid syntax" in made[1]["rewrite"]["error"]
    assert not made[2]["rewrite"]["changed"] and made[2]["more"] == [1]
    assert "rows.jsonl:3: no field 'source' or 'code'" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(InputError, match="already exists"):
        run(str(rows), "--output", str(out))
    with pytest.raises(InputError, match="more than --max-bad 0"):
        run(str(rows), "--output", str(tmp_path / "other.jsonl"), "--max-bad", "0")
    assert not (tmp_path / "other.jsonl").exists()


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl.gz", ".csv.zst"])
def test_rows_are_written_in_the_format_of_the_extension(tmp_path: Path, suffix: str) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    rows, out = tmp_path / f"rows{suffix}", tmp_path / f"out{suffix}"
    write_rows([{"code": SOURCE, "id": "7"}], rows)
    assert run(str(rows), "--output", str(out)) == 0
    [row] = [row for row in read_rows(out) if isinstance(row, Row)]
    assert row.fields["code"] == AFTER and row.fields["original"] == SOURCE


def test_rows_in_an_unknown_format_are_refused_before_anything_is_rewritten(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="its extension is not supported"):
        run("no-such-file.jsonl", "--output", str(tmp_path / "out.txt"))


def test_calls_do_not_apply_to_a_data_set() -> None:
    with pytest.raises(InputError, match="does not apply to a data set"):
        run("rows.jsonl", "--call", "f(1)", "--output", "new.jsonl")


def test_a_rewritten_program_is_written_to_a_python_file(program: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a rewritten program needs a name that ends in \.py"):
        run(str(program), "--output", str(tmp_path))


def test_a_difference_has_colours_in_a_terminal_only(
    program: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(str(program), "--diff") == 0
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert run(str(program), "--diff") == 0
    assert "\x1b[32m+    _t0 = len(a)\x1b[0m\n" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert run(str(program), "--diff") == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.medium
def test_what_takes_too_long_ends_one_file_and_not_the_others(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = tmp_path / "long.py"
    long.write_text("".join(f"x{i} = a.b.c + len(x) - 1\n" for i in range(20_000)), encoding="utf-8")
    assert run(str(long), str(program), "--seconds", "2") == 2
    said = capsys.readouterr()
    assert said.out == AFTER
    errors = [line for line in said.err.splitlines() if not line.startswith("files processed:")]  # progress, if slow
    assert errors == [f"spellout: {long}: its time limit of 2 s (--seconds) has passed"]


def test_what_the_time_limit_cuts_is_reported_without_explain(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = argparse.Namespace(
        write=False, json=False, diff=False, check=False, explain=False, call=["f(1)"], output=None
    )
    reason = f"left as it is: {Deadline.after(9).spent}"
    cut = Rewritten(SOURCE, False, left=(SkippedExpression(1, "no str"), SkippedExpression(1, reason)))
    assert RewriteWriter(given).show(FileRewrite("p.py", result=cut)) == ""
    assert capsys.readouterr().err == "p.py: left as it is: its time limit of 9 s (--seconds) has passed\n"


@pytest.mark.parametrize(
    ("source", "options", "says"),
    [
        pytest.param(SOURCE, (), "", id="changed"),
        pytest.param("def f(:\n", (), "", id="does not parse"),
        pytest.param(AFTER, ("--check",), "", id="silent for CI"),
        pytest.param(AFTER, ("--json",), "", id="in the record"),
        pytest.param(AFTER, (), "the recipe found nothing to rewrite", id="nothing to rewrite"),
        pytest.param(LEFT, ("--diff",), "--explain lists the reasons", id="reasons"),
        pytest.param(LEFT, ("--explain",), "see the reasons above", id="explained"),
    ],
)
def test_nothing_changed_is_said_once(
    source: str, options: tuple[str, ...], says: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(source, encoding="utf-8")
    with suppress(InputError):
        run(str(program), *options)
    said = [line for line in capsys.readouterr().err.splitlines() if "nothing was changed" in line]
    assert said == ([f"spellout: nothing was changed: {says}"] if says else [])


@pytest.mark.medium
def test_a_process_that_dies_is_replaced(program: Path) -> None:
    with closing(RewriteProcess()) as rewriter:
        assert rewriter.rewrite(SOURCE).source == AFTER
        process = rewriter._process
        assert process is not None
        process.kill()
        process.wait()
        with pytest.raises(InputError, match=r"a\.py: the worker process ended with signal SIGKILL"):
            rewriter.rewrite(SOURCE, filename="a.py")
        assert rewriter.rewrite(SOURCE).source == AFTER


@pytest.mark.medium
def test_memory_is_limited() -> None:
    source = "".join(f"x{i} = a.b.c + len(x) - 1\n" for i in range(20_000))
    with closing(RewriteProcess(megabytes=400)) as rewriter:
        with pytest.raises(InputError, match=r"exceeds the memory limit of 400 MB|the worker process ended"):
            rewriter.rewrite(source)
        assert rewriter.rewrite(SOURCE).source == AFTER


CALLED = 'def f(text, n):\n    return text.replace(text[n], "-").split(text[:n])\n'
RESTS = (
    "def f(text, n):\n    _t0 = text[n]\n"
    '    _t0 = text.replace(_t0, "-")\n    _t1 = text[:n]\n    return _t0.split(_t1)\n'
)


@pytest.mark.medium
def test_with_calls_it_says_what_it_rests_on_and_what_it_costs(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(CALLED, encoding="utf-8")
    calls = ["--call", "f('abca', 1)", "--call", "f('', __import__('random').random())"]
    assert run(str(program), "--recipe", "expressions", *calls, "--explain") == 0
    said = capsys.readouterr()
    assert said.out == RESTS
    told = said.err.splitlines()
    assert f"{program}:2:12: assumed from the calls: text.replace is the method that its type defines" in told
    random = "f('', __import__('random').random()): not compared, nondeterministic: depends on random"
    assert f"{program}: no evidence from {random}" in told
    assert told[-1].startswith(f"{program}: tokens of the longest trace: ")


SQUARES = source_block("""
    def f(n):
        a = [i * i + 1 for i in range(n)]
        return sum(a) + len(a)
""")


@pytest.mark.medium
@pytest.mark.parametrize(
    ("call", "cost", "told"),
    [
        ("f(9)", "1.5", "a change is left out, over the token limit of 777 (--cost none lifts it, --explain lists"),
        ("f(60)", "50", "left out, over the token limit of 8,192 (the budget of a trace) (--cost none lifts it"),
        ("f(60)", "none", ", over the budget of 8,192: --cost limits it, and `spellout plan` keeps to it"),
        ("f(9)", "none", ""),
    ],
)
def test_the_limit_that_keeps_a_change_from_being_made_is_named_and_a_cost_over_the_budget(
    call: str, cost: str, told: str, program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program.write_text(SQUARES, encoding="utf-8")
    assert run(str(program), "--call", call, "--cost", cost) == 0
    said = capsys.readouterr().err
    assert told in said and (told or " over " not in said)


def test_each_recipe_has_a_line_in_the_help_and_in_the_docs(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(SUMMARIES) == {*recipe_names()} - {*external_recipes()}
    with pytest.raises(SystemExit):
        main(["rewrite", "--help"])
    help_text = capsys.readouterr().out
    page = (ROOT / "docs" / "rewrite.md").read_text(encoding="utf-8")
    for name, summary in SUMMARIES.items():
        assert f"  {name:<13}{summary}\n" in help_text
        assert f"\n| `{name}` " in page


def test_a_call_that_raises_is_named(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text("def f(x):\n    return x + 1\n", encoding="utf-8")
    assert run(str(program), "--recipe", "expressions", "--call", "f(1)") == 0
    assert " raises " not in capsys.readouterr().err
    assert run(str(program), "--recipe", "expressions", "--call", "f([])") == 0
    told = f'{program}: f([]) raises TypeError: can only concatenate list (not "int") to list; its trace ends with'
    assert told in capsys.readouterr().err


def test_json_holds_assumptions_and_tokens(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program.write_text(CALLED, encoding="utf-8")
    assert run(str(program), "--recipe", "expressions", "--call", "f('abca', 1)", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["assumes"][0] == {
        "line": 2,
        "column": 12,
        "expression": "text.replace",
        "what": "is the method that its type defines",
    }
    assert record["unobserved"] == []
    assert 0 < record["original_tokens"] < record["tokens"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--call", "f("], "is not a Python expression"),
        (["--unproven", "assume"], "needs calls"),
        (["--call", "f('a', 0)", "--cost", "0.5"], "cost must be a number >= 1"),
        (["--call", "f(1)", "--output", "new.jsonl"], "a rewritten program needs a name that ends in .py"),
    ],
)
def test_calls_that_make_no_sense_are_refused(program: Path, words: list[str], told: str, capsys: object) -> None:
    assert main(["rewrite", str(program), *words]) == 2
    assert told in capsys.readouterr().err  # type: ignore[attr-defined]


def test_calls_are_those_of_one_program(program: Path) -> None:
    other = program.with_name("other.py")
    other.write_text(SOURCE, encoding="utf-8")
    with pytest.raises(InputError, match="applies to one program, not to 2"):
        run(str(program), str(other), "--call", "f('a', 0)")


@pytest.mark.medium
def test_rows_are_rewritten_with_their_own_calls_unless_guards_are_asked_for(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    own: list[dict[str, Any]] = [
        {"call": "f('abca', 1)"},
        {"input": "'abca', 1"},
        {"calls": ["f('abca', 1)", "f('b', 0)"]},
        {},
    ]
    rows.write_text("".join(json.dumps({"code": CALLED, **row}) + "\n" for row in own), encoding="utf-8")
    assert run(str(rows), "--recipe", "expressions", "--output", str(tmp_path / "new.jsonl")) == 0
    made = [json.loads(line) for line in (tmp_path / "new.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["code"] == RESTS for row in made] == [True, True, True, False]
    assert [row["rewrite"].get("calls") for row in made] == [["f('abca', 1)"]] * 2 + [own[2]["calls"], None]
    assert made[0]["original"] == CALLED
    assert made[0]["rewrite"]["assumes"][0]["expression"] == "text.replace"
    assert made[0]["rewrite"]["tokens"] > made[0]["rewrite"]["original_tokens"] > 0
    assert (
        run(str(rows), "--recipe", "expressions", "--unproven", "guard", "--output", str(tmp_path / "old.jsonl")) == 0
    )
    old = [json.loads(line) for line in (tmp_path / "old.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["code"] for row in old} == {made[3]["code"]}


def test_a_program_with_a_coding_cookie_keeps_its_encoding_in_a_pipe(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "program.py"
    path.write_bytes("# coding: latin-1\ndef f(a):\n    return len(a + 'é') * 2\n".encode("latin-1"))
    assert main(["rewrite", str(path)]) == 0
    written = capsysbinary.readouterr().out
    assert "_t0 = a + 'é'".encode("latin-1") in written
