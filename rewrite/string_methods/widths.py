"""Methods of strings whose first argument is a width: which widths are spelled out.

A literal below 10,000 is. Any other width is measured first, in bits: one that is too wide in either direction is left
to the method itself, which says so where it cannot be a size at all (OverflowError).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

import libcst as cst

from rewrite.string_methods.base import WholeMethod
from rewrite.syntax.tree import code

BITS = 14
_TEST = re.compile(r"^( *)if \{first\} < 10000:$", re.MULTILINE)


class Padding(WholeMethod):
    """A method that fills up to a width; its templates begin with `if {first} < 10000:`."""

    def template(self, form: int | str, arguments: Sequence[cst.BaseExpression]) -> str:
        template = super().template(form, arguments)
        if arguments and _is_small(arguments[0]):
            return template
        return _TEST.sub(rf"\1{{bits}} = int.bit_length({{first}})\n\1if {{bits}} < {BITS}:", template)


def _is_small(width: cst.BaseExpression) -> bool:
    literal = width.expression if isinstance(width, cst.UnaryOperation) else width
    return isinstance(literal, cst.Integer) and abs(ast.literal_eval(code(width))) < 10_000
