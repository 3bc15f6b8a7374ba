"""`spellout corpora`."""

import argparse
from pathlib import Path

import pytest

from corpora import BadRow, InputError, case_from_row, load, read_rows
from runner.commands import corpora as command


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return command.run(parser.parse_args(arguments))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["show", "nothing"], "no benchmark named 'nothing'", id="an unknown benchmark"),
        pytest.param(
            ["show", "zoo", "--set", "depth"], "is not of the form OPTION=VALUE", id="an option without a value"
        ),
        pytest.param(["show", "zoo", "--set", "depth=x"], "not an integer", id="a value of the wrong type"),
        pytest.param(["show", "zoo", "--set", "width=1"], "has no option 'width'", id="an unknown option"),
        pytest.param(["show", "zoo", "--index", "9999"], "zoo has no case 9999", id="a case that is not there"),
        pytest.param(["make", "demos"], "did you mean 'demo'", id="the demo, mistyped"),
        pytest.param(
            ["show", "humaneval", "--seed", "1"], "--seed 1: does not apply", id="a seed where nothing is drawn"
        ),
        pytest.param(
            ["make", "humaneval", "--num-programs", "3"], "--limit N selects the first", id="a size of what exists"
        ),
        pytest.param(
            ["make", "zoo", "--output", "/no/such/folder/f.jsonl"], "cannot be written", id="a folder not there"
        ),
    ],
)
def test_wrong_usage_is_the_users_to_mend(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError) as raised:
        run(*arguments)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert capsys.readouterr().out == ""


def test_an_unknown_extension_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "benchmark_cases", lambda *_, **__: pytest.fail("it works before it refuses"))
    with pytest.raises(InputError, match="its extension is not supported"):
        run("make", "demo", "--output", str(tmp_path / "x.foo"))


def test_list_names_every_benchmark_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    assert "options: n=5 length=8 size=100 seed=0" in capsys.readouterr().out


def test_show_prints_the_traced_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "permutations", "--set", "n=3", "--index", "2") == 0
    assert "a, b, c = " in capsys.readouterr().out


def test_make_writes_what_a_data_set_reads(tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    arguments = ["make", "zoo", "--num-programs", "3", "--seed", "5", "--set", "kinds=list,set", "--output", str(out)]
    assert run(*arguments) == 0
    read = [row if isinstance(row, BadRow) else case_from_row(row) for row in read_rows(out)]
    assert read == list(load("zoo", size=3, seed=5, kinds="list,set"))


@pytest.mark.medium
@pytest.mark.parametrize("name", ["humaneval", "demo"])
def test_make_writes_the_first_cases(name: str, tmp_path: Path) -> None:
    out = tmp_path / "made.jsonl"
    assert run("make", name, "--limit", "2", "--output", str(out)) == 0
    assert len(list(read_rows(out))) == 2
