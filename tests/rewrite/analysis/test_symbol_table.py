"""The scopes and their names are those of CPython's own symbol table on drawn programs; what binds them, by hand."""

from __future__ import annotations

import re
import symtable
import sys
from collections import Counter

import libcst as cst
import pytest
from hypothesis import given, settings

from rewrite.analysis.scopes import Scope
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.testing import Program, programs

WITHOUT_NAMES = frozenset({"lambda", "listcomp", "setcomp", "dictcomp", "genexpr"})
MANGLED = re.compile(r"^_[A-Z]\w*?(?=__)")
Found = tuple[str, str, frozenset[str], frozenset[str], frozenset[str]]  # kind, name, bound, global, nonlocal


def ours(source: str) -> Counter[Found]:
    return Counter(
        map(described, (s for s in scopes_of(source) if isinstance(s.node, (cst.FunctionDef, cst.ClassDef))))
    )


def scopes_of(source: str) -> list[Scope]:
    return list(collect_scopes(cst.parse_module(source)))


def described(scope: Scope) -> Found:
    assert isinstance(scope.node, (cst.FunctionDef, cst.ClassDef))
    bound = frozenset(scope.bindings) - scope.declared_global - scope.declared_nonlocal
    return (
        scope.kind,
        scope.node.name.value,
        bound,
        frozenset(scope.declared_global),
        frozenset(scope.declared_nonlocal),
    )


def cpythons(source: str) -> Counter[Found]:
    found: Counter[Found] = Counter()
    tables = symtable.symtable(source, "<drawn>", "exec").get_children()
    while tables:
        table = tables.pop()
        tables += table.get_children()
        if table.get_type() in ("function", "class") and table.get_name() not in WITHOUT_NAMES:
            found[(str(table.get_type()), table.get_name(), *names(table))] += 1
    return found


def names(table: symtable.SymbolTable) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The names that are bound in a scope, and those that are declared to live outside, before they are mangled."""
    kinds: tuple[set[str], set[str], set[str]] = (set(), set(), set())
    for symbol in table.get_symbols():
        bound = symbol.is_assigned() or symbol.is_parameter() or symbol.is_imported() or symbol.is_annotated()
        outside = (symbol.is_declared_global(), symbol.is_nonlocal())
        for kind, stands in zip(kinds, (bound and not any(outside), *outside), strict=True):
            if stands:
                kind.add(MANGLED.sub("", symbol.get_name()))
    return frozenset(kinds[0]), frozenset(kinds[1]), frozenset(kinds[2])


@pytest.mark.medium
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="symtable lists comprehensions' variables elsewhere there")
@pytest.mark.hypothesis
@pytest.mark.parametrize("examples", [20, pytest.param(60, marks=pytest.mark.exhaustive)])
def test_functions_and_classes_bind_what_cpython_says(examples: int) -> None:
    @settings(max_examples=examples)
    @given(programs())
    def same(program: Program) -> None:
        assert ours(program.source) == cpythons(program.source)

    same()


BINDING = """\
import os.path
import math as m
from string import ascii_letters as letters
a = b, [*c] = 1, [2]
d: int
e: int = 1
f += 1
for g, (h, i) in j: pass
with k as (l, n.o): pass
try: pass
except E as p: pass
def q(): pass
class r: pass
print(s := 1)
match t:
    case [u, *v] | {'w': x, **y}: pass
del z
"""


def test_everything_that_binds_a_name_does_so_here() -> None:
    [module] = [scope for scope in scopes_of(BINDING) if scope.kind == "module"]
    assert set(module.bindings) == set("abcdefghilpqrsuvxyz") | {"os", "m", "letters"}
    assert module.deleted >= {"z", "p"}


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("x = 1", ["value"]),
        ("x = 1\nx += 2", ["value", "augmented"]),
        ("for x in y: pass", ["element"]),
        ("x, y = z", ["other"]),
        ("def x(): pass", ["definition"]),
        ("import x", ["import"]),
        ("from y import x", ["import"]),
        ("with y as x: pass", ["other"]),
        ("def f():\n    global x\n    x = 1", ["other"]),
    ],
)
def test_how_a_name_is_bound(source: str, how: list[str]) -> None:
    [module] = [scope for scope in scopes_of(source) if scope.kind == "module"]
    assert [binding.how for binding in module.bindings["x"]] == how


def test_what_stands_in_a_block_is_nested() -> None:
    [module] = [scope for scope in scopes_of("x = 1\nif y:\n    x = 2\n") if scope.kind == "module"]
    assert [binding.nested for binding in module.bindings["x"]] == [False, True]


NESTED = """\
x = 1
class A:
    x = 2
    def f(self):
        return x, len
    def g(self):
        x = 3
        def h():
            nonlocal x
            x = 4
        return [x for y in z], lambda: x
"""


def test_the_owner_of_a_name_is_found_past_classes() -> None:
    by_name = {s.node.name.value: s for s in scopes_of(NESTED) if isinstance(s.node, (cst.FunctionDef, cst.ClassDef))}
    module = by_name["f"].module
    assert by_name["A"].owner("x") is by_name["A"]
    assert by_name["f"].owner("x") is module
    assert by_name["h"].owner("x") is by_name["g"]
    assert by_name["g"].rebound_elsewhere == {"x"}
    assert by_name["f"].owner("len") is None
    assert by_name["f"].is_builtin("len")
    inner = [scope for scope in scopes_of(NESTED) if scope.kind in ("lambda", "comprehension")]
    assert [scope.owner("x") is not None and scope.owner("x") is scope.parent for scope in inner] == [True, True]


@pytest.mark.parametrize("source", ["len = 1\n", "from y import *\n", "def f():\n    global len\n    len = 1\n"])
def test_a_builtin_that_the_module_may_replace_is_none(source: str) -> None:
    [module] = [scope for scope in scopes_of(source) if scope.kind == "module"]
    assert not module.is_builtin("len")


def test_names_that_look_at_a_scope_are_kept_with_it() -> None:
    seen = [scope for scope in scopes_of("def f():\n    return locals()\ndef g():\n    return 1\n") if scope.reflection]
    assert [scope.node.name.value for scope in seen if isinstance(scope.node, cst.FunctionDef)] == ["f"]


def test_no_other_node_gets_the_scope_of_a_node_that_was_dropped() -> None:
    scopes = collect_scopes(cst.parse_module("a = 1\n"))
    for _ in range(100):
        scopes.adopt(cst.parse_expression("[a for a in b]"), scopes.module)  # nothing else keeps the node
    others = (cst.parse_expression("[c for c in d]") for _ in range(100))
    assert all(scopes.find(other) is None for other in others)
