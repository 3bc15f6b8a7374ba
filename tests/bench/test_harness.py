"""What the scripts of `bench` share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import command, measured, population, print_table, ratio, tables

from lab.published_data import SETTING, add_data_option


def test_a_population_without_its_file_is_left_out_with_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert population("cruxeval", tmp_path) == []
    assert capsys.readouterr().err == f"left out: there is no {tmp_path / 'cruxeval_even.jsonl'}\n"


def test_a_part_of_a_population_has_one_of_n_programs(tmp_path: Path) -> None:
    every = population("humaneval", tmp_path)
    assert population("humaneval", tmp_path, 50, 3) == every[3::50]
    assert len({one.source for one in every}) == len(every) > 150


def test_the_help_is_the_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command("Counts things.\n\n    as a list:  it stays\n").parse_args(["--help"])
    assert "Counts things.\n\n    as a list:  it stays\n" in capsys.readouterr().out


def test_a_shared_option_is_required_as_everywhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    with pytest.raises(SystemExit):
        command("", add_data_option).parse_args([])
    assert "required: --data" in capsys.readouterr().err


@pytest.mark.medium
def test_results_have_the_order_of_the_items(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(measured(abs, range(-5, 0), "numbers", 2)) == [5, 4, 3, 2, 1]
    assert capfd.readouterr().out == ""


def test_each_row_is_printed_before_the_next_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []

    def rows() -> Iterator[tuple[str, int]]:
        for number in (1, 2):
            printed.append(capsys.readouterr().out)
            yield "a", number

    print_table(("", "n"), rows(), "---", "---:")
    assert printed == ["| | n |\n|---|---:|\n", "| a | 1 |\n"]


def test_a_table_is_found_again(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("a", "b", "c"), [(1, "", 3)], "---")
    assert tables(f"text\n{capsys.readouterr().out}\ntext") == [["| a | b | c |", "|---|---|---|", "| 1 |  | 3 |"]]


def test_there_is_no_share_of_nothing() -> None:
    assert ratio(0, 0) == ""
