"""The operations of a program as its text shows them, for where it cannot be run: each line of it as one step.

A guess, and marked as one wherever it is used: of a value's type and length the text says little, so a method of
strings is taken to be one, over `LENGTH` characters, and each line is taken to run once. What it does not do: run.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from analyze.gold_trace.frames import Frame
from analyze.risk.features import METHODS
from analyze.risk.steps import Operand, Operation

LENGTH = 12
_TEXT, _UNKNOWN = Operand("str", LENGTH, None), Operand("", -1, None)
_OF_STRINGS = frozenset().union(*METHODS.values())


def steps_of_source(source: str) -> Iterator[tuple[int, Frame, tuple[Operation, ...]]]:
    """(line number, a frame that shows nothing, the operations on that line) of each statement inside a function.

    Empty where the source does not parse.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # of invalid escapes: the program's business
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    texts = source.splitlines(keepends=True)
    for statement in _statements(tree):
        operations = tuple(found for part in _evaluated(statement) for found in _operations(part))
        event = "return" if isinstance(statement, ast.Return) else "line"
        line = texts[statement.lineno - 1] if statement.lineno <= len(texts) else ""
        state = None if event == "return" else ()
        yield statement.lineno, Frame("return" if event == "return" else "line", line, state, None), operations


def _statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """Every statement in a function, in the order of the text."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node): node for function in functions for node in ast.walk(function) if isinstance(node, ast.stmt)}
    kept = [node for node in inside.values() if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    yield from sorted(kept, key=lambda node: (node.lineno, node.col_offset))


def _evaluated(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, without those of the blocks in it."""
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield child


def _operations(expression: ast.expr) -> Iterator[Operation]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            known = node.func.attr in _OF_STRINGS
            yield Operation("method", node.func.attr, (_TEXT if known else _UNKNOWN,), _TEXT if known else _UNKNOWN)
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            yield Operation("call", name, (Operand("", LENGTH, None),), _UNKNOWN)
        elif isinstance(node, ast.BinOp):
            yield Operation("operator", type(node.op).__name__, (_UNKNOWN, _UNKNOWN), _UNKNOWN)
        elif isinstance(node, ast.Compare):
            yield Operation("operator", type(node.ops[0]).__name__, (_UNKNOWN, _TEXT), _UNKNOWN)
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            yield Operation("slice", "", (_TEXT, *_bounds(node.slice)), _TEXT)
        elif isinstance(node, ast.Subscript):
            yield Operation("item", "", (_UNKNOWN, _number(node.slice)), _UNKNOWN)
        elif isinstance(node, ast.JoinedStr):
            yield Operation("format", "", (), _TEXT)


def _bounds(parts: ast.Slice) -> Iterator[Operand]:
    return (_number(part) for part in (parts.lower, parts.upper, parts.step))


def _number(node: ast.expr | None) -> Operand:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return Operand("int", -1, -1)
    return _UNKNOWN
