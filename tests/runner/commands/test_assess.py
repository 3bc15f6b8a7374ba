"""`spellout assess`: what it refuses, its exit status, the map, data sets, resumption, and text that is only text."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP
from analyze.risk import assessment, assessment_folder
from analyze.risk.risk_model import published_weights
from corpora.dataset import BadRow
from corpora.source_block import source_block
from runner.cli import main

SOURCE = "def f(s):\n    n = 3\n    t = s.replace('na', '-.').strip('x')\n    return t\n"
PLAIN = {"code": "def f(x):\n    return x + 1", "input": "2"}
RISKY = {"id": "risky", "source": SOURCE, "call": "f('xbananaqqzjkwnaxx')"}
ENDLESS = {"id": "endless", "code": "def f(x):\n    while True:\n        x = x.upper()", "input": "'a'"}


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "program.py"
    file.write_text(SOURCE)
    return str(file)


def data_set(tmp_path: Path, *rows: object) -> str:
    file = tmp_path / "rows.jsonl"
    file.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return str(file)


def records(printed: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in printed.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["{tmp}/a.py"], "a.py: a program needs a call", id="a program without a call"),
        pytest.param(["{tmp}/missing.py", "--call", "f(1)"], "missing.py: no such file", id="no such program"),
        pytest.param(["{tmp}/broken.py", "--call", "f(1)"], "broken.py:2:", id="a program that does not parse"),
        pytest.param(["{tmp}/a.py", "--call", "f("], "--call f(: is not a Python expression", id="half a call"),
        pytest.param(["{tmp}/missing.jsonl"], "missing.jsonl: no such file", id="no such data set"),
        pytest.param(["{tmp}/empty.jsonl"], "empty.jsonl", id="an empty data set"),
        pytest.param(["{tmp}/bad.jsonl"], "none of its 2 rows could be read", id="nothing that can be read"),
        pytest.param(["{tmp}/a.jsonl", "--max-bad", "0"], "1 of 2 rows could not be read", id="too much that cannot"),
        pytest.param(["{tmp}/a.jsonl", "--column", "code"], "is not of the form FIELD=COLUMN", id="half a mapping"),
        pytest.param(["{tmp}/a.jsonl", "--tokenizer", "{tmp}/no.json"], "no tokenizer found", id="no such tokenizer"),
        pytest.param(
            ["{tmp}/a.jsonl", "--output", "{tmp}"], "is not empty and holds no assessment", id="a full folder"
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    arguments: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    (tmp_path / "broken.py").write_text("a = 1\nb = = 2\n")
    (tmp_path / "a.jsonl").write_text(json.dumps(PLAIN) + "\nnot json\n")
    (tmp_path / "bad.jsonl").write_text("not json\n{}\n")
    (tmp_path / "empty.jsonl").write_text("")
    assert main(["assess", *(argument.format(tmp=tmp_path) for argument in arguments)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = [line for line in printed.err.splitlines() if line.startswith("spellout: ")]
    assert says in line


@pytest.mark.parametrize("wrong", ["0", "1.5", "nan", "high"])
def test_a_risk_that_is_none_is_refused(wrong: str, program: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["assess", program, "--call", "f('a')", "--fail-on", wrong])
    assert ended.value.code == 2
    assert "is not a risk greater than 0" in capsys.readouterr().err


@pytest.mark.medium
def test_the_map_of_a_program(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess", program, "--call", "f('xbananax')", "--budget", "9", "--budget", "10000"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"program\.py  f\('xbananax'\)  risk \d+%", printed)
    assert "fits 4,096, 8,192, 10,000, 32,768; does not fit 9" in printed
    assert re.search(r"^ +\d+% +3      t = s.replace", printed, re.MULTILINE)
    assert "t = 'ba-.-.'" in printed
    assert "the ends of a string are stripped (strip over" in " ".join(printed.split())
    assert "\x1b[" not in printed
    assert all(line == line.rstrip() for line in printed.splitlines())


def test_each_call_has_its_map(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess", program, "--call", "f('xx')", "--call", "f('xbananaqqzjkwnaxx')", "--json"]) == 0
    short, long = records(capsys.readouterr().out)
    assert (short["call"], long["call"]) == ("f('xx')", "f('xbananaqqzjkwnaxx')")
    assert 0 < short["risk"] < long["risk"] < 1


def test_a_program_comes_from_standard_input_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(SOURCE))
    assert main(["assess", "-", "--call", "f('na')", "--json"]) == 0
    (record,) = records(capsys.readouterr().out)
    assert record["basis"] == "trace"


@pytest.mark.medium
def test_the_record_of_a_program_has_every_step_that_is_not_given(
    program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["assess", program, "--call", "f('xbananax')", "--json"]) == 0
    (record,) = records(capsys.readouterr().out)
    assert sorted(step["step"] for step in record["steps"]) == list(range(3, record["frames"]))
    assert [step["risk"] for step in record["steps"]] == sorted((s["risk"] for s in record["steps"]), reverse=True)
    (step,) = [step for step in record["steps"] if step["values"] == [["t", "'ba-.-.'"]]]
    assert (step["line"], step["source"].strip()) == (3, SOURCE.splitlines()[2].strip())
    assert record["lines"]["3"] == pytest.approx(step["risk"])
    assert record["fits"] == {"4096": True, "8192": True, "32768": True} and record["tokens"] > 50
    assert record["hazards"]


@pytest.mark.medium
@pytest.mark.parametrize(("least", "status"), [("0.001", 1), ("1", 0)])
def test_fail_on(least: str, status: int, program: str) -> None:
    assert main(["assess", program, "--call", "f('xbananax')", "--fail-on", least]) == status


@pytest.mark.medium
@pytest.mark.parametrize(
    ("source", "call", "why", "seconds"),
    [
        ("def f(x):\n    while True:\n        x += 1", "f(1)", "its time limit of 0.2 s (--seconds) has passed", "0.2"),
        ("import numpyy\ndef f(s):\n    return s.upper()", "f('a')", "numpyy", "60"),
        ("import random\ndef f(x):\n    return random.random() + x", "f(1)", "random", "60"),
    ],
    ids=["does not end", "needs what is not there", "chance"],
)
def test_what_has_no_trace_has_an_unknown_risk_and_says_why(
    source: str, call: str, why: str, seconds: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.py").write_text(source)
    arguments = ["assess", str(tmp_path / "a.py"), "--call", call, "--seconds", seconds]
    assert main([*arguments, "--fail-on", "1"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "risk unknown" in printed and why in printed
    assert not re.search(r"risk <?\d+%", printed) and "riskiest" not in printed
    assert main([*arguments, "--json"]) == 0
    (record,) = records(capsys.readouterr().out)
    assert record["risk"] is None and record["lines"] == {} and record["steps"] == []
    assert main([*arguments, "--format", "html"]) == 0
    assert '"risk": null' in capsys.readouterr().out


@pytest.mark.medium
@pytest.mark.usefixtures("short_endless_loops")
def test_a_data_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = data_set(tmp_path, PLAIN, "not json", RISKY, ENDLESS)
    assert main(["assess", name, "--show", "1", "--budget", "20"]) == 0
    printed = capsys.readouterr()
    assert "3 of 4 rows assessed, the risk of 1 of them unknown" in printed.out
    assert "% of the 2 samples of known risk" in printed.out
    assert re.search(r"^unknown +1 +33.3%$", printed.out, re.MULTILINE)
    shown = printed.out.partition("samples of unknown risk, then the riskiest")[2]
    assert re.search(r"unknown  \S*rows.jsonl:4  endless .*\n.*risk unknown: exceeded its time limit", shown)
    assert shown.index("rows.jsonl:4") < shown.index("rows.jsonl:3  risky") and "rows.jsonl:1" not in shown
    assert "rows.jsonl:2: " in printed.err and "1 of 4 rows could not be assessed" in printed.err
    # A slow machine may reach the time limit before the trace of the endless program is known to exceed a budget.
    assert re.search(r"^32,768 +(2 of 3 +66.7|2 of 2 +100.0)%$", printed.out, re.MULTILINE)
    assert re.search(r"^20 +0 of [23] +0.0%$", printed.out, re.MULTILINE)


@pytest.mark.medium
def test_every_row_has_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = data_set(tmp_path, PLAIN, "not json", {"code": "def f(:", "input": "1"}, RISKY)
    assert main(["assess", name, "--json"]) == 0
    found = records(capsys.readouterr().out)
    assert [record["row"] for record in found] == [1, 2, 3, 4]
    assert ["error" in record for record in found] == [False, True, True, False]
    assert main(["assess", name, "--json", "--limit", "1"]) == 0
    assert records(capsys.readouterr().out) == found[:1]


def test_weights_that_cannot_be_read_are_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "weights.json"
    stale.write_text('{"weights": {"odd": 1}}')
    monkeypatch.setattr("analyze.risk.risk_model.FILE", stale)
    published_weights.cache_clear()
    try:
        folder = tmp_path / "risks"
        assert main(["assess", data_set(tmp_path, PLAIN, RISKY), "--jobs", "1", "--output", str(folder)]) == 2
        assert capsys.readouterr().err.count("was fitted for other features") == 1
        assert not folder.exists()
    finally:
        published_weights.cache_clear()


def test_a_fault_in_one_row_costs_only_that_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    really = assessment.assess

    def faulty(source: str, call: str, *arguments: Any, **options: Any) -> Any:
        if call == RISKY["call"]:
            raise RuntimeError("of ours")
        return really(source, call, *arguments, **options)

    monkeypatch.setattr("analyze.risk.assessed_rows.assess", faulty)
    assert main(["assess", data_set(tmp_path, PLAIN, RISKY), "--json"]) == 2
    captured = capsys.readouterr()
    good, bad = records(captured.out)
    assert "risk" in good
    assert bad["error"].startswith("internal error: RuntimeError: of ours (tests/")
    assert "1 row of 2 failed; the first is" in captured.err


def test_a_call_that_fails_has_no_map(
    program: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def faulty(*_: Any, **__: Any) -> Any:
        raise RuntimeError("of ours")

    monkeypatch.setattr("analyze.risk.assessed_rows.assess", faulty)
    assert main(["assess", program, "--call", "f('a')"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("internal error") == 2  # the row, and the summary
    assert "KeyError" not in captured.err


@pytest.mark.medium
def test_it_goes_on_where_it_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, out = data_set(tmp_path, PLAIN, RISKY, *[PLAIN] * 11, "not json"), tmp_path / "out"
    arguments = ["assess", name, "--output", str(out), "--jobs", "1"]
    assert main(arguments) == 0
    whole = capsys.readouterr().out
    (out / "done" / "00001.json").unlink()
    seen: list[str] = []
    really = assessment_folder._record

    def watched(row: Any, asked: assessment_folder.AssessmentRequest) -> dict[str, Any] | BadRow:
        seen.append(row.where)
        return really(row, asked)

    monkeypatch.setattr(assessment_folder, "_record", watched)
    assert main(arguments) == 0
    assert capsys.readouterr().out == whole
    assert [where.rpartition(":")[2] for where in seen] == ["11", "12", "13", "14"]
    assert [json.loads(line)["number"] for line in (out / "bad.jsonl").read_text().splitlines()] == [14]
    assert main([*arguments, "--budget", "99"]) == 2
    refused = capsys.readouterr().err
    assert "holds an assessment" in refused and "budgets was [4096, 8192, 32768], is now [99, 4096" in refused


@pytest.mark.medium
def test_two_processes_find_what_one_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = data_set(tmp_path, *[PLAIN] * 10, RISKY)
    assert main(["assess", name, "--json", "--jobs", "1"]) == 0
    one = capsys.readouterr().out
    assert main(["assess", name, "--json", "--jobs", "2"]) == 0
    assert capsys.readouterr().out == one


def test_a_page_holds_everything_and_text_stays_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "</script><script>alert(1)</script>", "source": SOURCE, "call": "f('<b>na')"}
    assert main(["assess", data_set(tmp_path, row, PLAIN), "--format", "html"]) == 0
    page = capsys.readouterr().out
    assert page.count("</script>") == 2 and "<b>" not in page
    assert not re.search(r"(src|href)=|https?://|@import|url\(", page)
    start = page.index('id="data">') + len('id="data">')
    data = json.loads(page[start : page.index("</script>", start)])
    assert {sample["id"] for sample in data["samples"]} == {row["id"], "2"}


def test_text_of_a_program_steers_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {
        "id": "\x1b[2Jid",
        "source": "def f(s):\n    return s + '\x1b[31m'  # [bold]",
        "call": "f('\x07')",
    }
    assert main(["assess", data_set(tmp_path, row)]) == 0
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out and "\x07" not in printed.out
    assert "\\x1b[2Jid" in printed.out and "\\x1b[31m'  # [bold]" in printed.out


def byte_vocabulary(folder: Path, special: Sequence[str] = ()) -> str:
    """The file of a vocabulary with a token for each byte, and special tokens."""
    bytes_alone = {char: at for at, char in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(bytes_alone, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.add_special_tokens([*special])
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder / "tokenizer.json")


@pytest.mark.medium
def test_a_vocabulary_without_the_trace_s_tokens_says_so(
    tmp_path: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["assess", program, "--call", "f('na')", "--tokenizer", byte_vocabulary(tmp_path)]
    assert main([*asked, "--json"]) == 0
    (record,) = records(capsys.readouterr().out)
    assert record["tokens"] is None and set(record["fits"].values()) == {None}
    assert "tokens not counted" in record["notes"][-1]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "tokens not counted" in said and "the trace with larger arguments" not in said


@pytest.mark.medium
def test_growth_is_counted_in_the_given_vocabulary(
    tmp_path: Path, program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    special = (FRAME_SEP, ACTION_SEP, ARG_SEP, *EVENT_SEP.values())
    asked = ["assess", program, "--call", "f('na')", "--tokenizer", byte_vocabulary(tmp_path, special)]
    assert main([*asked, "--json"]) == 0
    (record,) = records(capsys.readouterr().out)
    assert main(asked) == 0
    assert f"({record['tokens']:,} to " in " ".join(capsys.readouterr().out.split())


@pytest.mark.medium
def test_what_tokens_are_spent_on_and_how_they_grow_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"
    program.write_text("def f(xs):\n    ys = []\n    for x in xs:\n        ys.append(x + 1)\n    return ys\n")
    assert main(["assess", str(program), "--call", "f([1, 2, 3])"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "tokens by part: states" in said
    assert (
        "the trace with larger arguments, as measured [1, 2, 3], size 3 to 36: tokens quadratic (310 to 4,402)" in said
    )
    assert ", frames linear (14 to 80); all fit 8,192 tokens" in said
    assert main(["assess", str(program), "--call", "f([1, 2, 3])", "--format", "json"]) == 0
    spent = json.loads(capsys.readouterr().out)["spent"]
    assert set(spent) == {"parts", "variables", "lines", "loops"}


NESTED = source_block("""
    def f(xs):
        n = 0
        for x in xs:
            n += sum(x * y for y in xs)
        return n
