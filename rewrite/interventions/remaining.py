"""The intervention `remaining`: it reports string operations that no other intervention replaces.

Every method of `str`, `%`, `in` and format specifications are either replaced or reported. Operations that the
reference implementations themselves consist of are not reported: `+`, `*`, comparisons, `len`, a single item, a slice
without a step, and a loop over the characters.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from analyze.operations.catalogue import find
from rewrite.analysis.evaluation_order import fields_of
from rewrite.analysis.exact_types import STRING_METHODS, exact_type, is_str
from rewrite.analysis.imported_modules import is_module, may_be_module
from rewrite.anf.intervention import ClaimRefusal, Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.string_methods.guards import is_short, may_be_string, may_have_type
from rewrite.string_methods.operation_sites import match_site, operation_text
from rewrite.string_methods.reference import references
from rewrite.syntax.tree import code

_OF_ARGUMENTS = ("format", "join")  # methods that mainly operate on their arguments
ARGUMENTS = "string method with arguments that no reference implementation supports"
NOT_SHOWN = "neither the source nor every call establishes the preconditions of a loop"
METHOD = "string method without a reference implementation"
ITSELF = "string method of the class str itself"
IMPORTED = "method of an imported value, which may be a module"
MEMBERSHIP = "membership of one unknown value in another, which may not be strings"
MODULO = "operator % on a value that may be a string"
FORMAT = "format specification"
REASONS = (ARGUMENTS, NOT_SHOWN, METHOD, ITSELF, IMPORTED, MEMBERSHIP, MODULO, FORMAT)
"""How a reason ends; it begins with the operation."""


class RemainingStringMethods(Intervention):
    """Reports string operations that the other interventions leave unchanged."""

    name = "remaining"
    summary = "reports string operations that no other intervention replaces"
    recipes = ("methods",)
    order = 99
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = ()
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A method without a loop",
            """
            def f(text):
                return text.encode()
            """,
            f".encode(): {METHOD}",
        ),
        UntouchedExample(
            "A list of formats",
            """
            def f(text):
                return text.format(1)
            """,
            f".format(1): {METHOD}",
        ),
        UntouchedExample(
            "A method of str itself",
            """
            def f(texts):
                return list(map(str.upper, texts))
            """,
            f".upper: {ITSELF}",
        ),
        UntouchedExample(
            "The operator %",
            """
            def f(text):
                return '%5s' % text
            """,
            f"'%5s' % text: {MODULO}",
        ),
        UntouchedExample(
            "Two unknown values",
            """
            def f(a, b):
                return a in b
            """,
            f"a in b: {MEMBERSHIP}",
        ),
        UntouchedExample(
            "A format specification",
            """
            def f(a):
                return f'{a:>5}'
            """,
            f"f'{{a:>5}}': {FORMAT}",
        ),
        UntouchedExample(
            "A name from a module",
            """
            from os import path
            def f(a):
                return path.split(a)
            """,
            f".split(a): {IMPORTED}",
        ),
        UntouchedExample(
            "A module",
            """
            import re
            def f(a):
                return re.split(',', a)
            """,
        ),
        UntouchedExample(
            "Concatenation",
            """
            def f(a, b):
                return a + b
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind in _CONCERNED

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        reason = _reason(node, plan)
        return ClaimRefusal(f"{operation_text(node)}: {reason}") if reason else False

    def operator_reason(self, node: cst.AugAssign, plan: LoweringPlan) -> str:
        hides = isinstance(node.operator, cst.ModuloAssign) and _may_hide(node.target, plan)
        return f"{code(node.target)} %= {code(node.value)}: {MODULO}" if hides else ""


_CONCERNED = (cst.Call, cst.Attribute, cst.Comparison, cst.BinaryOperation, cst.FormattedString)


def _reason(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    match node:
        case cst.Call(func=cst.Attribute()):
            return _call(node, node.func, plan)  # type: ignore[arg-type]
        case cst.Call(func=cst.Name(value="format")) if len(node.args) > 1 and plan.scope.is_builtin("format"):
            return FORMAT
        case cst.Attribute() if node.attr.value in STRING_METHODS:
            return ITSELF if _is_str(node.value, plan) or is_str(node.value, plan.scope) else ""
        case cst.Comparison():
            return _membership(node, plan)
        case cst.BinaryOperation(operator=cst.Modulo()):
            return MODULO if _may_hide(node.left, plan) else ""
        case cst.FormattedString():
            return FORMAT if any(field.format_spec for field in fields_of(node.parts)) else ""
    return ""


def _call(node: cst.Call, method: cst.Attribute, plan: LoweringPlan) -> str:
    name, receiver = method.attr.value, method.value
    if name not in STRING_METHODS:
        return ""
    if _is_str(receiver, plan):
        return ITSELF if node.args else ""
    excluded = {test[0] for test in plan.excluded_types}
    known = find(name, "str")
    most = known.max_arguments if known else None
    if most is not None and len(node.args) > most:
        return ""  # a method of another type
    if any(_name(argument.value) in excluded for argument in node.args):
        return ""
    if exact_type(receiver, plan.scope) is None and may_be_module(receiver, plan.scope):
        return "" if is_module(receiver, plan.scope) else IMPORTED
    if not _may_hide(receiver, plan) and not (name in _OF_ARGUMENTS and may_be_string(receiver, plan)):
        return ""
    if name not in references():
        return METHOD
    fits = any(match_site(node, form) is not None for form in references()[name])
    return NOT_SHOWN if fits and plan.unproven != "guard" else ARGUMENTS


def _membership(node: cst.Comparison, plan: LoweringPlan) -> str:
    left = node.left
    for target in node.comparisons:
        inside = isinstance(target.operator, (cst.In, cst.NotIn))
        if (
            inside
            and may_have_type(left, "str", plan)
            and not _was_no_text(left, plan)
            and _may_hide(target.comparator, plan)
        ):
            return MEMBERSHIP
        left = target.comparator
    return ""


def _may_hide(node: cst.CSTNode, plan: LoweringPlan) -> bool:
    """Whether the value may be a string of more than one character."""
    assert isinstance(node, cst.BaseExpression)
    known = exact_type(node, plan.scope) == "char" or is_short(node, plan) or _was_no_text(node, plan)
    return not known and may_be_string(node, plan)


def _was_no_text(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether the expression was observed in calls and never was a string."""
    seen = plan.shown.of(node) if plan.shown is not None else None
    return seen is not None and "str" not in seen.types


def _is_str(node: cst.CSTNode, plan: LoweringPlan) -> bool:
    return _name(node) == "str" and plan.scope.is_builtin("str")


def _name(node: cst.CSTNode) -> str:
    return node.value if isinstance(node, cst.Name) else ""
