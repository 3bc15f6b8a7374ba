"""Which operations of a program suggest which values."""

import ast

import pytest

from rewrite.equivalence.constants import Ideas
from rewrite.equivalence.special_values import DIGITS, WHOLE, special_numbers


@pytest.mark.parametrize(
    ("source", "string"),
    [
        ("s.isdigit()", "²"),
        ("s.encode()", "\ud800"),
        ("s.casefold()", "ß"),
        ("s.splitlines()", "\u2028"),
        ("re.match('a$', s)", "\n"),
        ("p = re.compile(r'\\d')", "٣"),
        ("re.search('k', s, re.I)", "\u212a"),
    ],
)
def test_strings(source: str, string: str) -> None:
    assert string in Ideas.of(ast.parse(source)).strings
    assert string not in Ideas.of(ast.parse("s + 'a'")).strings


def test_strings_that_only_one_program_suggests_come_first() -> None:
    one, other = Ideas.of(ast.parse("s.isdigit()")), Ideas.of(ast.parse("s.lower()"))
    assert one.without(other).strings == DIGITS
    assert one.plus(other).strings[: len(DIGITS)] == DIGITS


@pytest.mark.parametrize("source", ["n / 2", "math.sqrt(n)", "n & 255", "round(n)"])
def test_large_numbers_where_floats_or_bits_matter(source: str) -> None:
    assert set(WHOLE) <= set(special_numbers(ast.parse(source)))


@pytest.mark.parametrize("source", ["n + 1", "range(n / 2)", "while n / 2: pass", "1 << n / 2", "def f(n): f(n / 2)"])
def test_no_large_number_where_none_matters_or_takes_long(source: str) -> None:
    assert not set(WHOLE) & set(special_numbers(ast.parse(source)))
