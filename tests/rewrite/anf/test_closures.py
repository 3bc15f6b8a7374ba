"""Lambdas and generator expressions that stay as they are: the operations in them are reported."""

import pytest

from rewrite.rewriting import rewrite_source


@pytest.mark.parametrize("recipe", ["letters", "methods", "decompose", "strings"])
@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("max(t.find(c) for c in 'xyz')", "generator expression"),
        ("any(c in t for c in 'xyz')", "generator expression"),
        ("sorted('xyz', key=lambda c: t.find(c))", "lambda"),
    ],
)
def test_a_string_operation_that_is_yielded_or_returned_is_reported(recipe: str, expression: str, kind: str) -> None:
    source = f"def f(t):\n    return {expression}\n"
    found = rewrite_source(source, recipe, calls=["f('abc')"])
    assert found.source == source
    assert [(left.line, left.reason) for left in found.left] == [(2, f"{kind} that consists of this operation alone")]


def test_an_element_that_is_no_string_operation_is_shown_and_not_reported() -> None:
    found = rewrite_source("def f(t):\n    return sum(x + 1 for x in t)\n", "methods", calls=["f([1, 2])"])
    assert not found.changed
    assert found.left == ()


def test_an_operation_inside_the_element_still_makes_a_function() -> None:
    source = "def f(t):\n    return max(t.find(c) + 1 for c in 'xyz')\n"
    assert "yield" in rewrite_source(source, "methods", calls=["f('abc')"]).source


def test_the_parameter_of_a_generator_keeps_its_value() -> None:
    program = "def f(n):\n    return sum(len('x' * c) + c * 2 for c in range(n) if c % 2)\n"
    made = rewrite_source(program).source
    parameter = next(line for line in made.splitlines() if line.startswith("    def "))
    name = parameter.partition("(")[2].removesuffix("):")
    assert [line for line in made.splitlines() if line.startswith(f"            {name} = ")] == []


def test_an_iterator_of_the_program_is_not_asked_for_its_iterator_again() -> None:
    source = (
        "class Once:\n    def __next__(self):\n        raise StopIteration\n"
        "class Items:\n    def __iter__(self):\n        return Once()\n"
        "def f(n):\n    return sum(len(str(item)) + n for item in Items())\n"
    )
    found = rewrite_source(source)
    assert "yield" not in found.source
    assert {left.reason for left in found.left} == {"generator expression in a module that defines an iterator"}
    made: dict[str, object] = {}
    exec(found.source, made)
    assert eval("f(1)", made) == 0
