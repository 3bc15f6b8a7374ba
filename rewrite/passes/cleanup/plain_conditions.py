"""Tests without a temporary: a condition that was lowered to control flow, with nothing else in it, is written as one.

    if a == 0:                    if a == 0 or b:
        _t0 = True         ->         …
    else:
        _t0 = b
    if _t0:
        …

`_t0 = a in b` before `if _t0:` becomes `if a in b:`; the branch taken shows the value. `a and b` whose value is only
returned or assigned is written so, too. A loop whose test has no step of its own any more gets its test back. Each
operand is evaluated, and its truth tested, as often as before and in the same order. The pass works on the source of a
finished rewrite.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from analyze.operations.catalogue import candidates
from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import blocks_of, count_names, functions_with_locals

MAX_LENGTH = 80
"""Characters of the longest condition that is written."""


class _Replacement(NamedTuple):
    """A test to write: the lines (from 1) before it that it makes superfluous, the test, and its new source."""

    dropped: range
    test: ast.expr
    source: str


def write_conditions(text: str, original: str) -> tuple[str, list[int]]:
    """The source with such conditions in their tests, and the numbers (from 0) of the lines that remain.

    Args:
        text: The source.
        original: The source before the rewrite, whose own tests stay as they are.

    >>> before = "def f(a, b):\\n    _t0 = a in b\\n    if _t0:\\n        b()\\n"
    >>> print(write_conditions(before, "")[0], end="")
    def f(a, b):
        if a in b:
            b()
    """
    lines, variables = list(range(text.count("\n") + 1)), read_locals(text)
    while found := next(_replacements(text, variables), None):
        rows, line = text.split("\n"), found.test.lineno - 1
        before, start, end = rows[line].encode(), found.test.col_offset, found.test.end_col_offset
        rows[line] = (before[:start] + found.source.encode() + before[end:]).decode()
        del rows[found.dropped.start - 1 : found.dropped.stop - 1]
        del lines[found.dropped.start - 1 : found.dropped.stop - 1]
        text = "\n".join(rows)
    return _restore_loops(*_join_tests(text, lines, original), original)


def has_flags(text: str) -> bool:
    """Whether a temporary gets the truth of a condition branch by branch, since its parts have steps of their own.

    >>> has_flags("if a:\\n    _t0 = a.b()\\nelse:\\n    _t0 = False\\nif _t0:\\n    a()\\n")
    True
    >>> has_flags("_t0 = False\\nfor b in a:\\n    if b:\\n        _t0 = True\\nif _t0:\\n    a()\\n")
    False
    """
    nodes = list(ast.walk(ast.parse(text)))
    tested = {_tested(node) for node in nodes if isinstance(node, ast.If)} - {""}
    branches = [(node.body, node.orelse) for node in nodes if isinstance(node, ast.If) and node.orelse]
    pairs = [pair for one, other in branches for pair in ((one, other), (other, one))]
    return any(
        _assigns(one, name, value) and _assigned_last(other) == name
        for name in tested
        for one, other in pairs
        for value in (True, False)
    )


def _assigned_last(block: Sequence[ast.stmt]) -> str:
    match block[-1]:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _restore_loops(text: str, lines: list[int], original: str) -> tuple[str, list[int]]:
    """A new `while True:` that begins with `if not a: break` becomes `while a:`."""
    known = {row.strip() for row in original.split("\n")}
    while found := next(_endless_loops(text, known), None):
        loop, test = found
        rows = text.split("\n")
        rows[loop.lineno - 1] = f"{rows[loop.lineno - 1][: loop.col_offset]}while {_source(test, text)}:"
        del rows[loop.lineno : loop.lineno + 2], lines[loop.lineno : loop.lineno + 2]
        text = "\n".join(rows)
    return text, lines


def _endless_loops(text: str, known: Container[str]) -> Iterator[tuple[ast.While, ast.expr]]:
    rows = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.While(
                test=ast.Constant(value=True),
                body=[ast.If(test=ast.UnaryOp(ast.Not(), test), body=[ast.Break()], orelse=[]) as first, _, *_],
                orelse=[],
            ):
                heads = rows[node.lineno - 1 : node.lineno + 2]
                in_order = (first.lineno, first.end_lineno) == (node.lineno + 1, node.lineno + 2)
                plain = heads[0].strip() == "while True:" not in known and not any("#" in head for head in heads)
                if in_order and plain and not isinstance(test, _BARE) and len(heads[1].strip()) <= MAX_LENGTH:
                    yield node, test


def _join_tests(text: str, lines: list[int], original: str) -> tuple[str, list[int]]:
    """`if a:` with nothing but a new `if b:` in it becomes `if a and b:`."""
    known = {row.strip() for row in original.split("\n")}
    while found := next(_nested_tests(text, known), None):
        outer, inner = found
        rows = text.split("\n")
        columns = inner.body[0].col_offset - inner.col_offset
        condition = _source(ast.BoolOp(ast.And(), [outer.test, inner.test]), text)
        rows[outer.lineno - 1] = f"{rows[outer.lineno - 1][: outer.col_offset]}if {condition}:"
        for number in range(inner.lineno, inner.end_lineno or 0):
            rows[number] = rows[number][columns:]
        del rows[inner.lineno - 1], lines[inner.lineno - 1]
        text = "\n".join(rows)
    return text, lines


def _nested_tests(text: str, known: Container[str]) -> Iterator[tuple[ast.If, ast.If]]:
    rows = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.If(body=[ast.If(orelse=[]) as inner], orelse=[]):
                if _can_join(node, inner, rows) and rows[inner.lineno - 1].strip() not in known:
                    yield node, inner


def _can_join(outer: ast.If, inner: ast.If, rows: Sequence[str]) -> bool:
    """Whether the tests are on one line each, and the body can move to the left."""
    heads, moved = [rows[one.lineno - 1] for one in (outer, inner)], rows[inner.lineno : inner.end_lineno]
    if outer.lineno + 1 != inner.lineno or inner.lineno == inner.body[0].lineno or any("#" in head for head in heads):
        return False
    if not heads[0].lstrip().startswith("if ") or sum(len(head.strip()) for head in heads) > MAX_LENGTH:
        return False
    if any(isinstance(one.test, _BARE) for one in (outer, inner)):
        return False
    texts = (one for one in ast.walk(inner) if isinstance(one, ast.Constant | ast.JoinedStr))
    indented = not any(row[: inner.body[0].col_offset].strip() for row in moved)
    return indented and all(one.lineno == one.end_lineno for one in texts)


def _replacements(text: str, variables: Sequence[FunctionLocals]) -> Iterator[_Replacement]:
    for function, own_variables in functions_with_locals(ast.parse(text), variables):
        counts = count_names(function)
        for block in blocks_of(function):
            for index, statement in enumerate(block):
                name = _tested(statement) or _used(statement)
                if name not in own_variables.renamable:
                    continue
                for count in (1, 2) if _tested(statement) else (2,):
                    before = block[max(index - count, 0) : index]
                    condition = _truth(before, name, exact=not _tested(statement))
                    if condition is None or sum(_mentions(one, name) for one in before) + 1 != counts[name]:
                        continue
                    if found := _replacement(before, statement, condition, text):
                        yield found


def _tested(node: ast.stmt) -> str:
    """The temporary whose truth an `if` tests; "" for other statements."""
    match node:
        case ast.If(test=ast.Name(id=name) | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name))):
            return name if TEMPORARY.fullmatch(name) else ""
    return ""


def _used(node: ast.stmt) -> str:
    """The temporary that a statement returns or assigns; "" for other statements."""
    match node:
        case ast.Return(value=ast.Name(id=name)) | ast.Assign(targets=[ast.Name()], value=ast.Name(id=name)):
            return name if TEMPORARY.fullmatch(name) else ""
    return ""


def _truth(statements: Sequence[ast.stmt], name: str, *, exact: bool) -> ast.expr | None:
    """The condition that has the truth of a variable after some statements; None if they do anything else.

    Args:
        statements: The statements.
        name: The variable.
        exact: Whether the condition must have the value of the variable, too.
    """
    match statements:
        case [ast.Assign(targets=[ast.Name(id=found)], value=value)] if found == name:
            return None if _mentions(value, name) or isinstance(value, _BARE) else value
        case [ast.If(test=test, body=body, orelse=orelse)] if not exact:
            if _assigns(body, name, True):
                return _combined(ast.Or(), test, _truth(orelse, name, exact=exact), name)
            if _assigns(orelse, name, False):
                return _combined(ast.And(), test, _truth(body, name, exact=exact), name)
        case [ast.Assign(targets=[ast.Name(id=found)], value=value), ast.If(orelse=[]) as rest] if found == name:
            operator = ast.Or() if isinstance(rest.test, ast.UnaryOp) else ast.And()
            last = _truth(rest.body, name, exact=exact) if _tested(rest) == name else None
            return _combined(operator, value, last, name)
    return None


def _assigns(block: Sequence[ast.stmt], name: str, value: bool) -> bool:
    match block:
        case [ast.Assign(targets=[ast.Name(id=found)], value=ast.Constant(value=bool(constant)))]:
            return found == name and constant is value
    return False


def _combined(operator: ast.boolop, first: ast.expr, rest: ast.expr | None, name: str) -> ast.expr | None:
    usable = rest is not None and not _mentions(first, name) and not isinstance(first, _BARE)
    return ast.BoolOp(operator, [first, rest]) if usable and rest is not None else None


def _mentions(node: ast.AST, name: str) -> int:
    return sum(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _replacement(
    before: Sequence[ast.stmt], statement: ast.stmt, condition: ast.expr, text: str
) -> _Replacement | None:
    assert isinstance(statement, ast.If | ast.Return | ast.Assign)
    test = statement.test if isinstance(statement, ast.If) else statement.value
    assert test is not None
    first, last = before[0].lineno, before[-1].end_lineno or 0
    rows = text.split("\n")[first - 1 : last]
    source = _source(condition, text)
    if isinstance(test, ast.UnaryOp):
        source = _negated(condition, text) or (f"not {source}" if isinstance(condition, _ATOMS) else f"not ({source})")
    alone = len({one.lineno for one in before}) == len(before) and statement.lineno == last + 1
    if not alone or "\n" in source or len(source) > MAX_LENGTH or any("#" in row or ";" in row for row in rows):
        return None
    return _Replacement(range(first, last + 1), test, source)


def _negated(node: ast.expr, text: str) -> str:
    """The source of the opposite comparison, where it is the same for all values; "" for none."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            lists = any(isinstance(one, ast.Call) and ast.unparse(one.func) == "list" for one in (left, right))
            known = candidates(type(operator).__name__)[0]
            opposite = candidates(known.negation)[0].symbol if known.has_plain_result and known.negation else ""
            opposite = "!=" if isinstance(operator, ast.Eq) and lists else opposite
            return f"{_source(left, text)} {opposite} {_source(right, text)}" if opposite else ""
    return ""


def _source(node: ast.expr, text: str) -> str:
    """The source of a condition that was put together from expressions of the text."""
    if hasattr(node, "lineno"):
        return ast.get_source_segment(text, node) or ""
    assert isinstance(node, ast.BoolOp)
    first, rest = node.values
    match node:
        case ast.BoolOp(ast.And(), [ast.Compare(comparators=[*_, ast.Name(id=name)]), ast.Compare(left=left)]):
            if isinstance(left, ast.Name) and left.id == name:
                return _source(first, text) + _source(rest, text).removeprefix(name)
    operator = "and" if isinstance(node.op, ast.And) else "or"
    return f"{_operand(first, node.op, text)} {operator} {_operand(rest, node.op, text)}"


def _operand(node: ast.expr, operator: ast.boolop, text: str) -> str:
    loose = isinstance(node, ast.IfExp | ast.Lambda | ast.NamedExpr)
    mixed = isinstance(node, ast.BoolOp) and type(node.op) is not type(operator)
    return f"({_source(node, text)})" if loose or mixed else _source(node, text)


_BARE = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Tuple)
"""Expressions that may need brackets of their own."""
_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
