"""Ideas read off a text: what is folded is what Python computes, and what is solved makes the comparison true."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.operations.constant_folding import MAX_LENGTH
from rewrite.equivalence.comparison_solving import RequiredLength, solve
from rewrite.equivalence.input_hints import InputHints


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def ideas(source: str) -> InputHints:
    return InputHints.of(ast.parse(source))


SOLVED = """
7 == n | n + 3 == 10 | 3 - n == 1 | n * 6 == 42 | n // 3 == 5 | n % 10 == 3 | -n == 4 | n ^ 5 == 9 | n << 2 == 20
n - 3 == 1 | 3 + n == 10 | 5 ^ n == 9 | n * n == 49 | abs(n) == 3 | str(n) == '12' | 2 * n + 1 == 9423
""".replace("\n", " | ").split(" | ")


@pytest.mark.parametrize("test", [text.strip() for text in SOLVED if text.strip()])
def test_a_comparison_of_a_number_is_met_by_one_of_its_ideas(test: str) -> None:
    found = ideas(f"def f(n):\n    if {test}:\n        return 1\n").values
    assert any(eval(test, {"n": value}) for value in found if isinstance(value, int)), found


@pytest.mark.parametrize(
    ("test", "value"),
    [
        ("s.startswith('ab')", "ab"),
        ("s.lower() == 'key'", "KEY"),
        ("s[::-1] == 'abc'", "cba"),
        ("s.split() == ['a', 'b']", "a b"),
        ("d['k'] == 3", {"k": 3}),
        ("d.get('k') == 3", {"k": 3}),
        ("xs[1] == 5", [5, 5]),
        ("s[2] == 'x'", "xxx"),
        ("ord(s) == 65", "A"),
        ("s in ('on', 'off')", "off"),
    ],
)
def test_a_comparison_of_another_value_is_met_too(test: str, value: Any) -> None:
    assert value in ideas(f"def f(s, d, xs):\n    return {test}\n").values


def test_lengths_types_and_patterns_are_ideas_of_their_own() -> None:
    found = ideas(
        "def f(x):\n    if len(x) == 4 or isinstance(x, (list, str)) or type(x) is dict:\n"
        "        return re.match('a+b', x)\n    match x:\n        case [a, b]: pass\n        case int(): pass\n"
    )
    assert {3, 4, 5, 2} <= set(found.lengths)
    assert {"list", "str", "dict", "int"} <= set(found.types)
    assert found.patterns == ("a+b",)


def test_a_docstring_is_no_idea_and_a_name_that_is_bound_once_is_known() -> None:
    found = ideas('"""Words."""\nLIMIT = 40 + 2\ndef f(n):\n    """More."""\n    return n == LIMIT * 2\n')
    assert 84 in found.values
    assert not [value for value in found.values if isinstance(value, str)]
    assert 84 not in ideas("LIMIT = 42\nLIMIT = 43\ndef f(n):\n    return n == LIMIT * 2\n").values


def test_a_bad_pattern_is_none() -> None:
    assert ideas("re.match('(', x)").patterns == ()


_some = st.lists(st.sampled_from([1, 1.0, True, "1", (1,)]), max_size=4).map(
    lambda values: InputHints(tuple(dict.fromkeys(values)))
)


@given(_some, _some)
def test_ideas_are_told_apart_by_their_text(one: InputHints, other: InputHints) -> None:
    both = one.union(other)
    assert [*map(repr, both.values)] == [*dict.fromkeys(map(repr, one.values + other.values))]
    assert both.without(other).union(other).values[len(both.without(other).values) :] == other.values
    assert one.without(one) == InputHints()


def test_a_length_beyond_all_sizes_is_no_idea() -> None:
    assert list(solve(expression("len(x)"), 4, {})) == [RequiredLength(4)]
    assert list(solve(expression("len(x)"), MAX_LENGTH + 1, {})) == []


HASHED = """
import ast
import os
import subprocess
import sys
from rewrite.equivalence.call_inputs import generate_calls
letters = ", ".join(map(repr, "abcdefghijklmn"))
tree = ast.parse(f"def f(x):\\n    return x in {{{letters}}}\\n")
print(generate_calls(tree, tree, ["f('ab')", "f(frozenset(['a', 'b', 'c']))"], 30))
"""


@pytest.mark.medium
def test_the_items_of_a_set_give_the_same_inputs_in_each_process() -> None:
    def printed(seed: str) -> str:
        command, environment = [sys.executable, "-c", HASHED], {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert printed("1") == printed("2")
