"""Compiling as 3.10 would: nothing that Python compiles is refused, and programs compute what they did."""

import json
import statistics
import textwrap
from pathlib import Path
from types import CodeType

import pytest

from analyze.gold_trace.python310 import compile_as_310

LIBRARY = Path(textwrap.__file__).parent
MODULES = [Path(textwrap.__file__), Path(statistics.__file__), Path(json.__file__), *sorted(LIBRARY.glob("a*.py"))]


def names(code: CodeType) -> list[str]:
    """The qualified names of a code object and all inside it, in order."""
    held = [name for inner in code.co_consts if isinstance(inner, CodeType) for name in names(inner)]
    return [code.co_qualname, *held]


def run(source: str) -> dict[str, object]:
    namespace: dict[str, object] = {}
    exec(compile_as_310(source, "<program>"), namespace)
    return namespace


@pytest.mark.parametrize("source", ["def f(:", "return 1", "[(x := 1) for x in y]"])
def test_what_python_refuses_is_refused(source: str) -> None:
    with pytest.raises(SyntaxError):
        compile_as_310(source, "<program>")


def test_a_comprehension_around_an_asynchronous_one_stays_as_it_is() -> None:
    compile_as_310("async def f(xs):\n    return [[x async for x in y] for y in xs]", "<program>")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules_of_the_standard_library_compile(path: Path) -> None:
    code = compile_as_310(path.read_text(encoding="utf-8"), str(path))
    assert code.co_filename == str(path)


def test_a_docstring_and_future_imports_stay_first() -> None:
    assert run('"""Doc."""\nfrom __future__ import annotations\nx: y = [i for i in range(2)]')["__doc__"] == "Doc."


def test_comprehensions_have_3_10s_names() -> None:
    source = "def f(x):\n    return [lambda: i for i in x], {i for i in x}, {i: [j for j in x] for i in x}"
    assert names(compile_as_310(source, "<program>")) == [
        "<module>",
        "f",
        "f.<locals>.<listcomp>",
        "f.<locals>.<listcomp>.<lambda>",
        "f.<locals>.<setcomp>",
        "f.<locals>.<dictcomp>",
        "f.<locals>.<dictcomp>.<listcomp>",
    ]


def test_an_iterator_is_asked_for_once() -> None:
    source = """
asked = []
class Once:
    def __iter__(self):
        asked.append(1)
        return self
    def __next__(self):
        raise StopIteration
result = [x for x in Once()]
"""
    assert run(source)["asked"] == [1]


def test_a_stop_iteration_inside_a_comprehension_is_not_made_another_error() -> None:
    source = "try:\n    [next(iter(())) for _ in range(3)]\nexcept StopIteration:\n    result = 'stopped'"
    assert run(source)["result"] == "stopped"
