"""Which parameters are taken for instances of the program's classes."""

import ast

import pytest

from rewrite.equivalence.inferred_annotations import infer_annotations

POINT = "class Point:\n    def __init__(self, x):\n        self.x = x\n"


def annotations(source: str) -> list[str]:
    """The annotations of the parameters of the last function or method of a program."""
    functions = [node for node in ast.walk(infer_annotations(ast.parse(source))) if isinstance(node, ast.FunctionDef)]
    last = max(functions, key=lambda node: node.lineno)
    return [ast.unparse(part.annotation) for part in last.args.args if part.annotation]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        pytest.param("def f(p, n): return p.x + n", ["Point | Any"], id="an attribute"),
        pytest.param("def f(p): return p.other", [], id="an attribute that no class has"),
        pytest.param("def f(p): return p.x + p.other", ["Point | Any"], id="one of two attributes"),
        pytest.param("def f(p: int): return p.x", ["int"], id="what is written stays"),
        pytest.param("def f(p): return isinstance(p, Point)", ["Point | Any"], id="a type test"),
        pytest.param("def f(ps): return [p.x for p in ps]", ["list[Point] | Any"], id="its items"),
        pytest.param("def f(ps): return max(ps, key=lambda p: p.x)", ["list[Point] | Any"], id="its items, as a key"),
        pytest.param("def f(g, x): return g(x)", ["Callable"], id="what is called"),
    ],
)
def test_functions(function: str, expected: list[str]) -> None:
    assert annotations(POINT + function) == expected


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        pytest.param("def __add__(self, o): return 1", ["Point | Any"], id="an operator"),
        pytest.param(
            "def __getattr__(self, name): return {'size': 1}[name]",
            ["Literal['__getattr__', '__init__', 'other', 'size', 'x']"],
            id="a name",
        ),
        pytest.param("def __getitem__(self, i): return i", ["int | slice | Any"], id="an index"),
        pytest.param("def add(self, o): return o", [], id="a method that says nothing"),
    ],
)  # fmt: skip
def test_methods(method: str, expected: list[str]) -> None:
    assert annotations(f"{POINT}    {method}\n") == expected


def test_a_program_without_classes_stays_as_it_is() -> None:
    tree = ast.parse("def f(p): return p.x")
    assert infer_annotations(tree) is tree
