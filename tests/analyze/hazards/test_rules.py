"""Every hazard's example is run, and so is a question as near to it as possible on which it does not stand."""

from __future__ import annotations

import pytest

from analyze.hazards.base import Hazard, all_hazards, get_hazard
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from tests.places import ROOT


def test_every_file_is_one_hazard_of_its_name() -> None:
    files = sorted(
        path.stem for path in (ROOT / "analyze" / "hazards" / "rules").glob("*.py") if path.stem != "__init__"
    )
    assert files == sorted(kind.name.lower() for kind in all_hazards())


@pytest.mark.parametrize("hazard", all_hazards(), ids=lambda hazard: hazard.name)
def test_a_hazard_does_not_stand_on_its_near_miss(hazard: Hazard) -> None:
    assert len(hazard.find(hazard.UNTOUCHED.batch())) == 0


@pytest.mark.parametrize("hazard", all_hazards(), ids=lambda hazard: hazard.name)
def test_a_hazard_stands_where_its_example_says_and_gives_a_reason(hazard: Hazard) -> None:
    batch = hazard.EXAMPLE.batch()
    hits = hazard.find(batch)
    assert tuple(zip(hits.start.tolist(), hits.end.tolist(), strict=True)) == hazard.EXAMPLE.spans
    assert hazard.EXAMPLE.spans
    assert all(0 <= severity <= 1 for severity in hits.severity)
    for start, end in hazard.EXAMPLE.spans:
        why = hazard.why(batch, 0, start, end)
        assert why
        assert "\n" not in why


@pytest.mark.parametrize("texts", [["123", "4"], ["12\n34"], ["²³¹⁴⁵"], ["", ""], ["a1b2c3d4"]])
def test_runs_of_at_most_three_digits_are_no_finding(texts: list[str]) -> None:
    batch = QuestionBatch([StringQuestion(text) for text in texts], engine_for(default_tokenizer()), "trace")
    assert len(get_hazard("DIGITS").find(batch)) == 0


def test_digits_of_any_script_are_found_in_their_string() -> None:
    texts = ["1234", "é1", "٣٤٥٦", "", "x1234५6y78901"]
    batch = QuestionBatch([StringQuestion(text) for text in texts], engine_for(default_tokenizer()), "trace")
    hits = get_hazard("DIGITS").find(batch)
    assert list(zip(hits.rows.tolist(), hits.start.tolist(), hits.end.tolist(), strict=True)) == [
        (0, 0, 4),
        (2, 0, 4),
        (4, 1, 7),
        (4, 8, 13),
    ]


def test_a_summary_with_braces_is_no_template() -> None:
    class Braces(Hazard):
        summary = "A brace, `{` or `{text}`."

    assert Braces().describe("a{", None, "find") == Braces.summary
