"""Prices of the embedded model's rewrites: made-up answers with known effects."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from math import exp
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is missing (extra model)")

from corpora.errors import InputError
from lab.pocket.prices import DOUBLED, LETTERS, OTHER_FORM, RENAMED, TEMPORARIES, Pair, changes, fit, main, pairs
from rewrite.baselines import PLACEBO
from runner.records.samples import ORIGINAL, RewriteRecord, Sample
from tests.places import ROOT

MEASURED = ROOT / "lab" / "pocket" / "measured" / "experiment.jsonl.gz"


@pytest.fixture
def original(answer: Sample) -> Sample:
    """The answer to an unchanged program, with a counted trace."""
    return replace(answer, attempt=ORIGINAL, reference_tokens=100)


def _rewritten(original: Sample, *applied: str, attempt: str = "decompose", tokens: int = 100) -> Sample:
    record = RewriteRecord(tuple((name, 2) for name in applied), (), "same")
    return replace(original, attempt=attempt, rewrite=record, reference_tokens=tokens)


def test_a_rewrite_has_so_many_lines_of_each_kind(original: Sample) -> None:
    def counted(*applied: str, tokens: int = 100) -> dict[str, float]:
        return changes((original, _rewritten(original, *applied, tokens=tokens)))

    assert counted("temporaries", "letters", "temporaries") == {TEMPORARIES: 2, LETTERS: 1, DOUBLED: 0}
    assert counted("negative_index", tokens=400) == {OTHER_FORM: 1, DOUBLED: 2}
    placebo = _rewritten(original, "placebo", "placebo", attempt=PLACEBO)
    assert changes((original, placebo)) == {RENAMED: 1, DOUBLED: 0}


def test_only_greedy_answers_to_rewrites_with_counted_traces_are_paired(original: Sample) -> None:
    rewritten = _rewritten(original, "temporaries")
    assert pairs({"p": [original, rewritten]}) == [(original, rewritten)]
    for other in (
        replace(rewritten, reference_tokens=None),
        replace(rewritten, answer_index=0),
        replace(rewritten, case_key="another"),
        replace(rewritten, attempt="elsewhere"),
        replace(rewritten, verdict="not asked"),
    ):
        assert pairs({"p": [original, other]}) == []


@pytest.mark.medium
def test_a_known_price_is_found(original: Sample) -> None:
    draw = random.Random(0)

    def drawn() -> Iterator[Pair]:
        for number in range(4000):
            lines = draw.randrange(1, 4)
            right = [draw.random() < 0.8 * exp(-price) for price in (0, 0.2 * lines)]
            rewritten = _rewritten(original, *["temporaries"] * lines)
            both = zip((original, rewritten), right, strict=True)
            before, after = (
                replace(one, case_key=str(number), verdict="correct" if good else "incorrect") for one, good in both
            )
            yield before, after

    low, high = fit(list(drawn()), [TEMPORARIES]).interval(0)
    assert low < 0.2 < high and low > 0.1


def test_without_pairs_there_is_no_price() -> None:
    with pytest.raises(InputError, match="no rewritten program"):
        fit([], [TEMPORARIES])


@pytest.mark.medium
def test_the_published_answers_give_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(MEASURED)]) == 0
    shown = capsys.readouterr().out
    assert f"| {TEMPORARIES} | 946 |" in shown and f"| {DOUBLED}, other changes held fixed | 1685 |" in shown


def test_another_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none")]) == 2
    assert "prices: " in capsys.readouterr().err
