"""The functions that CALL frames are of: sources without names, decorators, generators, nested functions."""

import pytest

from runner.reports.debugger.function_names import function_names


@pytest.mark.parametrize("source", ["def f(:\n", "f = lambda: 1\n", "class A:\n    x = [i for i in (1, 2)]\n"])
def test_a_source_without_named_functions_has_no_names(source: str) -> None:
    assert function_names(source) == {}


def test_a_function_is_called_at_its_first_decorator() -> None:
    assert function_names("@one\n@two(\n    1)\ndef f():\n    return 1\n") == {1: "f"}


def test_a_generator_is_resumed_at_its_yield_and_not_at_that_of_an_inner_one() -> None:
    source = "def f():\n    def g():\n        yield 1\n    yield from g()\n"
    assert function_names(source) == {1: "f", 2: "g", 3: "g", 4: "f"}


def test_a_comprehension_beside_a_yield_leaves_the_call_undecided() -> None:
    assert function_names("def f():\n    yield [i for i in 'a']\n") == {1: "f"}
