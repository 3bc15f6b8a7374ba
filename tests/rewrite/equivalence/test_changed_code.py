"""The statements in which two programs differ, and which of them a call executed."""

import ast

import pytest

from rewrite.equivalence.changed_code import ChangedStatement, changed_statements
from rewrite.equivalence.coverage import observe_paths
from rewrite.equivalence.path_observer import FUNCTION, LAMBDA, MODULE


def changes(before: str, after: str) -> list[tuple[int, int, int]]:
    found = changed_statements(ast.parse(before), ast.parse(after))
    return [(one.first, one.last, one.scope) for one in found]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("def f(x): return x", "# a comment\ndef f(x):\n  return x", [], id="layout"),
        pytest.param("def f(x): return x", "def f(x): return +x", [(1, 1, FUNCTION)], id="one line"),
        pytest.param("def f(x):\n  return x", "def g(): 0\ndef f(x):\n  return g()", [(2, 2, FUNCTION)], id="outlined"),
        pytest.param("def f(x):\n  return x", "import a\nclass B: 0\ndef f(x):\n  return x", [], id="only added"),
        pytest.param("def f(x): return x\nf.a = 1", "def f(x): return x\nf.a = 2", [(2, 2, MODULE)], id="module"),
        pytest.param("class A:\n  b = 1", "class A:\n  b = 2", [(2, 2, MODULE)], id="class body"),
        pytest.param("f = lambda x: x", "f = lambda x: -x", [(1, 1, LAMBDA)], id="lambda"),
        pytest.param("f = g(lambda x: x)", "f = h(lambda x: -x)", [(1, 1, MODULE)], id="lambda and more"),
        pytest.param("def f(x=1):\n  return x", "def f(x=2):\n  return x", [(1, 1, MODULE)], id="default"),
        pytest.param("def f(x):\n  return x", "def g(x):\n  return x", [(2, 2, FUNCTION)], id="renamed function"),
        pytest.param("if (a and\n    b):\n  c", "if (a and\n    d):\n  c", [(1, 2, MODULE)], id="head"),
        pytest.param("if a:\n  b", "if a:\n  b\n  c", [(2, 2, MODULE)], id="added statement"),
    ],
)
def test_the_statements_that_differ_are_found(before: str, after: str, expected: list[tuple[int, int, int]]) -> None:
    assert changes(before, after) == expected


BODY = "def f(x): y = [lambda: x + 1]; return y[0]() if x else None\ndef g(x):\n    assert x\n    return 1 / x\n"


@pytest.mark.parametrize(
    ("statement", "call", "entered", "completed"),
    [
        (ChangedStatement(1, 1, FUNCTION), "g(1)", False, False),
        (ChangedStatement(1, 1, FUNCTION), "f(0)", True, True),
        (ChangedStatement(1, 1, LAMBDA), "f(0)", False, False),
        (ChangedStatement(1, 1, LAMBDA), "f(1)", True, True),
        (ChangedStatement(4, 4, FUNCTION), "g('a')", True, False),
        (ChangedStatement(3, 3, FUNCTION, raises=True), "g(0)", True, True),
        (ChangedStatement(3, 3, FUNCTION), "g(0)", True, False),
    ],
)
def test_a_statement_that_raises_is_entered_and_not_completed(
    statement: ChangedStatement, call: str, entered: bool, completed: bool
) -> None:
    path = observe_paths(BODY, [call])[call]
    assert (statement.is_entered(path), statement.is_completed(path)) == (entered, completed)
