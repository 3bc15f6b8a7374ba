"""Marks around answers: those in strings are text, and odd quotes lose no answer."""

import re

import pytest

from corpora.outputs.marks import find_marks, first_block, last_block, without_thought


@pytest.mark.parametrize(
    ("text", "places"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("'<x>'", [1], id="only in a string"),
        pytest.param("'<x>' <x>", [6], id="also outside"),
        pytest.param("it's <x> and 'a'", [5], id="an apostrophe"),
        pytest.param('"it\'s <x>" <x>', [11], id="another quote inside"),
        pytest.param(r"'a\'<x>' <x>", [9], id="an escaped quote"),
        pytest.param("rb'<x>' <x>", [8], id="a prefix"),
        pytest.param("'a <x>\n' <x>", [3, 9], id="no string across lines"),
        pytest.param("\\'" * 3 + "<x>", [6], id="escapes only"),
    ],
)
def test_a_mark_in_a_string_counts_only_if_none_is_outside(text: str, places: list[int]) -> None:
    assert [found.start() for found in find_marks(text, re.compile("<x>"))] == places


@pytest.mark.parametrize("output", ["'a</think>b'", "f(1) == '[/THOUGHT]'"])
def test_an_output_without_a_thought_is_an_answer(output: str) -> None:
    assert without_thought(output) == output


def test_the_first_and_the_last_block_may_lack_their_ends() -> None:
    text = "[answer]1[/answer] [ANSWER]'[/ANSWER]'"
    assert (first_block(text, "[ANSWER]"), last_block(text, "[ANSWER]")) == ("1", "1")
    assert (first_block("[ANSWER]1", "[ANSWER]"), last_block("1[/ANSWER]", "[ANSWER]")) == ("1", "1")
    assert (first_block("1[/ANSWER]", "[ANSWER]"), last_block("1", "[ANSWER]")) == (None, None)


def test_marks_are_found_in_linear_time() -> None:
    text = "'\\'[ANSWER]" * 50_000
    assert last_block(text, "[ANSWER]") is not None
