"""Visits the statements of a module: which of their expressions are evaluated, and in which scope.

Code that is never evaluated is not changed: annotations under `from __future__ import annotations` and of local
variables, patterns of `match`, type parameters and aliases.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from analyze.instrumentation.expressions import ExpressionInstrumenter
from analyze.instrumentation.positions import position_of
from analyze.instrumentation.sites import InstrumentedExpression, Marker


class Instrumenter(ExpressionInstrumenter, ast.NodeTransformer):
    """Transforms the tree of one source in place."""

    _has_lazy_annotations = sys.version_info >= (3, 14)  # PEP 649

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Detects lazy annotations, then visits all statements."""
        if any(isinstance(held, ast.ImportFrom) and held.module == "__future__"
               and any(alias.name == "annotations" for alias in held.names) for held in node.body):  # fmt: skip
            self._has_lazy_annotations = True
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: Any) -> Any:
        """Decorators, defaults and annotations are evaluated outside the function; type parameters only on request."""
        node.decorator_list = self._all(node.decorator_list)
        node.args = self.visit(node.args)
        if not self._has_lazy_annotations and node.returns is not None:
            node.returns = self.visit(node.returns)
        with self._scope("function"):
            node.body = self._all(node.body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast.NodeTransformer asks for

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """The annotation of a parameter is evaluated with the definition."""
        return node if self._has_lazy_annotations else self.generic_visit(node)

    def visit_ClassDef(self, node: Any) -> Any:
        """Decorators, bases and keywords are evaluated outside, the body in its own scope.

        Type parameters are evaluated on request.
        """
        node.decorator_list = self._all(node.decorator_list)
        node.bases = self._all(node.bases)
        node.keywords = self._all(node.keywords)
        with self._scope(f"class {node.name}"):
            node.body = self._all(node.body)
        return node

    def visit_TypeAlias(self, node: ast.AST) -> ast.AST:
        """A type alias is evaluated on request, in its own scope."""
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """The annotation of a local variable is not evaluated."""
        if node.value is not None:
            node.value = self.visit(node.value)
        node.target = self.visit(node.target)
        if not self._has_lazy_annotations and self._scopes[-1] != "function":
            node.annotation = self.visit(node.annotation)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """The target is read first, then the value is evaluated; the result is not seen."""
        self._is_target = isinstance(node.target, ast.Attribute | ast.Subscript)
        node.target = self.visit(node.target)
        name = node.target.id if isinstance(node.target, ast.Name) and not self._in_class() else None
        place = position_of(node)
        operands = [Marker.UNSEEN if name is None else Marker.EVALUATED, Marker.EVALUATED]
        with self._site("augmented", type(node.op).__name__, place, operands, is_seen=False) as site:
            value = node.value
            node.value = self.visit(value)
        if site is not None:
            before: ast.expr = ast.Constant(None) if name is None else ast.Name(name, ast.Load())
            expression = InstrumentedExpression(place, operand_of=((site, 1),))
            node.value = self._probed(self.probe_augmented, expression, value, before, node.value)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """The class is looked up while an exception is handled, where a probe could exceed the recursion limit."""
        if any(isinstance(held, ast.Call | ast.Subscript | ast.BinOp) for held in ast.walk(node.type or ast.Pass())):
            node.type = self.visit(node.type) if node.type else None
        node.body = self._all(node.body)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        """Patterns are not evaluated as expressions."""
        node.subject = self.visit(node.subject)
        for case in node.cases:
            case.guard = self.visit(case.guard) if case.guard else None
            case.body = self._all(case.body)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Defaults are evaluated outside, the body inside."""
        node.args = self.visit(node.args)
        with self._scope("function"):
            node.body = self.visit(node.body)
        return node

    @contextmanager
    def _scope(self, name: str) -> Iterator[None]:
        self._scopes.append(name)
        yield
        self._scopes.pop()

    def _in_class(self) -> bool:
        return self._scopes[-1].startswith("class ")

    def _all(self, nodes: Iterable[Any]) -> list[Any]:
        return [self.visit(node) for node in nodes]
