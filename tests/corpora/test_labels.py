"""Labels that are values, not text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.auditing.row_strings import ProgramFields, read_fields
from corpora import BadRow, Case, Row, case_from_row
from corpora.literals import label_text, parse_literal

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner | st.text()) | st.dictionaries(st.text(), inner | st.text()),
)


@pytest.mark.medium
@given(VALUES)
def test_the_text_of_a_value_is_a_literal_of_the_same_value_and_type(value: Any) -> None:
    assert repr(parse_literal(label_text(value))) == repr(value)


@pytest.mark.parametrize("field", ["expected", "output"])
@pytest.mark.parametrize(
    ("value", "text"),
    [(8, "8"), (True, "True"), (8.0, "8.0"), ([1, "a"], "[1, 'a']"), ({"a": None}, "{'a': None}"), ("8", "8")],
)
def test_it_is_accepted_wherever_rows_are_read(field: str, value: object, text: str) -> None:
    row = Row(1, "rows:1", {"code": "def f(x):\n    return x", "input": "1", field: value})
    case, fields = case_from_row(row), read_fields(row)
    assert isinstance(case, Case)
    assert isinstance(fields, ProgramFields)
    assert case.expected == fields.target == text


@pytest.mark.parametrize("value", [float("nan"), [float("inf")], object()])
def test_a_value_without_a_literal_is_a_bad_row(value: object) -> None:
    row = Row(1, "rows:1", {"code": "def f(x):\n    return x", "input": "1", "expected": value})
    for found in (case_from_row(row), read_fields(row)):
        assert isinstance(found, BadRow)
        assert "without a Python literal" in found.reason
