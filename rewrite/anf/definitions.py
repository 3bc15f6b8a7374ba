"""Lower functions and classes as statements: decorators, then defaults or bases; the body has a scope of its own.

`rewrite.anf.scope_bodies` lowers that body.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from rewrite.analysis.evaluation_order import defaults
from rewrite.anf.blocks import COMPOUND, BlockLowering
from rewrite.syntax.tree import substitute


def definition(blocks: BlockLowering, node: cst.FunctionDef | cst.ClassDef) -> None:
    """Lower a definition: decorators, then defaults or bases, in the enclosing scope; the body in its own scope."""
    arguments = [*node.bases, *node.keywords] if isinstance(node, cst.ClassDef) else []
    values = [decorator.decorator for decorator in node.decorators]
    if isinstance(node, cst.FunctionDef):
        values += defaults(node.params).expressions
    reason = blocks.reason or _obstacle(node, arguments)
    if reason:
        kept = _kept(node)
        for value in (*values, *(argument.value for argument in arguments)):
            blocks.steps.report_hidden(value, reason, root=value in kept or not blocks.steps.names_conditions)
        done = {}
    else:
        values += [argument.value for argument in arguments]
        used = [] if blocks.steps.names_conditions else values
        done = blocks.steps.lower_in_order(values, shown=[*used, *_kept(node)])
    fields: dict[str, Any] = {"body": blocks.engine.definition_body(node)}
    if done:
        fields["decorators"] = [substitute(decorator, done) for decorator in node.decorators]
        if isinstance(node, cst.FunctionDef):
            fields["params"] = substitute(node.params, done)
        else:
            fields["bases"] = [substitute(argument, done) for argument in node.bases]
            fields["keywords"] = [substitute(argument, done) for argument in node.keywords]
    blocks.compose(node, fields)
    blocks.steps.bound.add(node.name.value)


def _kept(node: cst.FunctionDef | cst.ClassDef) -> Sequence[cst.BaseExpression]:
    """The expressions whose values a definition stores: defaults."""
    return defaults(node.params).expressions if isinstance(node, cst.FunctionDef) else ()


def _obstacle(node: cst.FunctionDef | cst.ClassDef, arguments: Sequence[cst.Arg]) -> str:
    if node.type_parameters is not None:
        return "evaluated in the scope of the type parameters"
    return "after a starred argument" if any(argument.star for argument in arguments) else ""


COMPOUND.update({cst.FunctionDef: definition, cst.ClassDef: definition})
