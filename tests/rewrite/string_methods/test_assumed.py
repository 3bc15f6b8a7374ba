"""With calls, string methods and `letters` rest on what every call showed: no guard where they came, and it is said."""

from __future__ import annotations

import json

import pytest

from analyze import trace_call
from rewrite import rewrite_source
from tests.places import ROOT
from tests.samples import sampled

FAILURES = ROOT.parent / "shared" / "data" / "cwm_failures_even.jsonl"


def facts(source: str, recipe: str, calls: list[str]) -> tuple[str, set[tuple[str, str]]]:
    result = rewrite_source(source, recipe, calls=calls)
    return result.source, {(one.expression, one.what) for one in result.assumes}


def test_a_search_from_a_place_on_needs_neither_guard_nor_bounds() -> None:
    text, assumed = facts("def f(text, i):\n    return text.find('/', i + 1)\n", "methods", ["f('a/b/c', 1)"])
    assert "type(" not in text and "slice(" not in text
    assert assumed == {("text", "is exactly str"), ("i + 1", "is exactly int"), ("i + 1", "is at least 0")}


@pytest.mark.medium
def test_a_pattern_that_was_always_one_character_is_searched_as_such() -> None:
    source = "def f(text, sep):\n    return text.split(sep)\n"
    text, assumed = facts(source, "methods", ["f('a-b', '-')", "f('', '+')"])
    assert "letters" not in text and ("sep", "has length 1") in assumed
    text, assumed = facts(
        "def f(text, sep):\n    return text.split(sep)\n", "methods", ["f('a-b', '-')", "f('a', 'ab')"]
    )
    assert ("sep", "has length at least 1") in assumed and "type(" not in text


@pytest.mark.medium
def test_case_outside_ascii_is_guarded_where_calls_show_both() -> None:
    source = "def f(text):\n    return text.lower()\n"
    text, assumed = facts(source, "methods", ["f('AB')"])
    assert "if" not in text and assumed == {("text", "is exactly str"), ("text", "is ASCII only")}
    result = rewrite_source(source, "methods", calls=["f('AB')", "f('\u03a3\u00df')"])
    assert "if str.isascii(text):" in result.source
    assert {one.what for one in result.assumes} == {"is exactly str"}


@pytest.mark.medium
def test_pieces_and_tables_are_looked_into() -> None:
    text, assumed = facts("def f(words):\n    return '+'.join(words)\n", "methods", ["f(['a', 'b'])"])
    assert "type(" not in text and ("words", "holds exactly str") in assumed
    text, assumed = facts("def f(a, t):\n    return a.translate(t)\n", "methods", ["f('abc', {97: 'x', 98: None})"])
    assert "else" not in text and any(what.startswith("maps exactly int") for _, what in assumed)


@pytest.mark.medium
def test_what_no_call_showed_to_be_a_text_is_left_alone() -> None:
    source = "def f(items):\n    return items.count('a')\n"
    assert not rewrite_source(source, "methods", calls=["f(['a', 'b'])"]).changed
    assert not rewrite_source(source, "letters", calls=["f(['a', 'b'])"]).changed
    mixed = rewrite_source(source, "methods", calls=["f(['a', 'b'])", "f('ab')"])
    assert "if type(items) is str:" in mixed.source and not mixed.assumes


def test_one_character_has_nothing_to_hide() -> None:
    source = "def f(text):\n    return [c.upper() for c in text]\n"
    assert not rewrite_source(source, "methods", calls=["f('abc')"]).changed


def test_letters_shows_a_text_once_and_again_when_it_has_changed() -> None:
    source = (
        "def f(text):\n    a = text.find('b')\n    b = text.find('a')\n    text = text.upper()\n    return a, b, text\n"
    )
    result = rewrite_source(source, "letters", calls=["f('abc')"])
    assert result.source.count("list(text)") == 2
    assert not rewrite_source(result.source, "letters", calls=["f('abc')"]).changed


DEAREST = [(514, "methods", 60), (196, "methods", 60), (68, "letters", 4), (198, "letters", 4)]


@pytest.mark.medium
@pytest.mark.parametrize(("number", "recipe", "times"), sampled(DEAREST, map(str, DEAREST), every=2))
def test_the_dearest_of_the_failures_stay_within_their_price(number: int, recipe: str, times: int) -> None:
    if not FAILURES.is_file():
        pytest.skip("the failures are not here")
    rows = map(json.loads, FAILURES.read_text(encoding="utf-8").splitlines())
    row = next(row for row in rows if row["id"] == f"sample_{number}")
    before = trace_call(row["code"], row["call"]).tokens
    after = trace_call(rewrite_source(row["code"], recipe, calls=[row["call"]]).source, row["call"]).tokens
    assert before is not None and after is not None and after <= times * before
