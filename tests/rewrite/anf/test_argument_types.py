"""Argument types seen in a benchmark: better steps for those types, the same program for all others."""

from __future__ import annotations

import json

import pytest

from rewrite.anf.argument_types import observed_types
from rewrite.rewriting import rewrite_source
from tests.places import DATA
from tests.rewrite.test_rewriting import outcomes

SOURCE = "def f(text, places):\n    '''doc'''\n    return text.find('b', places[0]) + len(text)\n"


@pytest.mark.parametrize(
    ("calls", "types"),
    [
        ([], {}),
        (["f(1)", "f('a')"], {}),
        (["f(g())"], {}),
        (["other(1)"], {}),
        (["f(*x)"], {}),
        (["f('a', [1])", "f('', [])"], {"f": {"text": "str", "places": "list"}}),
    ],
    ids=["no calls", "two types", "not a literal", "another function", "unpacked", "one type each"],
)
def test_only_one_builtin_type_in_all_calls_counts(calls: list[str], types: dict[str, dict[str, str]]) -> None:
    assert observed_types(SOURCE, calls) == types


def test_a_name_that_hides_a_builtin_gets_no_guard() -> None:
    source = "def f(text, str):\n    return len(text) + 1\n"
    result = rewrite_source(source, observed={"f": {"text": "str"}})
    assert "type(" not in result.source


def test_the_methods_of_an_observed_argument_are_looked_up_in_their_place() -> None:
    source = "def f(a, b):\n    return a.join(b[0])\n"
    assert rewrite_source(source, observed={"f": {"a": "str"}}).source == (
        "def f(a, b):\n    if type(a) is str:\n        _t0 = b[0]\n        return a.join(_t0)\n"
        "    else:\n        _t0 = a.join\n        _t1 = b[0]\n        return _t0(_t1)\n"
    )


def test_other_types_still_do_what_they_did() -> None:
    observed = observed_types(SOURCE, ["f('abcb', [2])"])
    after = rewrite_source(SOURCE, observed=observed).source
    calls = ("f('abcb', [2])", "f('abcb', (2,))", "f(b'abcb', [2])", "f(None, [])", "f('abcb', [None])", "f('', '')")
    assert outcomes(after, calls) == outcomes(SOURCE, calls)
    assert not rewrite_source(after, observed=observed).changed


def test_each_line_of_both_bodies_knows_where_it_comes_from() -> None:
    result = rewrite_source(SOURCE, observed={"f": {"text": "str"}})
    assert set(result.origins) <= {1, 2, 3, 4}
    assert {result.origin(number) for number, line in enumerate(result.source.splitlines(), 1) if "return" in line} == {
        3
    }


@pytest.mark.medium
@pytest.mark.skipif(not DATA.is_dir(), reason=f"the shared data are not at {DATA}")
def test_cruxeval_gives_the_same_output_with_its_own_types_observed() -> None:
    with (DATA / "cruxeval_even.jsonl").open(encoding="utf-8") as file:
        for row in list(map(json.loads, file))[::3]:
            source, call = row["code"] + "\n", f"f({row['input']})"
            observed = observed_types(source, [call])
            after = rewrite_source(source, observed=observed).source
            assert outcomes(after, (call,)) == outcomes(source, (call,))
            assert not rewrite_source(after, observed=observed).changed
