"""The intervention `format_pieces`: `"{}-{}".format(a, b)` of strings as its pieces, which are then joined."""

from __future__ import annotations

from string import Formatter
from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.discharge import literal_value
from rewrite.string_methods.guards import atoms
from rewrite.syntax import build
from rewrite.syntax.tree import code


class FormatPieces(Intervention):
    """Lists the pieces and joins them; one field with one literal beside it is a concatenation.

    Not in scope: conversions, format specifications, and arguments of which no call shows that they are strings.
    """

    name = "format_pieces"
    summary = "`str.format` of strings as a list of pieces that are joined"
    recipes = ("idioms",)
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "One field",
            'def f():\n    word = "ab"\n    return "-{}".format(word)\n',
            "def f():\n    word = \"ab\"\n    return '-' + word\n",
            "f()",
        ),
        RewriteExample(
            "Several fields",
            'def f():\n    a = "ab"\n    b = "cd"\n    return "{1}/{0}".format(a, b)\n',
            'def f():\n    a = "ab"\n    b = "cd"\n    _t0 = [b, \'/\', a]\n    return "".join(_t0)\n',
            "f()",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("A format specification", 'def f():\n    word = "ab"\n    return "{:>4}".format(word)\n'),
        UntouchedExample("A value that may not be a string", 'def f(word):\n    return "-{}".format(word)\n'),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method == "format"

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        pieces = _pieces(node)
        if pieces is None:
            return False
        assert isinstance(node, cst.Call)
        return all(is_known(one.value, exactly("str"), plan) for one in node.args)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        pieces = _pieces(node)
        assert pieces is not None and isinstance(node, cst.Call)
        for argument in node.args:
            assume(argument.value, exactly("str"), steps)
        given = atoms([argument.value for argument in node.args], steps)
        parts = [cst.SimpleString(repr(one)) if isinstance(one, str) else build.clone(given[one]) for one in pieces]
        if len(parts) == 2 and any(isinstance(one, str) for one in pieces):
            return cst.BinaryOperation(parts[0], cst.Add(), parts[1])
        listed = cst.List([cst.Element(one) for one in parts])
        return cst.parse_expression(f'"".join({code(listed if steps.condensed else steps.materialize(listed))})')


def _pieces(node: cst.BaseExpression) -> list[str | int] | None:
    """The pieces of a template: literals, and the numbers of arguments; None unless all fields are plain."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as literal, attr=cst.Name("format")), args=arguments):
            template = literal_value(literal)
        case _:
            return None
    if not isinstance(template, str) or not arguments or any(one.star or one.keyword for one in arguments):
        return None
    found: list[str | int] = []
    try:
        for text, field, spec, conversion in Formatter().parse(template):
            found += [text] if text else []
            if field is None:
                continue
            number = int(field) if field.isdecimal() else sum(isinstance(one, int) for one in found)
            if spec or conversion or (field and not field.isdecimal()) or number >= len(arguments):
                return None
            found.append(number)
        template.format(*("" for _ in arguments))  # mixed numbering is an error
    except (ValueError, IndexError):
        return None
    return found if len(found) > 1 else None
