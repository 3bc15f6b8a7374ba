"""`spellout verify`: what it prints and how it ends."""

import json
from pathlib import Path

import pytest

from runner.cli import main

SAME = "def f(n):\n    if n == 12345:\n        return 1\n    return n + 1\n"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    texts = {"a": SAME, "same": SAME + "\n", "other": SAME.replace("n + 1", "n + 1.0"), "broken": "x = 1\ndef f(:\n"}
    texts |= {
        "null": "x = '\0'\n",
        "script": "print(sum([1, 2]))\n",
        "generator": "def f(n):\n    print(n)\n    yield n\n",
    }
    texts |= {
        "script2": "_t0 = [1, 2]\nprint(sum(_t0))\ndel _t0\n",
        "class": "class A:\n    def m(self, x: int): return x\n",
    }
    texts |= {
        "late": "def f(n):\n    yield n\n    print(n)\n",
        "class2": "class A:\n    def m(self, x: int): return +x\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: str(tmp_path / name) for name in texts}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a", "nothing"], "nothing: no such file"),
        (["a", "broken"], "broken:2:7: does not parse"),
        (["broken", "a"], "broken:2:7: does not parse"),
        (["a", "same", "--call", "f("], "not a call: 'f('"),
        (["a", "same", "--call", "g(1)"], "the program does not define g; it defines f"),
        (["null", "a"], "null: does not parse: source code string cannot contain null bytes"),
        (["a", "same", "--examples", "-1"], "--examples: must not be negative"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], told: str, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", *[files.get(text, text) for text in arguments]]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert told in shown.err
    assert shown.err.count("\n") == 1


