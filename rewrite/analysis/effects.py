"""What may be evaluated later than written: the operands that stay in place while steps are put before them.

A value may stay in place only if reading it after those steps gives the same object, without fail. Everything else is
saved into a temporary first, which is always right; so these rules decide about beauty, and err on the safe side.

Taken for granted (and nothing beyond it): a function or class that the module defines once, a module that it imports
once, and Python's builtins are not replaced from outside while an expression that uses them is being evaluated. Whether
they are there by then is looked at (`rewrite.analysis.outer_names`); of other variables of the module nothing is
believed.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Any

import libcst as cst

from rewrite.analysis.exact_types import TYPES, kind
from rewrite.analysis.outer_names import is_there
from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import children, walk

# Stands for steps that may do anything.
ANYTHING = cst.Call(cst.Name("anything"))
CONSTANTS = frozenset({"True", "False", "None", "__debug__"})
_DISPLAYS = (cst.Tuple, cst.List)


def is_constant(node: cst.CSTNode) -> bool:
    """Whether the expression is spelled by its own text: literals, and displays and signs of literals.

    >>> is_constant(cst.parse_expression("[1, -2, ('a', None)]")), is_constant(cst.parse_expression("[x]"))
    (True, False)
    """
    rule = _CONSTANT.get(type(node))
    return rule is not None and rule(node)


def _is_number(node: cst.CSTNode) -> bool:
    """Whether it is a number, or folded into one by the compiler."""
    return type(node) in _NUMBERS or (type(node) in _ARITHMETIC and is_constant(node))


def _holds_constants(node: cst.Tuple | cst.List | cst.Set) -> bool:
    return all(type(element) is cst.Element and is_constant(element.value) for element in node.elements)


def _maps_constants(node: cst.Dict) -> bool:
    elements = node.elements
    return all(type(e) is cst.DictElement and is_constant(e.key) and is_constant(e.value) for e in elements)


_NUMBERS = (cst.Integer, cst.Float, cst.Imaginary)
_ARITHMETIC = (cst.UnaryOperation, cst.BinaryOperation)
_CONSTANT: dict[type[cst.CSTNode], Callable[[Any], bool]] = {
    **dict.fromkeys((*_NUMBERS, cst.SimpleString, cst.Ellipsis), lambda node: True),
    **dict.fromkeys((*_DISPLAYS, cst.Set), _holds_constants),
    cst.Name: lambda node: node.value in CONSTANTS,
    cst.UnaryOperation: lambda node: _is_number(node.expression),
    cst.BinaryOperation: lambda node: _is_number(node.left) and _is_number(node.right),
    cst.Dict: _maps_constants,
    cst.ConcatenatedString: lambda node: is_constant(node.left) and is_constant(node.right),
}


def is_new(node: cst.BaseExpression) -> bool:
    """Whether evaluating a movable expression again makes another object."""
    if isinstance(node, cst.Tuple):
        return not is_constant(node) or any(is_new(element.value) for element in node.elements)
    return isinstance(node, (cst.List, cst.Set, cst.Dict, cst.Lambda))


def keeps_buffer(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether the value is a memoryview for certain: as long as one is there, its object cannot be resized."""
    if type(node) is cst.Subscript:
        return keeps_buffer(node.value, scope)
    if type(node) is not cst.Call:
        return False
    if isinstance(node.func, cst.Attribute):
        return node.func.attr.value in ("cast", "toreadonly") and keeps_buffer(node.func.value, scope)
    return isinstance(node.func, cst.Name) and node.func.value == "memoryview" and scope.is_builtin("memoryview")


def is_quiet(node: cst.BaseExpression, scope: Scope) -> bool:
    """Whether evaluating the expression runs no foreign code, changes nothing and cannot fail."""
    if is_constant(node):
        return not isinstance(node, cst.BinaryOperation)  # 1 / 0 fails
    if isinstance(node, cst.Name):
        return True  # an unbound name fails, but then it fails as well where it is moved to
    if isinstance(node, _DISPLAYS):
        return all(isinstance(e, cst.Element) and is_quiet(e.value, scope) for e in node.elements)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return kind(node.expression, scope) is not None and is_quiet(node.expression, scope)
    return isinstance(node, cst.Lambda) and not any(True for _ in children(node.params))


def rebinds(nodes: Iterable[cst.BaseExpression], name: str) -> bool:
    """Whether a walrus in one of the expressions binds `name`."""
    return any(
        isinstance(inner, cst.NamedExpr) and isinstance(inner.target, cst.Name) and inner.target.value == name
        for node in nodes
        for inner in walk(node)
    )


def name_stays(name: str, later: Iterable[cst.BaseExpression], scope: Scope, bound: Container[str]) -> bool:
    """Whether reading `name` after the steps of `later` gives what reading it now would, and cannot newly fail.

    bound: the local names that certainly have a value at this point.
    """
    if name in CONSTANTS:
        return True
    later = list(later)
    if rebinds(later, name):
        return False
    if all(is_quiet(node, scope) for node in later):
        return True
    owner = scope.owner(name)
    if owner is None:
        return scope.is_builtin(name)
    if name in owner.rebound_elsewhere or name in owner.deleted:
        return False
    bindings = owner.bindings[name]
    if owner is scope or (scope.kind == "comprehension" and name in bound):
        return name in bound and (owner.kind != "module" or not owner.changes or not bindings)
    # A variable of a scope around this one: no step here rebinds it, if it is bound in one place only.
    if len(bindings) != 1 or bindings[0].nested:
        return False
    return bindings[0].how in ("parameter", "definition", "import") and is_there(name, scope, owner)


def movable(node: cst.BaseExpression, later: Iterable[cst.BaseExpression], scope: Scope, bound: Container[str]) -> bool:
    """Whether the expression may be evaluated after the steps of `later` instead of now."""
    if is_constant(node):
        return not isinstance(node, cst.BinaryOperation)
    if isinstance(node, cst.Name):
        return name_stays(node.value, later, scope, bound)
    if isinstance(node, _DISPLAYS):
        later = list(later)
        return all(isinstance(e, cst.Element) and movable(e.value, later, scope, bound) for e in node.elements)
    if isinstance(node, cst.Lambda):
        parameters = (*node.params.posonly_params, *node.params.params, *node.params.kwonly_params)
        return all(parameter.default is None for parameter in parameters)
    return False


def method_stays(
    callee: cst.Attribute, later: Iterable[cst.BaseExpression], scope: Scope, bound: Container[str]
) -> bool:
    """Whether the method of a call may be looked up after its arguments have been evaluated as steps.

    True for a method that the proven builtin type of the receiver has, and for one looked up after quiet steps.
    """
    later = list(later)
    receiver = TYPES.get(kind(callee.value, scope) or "")
    if receiver is not None and hasattr(receiver, callee.attr.value):
        return movable(callee.value, later, scope, bound)
    return all(is_quiet(node, scope) for node in later) and movable(callee.value, later, scope, bound)
