"""The values of literals: what is one, what is none, and that a spelling does not matter."""

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.syntax.literal_values import NOT_LITERAL, literal_value, value_of


@pytest.mark.parametrize("text", ["x", "__debug__", "not 1", "-x", "f'a'", "'a' 'b'", "[1]", "(1, 2)", "1 + 1", "..."])
def test_anything_else_is_no_literal(text: str) -> None:
    assert literal_value(cst.parse_expression(text)) is NOT_LITERAL


@pytest.mark.parametrize(
    ("text", "value"),
    [("None", None), ("(True)", True), ("False", False), ("0x_ff", 255), ("-1", -1), ("r'\\n'", "\\n"), ("b'a'", b"a")],
)
def test_a_literal_has_its_value_in_any_spelling(text: str, value: object) -> None:
    found = literal_value(cst.parse_expression(text))
    assert found == value and type(found) is type(value)


@given(st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.binary()))
def test_a_drawn_value_is_read_from_its_text(value: object) -> None:
    found = value_of(repr(value))
    assert found == value and type(found) is type(value)
    assert literal_value(cst.parse_expression(repr(value))) == value