@pytest.mark.medium
def test_a_difference_is_shown_to_be_pasted_and_status_1(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", files["a"], files["other"], "--call", "f(3)", "--examples", "20"]) == 1
    first, call, *_ = capsys.readouterr().out.splitlines()
    assert first == "different: they differ in value"
    assert call == "f(0)  # differs in: value"


@pytest.mark.parametrize(("more", "status"), [("", 3), ("print(3)\n", 1)])
def test_a_script_with_a_branch_that_is_not_taken(more: str, status: int, tmp_path: Path) -> None:
    first, second = tmp_path / "a.py", tmp_path / "b.py"
    first.write_text("x = 1\nif x > 2:\n    x = 3\n")
    second.write_text("x = 1\nif x > 2:\n    x = 2 + 1\n" + more)
    assert main(["verify", str(first), str(second)]) == status


def test_equivalence_says_what_it_rests_on_and_what_was_not_reached(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", files["a"], files["same"], "--call", "f(3)", "--examples", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("equivalent: the same on ")
    assert "not reached: 3" in shown
    assert "line 2: its test was never true" in shown


@pytest.mark.medium
def test_json_holds_the_whole_verdict(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", files["a"], files["other"], "--call", "f(3)", "--examples", "0", "--json"]) == 1
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["equivalent"] is False
    assert verdict["counterexample"]["aspect"] == "value"
    assert verdict["isolation"] in "ABMC"


@pytest.mark.medium
def test_scripts_and_classes_need_no_call(files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", files["script"], files["script2"]]) == 0
    assert capsys.readouterr().out.startswith("equivalent: the same on 1 input")
    assert main(["verify", files["class"], files["class2"], "--examples", "30"]) == 0
    assert main(["verify", files["class"], files["script"]]) == 1


@pytest.mark.medium
def test_a_generator_that_prints_at_another_time_is_shown_where_it_parts(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", files["generator"], files["late"], "--call", "f(1)", "--examples", "0"]) == 1
    first, _, *lines = capsys.readouterr().out.splitlines()
    assert first == "different: they differ in state when an iterator yields"
    details = [line.partition("in detail: ")[2] for line in lines if "in detail" in line]
    assert details[0].startswith('["seen", 2, ')
    assert details[1] == "nothing more"


@pytest.mark.medium
def test_what_is_undecided_has_a_status_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = tmp_path / "endless.py"
    endless.write_text("def f(n):\n    while True:\n        pass\n", encoding="utf-8")
    other = tmp_path / "other.py"
    other.write_text("def f(n):\n    while 1:\n        pass\n", encoding="utf-8")
    assert main(["verify", str(endless), str(other), "--call", "f(1)", "--examples", "0"]) == 3
    assert capsys.readouterr().out.startswith("undecided: ")


BEFORE = "def f(a, n):\n    return a.index(n + 1)\n"
AFTER = "def f(a, n):\n    _t0 = n + 1\n    return a.index(_t0)\n"


@pytest.mark.medium
def test_within_the_assumptions_of_a_rewrite_and_named_outside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after, record = tmp_path / "before.py", tmp_path / "after.py", tmp_path / "rewrite.json"
    before.write_text(BEFORE, encoding="utf-8")
    after.write_text(AFTER, encoding="utf-8")
    assert main(["rewrite", str(before), "--call", "f([1], 0)", "--json"]) == 0
    record.write_text(capsys.readouterr().out, encoding="utf-8")
    pair = ["verify", str(before), str(after), "--call", "f([1], 0)"]
    assert main([*pair, "--call", "f(3, 'x')"]) == 1
    assert main([*pair, "--assumes", str(record), "--inputs", "any"]) == 0
    assert "outside: f(" in capsys.readouterr().out
    assert main([*pair, "--call", "f(3, 'x')", "--assumes", str(record)]) == 3
    assert "f(3, 'x') breaks an assumption: not true at 2:12: a.index" in capsys.readouterr().out


NO_FACT, NO_PLACE = '[[1, 2, "a", "is nice"]]', '[[9, 2, "a", "is exactly str"]]'


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"assumes": 1}', NO_FACT, NO_PLACE])
def test_a_file_without_assumptions_is_refused(
    text: str, files: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "rewrite.json"
    record.write_text(text, encoding="utf-8")
    assert main(["verify", files["a"], files["same"], "--assumes", str(record)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


SPLIT = "def f(text, n):\n    k = text.index(text.strip()[n + 1])\n    return text[k:].replace('a', text[0])\n"


@pytest.mark.medium
def test_a_rewrite_to_a_file_is_verified_without_a_further_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(SPLIT, encoding="utf-8")
    call = ["--call", "f('xab-b, c', 1)"]
    assert main(["rewrite", str(before), *call, "--recipe", "methods", "--output", str(after)]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assumed, recorded, _ = shown.err.splitlines()
    assert "assumes what the calls show: text is exactly str; " in assumed
    assert recorded.endswith("after.py.assumes.json, where `spellout verify` finds it")
    assert main(["verify", str(before), str(after), "--inputs", "any", "--examples", "60"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("equivalent: ")
    assert "not true at" in shown.out
    assert "compares with the calls and assumptions of the rewrite" in shown.err
    after.write_text(after.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    assert main(["verify", str(before), str(after), "--inputs", "any", "--examples", "60"]) == 1
    shown = capsys.readouterr()
    assert "AFTER changed since" in shown.err
    assert "pass its assumptions with --assumes FILE" in shown.out
    assert main(["verify", str(before), str(after), "--examples", "60"]) == 0
    assert "note: they differ on types that no given call has" in capsys.readouterr().out
    assert main(["rewrite", str(before), "--output", str(after)]) == 0
    assert not (tmp_path / "after.py.assumes.json").exists()


@pytest.mark.medium
def test_a_verdict_without_evidence_has_the_status_of_undecided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text("def f(n):\n    return int(input()) + n\n", encoding="utf-8")
    after.write_text("def f(n):\n    return int(input()) - n\n", encoding="utf-8")
    assert main(["verify", str(before), str(after), "--call", "f(3)"]) == 3
    assert capsys.readouterr().out.startswith("undecided: every input raised (")
