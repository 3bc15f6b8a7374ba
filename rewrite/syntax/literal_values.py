"""The values of literals in a program."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import libcst as cst

from corpora import literals
from rewrite.syntax.tree import code

NOT_LITERAL = object()
_CONSTANTS = {"None": None, "True": True, "False": False}


def literal_value(node: cst.BaseExpression) -> Any:
    """The value of a literal (string, number, None, True, False), or NOT_LITERAL."""
    if isinstance(node, cst.Name):
        return _CONSTANTS.get(node.value, NOT_LITERAL)
    if isinstance(node, (cst.SimpleString, cst.Integer, cst.UnaryOperation)):
        return value_of(code(node))
    return NOT_LITERAL


@lru_cache(maxsize=1 << 10)
def value_of(atom: str) -> Any:
    """The value of an atom given as source, or NOT_LITERAL."""
    try:
        return literals.parse_literal(atom)
    except ValueError:
        return NOT_LITERAL
