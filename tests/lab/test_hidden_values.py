"""What a step shows is not hidden, and neither is what only another recipe would rewrite."""

import pytest

from lab.hidden_values import count_hidden_expressions, is_hidden
from rewrite.anf.rewrite_result import NOT_HERE, SkippedExpression


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("def f(x):\n    y = x + 1\n    return y * 2\n", 0),
        ("import os\nos.path.join('a', 'b')\n", 0),
        ("def f(x):\n    return (x + 1) * (x + 2)\n", 2),
        ("print(len(x) + 1)\n", 2),  # the last statement counts as well: no call is traced
    ],
)
def test_only_values_that_no_step_shows_are_counted(source: str, count: int) -> None:
    assert count_hidden_expressions(source) == count


def test_what_only_another_recipe_rewrites_is_not_hidden() -> None:
    assert not is_hidden(SkippedExpression(1, f"{NOT_HERE} methods"))
    assert is_hidden(SkippedExpression(1, "module level"))
