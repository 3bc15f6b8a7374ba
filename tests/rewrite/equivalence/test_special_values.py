"""Which operations of a program suggest which values."""

import ast

import pytest

from rewrite.equivalence.call_inputs import generate_calls
from rewrite.equivalence.call_templates import call_template
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.special_values import DIGITS, LARGE_INTEGERS, is_extreme, special_numbers


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
    assert string in InputHints.of(ast.parse(source)).strings
    assert string not in InputHints.of(ast.parse("s + 'a'")).strings


def test_strings_that_only_one_program_suggests_come_first() -> None:
    one, other = InputHints.of(ast.parse("s.isdigit()")), InputHints.of(ast.parse("s.lower()"))
    assert one.without(other).strings == DIGITS
    assert one.union(other).strings[: len(DIGITS)] == DIGITS


@pytest.mark.parametrize("source", ["n / 2", "math.sqrt(n)", "n & 255", "round(n)"])
def test_large_numbers_where_floats_or_bits_matter(source: str) -> None:
    assert set(LARGE_INTEGERS) <= set(special_numbers(ast.parse(source)))


@pytest.mark.parametrize("source", ["n + 1", "range(n / 2)", "while n / 2: pass", "1 << n / 2", "def f(n): f(n / 2)"])
def test_no_large_number_where_none_matters_or_takes_long(source: str) -> None:
    assert not set(LARGE_INTEGERS) & set(special_numbers(ast.parse(source)))


LOOP = "def f(n: float):\n    while n > 1.5:\n        n /= 2\n    return n"
NO_LOOP = "def f(n: float):\n    return n / 2 if n > 1.5 else n"


@pytest.mark.parametrize(("before", "after"), [(LOOP, LOOP + "\n"), (LOOP, NO_LOOP), (NO_LOOP, LOOP)])
@pytest.mark.parametrize("call", ["f(2.0)", "f(3)"])
def test_no_extreme_float_is_drawn_where_either_program_has_a_while_loop(before: str, after: str, call: str) -> None:
    assert not any(map(is_extreme, _arguments(before, after, call)))


def test_extreme_floats_are_drawn_where_no_program_has_a_while_loop() -> None:
    assert any(map(is_extreme, _arguments(NO_LOOP, NO_LOOP + "\n", "f(2.0)")))


@pytest.mark.parametrize("call", ["f(2.0)", "f(3)"])
def test_a_nan_is_drawn_where_a_program_has_a_while_loop(call: str) -> None:
    assert "f((1e999 - 1e999))" in generate_calls(ast.parse(NO_LOOP), ast.parse(LOOP), [call], 100)


def _arguments(before: str, after: str, call: str) -> list[object]:
    return [
        value
        for made in generate_calls(ast.parse(before), ast.parse(after), [call], 100)
        for value in call_template(made).values
    ]
