"""Purity: whether the result of a function depends on its parameters only, and the function has no side effect.

Proved for functions of numbers and strings. Every expression must be a variable, a literal, an operation, a call of the
function itself or of a few builtins, and must have type int, bool or str, provided that the parameters and the
function's own results do. Then no foreign code runs, and no object that outlives the call can change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import libcst as cst

from analyze.operations.catalogue import functions
from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.legality import FunctionLocals
from rewrite.analysis.scopes import Scope
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.passes.syntax_patterns import plain_arguments, plain_range_arguments
from rewrite.syntax.tree import children

KINDS = frozenset({"int", "bool", "str", "char"})
_CALLED = functions(lambda one: one.is_pure and one.result in KINDS)
_STAND_INS = {"int": "0", "bool": "False", "str": "''"}
_BLOCKS = (cst.IndentedBlock, cst.SimpleStatementSuite, cst.SimpleStatementLine, cst.Else, cst.If, cst.While)
_JUMPS = (cst.Pass, cst.Break, cst.Continue)
_OPERATIONS = (
    *(cst.BinaryOperation, cst.UnaryOperation, cst.BooleanOperation, cst.Comparison, cst.IfExp, cst.Subscript),
    *(cst.SubscriptElement, cst.Index, cst.Slice, cst.ComparisonTarget),
)
_OPERATORS = (cst.BaseBinaryOp, cst.BaseUnaryOp, cst.BaseBooleanOp, cst.BaseCompOp)
_TEXT = "str"


def is_pure(function: FunctionLocals, kinds: Mapping[str, str], result: str) -> bool:
    """Whether a function is pure and returns the type `result`, given parameters of these types."""
    return _PurityCheck(function, kinds, result).holds()


class _ResultSubstitution(cst.CSTTransformer):
    """Replaces each recursive call by a literal of the result type and collects the calls."""

    def __init__(self, name: str, stand_in: str) -> None:
        super().__init__()
        self.name, self.stand_in = name, stand_in
        self.given: list[cst.Call] = []

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:  # noqa: N802
        """LibCST's name."""
        if isinstance(updated_node.func, cst.Name) and updated_node.func.value == self.name:
            self.given.append(updated_node)
            return cst.parse_expression(f"({self.stand_in})")
        return updated_node


class _PurityCheck:
    """The function with literals in place of recursive calls, in a module of its own."""

    def __init__(self, function: FunctionLocals, kinds: Mapping[str, str], result: str) -> None:
        self.original, self.kinds, self.result = function.scope, kinds, result
        results = _ResultSubstitution(function.node.name.value, _STAND_INS[result])
        self.node = function.node.visit(results)
        assert isinstance(self.node, cst.FunctionDef)
        self.given = results.given
        self.scope: Scope = collect_scopes(cst.Module([self.node])).of(self.node)
        self.scope.assumed_types = dict(kinds)

    def holds(self) -> bool:
        """Whether every expression has an allowed type."""
        assert isinstance(self.node, cst.FunctionDef)
        return all(map(self._is_given, self.given)) and self._is_fine(self.node.body)

    def _is_given(self, call: cst.Call) -> bool:
        values = plain_arguments(call)
        return (
            values is not None
            and len(values) == len(self.kinds)
            and all(
                self._is_value(value) and _same(exact_type(value, self.scope), wanted)
                for value, wanted in zip(values, self.kinds.values(), strict=True)
            )
        )

    def _is_fine(self, node: cst.CSTNode) -> bool:
        """Whether a statement or block is allowed."""
        match node:
            case cst.Return():
                return node.value is not None and self._is_value(node.value) and self._is_result(node.value)
            case cst.Assign():
                return self._are_variables(item.target for item in node.targets) and self._is_value(node.value)
            case cst.AugAssign():
                return self._are_variables([node.target]) and self._is_value(node.target) and self._is_value(node.value)
            case cst.Expr():
                return isinstance(node.value, cst.SimpleString)
            case cst.For():
                return self._is_counting(node) and self._is_fine(node.body) and node.orelse is None
        if isinstance(node, _BLOCKS):
            return all(
                self._is_value(child) if isinstance(child, cst.BaseExpression) else self._is_fine(child)
                for child in children(node)
            )
        return isinstance(node, _JUMPS)

    def _is_counting(self, node: cst.For) -> bool:
        """Whether a loop is over a range."""
        values = plain_range_arguments(node.iter, self.original)
        return values is not None and self._are_variables([node.target]) and all(map(self._is_value, values))

    def _is_result(self, node: cst.BaseExpression) -> bool:
        return _same(exact_type(node, self.scope), self.result)

    def _are_variables(self, targets: Iterable[cst.CSTNode]) -> bool:
        return all(isinstance(target, cst.Name) and target.value not in self.kinds for target in targets)

    def _is_value(self, node: cst.CSTNode) -> bool:
        """Whether every part of an expression has an allowed type."""
        if isinstance(node, _OPERATORS):
            return not isinstance(node, (cst.Is, cst.IsNot))  # identity is no property of the value
        if isinstance(node, (cst.ComparisonTarget, cst.SubscriptElement, cst.Index, cst.Slice)):
            return all(map(self._is_value, children(node)))
        if not isinstance(node, cst.BaseExpression) or exact_type(node, self.scope) not in KINDS:
            return False
        if isinstance(node, cst.Name):
            return node.value in ("True", "False") or self.scope.owner(node.value) is self.scope
        if isinstance(node, cst.Call):
            name = node.func.value if isinstance(node.func, cst.Name) else ""
            values = plain_arguments(node) if name in _CALLED and self.original.is_builtin(str(name)) else None
            return values is not None and all(map(self._is_value, values))
        literal = isinstance(node, (cst.Integer, cst.SimpleString))
        return literal or (isinstance(node, _OPERATIONS) and all(map(self._is_value, children(node))))


def _same(found: str | None, wanted: str) -> bool:
    return found == wanted or (found == "char" and wanted == _TEXT)
