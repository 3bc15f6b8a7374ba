"""Plans contain nothing that a person would not write: rules over the text of plans of benchmark programs."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from rewrite.passes.cleanup.name_mentions import AnyFunction, blocks_of
from rewrite.planner.planning import plan_rewrite
from tests.rewrite.planner.equivalence import Program, cruxeval, humaneval

UNREAD = "a new variable that nothing reads"
TWICE = "a list of a string that the block has listed before"
FLAG = "a variable for a value that only the next test needs"
NESTED = "a new test with nothing but another one in it"
LONG = "a loop on one line that is long, or assigns several variables"
NAME = "a temporary without a readable name"
LONGEST_LOOP = 80


def decorations(source: str, original: str) -> list[str]:
    """What a person would not write, each with its statement."""
    before = {line.strip() for line in original.split("\n")}
    own = {node.id for node in ast.walk(ast.parse(original)) if isinstance(node, ast.Name)}
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, AnyFunction)]
    found = [one for function in functions for one in _in_function(function, own)]
    rows = [(rule, source.split("\n")[statement.lineno - 1].strip()) for rule, statement in found]
    return [f"{rule}: {row}" for rule, row in rows if row not in before]


def _in_function(function: AnyFunction, own: set[str]) -> Iterator[tuple[str, ast.stmt]]:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    counts, read = Counter(node.id for node in names), {node.id for node in names if isinstance(node.ctx, ast.Load)}
    for block in blocks_of(function):
        listed: dict[str, str] = {}
        for index, statement in enumerate(block):
            target, text = _assigned(statement)
            if target and target not in read | own:
                yield UNREAD, statement
            if re.fullmatch(r"_t\d+", target):
                yield NAME, statement
            if text in listed:
                yield TWICE, statement
            changed = _changed(statement)
            listed = {one: name for one, name in listed.items() if name not in changed and (text or one not in changed)}
            following = block[index + 1] if index + 1 < len(block) else None
            if target not in own and counts[target] == 2 and _tests(following, target):
                yield FLAG, statement
            if _is_nested(statement):
                yield NESTED, statement
            if _is_long_loop(statement):
                yield LONG, statement
            listed |= {text: target} if text else {}


def _changed(statement: ast.stmt) -> set[str]:
    """The variables that a statement assigns, or calls a method of for its effect: `characters.reverse()`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return {name}
    names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
    return {node.id for node in names if not isinstance(node.ctx, ast.Load)}


def _assigned(statement: ast.stmt) -> tuple[str, str]:
    """The variable that is assigned, and the variable `text` in `characters = list(text)`; "" for none."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name("list"), args=[ast.Name(id=text)])):
            return name, text
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name, ""
    return "", ""


def _tests(statement: ast.stmt | None, name: str) -> bool:
    match statement:
        case ast.If(test=ast.Name(id=tested) | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=tested))):
            return tested == name
    return False


def _is_nested(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(body=[ast.If(orelse=[]) as inner], orelse=[]):
            return len(ast.unparse(statement.test)) + len(ast.unparse(inner.test)) < 60
    return False


def _is_long_loop(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.For | ast.While) or statement.body[0].lineno != statement.lineno:
        return False
    several = isinstance(statement.body[0], ast.Assign) and not isinstance(statement.body[0].targets[0], ast.Name)
    return several or (statement.body[0].end_col_offset or 0) > LONGEST_LOOP


def planned(program: Program) -> list[str]:
    """The decorations in the plan of a program."""
    _, source, calls = program
    plan = plan_rewrite(source, calls[:3], examples=0)
    assert plan.tokens is None or plan.original_tokens is not None
    return [] if plan.source == source else decorations(plan.source, source)


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["b = a.lower()", "characters = list(b)", "return b"], UNREAD),
        (["characters = list(a)", "return a.find(b)"], UNREAD),
        (["c = list(a)", "b = c.index(b)", "d = list(a)", "return d[b], c"], TWICE),
        (["_t0 = list(a)", "return _t0"], NAME),
        (["found = b in a", "if found:", "    b()"], FLAG),
        (["found = b in a", "if not found:", "    b()"], FLAG),
        (["if a:", "    if b:", "        b()"], NESTED),
        (["for c in a: a, b = b, c"], LONG),
        (["for c in a: b = b.replace(c, a.replace(c, c)).replace(c, a).replace(a, a).replace(c, c)"], LONG),
    ],
)
def test_a_decoration_is_found(lines: list[str], reason: str) -> None:
    source = "\n    ".join(["def f(a, b):", *lines])
    assert [found.partition(":")[0] for found in decorations(source, "")] == [reason]
    assert decorations(source, source) == []


@pytest.mark.parametrize(
    "lines",
    [
        ["c = list(a)", "return c.index(b)"],
        ["c = list(a)", "a = a.lower()", "d = list(a)", "return c, d"],
        ["c = list(a)", "c.reverse()", "b = c.index(b)", "c = list(a)", "return c[b]"],
        ["found = b in a", "if found:", "    b()", "return found"],
        ["if a:", "    if b:", "        b()", "    else:", "        a()"],
        ["for c in a: b += c"],
    ],
)
def test_what_a_later_step_needs_is_no_decoration(lines: list[str]) -> None:
    assert decorations("\n    ".join(["def f(a, b):", *lines]), "") == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 400, 25))
def test_a_plan_of_cruxeval_has_no_decoration(start: int) -> None:
    assert planned(list(cruxeval())[start]) == []


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 164, 16))
def test_a_plan_of_humaneval_has_no_decoration(start: int) -> None:
    programs = list(humaneval())
    assert planned(programs[start % len(programs)]) == []
