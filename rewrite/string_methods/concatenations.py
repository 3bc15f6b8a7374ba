"""Concatenated strings: the list of the characters of a sum or product of strings, made of the lists of its parts.

Where an idiom would list the receiver `text + end` of its operation, it makes `list(text) + list(end)`, so that no step
concatenates strings. It needs each part to be exactly a `str`, and each factor exactly an `int` of moderate size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import libcst as cst

from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_max_magnitude
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atoms, list_characters
from rewrite.syntax import build
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value

MAX_FACTOR = 9999
"""The largest factor: a list of 100 million characters may not fit into memory, where the string does."""
Part = tuple[cst.BaseExpression, str]
"""A part of a concatenation and its type: "str", or "int" for a factor."""


def is_concatenation(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether an expression adds or repeats strings, not all of them literals, whose types are known."""
    parts = list(_parts(node)) if isinstance(node, cst.BinaryOperation) else []
    known = all(is_known(one, what, plan) for one, kind in parts for what in _facts(kind))
    return known and any(literal_value(one) is NOT_LITERAL for one, _ in parts)


def list_concatenation(node: cst.BaseExpression, steps: Lowering) -> cst.Name:
    """Emit the list of the characters of a concatenation; return its temporary."""
    parts = list(_parts(node))
    for one, kind in parts:
        for what in _facts(kind):
            assume(one, what, steps)
    lowered = atoms([one for one, _ in parts], steps)
    replaced = {id(one): atom for (one, _), atom in zip(parts, lowered, strict=True)}
    name = steps.fresh_temporary("list", "characters")
    steps.character_lists.add(name)
    steps.assign(name, _listed(node, replaced, steps))
    return cst.Name(name)


def _facts(kind: str) -> tuple[str, ...]:
    return (exactly(kind), has_max_magnitude(MAX_FACTOR)) if kind == "int" else (exactly(kind),)


def _parts(node: cst.BaseExpression) -> Iterator[Part]:
    """The strings and factors of a concatenation, in evaluation order."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            yield from (*_parts(left), *_parts(right))
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            yield from (*_parts(left), (right, "int"))
        case _:
            yield node, "str"


def _listed(
    node: cst.BaseExpression, replaced: Mapping[int, cst.BaseExpression], steps: Lowering
) -> cst.BaseExpression:
    if id(node) in replaced:
        return list_characters(build.clone(replaced[id(node)]), steps)
    assert isinstance(node, cst.BinaryOperation)
    left = _listed(node.left, replaced, steps)
    if isinstance(node.operator, cst.Add):
        return cst.BinaryOperation(left, cst.Add(), _listed(node.right, replaced, steps))
    if isinstance(left, cst.BinaryOperation) and isinstance(left.operator, cst.Add):
        left = left.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.BinaryOperation(left, cst.Multiply(), build.clone(replaced[id(node.right)]))
