"""Purity and movability: which operands may stay in place while steps are inserted before them.

An operand may stay only if evaluating it after those steps gives the same object and cannot fail. Any other operand is
first saved into a temporary, which is always correct. These rules therefore only make the output shorter, and are
conservative.

Assumptions: a function or class that the module defines once, a module that it imports once, and builtins are not
replaced from outside while an expression that uses them is evaluated. `rewrite.analysis.outer_names` checks that they
are bound by then. Nothing is assumed about other module variables.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Set
from typing import Any

import libcst as cst

from rewrite.analysis.exact_types import TYPES, exact_type
from rewrite.analysis.outer_names import is_bound_when_run
from rewrite.analysis.scopes import Scope
from rewrite.syntax.tree import children, walk

# A placeholder for steps with arbitrary side effects.
ANY_EFFECT = cst.Call(cst.Name("anything"))
CONSTANTS = frozenset({"True", "False", "None", "__debug__"})
_DISPLAYS = (cst.Tuple, cst.List)


def is_constant(node: cst.CSTNode) -> bool:
    """Whether the expression is a literal, or a display, sign or concatenation of literals.

    Example:
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


def creates_object(node: cst.BaseExpression) -> bool:
    """Whether evaluating a movable expression a second time creates another object."""
    if isinstance(node, cst.Tuple):
        return not is_constant(node) or any(creates_object(element.value) for element in node.elements)
    return isinstance(node, (cst.List, cst.Set, cst.Dict, cst.Lambda))