""")


@pytest.mark.medium
def test_a_loop_that_makes_the_trace_long_is_printed_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "program.py"
    program.write_text(NESTED)
    assert main(["assess", str(program), "--call", "f([1, 2, 3])"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert re.search(r"nested loops, line 4: [\d,]+ tokens \(a comprehension that runs in every iteration", said)


@pytest.mark.parametrize(
    ("outputs", "option", "is_words"),
    [
        (["[ANSWER] 3 [/ANSWER]", "3", ""], [], True),
        (["[ANSWER] 3 [/ANSWER]"], ["--risk-map", "states"], False),
        (["[ANSWER] 3 [/ANSWER]", '{"x": "2"}    return x + 1\n"3"'], [], False),
        (["I do not know.\nSorry."], [], False),
        (["I do not know.\nSorry."], ["--risk-map", "words"], True),
    ],
)
def test_the_form_of_the_outputs_of_a_run_chooses_the_map_unless_it_is_named(
    outputs: list[str], option: list[str], is_words: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**PLAIN, "id": str(number), "verdict": "correct", "output": text} for number, text in enumerate(outputs)]
    assert main(["assess", data_set(tmp_path, *rows), *option]) == 0
    said = capsys.readouterr().err
    assert ("answers in words: 400 programs" in said) is is_words
    assert ("--risk-map states overrides" in said) is (is_words and not option)


def test_a_label_is_no_output_that_chooses_a_map(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["assess", data_set(tmp_path, {**PLAIN, "output": "3"})]) == 0
    assert "32B CWM" in capsys.readouterr().err
