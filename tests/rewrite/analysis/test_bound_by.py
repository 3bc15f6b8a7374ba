"""The variables that a statement binds or deletes, by every syntax that can, and what binds none."""

import symtable

import libcst as cst
import pytest

from rewrite.analysis.effects import ANY_NAME, bound_by

UNBOUND = ("a", "a[0] = b", "a.b += c", "del a[0], b.c", "f(a=b)", "[a for a in b]", "lambda a: b")
BOUND = {
    "a = b = c": {"a", "b"},
    "a, (b, *c) = [d, e.f] = g": {"a", "b", "c", "d"},
    "a += b": {"a"},
    "a: int = b": {"a"},
    "f(a := b)": {"a"},
    "del a, (b, c)": {"a", "b", "c"},
    "for a, b in c: d = e": {"a", "b", "d"},
    "with a as b, c as (d, e): pass": {"b", "d", "e"},
    "try: pass\nexcept a as b: pass": {"b"},
    "def a(b): c = d": {"a", "c"},
    "class a(b): pass": {"a"},
    "import a.b, c.d as e": {"a", "e"},
    "from a import b, c as d": {"b", "d"},
    "match a:\n    case [b, *c] | {'k': b, **c} if d: pass\n    case e.f(g=h) as i: pass": {"b", "c", "h", "i"},
}


@pytest.mark.parametrize("text", UNBOUND)
def test_a_statement_that_binds_nothing(text: str) -> None:
    assert bound_by(cst.parse_module(text)) == set()


@pytest.mark.parametrize("text", BOUND)
def test_what_each_statement_binds(text: str) -> None:
    assert bound_by(cst.parse_module(text)) == BOUND[text]


@pytest.mark.parametrize("text", [text for text in BOUND if "def" not in text and "match" not in text])
def test_python_agrees(text: str) -> None:
    table = symtable.symtable(text, "<string>", "exec")
    assert {one.get_name() for one in table.get_symbols() if one.is_assigned() or one.is_imported()} == BOUND[text]


def test_a_star_import_may_bind_any_name() -> None:
    assert bound_by(cst.parse_module("from a import *")) == {ANY_NAME}
