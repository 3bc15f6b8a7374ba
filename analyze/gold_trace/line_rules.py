"""Finds in the syntax tree where CPython 3.10's compiler assigns instructions to other lines than its successors do.

Each difference changes the LINE events that a tracer sees. `analyze.gold_trace.relocate` applies the rules to code
objects. Imports the standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

Position = tuple[int | None, int | None, int | None, int | None]
"""First and last line (from 1), first and last column (from 0, in bytes), as `co_positions` returns them."""


def position(node: ast.expr | ast.stmt) -> Position:
    """Returns a node's position in the form of `co_positions`."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


@dataclass(frozen=True)
class ComprehensionLines:
    """The lines of a comprehension's own instructions.

    Attributes:
        each: The line of each `for`, in order.
        rest: The line of everything after the element.
    """

    each: tuple[int, ...]
    rest: int


class LinePlacements(ast.NodeVisitor):
    """Collects where 3.10 assigns an instruction to another line than that of its own expression.

    Attributes:
        tests: Line of the jump, by position of the test.
        elements: Lines of a comprehension, by position of its element.
        iterables: Line of GET_ITER, by position of the iterable.
        decorators: Line of the application, by position of the decorator.
        items: Line of `with`, by position of the context expression.
    """

    def __init__(self) -> None:
        self.tests: dict[Position, int] = {}
        self.elements: dict[Position, ComprehensionLines] = {}
        self.iterables: dict[Position, int] = {}
        self.decorators: dict[Position, int] = {}
        self.items: dict[Position, int] = {}

    def visit_If(self, node: ast.If | ast.While | ast.IfExp | ast.Assert) -> None:
        """The jump of a test belongs to the statement or conditional expression, not to the test."""
        self._mark_test(node.test, node.lineno)
        self.generic_visit(node)

    visit_While = visit_IfExp = visit_Assert = visit_If  # noqa: N815

    def _mark_test(self, test: ast.expr, line: int) -> int:
        """Marks the jumps of a test; returns the compiler's current line afterwards (a comparison changes it)."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self._mark_test(test.operand, line)
        if isinstance(test, ast.Compare):
            return test.lineno
        parts: list[ast.expr] = []
        if isinstance(test, ast.BoolOp):
            parts = test.values
        elif isinstance(test, ast.IfExp):
            parts = [test.test, test.body, test.orelse]
        else:
            self.tests[position(test)] = line
        for part in parts:
            line = self._mark_test(part, line)
        return line

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """Instructions that loop, append, yield and jump back belong to the comprehension, not to its parts."""
        line = node.lineno
        each = []
        for generator in node.generators:
            self.iterables[position(generator.iter)] = line
            each.append(line)
            for test in generator.ifs:
                line = self._mark_test(test, line)
        start, end = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt, node.elt)
        element = (start.lineno, end.end_lineno, start.col_offset, end.end_col_offset)
        self.elements[element] = ComprehensionLines(tuple(each), line)
        self.generic_visit(node)

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        """A decorator is called on the line of `def` or `class`."""
        for decorator in node.decorator_list:
            self.decorators[position(decorator)] = node.lineno
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef  # noqa: N815

    def visit_With(self, node: ast.With | ast.AsyncWith) -> None:
        """`__enter__` and `__exit__` are called on the line of `with`."""
        for item in node.items:
            self.items[position(item.context_expr)] = node.lineno
        self.generic_visit(node)

    visit_AsyncWith = visit_With  # noqa: N815
