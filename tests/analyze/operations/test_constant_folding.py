"""Constant expressions: what is large, fails or runs code first."""

from __future__ import annotations

import ast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from analyze.operations.constant_folding import NotConstantError, fold


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    "text",
    [
        "9 ** 9 ** 9",
        "1 << 10 ** 9",
        "'a' * 10 ** 9",
        "[0] * 10 ** 6",
        "'%9999999d' % 1",
        "x",
        "print(1)",
        "1 / 0",
        "a.b",
        "[*x]",
        "round(10 ** 77, -10 ** 9)",
        "str([[[0] * 2000] * 2000] * 2000)",
        "sum([[[0] * 2000] * 2000] * 2000, [])",
        pytest.param("str({'a', 'b'})", id="the order of a set differs between processes"),
        pytest.param("','.join([*{'a', 'b'}])", id="and in a display"),
        pytest.param("','.join({'a', 'b'})", id="and in a method"),
        pytest.param("list(set('ab'))", id="and after it was made"),
        pytest.param("min([{1}, {2}])", id="and among items that have no order"),
    ],
)
def test_what_is_large_fails_or_runs_code_has_no_value(text: str) -> None:
    with pytest.raises(NotConstantError):
        fold(expression(text), {})


@pytest.mark.parametrize(
    ("text", "value"), [("len({1, 2})", 2), ("set(['a', 'b'])", {"a", "b"}), ("frozenset({1})", frozenset({1}))]
)
def test_a_set_counts_where_its_order_does_not(text: str, value: object) -> None:
    assert fold(expression(text), {}) == value


_atoms = st.sampled_from(
    ["0", "7", "-2", "2.5", "'ab'", "''", "b'x'", "[1, 2]", "(3,)", "{'k': 1}", "True", "None", "N"]
)
_folded = st.recursive(
    _atoms,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%", "**", "<<", "&"]), inner).map(
            "({0[0]} {0[1]} {0[2]})".format
        ),
        st.tuples(st.sampled_from(["len", "str", "int", "abs", "sorted", "list", "chr"]), inner).map(
            "{0[0]}({0[1]})".format
        ),
        st.tuples(inner, inner).map("{0[0]}[{0[1]}]".format),
        inner.map("({}).upper()".format),
        st.tuples(inner, inner).map("[{0[0]}, {0[1]}]".format),
    ),
    max_leaves=5,
)


@given(_folded)
@example("(9 ** 9)")
def test_what_is_folded_is_what_python_computes(text: str) -> None:
    try:
        found = fold(expression(text), {"N": 5})
    except NotConstantError:
        return
    assert repr(found) == repr(eval(text, {"N": 5}))
