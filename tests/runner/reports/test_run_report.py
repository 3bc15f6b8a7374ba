"""The table and its sentences: readable at every width, and no share of what was not asked."""

import io
import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from runner.cli import main
from runner.records.samples import UNREAD, UNRECORDED, Sample
from runner.reports.run_report import RunInfo, as_json, as_markdown, headlines, remarks, table_cells, table_columns
from runner.statistics.summary import summarize
from runner.terminal.tables import terminal_table
from tests.runner.statistics.test_summary import AGAIN, CUT, RIGHT, WRONG


def shown(samples: list[Sample], width: int) -> str:
    file = io.StringIO()
    table = summarize(samples)
    Console(file=file, width=width).print(terminal_table(table_columns(table), list(table_cells(table)), width))
    return file.getvalue()


@pytest.mark.parametrize("width", [16, 24, 40, 60, 79, 80, 120])
@pytest.mark.parametrize("name", ["b", "a benchmark of a long name", "x" * 100])
def test_no_cell_is_cut_at_any_width(width: int, name: str) -> None:
    samples = [replace(sample, benchmark=name) for sample in (RIGHT, WRONG, CUT, AGAIN)]
    text = shown([*samples, replace(WRONG, id="other", benchmark=name, verdict="not asked")], width)
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    words = text.replace(":", " ").split()
    assert {"correct", "incorrect", "truncated", "33.3%", "66.7%", "+33.3"} <= set(words)


def test_at_80_columns_there_is_a_table() -> None:
    assert "\n" in shown([RIGHT, WRONG], 80) and "correct:" not in shown([RIGHT, WRONG], 80)


def test_the_headline_says_of_how_many() -> None:
    (line,) = headlines(summarize([RIGHT, WRONG, CUT, AGAIN]))
    recovered = "66.7% after rewriting, which recovered 1 of the 1 failed samples that were asked again"
    assert line == f"b: 33.3% of 3 samples correct (95 % confidence interval 6.1–79.2); {recovered}."


def test_what_was_not_recorded_after_a_rewrite_makes_a_lower_bound() -> None:
    missing = replace(CUT, attempt="decompose", verdict="not asked", reason=UNRECORDED)
    table = summarize([RIGHT, WRONG, CUT, AGAIN, missing])
    assert "at least 66.7% after rewriting" in next(headlines(table))
    assert "≥66.7%" in shown([RIGHT, WRONG, CUT, AGAIN, missing], 80)


def test_nothing_asked_has_no_shares() -> None:
    samples = [replace(WRONG, verdict="not asked", reason=UNRECORDED)]
    table = summarize(samples)
    assert list(headlines(table)) == ["b: none of the 1 samples was asked."]
    assert "%" not in shown(samples, 80) and remarks(samples, table) == ["b: 1 not asked: no recorded output."]
    assert table.divergences == ()


def test_few_answers_that_can_be_read_are_no_sample_of_all() -> None:
    unread = [replace(WRONG, id=name, case_key=name, verdict="not asked", reason=UNREAD) for name in "cd"]
    table = summarize([WRONG, *unread])
    (line,) = headlines(table)
    assert line.startswith("b: no accuracy, because 2 of 3 outputs have no value that can be read")
    assert "%" not in shown([WRONG, *unread], 80)
    assert "0.0%" in shown([WRONG, unread[0]], 80)


def test_traces_too_long_to_be_counted_are_left_out_of_the_tokens_and_told() -> None:
    long = replace(CUT, attempt="decompose", reference_tokens=None)
    (effect,) = summarize([WRONG, CUT, replace(AGAIN, reference_tokens=5), long]).effects
    assert (effect.asked, effect.before, effect.after, effect.uncounted) == (2, 2, 5, 1)


def test_figures_do_not_depend_on_the_order_in_which_samples_were_answered() -> None:
    """`run` reports the cases in order, `report` reads them as they were recorded: both give the same text."""
    verdicts = ["incorrect" if number % 3 else "correct" for number in range(40)]
    own = [
        replace(WRONG, source=f"p{number % 13}", case_key=f"{number}", verdict=verdict)  # type: ignore[arg-type]
        for number, verdict in enumerate(verdicts)
    ]
    again = [replace(sample, attempt="decompose", verdict="correct") for sample in own]
    samples = [*own, *again, replace(RIGHT, benchmark="a"), replace(CUT, benchmark="z")]
    shuffled = Random(0).sample(samples, len(samples))
    info = RunInfo("", "m", 3, ("decompose",), (), 0.0)
    assert summarize(samples) == summarize(shuffled) and summarize(samples).rows[1].interval
    assert as_markdown(samples, info) == as_markdown(shuffled, info)
    assert as_json(samples, info) == as_json(shuffled, info)


def test_the_figures_as_json_are_those_of_the_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs, rows = tmp_path / "outputs.jsonl", tmp_path / "rows.jsonl"
    outputs.write_text('{"id": "a", "output": "x"}\n')
    rows.write_text('{"id": "a", "code": "def f(x):\\n    return x\\n", "input": "1"}\n')
    asked = ["run", str(rows), "--model", f"replay:{outputs}", "--recipe", "none", "--output", str(tmp_path / "run")]
    assert main(asked) == 0
    capsys.readouterr()
    assert main(["report", str(tmp_path / "run"), "--json", "--against", str(tmp_path / "run")]) == 0
    found = json.loads(capsys.readouterr().out)
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert found["rows"] == summary["rows"]
    assert found["rows"][0]["samples"] == 1
    assert found["against"]["changes"] == []
