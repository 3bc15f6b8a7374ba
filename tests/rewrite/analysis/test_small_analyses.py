"""The small questions about names, modules and classes, each held against what Python does."""

from __future__ import annotations

import importlib
import types
from typing import Any

import libcst as cst
import pytest

from rewrite.analysis import type_narrowing
from rewrite.analysis.class_bodies import has_plain_namespace
from rewrite.analysis.imported_modules import STRINGS, is_module, may_be_module, module_path
from rewrite.analysis.outer_names import is_bound_when_run
from rewrite.analysis.scopes import ModuleScopes, Scope
from rewrite.analysis.stop_iteration import is_asynchronous, is_exception_observed
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.syntax.tree import walk


def scopes_and_node(source: str, name: str) -> tuple[ModuleScopes, Any]:
    """The scopes of a module, and the function or class of this name in it."""
    module = cst.parse_module(source)
    found = [n for n in walk(module) if isinstance(n, (cst.FunctionDef, cst.ClassDef)) and n.name.value == name]
    return collect_scopes(module), found[0]


@pytest.mark.parametrize(
    ("head", "plain"),
    [
        ("class X", True),
        ("class X(list)", True),
        ("class X(list, object)", True),
        ("class Y: pass\nclass X(Y)", True),
        ("import enum\nclass X(enum.Enum)", False),
        ("from enum import Enum\nclass X(Enum)", False),
        ("class M(type): pass\nclass X(metaclass=M)", False),
        ("class M(type): pass\nclass Y(metaclass=M): pass\nclass X(Y)", False),
        ("bases = (list,)\nclass X(*bases)", False),
        ("if 1:\n    class Y: pass\nelse:\n    class Y: pass\nclass X(Y)", False),
        ("def deco(c): return c\n@deco\nclass Y: pass\nclass X(Y)", False),
        ("class X(X)", False),
    ],
)
def test_a_class_body_is_plain_only_where_its_metaclass_is_type(head: str, plain: bool) -> None:
    source = f"{head}:\n    a = 1\n"
    scopes, node = scopes_and_node(source, "X")
    assert has_plain_namespace(node, scopes.module) == plain
    if plain:
        namespace: dict[str, Any] = {}
        exec(source, namespace)
        assert type(namespace["X"]) is type


@pytest.mark.parametrize(
    ("source", "there"),
    [
        ("x = g\ndef f(): return x", True),
        ("def f(): return x\nx = g", True),
        ("def f(): return x\nprint(1)\nx = g", False),
        ("def f(): return x\nf()\nx = g", False),
        ("def f(): return x\nclass C(B): pass\nx = g", False),
        ("def f(): return x\n@decorator\ndef h(): pass\nx = g", False),
        ("def f(): return x\nimport os\nHERE = os.getcwd()\nx = g", True),
        ("def f(): return x\nimport os\nHERE = os.walk(f)\nx = g", False),
        ("def o(x):\n    def f(): return x", True),
    ],
)
def test_a_name_around_is_there_if_nothing_can_run_before_it_is(source: str, there: bool) -> None:
    scopes, node = scopes_and_node(source, "f")
    scope = scopes.of(node)
    owner = scope.owner("x")
    assert owner is not None
    assert is_bound_when_run("x", scope, owner) == there


IMPORTS = """
import os, string, os.path as p, xml.dom
from os import path, sep
from string import digits, capwords
alias = string
other = __import__("math")
value = 1
"""


@pytest.mark.parametrize(
    ("expression", "path"),
    [
        ("os.path", "os.path"),
        ("p", "os.path"),
        ("alias.digits", "string.digits"),
        ("other", "math"),
        ("__import__('re').sub", "re.sub"),
        ("value", ""),
        ("value.real", ""),
        ("nowhere", ""),
    ],
)
def test_the_path_of_a_module_is_followed_through_names(expression: str, path: str) -> None:
    scope = collect_scopes(cst.parse_module(IMPORTS)).module
    assert module_path(cst.parse_expression(expression), scope) == path


@pytest.mark.parametrize(
    "expression", ["os", "p", "os.path", "xml.dom", "alias", "other", "value", "os.sep", "digits", "sep"]
)
def test_a_certain_module_is_one_and_no_certain_module_is_a_text(expression: str) -> None:
    namespace: dict[str, Any] = {}
    exec(IMPORTS, namespace)
    scope, node = collect_scopes(cst.parse_module(IMPORTS)).module, cst.parse_expression(expression)
    value = eval(expression, namespace)
    assert not is_module(node, scope) or isinstance(value, types.ModuleType)
    assert may_be_module(node, scope) or not isinstance(value, types.ModuleType)
    if isinstance(value, str):
        assert not is_module(node, scope)
        assert not may_be_module(node, scope)


@pytest.mark.parametrize("module", STRINGS)
def test_the_texts_of_a_module_are_texts(module: str) -> None:
    held = {name: getattr(importlib.import_module(module), name, None) for name in STRINGS[module]}
    assert not {name: value for name, value in held.items() if not isinstance(value, str | None)}


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("type(x) is str", ("x", "str", True)),
        ("type(x) is not str", ("x", "str", False)),
        ("not type(x) is str", ("x", "str", False)),
        ("type(x) == str", ("", "", False)),
        ("isinstance(x, str)", ("", "", False)),
        ("type(x) is str and y", ("", "", False)),
    ],
)
def test_what_a_condition_says_of_a_type(test: str, said: tuple[str, str, bool]) -> None:
    assert type_narrowing.narrowing_test(cst.parse_expression(test)) == said


SUSPENDING = "async def f(y):\n    {before}\n        x = [await z for z in y]\n"


def comprehension_in(source: str) -> tuple[cst.BaseComp, Scope]:
    scopes, node = scopes_and_node(source, "f")
    [found] = [inner for inner in walk(node) if isinstance(inner, cst.BaseComp)]
    return found, scopes.of(node)


@pytest.mark.parametrize(
    ("before", "watched"),
    [("if y:", False), ("for y in y:", False), ("try:\n        pass\n    finally:", True), ("with y:", True)],
)
def test_what_may_see_a_stop_iteration_is_known(before: str, watched: bool) -> None:
    assert is_exception_observed(*comprehension_in(SUSPENDING.format(before=before))) == watched


def test_a_generator_watches_too() -> None:
    assert is_exception_observed(*comprehension_in(SUSPENDING.format(before="if y:") + "    yield 1\n"))


@pytest.mark.parametrize(
    ("source", "stops"), [("[await x for x in y]", True), ("[x async for x in y]", True), ("[x for x in y]", False)]
)
def test_a_comprehension_suspends_where_it_awaits(source: str, stops: bool) -> None:
    [found] = [node for node in walk(cst.parse_expression(source)) if isinstance(node, cst.BaseComp)]
    assert is_asynchronous(found) == stops
