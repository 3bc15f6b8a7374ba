"""Loops over characters in functions of their own: where that is cheaper, and nobody can see it."""

import pytest

from corpora import run_call
from rewrite import check_equivalence, rewrite_source

WIDE = """\
import re


def f(text, a, b, c, d):
    e = a + b
    g = c + d
    return text.replace('a', '-').upper(), text.replace('b', '-'), e, g
"""
CALL = "f('abcabcabc', 1, 2, 3, 4)"


@pytest.mark.medium
def test_a_loop_stands_in_a_function_of_its_own_where_the_trace_gets_shorter() -> None:
    made = rewrite_source(WIDE, "methods", calls=[CALL])
    assert made.source.startswith("import re\n\n\ndef _replace(text):\n    result = ''\n    start = 0\n")
    assert "\n    return result\n\n\ndef _upper(text):\n" in made.source
    assert "def _replace_2(text):\n" in made.source  # another character is another function
    assert "= _replace(text)\n" in made.source
    assert [made.origin(line) for line in (1, 4, 5, 6)] == [1, 7, 7, 7]
    assert made.tokens is not None
    verdict = check_equivalence(WIDE, made.source, [CALL], examples=30, assumes=made.assumes, inputs="any")
    assert verdict.equivalent is not False, verdict.counterexample


@pytest.mark.medium
def test_the_same_operation_twice_is_one_function() -> None:
    made = rewrite_source(WIDE.replace("'b'", "'a'"), "methods", calls=[CALL])
    assert made.source.count("def _replace") == 1
    assert made.source.count("= _replace(text)\n") == 2


@pytest.mark.medium
def test_names_of_the_program_are_not_taken() -> None:
    made = rewrite_source(WIDE.replace("def f", "_replace = 1\n\n\ndef f"), "methods", calls=[CALL])
    assert "def _replace(" not in made.source
    assert "def _replace_2(" in made.source


@pytest.mark.medium
@pytest.mark.parametrize("line", ["print(len(globals()))", "import sys; print(len(vars(sys.modules[f.__module__])))"])
def test_no_function_is_added_where_the_globals_are_looked_at(line: str) -> None:
    source = f"{WIDE}\n\ndef h():\n    {line}\n"
    made = rewrite_source(source, "methods", calls=[CALL])
    assert made.source.count("def ") == source.count("def ")


@pytest.mark.medium
@pytest.mark.parametrize("unproven", ["guard", "leave"])
def test_without_evidence_loops_stay_where_they_are(unproven: str) -> None:
    made = rewrite_source(WIDE, "methods", calls=[CALL], unproven=unproven)
    assert "def _" not in made.source
    assert run_call(made.source, CALL) == run_call(WIDE, CALL)


def test_a_loop_stays_where_its_function_has_little_to_name() -> None:
    made = rewrite_source("def f(text):\n    n = text.count('b')\n    return n\n", calls=["f('ab')"], cost=None)
    assert "def _" not in made.source
    assert "for " in made.source
