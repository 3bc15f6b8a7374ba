"""Syntax patterns that several passes match."""

from __future__ import annotations

import libcst as cst

from rewrite.analysis.scopes import Scope


def plain_assignment(node: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """Name and value of a line `name = value`; None for other statements."""
    match node:
        case cst.SimpleStatementLine(body=[cst.Assign([cst.AssignTarget(cst.Name(name))], value)]):
            return name, value
    return None


def plain_range_arguments(node: cst.BaseExpression, scope: Scope) -> list[cst.BaseExpression] | None:
    """The arguments of a call of the builtin `range`; None for anything else, or if one is starred or has a keyword."""
    match node:
        case cst.Call(cst.Name("range")) if scope.is_builtin("range"):
            return plain_arguments(node)
    return None


def plain_arguments(call: cst.Call) -> list[cst.BaseExpression] | None:
    """The arguments of a call; None if one is starred or has a keyword."""
    plain = all(not argument.star and argument.keyword is None for argument in call.args)
    return [argument.value for argument in call.args] if plain else None
