"""`spellout audit`: what it prints, what it refuses, and its exit status."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from runner.cli import main
from tests.places import ROOT

FIGURE_3 = '"a-.-.b".rsplit("-.")\n" BaB ".rfind(" B ")\n'


GOOD = b"""{"code": "def f(x):\\n    return x", "input": "'a-.-.b'", "output": "'a-.-.b'"}\n""" * 2


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "figure.py"
    file.write_text(FIGURE_3)
    return str(file)


@pytest.fixture
def rows(tmp_path: Path) -> str:
    file = tmp_path / "rows.jsonl"
    lines = [json.dumps({"code": "def f(s):\n    return s.rsplit('-.')", "input": "'a-.-.b'"}), "not json"]
    file.write_text("\n".join(lines) + "\n")
    return str(file)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param([], "audit needs Python files, a folder or a data set", id="no source"),
        pytest.param(["{tmp}/missing.jsonl"], "missing.jsonl: no such file", id="a data set that is not there"),
        pytest.param(["{tmp}/hf"], "a data set is named by its file, such as {tmp}/hf/data/a.parquet", id="a folder"),
        pytest.param(["{tmp}/missing.py"], "missing.py: no such file", id="a program that is not there"),
        pytest.param(["{tmp}/broken.py"], "broken.py:2:5: does not parse", id="a program that does not parse"),
        pytest.param(["{tmp}/latin.py"], "latin.py: ", id="a program that is no UTF-8"),
        pytest.param(["{tmp}/a.py", "{tmp}/rows.jsonl"], "cannot be mixed", id="a program and a data set"),
        pytest.param(["{tmp}/rows.jsonl", "{tmp}/rows.jsonl"], "only one data set is allowed", id="two data sets"),
        pytest.param(["{tmp}/a.py", "--tokenizer", "{tmp}/none.json"], "no tokenizer found", id="no such tokenizer"),
        pytest.param(
            ["{tmp}/a.py", "--against", "{tmp}/none.json"], "no tokenizer found", id="no such other tokenizer"
        ),
        pytest.param(
            ["{tmp}/a.py", "--format", "parquet"], "--format parquet: needs --output DIR", id="parquet to a pipe"
        ),
        pytest.param(["{tmp}/rows.jsonl", "--column", "code"], "is not of the form FIELD=COLUMN", id="half a mapping"),
        pytest.param(["{tmp}/a.py", "--select", "ABSENTT"], "did you mean 'ABSENT'?", id="no such class"),
        pytest.param(["--explain", "NONE"], "--explain: no such class 'NONE'", id="a class to explain that is none"),
        pytest.param(["{tmp}/a.py", "--fail-on", "2"], "'2' is not a severity from 0 to 1", id="no severity"),
        pytest.param(["{tmp}/a.py", "--fail-on", "warn"], "did you mean 'warning'?", id="no condition"),
        pytest.param(["{tmp}/a.py", "--per-file-ignores", "EDGE"], "not of the form PATTERN:CODE", id="no pattern"),
        pytest.param(["{tmp}/a.py", "--baseline", "{tmp}/none"], "write it with --update-baseline", id="no baseline"),
        pytest.param(["{tmp}/a.py", "--baseline", "{tmp}/a.py"], "is no baseline", id="another file as baseline"),
        pytest.param(["{tmp}/a.py", "--update-baseline"], "needs --baseline FILE", id="a baseline without its file"),
        pytest.param(
            ["{tmp}/a.py", "--profile", "custom"], "needs --tokenizer T", id="a profile without its tokenizer"
        ),
        pytest.param(
            ["{tmp}/a.py", "--profile", "cwm", "--tokenizer", "llama-3"], "has its own tokenizer", id="two tokenizers"
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "hf" / "data").mkdir(parents=True)
    (tmp_path / "hf" / "data" / "a.parquet").touch()
    (tmp_path / "broken.py").write_text("a = 1\nb = = 2\n")
    (tmp_path / "latin.py").write_bytes(b"a = '\xff'\n")
    (tmp_path / "rows.jsonl").write_text("{}\n")
    assert main(["audit", *(argument.format(tmp=tmp_path) for argument in arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert len(lines) == 1
    assert says.format(tmp=tmp_path) in lines[0]


def test_figure_3_of_the_paper(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", program, "--verbose"]) == 0
    printed = capsys.readouterr().out
    (absent,) = [line for line in printed.splitlines() if ": ABSENT " in line]
    assert absent.startswith(f"{program}:1:1: ABSENT '-.' has no token of its own in 'a-.-.b' — ")
    assert absent.endswith("— use the separator '->', which keeps its token here")
    assert "token ['-.' 14863] of the pattern alone is nowhere in the text" in printed
    assert "'.-' (12898) outranks '-.' (14863) and takes the last byte" in printed
    assert f"{program}:2:1: PHANTOM tokens of ' B ' are in ' BaB ' where it does not occur" in printed


def test_an_informational_class_is_counted_and_shown_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("a = '12345'\nb = '23456'\nc = '12345'\n")
    assert main(["audit", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "0 warnings in 1 file under llama-3 (effects: cwm)",
        "3 more findings of 1 class not known to be associated with failures: no action; --verbose lists them",
    ]
    assert main(["audit", str(tmp_path), "--format", "github"]) == 0
    assert capsys.readouterr().out == ""
    for option in (["--select", "DIGITS"], ["--verbose"]):
        assert main(["audit", str(tmp_path), *option]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert sum("a.py:" in line for line in lines) == 2
        assert lines[0].startswith(f"{tmp_path}/a.py:1:5: DIGITS '12345' has a run of more than three digits (2 times)")
        assert lines[-1] == "0 warnings, 3 informational findings in 1 file under llama-3 (effects: cwm)"


@pytest.mark.medium
def test_a_row_is_named_by_its_id_and_a_wrong_label_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "mine", "code": "def f(s):\n    return s.rsplit('-.')", "input": "'a-.-.b'", "output": "1"}
    path = written(tmp_path / "rows.jsonl", row)
    assert main(["audit", path, "--fail-on", "labels"]) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{path}:1 (mine): ABSENT line 2, column 12: ")
    assert printed.err.endswith("failed: execution contradicts 1 label\n")


def test_a_literal_and_the_operation_on_it_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text("a = '12345'.zfill(9)\n")
    assert main(["audit", str(tmp_path / "a.py"), "--select", "DIGITS"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "DIGITS '" in line]
    assert "(2 times)" in line


SPLIT = "a = 'a-.-.b'.rsplit('-.')\n"  # ABSENT is associated with failures of CWM


@pytest.mark.parametrize(
    ("source", "condition", "status"),
    [
        pytest.param("a = '<|eot_id|>'\n", "0", 0, id="an informational class fails at no severity"),
        pytest.param("a = '<|eot_id|>'\n", "warning", 0, id="nor as a warning"),
        pytest.param("a = '<|eot_id|>'\n", "SPECIAL", 1, id="it fails by name"),
        pytest.param("a = '<|eot_id|>'\n", "CASE,SPECIAL", 1, id="among others"),
        pytest.param(SPLIT, "warning", 1, id="a measured class is a warning"),
        pytest.param(SPLIT, "0.1", 1, id="of at least this severity"),
        pytest.param(SPLIT, "0.99", 0, id="of a lower severity"),
        pytest.param(SPLIT, "SPECIAL", 0, id="another class"),
        pytest.param("a = 'hello'\n", "0", 0, id="nothing"),
        pytest.param("a = 1  # spellout: ignore\n", "UNUSED_IGNORE", 1, id="a comment that suppresses nothing"),
        pytest.param("a = 1  # spellout: ignore\n", "warning", 0, id="such a comment is no warning"),
    ],
)
def test_the_gate(source: str, condition: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.py").write_text(source)
    assert main(["audit", str(tmp_path / "program.py"), "--fail-on", condition]) == status
    assert ("failed: " in capsys.readouterr().err) == bool(status)


@pytest.mark.parametrize("comment", ["ignore", "ignore[ABSENT]", "ignore[END_CUT, ABSENT]", "leave"])
def test_a_comment_suppresses_findings_in_listing_and_gate(
    comment: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "program.py").write_text(f"{SPLIT.rstrip()}  # spellout: {comment}\n")
    assert main(["audit", str(tmp_path / "program.py"), "--fail-on", "warning"]) == 0
    printed = capsys.readouterr().out
    assert "ABSENT" not in printed and "UNUSED_IGNORE" not in printed
    (tmp_path / "program.py").write_text(f"{SPLIT.rstrip()}  # spellout: ignore[CASE]\n")
    assert main(["audit", str(tmp_path / "program.py"), "--fail-on", "warning"]) == 1


def test_the_baseline_accepts_what_is_there_and_fails_on_an_added_finding_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, baseline = tmp_path / "program.py", tmp_path / "audit.json"
    program.write_text(SPLIT)
    gate = ["audit", str(tmp_path), "--baseline", str(baseline), "--fail-on", "warning"]
    assert main([*gate, "--update-baseline"]) == 0
    assert main(gate) == 0
    program.write_text("# moved\n\n" + SPLIT)
    assert main(gate) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "0 new findings; the baseline accepts 1 distinct finding"
    program.write_text(SPLIT + SPLIT)  # the same finding once more is one more
    assert main(gate) == 1
    program.write_text(SPLIT + "b = 'c-.-.d'.rsplit('-.')\n")
    assert main(gate) == 1
    program.write_text(SPLIT + "b = '12345'\n")  # a new finding of an informational class
    assert main(gate) == 0
    (tmp_path / "other.py").write_text(SPLIT)  # in another file
    assert main(gate) == 1


@pytest.mark.medium
def test_a_new_finding_of_a_lower_severity_does_not_fail(tmp_path: Path) -> None:
    program, baseline = tmp_path / "program.py", tmp_path / "audit.json"
    program.write_text("a = 'information'.count('f')\n")
    gate = ["audit", str(tmp_path), "--baseline", str(baseline), "--select", "HIDDEN_CHAR", "--fail-on", "0.2"]
    assert main(gate[:2] + gate[4:]) == 1
    assert main([*gate, "--update-baseline"]) == 0
    program.write_text(program.read_text() + "b = 'ab'.find('b')\n")
    assert main(gate) == 0
    assert main([*gate[:-1], "warning"]) == 1
    program.write_text(program.read_text() + "c = 'education'.find('c')\n")
    assert main(gate) == 1


@pytest.mark.medium
def test_the_second_tokenizer_does_not_fail_the_gate(tmp_path: Path) -> None:
    from tests.analyze.tokens.test_tokenizer import small_tokenizer

    small = str(tmp_path / "small.json")
    small_tokenizer().save(small)
    (tmp_path / "program.py").write_text("a = 'hello'.count('l')\n")
    gate = ["audit", str(tmp_path / "program.py"), "--fail-on", "SWALLOWED"]
    assert main([*gate, "--tokenizer", small, "--against", "llama-3"]) == 0
    assert main([*gate, "--tokenizer", "llama-3", "--against", small]) == 1


@pytest.mark.parametrize("form", ["jsonl", "html", "json", "text"])
def test_with_a_baseline_only_new_findings_are_listed(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, baseline = tmp_path / "program.py", tmp_path / "audit.json"
    program.write_text(SPLIT)
    command = ["audit", str(tmp_path), "--baseline", str(baseline), "--format", form]
    assert main([*command, "--update-baseline"]) == 0
    program.write_text(SPLIT + "b = 'new-.-.text'.rsplit('-.')\n")
    capsys.readouterr()
    main(command)
    listed = capsys.readouterr().out
    assert "new-.-.text" in listed or "rsplit" in listed
    assert "'split'" not in listed and '"split"' not in listed and " split" not in listed


def test_settings_of_the_project_and_options_that_replace_them(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(SPLIT)
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.spellout.audit]\nfail-on = ["warning"]\n')
    assert main(["audit", str(tmp_path)]) == 1
    assert main(["audit", str(tmp_path), "--fail-on", "0.99"]) == 0
    assert main(["audit", str(tmp_path), "--ignore", "ABSENT"]) == 0
    assert main(["audit", str(tmp_path), "--per-file-ignores", "old.py:ABSENT"]) == 0
    settings.write_text('[tool.spellout.audit]\nfail-on = "warning"\nper-file-ignores = {"old.py" = ["ABSENT"]}\n')
    assert main(["audit", str(tmp_path)]) == 0
    settings.write_text('[tool.spellout.audit]\nfail-on = ["warning"]\nexclude = ["old.py"]\n')
    assert main(["audit", str(tmp_path)]) == 2  # no Python file is left
    (tmp_path / "src" / "made").mkdir(parents=True)
    (tmp_path / "src" / "made" / "new.py").write_text(SPLIT)
    settings.write_text('[tool.spellout.audit]\nexclude = ["src/made"]\n')
    assert main(["audit", str(tmp_path / "src")]) == 2  # a path is relative to the pyproject.toml


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("tokeniser = 'x'", "unknown key 'tokeniser' (did you mean 'tokenizer'?)"),
        ("select = 'ALL'", "select must be a list of strings"),
        ("select = ['NONE']", "no such class 'NONE'"),
        ("context = 'tracee'", "context must be one of bare, source, trace, all"),
        ("tokenizer = 3", "tokenizer must be a string"),
        ("per-file-ignores = ['a']", "per-file-ignores must be a table"),
    ],
)
def test_a_wrong_setting_is_one_line(table: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text("a = 1\n")
    (tmp_path / "pyproject.toml").write_text(f"[tool.spellout.audit]\n{table}\n")
    assert main(["audit", str(tmp_path / "a.py")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "[tool.spellout.audit]: " in line and says in line


def test_equal_files_are_no_duplicate_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("")
    assert main(["audit", str(tmp_path)]) == 0
    assert "repeat" not in capsys.readouterr().err


def test_a_folder_is_audited_without_what_gitignore_excludes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("src/a.py", "src/build/b.py", "src/gen_c.py", "src/keep/gen_d.py", "src/.hidden/e.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = '12345'\n")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\ngen_*.py\n")
    (tmp_path / "src/keep/.gitignore").write_text("!gen_d.py\n")
    assert main(["audit", str(tmp_path / "src"), "--select", "DIGITS"]) == 0
    shown = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if "DIGITS '" in line]
    assert [Path(path).name for path in shown] == ["a.py", "gen_d.py"]


def test_a_file_that_does_not_parse_fails_after_the_others_are_audited(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text("a = 'a-.-.b'.rsplit('-.')\n")
    (tmp_path / "b.py").write_text("b = = 1\n")
    assert main(["audit", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "a.py:1:5: ABSENT" in printed.out and "b.py:1:5: does not parse" in printed.err
    assert main(["audit", str(tmp_path), "--max-bad", "1"]) == 0


@pytest.mark.medium
def test_explain_has_an_example_and_a_near_miss(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--explain", "ABSENT"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("ABSENT (warning for cwm)") and "\nfound:\n" in printed and "\nnot found:\n" in printed
    assert re.search(r"\n  cwm +\+\d+\.\d \[\+\d+\.\d, \+\d+\.\d\]  \(\d+ programs\)\n", printed)


def test_explain_follows_the_settings_and_knows_the_code_of_unused_comments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.spellout.audit]\nprofile = "llama-3"\n')
    assert main(["audit", "--explain", "ABSENT"]) == 0
    assert capsys.readouterr().out.startswith("ABSENT (info for llama-3)")
    assert main(["audit", "--explain", "UNUSED_IGNORE"]) == 0
    assert "suppresses no finding" in capsys.readouterr().out


def test_profiles_have_their_tokenizer_or_say_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.py").write_text("a = '12345'\n")
    assert main(["audit", str(tmp_path / "a.py"), "--profile", "cwm"]) == 0
    assert "under llama-3" in capsys.readouterr().out


def test_the_pre_commit_hooks_are_command_lines_of_ours(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("def f(s):\n    return s + 'a-.-.b'.rsplit('-.')[0]\n")
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text()
    entries = re.findall(r"entry: spellout (.*)", hooks)
    assert len(entries) == 1
    assert main([*shlex.split(entries[0]), str(tmp_path / "program.py")]) == 1


LABELLED = {"code": "def f(x):\n    return x", "input": "2", "output": "2"}


def written(path: Path, *rows: object) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("changes", "options", "status"),
    [
        pytest.param({}, ["--fail-on", "labels"], 0, id="a right label"),
        pytest.param({"output": "99"}, [], 0, id="a wrong label that is not asked about"),
        pytest.param({"output": "99"}, ["--fail-on", "labels"], 1, id="a wrong label"),
        pytest.param({"output": "2.0"}, ["--fail-on", "labels"], 1, id="a label of another type"),
        pytest.param({"output": "99"}, ["--fail-on", "0.9,labels"], 1, id="both conditions"),
        pytest.param({"output": None}, ["--fail-on", "labels"], 2, id="no label at all"),
        pytest.param({"output": "nobody"}, ["--fail-on", "labels"], 2, id="no label that could be judged"),
        pytest.param({}, ["--fail-on", "labels", "--static"], 2, id="labels without execution"),
        pytest.param({"grading": "state", "output": "{'x': 2}"}, ["--fail-on", "labels"], 0, id="graded by state"),
        pytest.param({"grading": "state"}, ["--fail-on", "labels"], 1, id="graded by state, and wrong"),
    ],
)
def test_fail_on_labels(changes: dict[str, object], options: list[str], status: int, tmp_path: Path) -> None:
    assert main(["audit", written(tmp_path / "rows.jsonl", {**LABELLED, **changes}), *options]) == status


def test_wrong_labels_and_repeated_rows_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path / "rows.jsonl", {**LABELLED, "output": "99"}, LABELLED, {**LABELLED, "input": "'\x1b[0m'"})
    assert main(["audit", path, "--format", "jsonl"]) == 0
    said = capsys.readouterr().err
    assert f"{path}:1: f(2) gives 2, the label says 99" in said
    assert "labels: execution contradicts 2 of 3" in said and "\x1b" not in said
    assert f"{path}:2: the program and input of {path}:1" in said
    assert "duplicates: 2 rows repeat a program, 1 of them with the same input" in said


@pytest.mark.parametrize(
    ("name", "content", "options", "says"),
    [
        pytest.param("rows.jsonl", b"", [], "contains no rows", id="empty"),
        pytest.param("rows.jsonl", b"\x00\x01\x02", [], "is binary", id="binary"),
        pytest.param("rows.jsonl", b"PAR1", [], "contains Parquet", id="wrongly named"),
        pytest.param("rows.jsonl.gz", b"{}", [], "is not gzip: its content differs from its name", id="no gzip"),
        pytest.param("rows.jsonl", b"hello\nworld\n", [], "none of its 2 rows could be read", id="no rows of data"),
        pytest.param("rows.jsonl", b'{"text": 1}\n', [], "none of its 1 rows could be read", id="other columns"),
        pytest.param("rows.jsonl", GOOD, ["--column", "code=nosuch"], "no field 'nosuch'", id="no such column"),
        pytest.param("rows.jsonl", GOOD, ["--column", "call=output"], "calls nothing", id="a column of other things"),
        pytest.param(
            "rows.jsonl", GOOD, ["--column", "code=output"], "the program does not define f", id="no program in it"
        ),
        pytest.param("rows.jsonl", GOOD + b"{\n", ["--max-bad", "0"], "1 of 3 rows could not be read", id="a bad row"),
        pytest.param("rows.jsonl", GOOD + b"{\n1\n", ["--max-bad", "1"], "2 of 4 rows could not", id="two bad rows"),
    ],
)
def test_what_could_not_be_read_passes_no_gate(
    name: str, content: bytes, options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for gate in ([], ["--fail-on", "1"], ["--fail-on", "labels"]):
        assert main(["audit", str(path), *gate, *options]) == 2
        last = capsys.readouterr().err.splitlines()[-1]
        assert last.startswith(f"spellout: {path}") and says in last


def test_rows_without_the_column_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", written(tmp_path / "rows.jsonl", {"text": 1}, {"text": 2})]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "none of its 2 rows could be read" in line and "no field 'source' or 'code'; it has text" in line


def test_some_bad_rows_are_told_and_pass(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(GOOD + b"{\n")
    assert main(["audit", str(path), "--fail-on", "labels", "--max-bad", "1"]) == 0


HOSTILE = ["[/x]", "\x1b[2J", "\ud800", "<script>alert(1)</script>", "a\rb", None]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "github", "html", "parquet"])
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_text_of_rows_is_text_in_every_form(
    text: str | None, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = {"id": text, "benchmark": text, "input": repr(f"12345{text}"), "output": text, "comment": text}
    path = written(tmp_path / "rows.jsonl", {**LABELLED, **hostile}, {text or "code": text}, LABELLED)
    assert main(["audit", path, "--format", form, "--output", str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    steering = {"\x1b", "\r", "\ud800"} & set(captured.out)
    assert not steering and "\x1b[2J" not in captured.err.replace("\x1b[2K", "")
    if form == "html":
        assert "<script>alert" not in (tmp_path / "out" / "report.html").read_text()


def test_an_operation_on_lone_surrogates_is_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "program.py").write_text(r"'\ud800a'.find('\ud800')")
    assert main(["audit", str(tmp_path / "program.py")]) == 0
    assert "not checked: lone surrogates" in capsys.readouterr().err


def test_a_path_that_is_no_utf_8_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "\udcff[b].jsonl"
    path.write_bytes(GOOD + b"{\n")
    for form in ("text", "parquet", "html"):
        assert main(["audit", str(path), "--format", form, "--output", str(tmp_path / form)]) == 0
    assert "\\udcff[b].jsonl:3: not JSON" in capsys.readouterr().err


@pytest.mark.medium
@pytest.mark.parametrize("source", ["humaneval", "zoo"])
def test_benchmarks_are_audited_by_name(source: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", source, "--static", "--show", "0"]) == 0
    assert "rows under llama-3" in capsys.readouterr().out


def test_a_folder_in_which_nothing_can_be_written_is_one_line(capsys: pytest.CaptureFixture[str], program: str) -> None:
    assert main(["audit", program, "--output", "/proc/audit"]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("spellout: /proc/audit")


def test_json_lines_go_to_standard_output_and_bad_rows_to_standard_error(
    rows: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", rows, "--format", "jsonl"]) == 0
    printed = capsys.readouterr()
    findings = [json.loads(line) for line in printed.out.splitlines()]
    assert {"END_CUT", "START_CUT", "ABSENT"} <= {finding["hazard"] for finding in findings}
    assert {finding["field"] for finding in findings} >= {"execution"}
    assert f"{rows}:2: not JSON" in printed.err


def test_static_executes_nothing(rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", rows, "--format", "jsonl", "--static"])
    fields = {json.loads(line)["field"] for line in capsys.readouterr().out.splitlines()}
    assert "execution" not in fields


def test_a_folder_holds_findings_markers_summary_and_page(rows: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["audit", rows, "--output", str(out), "--format", "html"]) == 0
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert names == {
        "audit.json",
        "bad.jsonl",
        "labels.jsonl",
        "duplicates.jsonl",
        "summary.json",
        "report.html",
        "findings/part-00000.jsonl",
        "done/00000.json",
    }


@pytest.mark.medium
def test_two_tokenizers_and_all_contexts(rows: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.analyze.tokens.test_tokenizer import small_tokenizer

    small_tokenizer().save(str(tmp_path / "small.json"))
    assert main(["audit", rows, "--against", str(tmp_path / "small.json"), "--context", "all", "--show", "0"]) == 0
    printed = capsys.readouterr().out
    assert "what a switch from llama-3 to" in printed
    for context in ("bare", "source", "trace"):
        assert context in printed


def test_columns_are_renamed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"solution": "a = '12345'"}) + "\n")
    assert main(["audit", str(file), "--column", "code=solution", "--format", "jsonl"]) == 0
    assert "DIGITS" in capsys.readouterr().out


@pytest.mark.medium
def test_separators(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--separators"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["'\\x1f'", "1.00"]


@pytest.mark.medium
def test_a_program_beyond_the_time_limit_is_checked_without_its_execution(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rows.jsonl"
    source = "def f():\n    'a-.-.b'.rsplit('-.')\n    while True: pass"
    file.write_text(json.dumps({"code": source, "call": "f()"}) + "\n")
    assert main(["audit", str(file), "--seconds", "0.5", "--format", "jsonl"]) == 0
    captured = capsys.readouterr()
    assert "its execution is not checked: its time limit of 0.5 s (--seconds) has passed" in captured.err
    assert {json.loads(line)["field"] for line in captured.out.splitlines()} >= {"operation"}
