"""What counts as hidden, by example."""

import pytest

from analyze.gold_trace.hidden_values import hidden_values
from corpora.errors import InputError


def count(body: str, call: str = "f(1)", head: str = "def f(x):") -> int:
    return hidden_values("\n    ".join([head, *body.splitlines()]), call)


@pytest.mark.parametrize(
    "body",
    [
        "return x",
        "return x + 1",
        "y = x + 1\nreturn y",
        "y = -1\nreturn [1, 2]",
        "print(x)",
        "y, z = x + 1, x\nreturn y",
        "y = [0]\ny[0] = x + 1\nreturn y",
        "g = lambda y: y + 1\nreturn g(x)",
        "for i in range(3): pass".replace("range(3)", "(1, 2)"),
        "raise ValueError(x)",
        "y: list[int] = [x]\nreturn y",
    ],
)
def test_what_a_step_shows_is_not_hidden(body: str) -> None:
    assert count(body) == 0


@pytest.mark.parametrize(
    ("body", "hidden"),
    [
        ("return (x + 1) * 2", 1),
        ("return max(x + 1, len([x]))", 3),
        ("if x > 0:\n    return x", 1),
        ("for i in range(3): pass", 1),
        ("while x < 3: x += 1\nreturn x", 3),
        ("return x < 0 and x + 1 > 3", 1),
        ("return 'a-b'.split('-')[0]", 1),
        ("return [i * 2 for i in range(3)]", 4),
        ("return f'{x + 1}'", 1),
        ("d = {(1, 3): 2}\nreturn d[x, 3]", 0),
        ("d = {(1, 3): 2}\nreturn d[x, x + 2]", 1),
        ("return (x + 1 if x else x - 1) + 0", 2),
    ],
)
def test_each_evaluation_of_a_value_on_the_way_counts(body: str, hidden: int) -> None:
    assert count(body) == hidden


def test_what_the_module_computes_before_the_call_does_not_count() -> None:
    assert hidden_values("N = len([1]) + 1\ndef f():\n    return N", "f()") == 0


def test_temporaries_show_what_was_hidden() -> None:
    assert count("return len(str(x + 1))") == 2
    assert count("_t0 = x + 1\n_t1 = str(_t0)\nreturn len(_t1)") == 0


def test_a_program_that_does_not_parse_is_the_callers_mistake() -> None:
    with pytest.raises(InputError, match="SyntaxError"):
        hidden_values("def f(:", "f()")
