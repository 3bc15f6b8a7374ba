"""Suggestions are checked: a separator keeps its token, a recipe removes the hazard; else neither is suggested."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from analyze import audit, classify
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from runner.linting.suggestions import SEPARATORS, SuggestionFinder, removing_recipe, safe_separator

ENGINE = engine_for(default_tokenizer())


def finding(source: str, code: str) -> dict[str, Any]:
    found = [one for one in audit([{"source": source}], execute=False) if one.hazard == code and one.method]
    return asdict(found[0])


@pytest.mark.parametrize(
    ("source", "code"), [("'a-.-.b'.rsplit('-.')", "ABSENT"), ("'(a)(b)'.replace(')(', '')", "QUERY_CUT")]
)
def test_a_suggested_separator_matches_wherever_the_old_one_was(source: str, code: str) -> None:
    found = finding(source, code)
    separator = safe_separator(found, ENGINE)
    assert separator in SEPARATORS
    text = found["text"].replace(found["pattern"], separator)
    method = "split" if found["method"] == "rsplit" else found["method"]
    assert {one.hazard for one in classify(str(separator), text, method=method)} == {"MATCH"}


@pytest.mark.parametrize(
    ("source", "code"),
    [
        pytest.param("'hello'.split('l')", "SWALLOWED", id="a letter is no separator"),
        pytest.param("'a-.-.b'.find('-.')", "ABSENT", id="a search"),
        pytest.param("'hello'.upper()", "CASE", id="no pattern"),
    ],
)
def test_no_separator_is_suggested_where_none_is_meant(source: str, code: str) -> None:
    assert safe_separator(finding(source, code), ENGINE) is None


def test_a_recipe_is_suggested_only_if_it_removes_the_hazard() -> None:
    assert removing_recipe(finding("'hello'.upper()", "EDIT_RETOK"), ENGINE) == "methods"
    # The loop that `methods` writes for replace looks at characters as well: HIDDEN_CHAR stays.
    assert removing_recipe(finding("'hello'.replace('l', 'L')", "HIDDEN_CHAR"), ENGINE) is None


def test_an_informational_finding_needs_no_action() -> None:
    finder = SuggestionFinder({"llama-3": "llama-3"})
    found = finding("'a-.-.b'.rsplit('-.')", "ABSENT")
    expected = "no action: not associated with failures (the separator '->' would keep its token)"
    assert finder.suggest(found, "info") == expected
    assert finder.suggest(found, "warning") == "use the separator '->', which keeps its token here"
    assert finder.suggest(finding("'hello'.upper()", "EDIT_RETOK"), "warning") == "spellout rewrite --recipe methods"


@pytest.mark.medium
def test_a_kept_recipe_is_that_of_each_finding() -> None:
    source = "'hello world'.count('l')\n'hello world'.count('lo')\n'a' + 'hello '.count('e')\n'hello'.count('ell')\n"
    found = [asdict(one) for one in audit([{"source": source}], execute=False) if one.hazard == "SWALLOWED"]
    finder = SuggestionFinder({"llama-3": "llama-3"})
    suggested = {str(one["pattern"]): finder.suggest(one, "warning") for one in found}
    assert suggested == {
        str(one["pattern"]): f"spellout rewrite --recipe {removing_recipe(one, ENGINE)}" for one in found
    }
    assert set(suggested.values()) == {f"spellout rewrite --recipe {recipe}" for recipe in ("decompose", "methods")}
