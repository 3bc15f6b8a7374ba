"""Where control leaves a block: an end that is said to be out of reach is, and a jump is found wherever it leaves."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

import libcst as cst
import pytest
from hypothesis import assume, given

from rewrite.analysis.control_flow import ends_with_jump, has_break, insert_before_jumps
from rewrite.syntax import build
from tests.rewrite.analysis.bodies import bodies

MARK = build.line(cst.Expr(cst.Name("MARK")))
JUMPS = (ast.Break, ast.Continue)


def loop(body: str) -> cst.While:
    statement = cst.ensure_type(cst.parse_statement(f"while x:\n{textwrap.indent(body, '    ')}\n"), cst.While)
    try:
        compile(cst.Module([statement]).code, "<drawn>", "exec")
    except SyntaxError:
        assume(False)
    return statement


def leaving(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The jumps of a loop's body that go on with that loop, or end it."""
    for statement in body:
        if isinstance(statement, JUMPS):
            yield statement
        inside = not isinstance(statement, (ast.FunctionDef, ast.While, ast.For))
        for field in ("body", "orelse", "finalbody") if inside else ("orelse",):
            yield from leaving(getattr(statement, field, []))
        for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
            yield from leaving(part.body)


def of_ast(statement: cst.While) -> list[ast.stmt]:
    parsed = ast.parse(cst.Module([statement]).code).body[0]
    assert isinstance(parsed, ast.While)
    return parsed.body


@pytest.mark.parametrize("last", ["x = 1", "pass", "if x: return", "while True: pass", "def f(): return"])
def test_a_block_whose_end_may_be_reached_does_not_leave(last: str) -> None:
    assert not ends_with_jump(build.suite([cst.parse_statement(last)]))


@pytest.mark.parametrize("last", ["return", "raise", "break", "continue", "x = 1; return x"])
def test_a_block_that_ends_in_a_jump_leaves(last: str) -> None:
    assert ends_with_jump(build.suite([cst.parse_statement("x"), cst.parse_statement(last)]))


def test_an_empty_block_does_not_leave() -> None:
    assert not ends_with_jump(cst.IndentedBlock([]))


@pytest.mark.medium
@given(bodies)
def test_a_break_is_found_as_in_the_syntax_tree(body: str) -> None:
    statement = loop(body)
    assert has_break(statement.body) == any(isinstance(jump, ast.Break) for jump in leaving(of_ast(statement)))


@pytest.mark.medium
@given(bodies)
def test_each_jump_that_leaves_gets_its_mark_and_nothing_else_changes(body: str) -> None:
    statement = loop(body)
    jumps = list(leaving(of_ast(statement)))
    count = 0
    for inner in statement.body.body:
        if isinstance(inner, cst.SimpleStatementLine):  # a jump right in the loop is its caller's
            continue
        new = insert_before_jumps(inner, lambda _: [MARK], lambda node, changes: node.with_changes(**changes))
        marks = cst.Module([new]).code.count("MARK")
        count += marks
        assert (new is inner) == (not marks)
        assert cst.Module([new]).code.replace("MARK", "pass").count("pass") >= marks
    direct = sum(isinstance(inner, JUMPS) for inner in of_ast(statement))
    assert count == len(jumps) - direct
