"""Syntax patterns that several passes match."""

from __future__ import annotations

import libcst as cst


def only_small(node: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """The simple statement on a line of its own; None for other statements."""
    return node.body[0] if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 else None


def plain_assignment(small: cst.CSTNode | None) -> tuple[str, cst.BaseExpression] | None:
    """Name and value of `name = value`; None for other statements."""
    if not isinstance(small, cst.Assign) or len(small.targets) != 1:
        return None
    target = small.targets[0].target
    return (target.value, small.value) if isinstance(target, cst.Name) else None


def plain_arguments(call: cst.Call) -> list[cst.BaseExpression] | None:
    """The arguments of a call; None if one is starred or has a keyword."""
    plain = all(not argument.star and argument.keyword is None for argument in call.args)
    return [argument.value for argument in call.args] if plain else None
