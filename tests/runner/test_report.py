"""The table and its sentences: readable at every width, and no share of what was not asked."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from runner.report import headlines, remarks, table_one
from runner.samples import UNRECORDED, Sample
from runner.summary import summarize
from tests.runner.test_summary import AGAIN, CUT, RIGHT, WRONG


def shown(samples: list[Sample], width: int) -> str:
    file = io.StringIO()
    Console(file=file, width=width).print(table_one(summarize(samples), width))
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
    assert line == f"b: 33.3% of 3 samples right (95 % interval 6.1–79.2); {recovered}."


def test_what_was_not_recorded_after_a_rewrite_makes_a_lower_bound() -> None:
    missing = replace(CUT, attempt="decompose", verdict="not asked", reason=UNRECORDED)
    table = summarize([RIGHT, WRONG, CUT, AGAIN, missing])
    assert "at least 66.7% after rewriting" in next(headlines(table))
    assert "≥66.7%" in shown([RIGHT, WRONG, CUT, AGAIN, missing], 80)


def test_nothing_asked_has_no_shares() -> None:
    samples = [replace(WRONG, verdict="not asked", reason=UNRECORDED)]
    table = summarize(samples)
    assert list(headlines(table)) == ["b: none of the 1 samples was asked, so there are no shares."]
    assert "%" not in shown(samples, 80) and remarks(samples, table) == ["b: 1 not asked: no recorded output."]
    assert table.divergences == ()


def test_traces_too_long_to_be_counted_are_left_out_of_the_tokens_and_told() -> None:
    long = replace(CUT, attempt="decompose", true_tokens=None)
    (effect,) = summarize([WRONG, CUT, replace(AGAIN, true_tokens=5), long]).effects
    assert (effect.asked, effect.before, effect.after, effect.uncounted) == (2, 2, 5, 1)
