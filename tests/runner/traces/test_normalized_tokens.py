"""Normalized tokens: formatting and comments do not count, and chosen names do not count for near copies."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.traces.normalized_tokens import ngrams, normalize_tokens

SOURCE = "def f(x):\n    return x.lower() + str(1)\n"


@pytest.mark.parametrize(
    ("other", "exact", "anonymous"),
    [
        pytest.param("def f(x):  # a comment\n\n  return x . lower()+str(1)\n", True, True, id="formatting"),
        pytest.param(SOURCE.replace("    return", '    """Adds."""\n    return'), True, True, id="a docstring"),
        pytest.param(
            SOURCE.replace("    return", '    "a".x\n    return'), False, False, id="a string in an expression"
        ),
        pytest.param(SOURCE.replace("x", "y"), False, True, id="a name"),
        pytest.param(SOURCE.replace("lower", "upper"), False, False, id="a method"),
        pytest.param(SOURCE.replace("str", "int"), False, False, id="a built-in"),
        pytest.param(SOURCE.replace("1", "2"), False, False, id="a number"),
    ],
)
def test_what_makes_a_difference(other: str, exact: bool, anonymous: bool) -> None:
    one, two = normalize_tokens(SOURCE), normalize_tokens(other)
    assert (one.digest == two.digest, one.anonymous == two.anonymous) == (exact, anonymous)


def test_what_is_no_program_is_words() -> None:
    assert normalize_tokens("x = '''never closed").exact == ("x", "=", "'''never", "closed")


@given(st.lists(st.sampled_from("abc"), max_size=12), st.integers(1, 6))
def test_ngrams_are_windows(tokens: list[str], size: int) -> None:
    grams = ngrams(tokens, size)
    assert 1 <= len(grams) <= max(1, len(tokens) - size + 1)
    assert all("\0".join(tokens).encode().find(gram) >= 0 for gram in grams)
