"""Entries of a table one by one: tables for which the order of the entries matters stay; then the loop."""

import pytest

from rewrite import check_equivalence, rewrite_source

SOURCE = "def f(text, table):\n    return text.translate(table)\n"


@pytest.mark.parametrize(
    "table", ["{97: 98, 98: 97}", "{97: 98, 98: 99}", "{97: None}", "{97: 'x'}", "{-1: 97}", "{97: 1114112}", "[98]"]
)
def test_entries_that_depend_on_each_other_or_are_no_characters_stay(table: str) -> None:
    assert rewrite_source(SOURCE, "translate_entries", calls=[f"f('ab', {table})"]).source == SOURCE


@pytest.mark.medium
def test_each_entry_is_replaced_in_a_round() -> None:
    call = "f('banana', {97: 45, 122: 122})"
    made = rewrite_source(SOURCE, "translate_entries", calls=[call])
    assert made.source == (
        "def f(text, table):\n    for _t0 in table:\n        text = text.replace(chr(_t0), chr(table[_t0]))\n"
        "    return text\n"
    )
    assert check_equivalence(SOURCE, made.source, [call], examples=40, assumes=made.assumes, inputs="any").equivalent
