"""What stands for a variable, who reads it late, and when it may be renamed; held against Python's own symbol table."""

import ast
import symtable
from textwrap import dedent

import pytest
from hypothesis import given, settings

from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.analysis.observers import count_fixed_lines, find_line_readers, observes_lifetimes
from rewrite.testing import Program, programs


def locals_of(*lines: str) -> FunctionLocals:
    """The variables of the function f(a, b) with these lines."""
    return read_locals("\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""]))[0]


@pytest.mark.parametrize(
    "line",
    [
        "g = lambda: x",
        "g = (a for _ in b if x)",
        "g = map(str, (a + x for a in b))",
        "g = any([(x for _ in a) for _ in b])",
        "g = sum(a, (x for _ in b))",
        "def g(): return x",
        "def g():\n        nonlocal x",
        "def g(c: x): pass",
        "class g: y = x",
        "class g:\n        def h(self): return [x for _ in b]",
        "g = lambda: [x for x in a] + x",
        "global x",
    ],
)
def test_what_others_read_or_bind_is_not_the_functions_alone(line: str) -> None:
    found = locals_of("x = 1", line) if line != "global x" else locals_of(line, "x = 1")
    assert not found.owns("x")
    assert not found.may_rename("x")
    assert "x" not in found.renamable


@pytest.mark.parametrize(
    "line",
    [
        "g = [x for _ in b]",
        "g = any(x for _ in b)",
        "g = ','.join(x for _ in b)",
        "g = sorted((x for _ in b), key=len)",
        "def g(x): return x",
        "g = lambda x: x",
        "def g(y=x): pass",
        "g = (y for y in x)",
        "def g(): return b.x",
        "g = lambda: b(x=1)",
    ],
)
def test_what_runs_where_it_stands_and_what_is_another_variable(line: str) -> None:
    assert locals_of("x = 1", line).owns("x")


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["x = 1", "return f'{x=}'"], "its name is said"),
        (["if a: x = 1", "return x"], "an error says it"),
        (["x = 1", "del x"], "deleted"),
        (["import x", "return x"], "imported"),
        (["def x(): pass", "return x"], "defined"),
        (["class x: pass", "return x"], "defined"),
        (["try: pass", "except a as x: print(x)"], "deleted behind the handler"),
        (["x = 1", "return locals()"], "looked at"),
        (["x = 1", "return [x for x in a]"], "an inner variable has its name"),
        (["__x = 1", "return __x"], "private"),
        (["x = 1", "return a, eval(b)"], "looked at"),
    ],
)
def test_what_may_not_be_renamed(lines: list[str], why: str) -> None:
    assert not locals_of(*lines).may_rename("x"), why
    assert not locals_of(*lines).may_rename("a"), "a parameter"


@pytest.mark.parametrize(
    "lines",
    [
        ["x = 1", "return a(x=2).x, x"],
        ["x = 1", "match a:", "    case b(x=0): return x"],
        ["x = 1", "from b import x as y", "return x, y"],
        ["for x in a: print(x)"],
        ["x = 1", "return f'{x} {x!r:>{x}}'"],
    ],
)
def test_what_may_be_renamed(lines: list[str]) -> None:
    found = locals_of(*lines)
    assert found.may_rename("x")
    assert all(one.node.value == "x" for one in found.references["x"])


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "x += 1",
        "x: int = 1",
        "for x in a: pass",
        "[x := b for b in a]",
        "with a as x: pass",
        "with a as (y, [*x]): pass",
        "import x.y",
        "import y as x",
        "from y import x",
        "def x(): pass",
        "class x: pass",
        "del x",
        "try: pass\nexcept a as x: pass",
        "match a:\n    case [*x]: pass",
        "match a:\n    case {**x}: pass",
        "match a:\n    case b(c=x): pass",
        "match a:\n    case (1 | 2) as x: pass",
        "if (x := a): pass",
        "print(f'{(x := a)}')",
    ],
)
def test_what_binds_a_name(text: str) -> None:
    found = locals_of(*text.split("\n"))
    assert found.is_bound_in(found.node.body, "x")
    assert not found.is_bound_in(found.node.body, "a" if "a" in text else "z")


@pytest.mark.medium
@settings(max_examples=40)
@given(programs())
def test_variables_of_drawn_functions_are_those_of_pythons_symbol_table(program: Program) -> None:
    found = read_locals(program.source)
    tables = sorted(_functions(symtable.symtable(program.source, "<drawn>", "exec")), key=lambda one: one.get_lineno())
    tables = [one for one in tables if one.get_name() not in ("lambda", "genexpr", "listcomp", "setcomp", "dictcomp")]
    assert [one.node.name.value for one in found] == [table.get_name() for table in tables]
    for one, table in zip(found, tables, strict=True):
        free = {name for child in table.get_children() for name in _free(child)}
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if symbol.is_local() and one.owns(name):
                assert name not in free, name
                assert name in one.scope.bindings


def _functions(table: symtable.SymbolTable) -> list[symtable.SymbolTable]:
    inner = [found for child in table.get_children() for found in _functions(child)]
    return [*([table] if table.get_type() == "function" else []), *inner]


def _free(table: symtable.SymbolTable) -> set[str]:
    """The names that functions and lambdas below take from outside; comprehensions run where they stand."""
    below = {name for child in table.get_children() for name in _free(child)}
    if table.get_name() in ("genexpr", "listcomp", "setcomp", "dictcomp"):
        return below
    own = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_free()}
    return own | (below - {symbol.get_name() for symbol in table.get_symbols() if symbol.is_local()})


@pytest.mark.parametrize("word", ["import weakref", "x.__del__", "open('x')", "f.__qualname__", "f.__code__"])
def test_who_looks_at_lives_and_functions(word: str) -> None:
    assert observes_lifetimes(ast.parse(word), word)
    assert not observes_lifetimes(ast.parse("f_loop = opened"), "f_loop = opened")


def test_a_generator_with_a_cleanup_is_told_when_it_is_dropped() -> None:
    text = dedent("""
        def g():
            with a:
                yield 1
    """)
    assert observes_lifetimes(ast.parse(text), text)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        ("x = 1\n# coding: latin-1\n", 0),
        ("# coding: latin-1\nx = 1\n", 1),
        ("\n# vim: set fileencoding=latin-1 :\n", 2),
        ("#!/bin/sh\n", 1),
        ("#!/bin/sh\r\n# -*- coding: utf-8 -*-\r\n", 2),
    ],
)
def test_lines_that_stay_at_the_top(text: str, number: int) -> None:
    assert count_fixed_lines(text) == number


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("x = 'traceback'  # tb_lineno\n", []),
        ("error = e.__traceback__\nlineno = node.lineno\n", []),
        ("import traceback_of\nimport inspect\nco_name = f.co_name\n", []),
        ("a = e.__traceback__.tb_lineno + frame.f_lineno\n", ["f_lineno", "tb_lineno"]),
        ("import traceback\n\x0c\nprint(traceback.format_exc())\n", ["traceback"]),
        ("from inspect import getsource as g, getsourcelines\n", ["getsource", "getsourcelines"]),
        ("f.__code__.co_firstlineno", ["co_firstlineno"]),
    ],
)
def test_names_that_lead_to_line_numbers_are_found_in_code_alone(source: str, names: list[str]) -> None:
    assert find_line_readers(source) == names
    assert observes_lifetimes(ast.parse(source), source) or not names
