"""The paper's own decomposition (Appendix F), written afresh on `ast` and printed with `astor`: for comparison only.

It follows the description and the published rewrites: subexpressions of at least two operations (attributes count) are
extracted into `_t0, _t1, …`, inner ones first, right before their statement, wherever they stand in it. It does not
care what is evaluated only sometimes, in which order, or in which scope, loses comments and layout, and is therefore
often wrong. Nothing but the comparison in `bench/bench_baseline.py` may use it.
"""

from __future__ import annotations

import ast
import warnings
from typing import Any

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # astor names node classes that Python 3.12 deprecates
    import astor  # type: ignore[import-untyped]

EXTRACTED = (ast.BinOp, ast.Call, ast.Subscript, ast.Compare, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.GeneratorExp)
COUNTED = (*EXTRACTED, ast.Attribute, ast.BoolOp)
SIMPLE = (ast.Assign, ast.AugAssign, ast.Return, ast.Expr, ast.If)


def rewrite_as_the_paper(source: str, threshold: int = 2) -> str:
    """The rewritten source; extracted are expressions of at least `threshold` operations. Raises SyntaxError.

    >>> print(rewrite_as_the_paper("def f(a, n):\\n    a.append((a.count(n), n))\\n"), end="")
    def f(a, n):
        _t0 = a.count(n)
        _t1 = _t0, n
        a.append(_t1)
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _Function(threshold).run(node)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return str(astor.to_source(ast.fix_missing_locations(tree)))


def complexity(node: ast.AST) -> int:
    """The number of operations in an expression."""
    return sum(isinstance(inner, COUNTED) for inner in ast.walk(node))


class _Function:
    """Numbers the temporaries of one function."""

    def __init__(self, threshold: int) -> None:
        self.threshold = threshold
        self.count = 0

    def run(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        node.body = self.block(node.body)

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [new for statement in body for new in self.statement(statement)]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return [node]
        if isinstance(node, (ast.Return, ast.If)):
            field = "value" if isinstance(node, ast.Return) else "test"
            value = getattr(node, field)
            if value is not None and complexity(value) >= self.threshold:
                setattr(node, field, self.name(self.inner(value, before), before))
        elif isinstance(node, SIMPLE):
            node.value = self.inner(node.value, before)  # type: ignore[union-attr]
        for field in ("body", "orelse", "finalbody"):
            if getattr(node, field, None):
                setattr(node, field, self.block(getattr(node, field)))
        for handler in getattr(node, "handlers", ()):
            handler.body = self.block(handler.body)
        return [*before, node]

    def inner(self, node: Any, before: list[ast.stmt]) -> Any:
        """The expression with its complex operands extracted, inner ones first."""
        if isinstance(node, (ast.Lambda, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.BoolOp)):
            return node
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.operand(value, before))
            elif isinstance(value, list):
                setattr(node, field, [self.operand(v, before) if isinstance(v, ast.expr) else v for v in value])
        for keyword in getattr(node, "keywords", ()):
            keyword.value = self.operand(keyword.value, before)
        return node

    def operand(self, node: ast.expr, before: list[ast.stmt]) -> ast.expr:
        worth = isinstance(node, EXTRACTED) and complexity(node) >= self.threshold
        new: ast.expr = self.inner(node, before)
        return self.name(new, before) if worth else new

    def name(self, value: ast.expr, before: list[ast.stmt]) -> ast.Name:
        name = f"_t{self.count}"
        self.count += 1
        before.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.Name(name, ast.Load())