def is_memoryview(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether the value is a new memoryview: while one exists, its object cannot be resized."""
    match node:
        case cst.Subscript(value=whole, slice=[cst.SubscriptElement(cst.Slice()), *_]):  # an item is a number
            return is_memoryview(whole, scope) or _holds_memoryview(whole, scope)
        case cst.Call(func=cst.Attribute(value=whole, attr=cst.Name("cast" | "toreadonly"))):
            return is_memoryview(whole, scope) or _holds_memoryview(whole, scope)
        case cst.Call(func=cst.Name("memoryview")):
            return scope.is_builtin("memoryview")
    return False


def _holds_memoryview(node: cst.CSTNode, scope: Scope) -> bool:
    """Whether one of the values of a variable is the result of `memoryview`."""
    owner = scope.owner(node.value) if isinstance(node, cst.Name) else None
    if owner is None or not isinstance(node, cst.Name):
        return False
    values = [binding.expression for binding in owner.bindings[node.value] if binding.how == "value"]
    calls = (value for value in values if isinstance(value, cst.Call) and isinstance(value.func, cst.Name))
    return any(is_memoryview(call, owner) for call in calls)


def is_pure(node: cst.BaseExpression, scope: Scope) -> bool:
    """Whether evaluating the expression runs no foreign code, changes nothing and cannot fail."""
    if is_constant(node):
        return not isinstance(node, cst.BinaryOperation)  # 1 / 0 fails
    if isinstance(node, cst.Name):
        return True  # an unbound name fails, but also after it has been moved
    if isinstance(node, _DISPLAYS):
        return all(isinstance(e, cst.Element) and is_pure(e.value, scope) for e in node.elements)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return exact_type(node.expression, scope) is not None and is_pure(node.expression, scope)
    return isinstance(node, cst.Lambda) and not any(True for _ in children(node.params))


def rebinds(nodes: Iterable[cst.BaseExpression], name: str) -> bool:
    """Whether a walrus in one of the expressions binds `name`."""
    return any(
        isinstance(inner, cst.NamedExpr) and isinstance(inner.target, cst.Name) and inner.target.value == name
        for node in nodes
        for inner in walk(node)
    )


def is_name_stable(name: str, later: Iterable[cst.BaseExpression], scope: Scope, bound: Container[str]) -> bool:
    """Whether reading a name after the steps for `later` gives the same value as reading it now, and cannot newly fail.

    Args:
        name: the name.
        later: the expressions evaluated in between.
        scope: the scope that reads the name.
        bound: the local names that are definitely assigned here.
    """
    if name in CONSTANTS:
        return True
    later = list(later)
    if rebinds(later, name):
        return False
    if all(is_pure(node, scope) for node in later):
        return True
    if may_be_rebound(name, scope, bound):
        return False
    owner = scope.owner(name)
    if owner is None:
        return True
    return name in bound if _is_own(owner, name, scope, bound) else is_bound_when_run(name, scope, owner)


def may_be_rebound(name: str, scope: Scope, bound: Container[str]) -> bool:
    """Whether code other than the scope's own statements may change or delete a variable while the scope runs.

    Such code runs wherever something is called, also by an operator. A `global` or `nonlocal` name is changed by other
    functions, a variable of the module by other modules, too.

    Args:
        name: the name.
        scope: the scope that reads it.
        bound: the local names that are definitely assigned here.
    """
    owner = scope.owner(name)
    if owner is None:
        return not scope.is_builtin(name)
    if name in owner.rebound_elsewhere or name in owner.deleted:
        return True
    bindings = owner.bindings[name]
    if _is_own(owner, name, scope, bound):
        return owner.kind == "module" and owner.changes and bool(bindings)
    # A variable of an enclosing scope: nothing rebinds it if it has a single binding.
    if len(bindings) != 1 or bindings[0].nested:
        return True
    return bindings[0].how not in ("parameter", "definition", "import")


def _is_own(owner: Scope, name: str, scope: Scope, bound: Container[str]) -> bool:
    """Whether a variable is that of the scope's own statements, or of the function that a comprehension is part of."""
    return owner is scope or (scope.kind == "comprehension" and name in bound)


def binds_name(node: cst.CSTNode, name: str) -> bool:
    """Whether a node may bind or delete a variable of its scope itself.

    Example:
        >>> [binds_name(cst.parse_statement(one), "a") for one in ("a[0] = b", "b, (c, *a) = d", "with a as a: b")]
        [False, True, True]
    """
    return is_among(name, bound_by(node))


def bound_by(node: cst.CSTNode) -> set[str]:
    """The variables of its scope that a node may bind or delete itself, with `ANY_NAME` if that may be any."""
    return {name for inner in walk(node) if type(inner) in _BOUND for name in _bound(inner)}


def is_among(name: str, bound: Set[str]) -> bool:
    """Whether a variable may be one of those that `bound_by` returned."""
    return name in bound or ANY_NAME in bound


def _bound(node: cst.CSTNode) -> Iterator[str]:
    """The same for the node alone, one of the classes in `_BOUND`."""
    if isinstance(node, cst.ImportStar):
        yield ANY_NAME
    elif not isinstance(node, cst.ImportAlias):
        yield from _target_names(getattr(node, _BOUND[type(node)]))
    elif node.asname is None:
        yield node.evaluated_name.partition(".")[0]


def _target_names(target: cst.CSTNode | None) -> Iterator[str]:
    """The variables that an assignment target binds: itself, or those in a tuple or list."""
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _target_names(element.value)
    elif isinstance(target, cst.Name):
        yield target.value


ANY_NAME = "*"
# By the class of a node that may bind variables, the field with the target.
_BOUND: dict[type[cst.CSTNode], str] = {
    **dict.fromkeys((cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.NamedExpr, cst.For, cst.Del), "target"),
    **dict.fromkeys((cst.FunctionDef, cst.ClassDef, cst.TypeAlias, cst.AsName, cst.MatchAs, cst.MatchStar), "name"),
    cst.MatchMapping: "rest",
    cst.ImportAlias: "name",
    cst.ImportStar: "",
}


def is_movable(
    node: cst.BaseExpression, later: Iterable[cst.BaseExpression], scope: Scope, bound: Container[str]
) -> bool:
    """Whether the expression may be evaluated after the steps for `later` instead of now."""
    if is_constant(node):
        return not isinstance(node, cst.BinaryOperation)
    if isinstance(node, cst.Name):
        return is_name_stable(node.value, later, scope, bound)
    if isinstance(node, _DISPLAYS):
        later = list(later)
        return all(isinstance(e, cst.Element) and is_movable(e.value, later, scope, bound) for e in node.elements)
    if isinstance(node, cst.Lambda):
        parameters = (*node.params.posonly_params, *node.params.params, *node.params.kwonly_params)
        return all(parameter.default is None for parameter in parameters)
    return False


def is_method_stable(
    callee: cst.Attribute, later: Iterable[cst.BaseExpression], scope: Scope, bound: Container[str]
) -> bool:
    """Whether the method of a call may be looked up after the arguments have been evaluated as steps.

    True if the receiver has a proven builtin type with this method, or if the steps are pure.
    """
    later = list(later)
    receiver = TYPES.get(exact_type(callee.value, scope) or "")
    if receiver is not None and hasattr(receiver, callee.attr.value):
        return is_movable(callee.value, later, scope, bound)
    return all(is_pure(node, scope) for node in later) and is_movable(callee.value, later, scope, bound)
