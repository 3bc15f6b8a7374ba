"""Texts of others that are no literals, or that Python's parser warns about."""

import warnings

import pytest

from corpora.literals import parse_literal, parse_quietly


@pytest.mark.parametrize(
    "text",
    [
        "f(1)",
        "1 +",
        "{[]: 1}",
        "(" * 300,
        "-" * 100_000 + "1",
        "\0",
        "",
        "frozenset([[]])",
        "frozenset(1)",
        "frozenset(x)",
        "set([1], [2])",
        "set(a=1)",
        "sets.set([1])",
    ],
)
def test_any_other_text_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="no literal"):
        parse_literal(text)


@pytest.mark.parametrize("text", ["1if 1else 2", r"'\d'", "0x1for x in y"])
def test_the_parser_gives_no_warning(text: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises((SyntaxError, ValueError)):
            parse_literal(text + " if")
        parse_quietly(text.replace("0x1for x in y", "[0x1for x in y]"))
    assert not caught


def test_a_literal_may_be_indented() -> None:
    assert parse_literal("\t [1, 'a']") == [1, "a"]


def test_sets_that_only_a_call_can_write_are_literals() -> None:
    assert parse_literal("{frozenset({1, 2}): [frozenset(), set([3])]}") == {frozenset({1, 2}): [frozenset(), {3}]}
    assert parse_literal("'set(x)'") == "set(x)"
