"""The items of a generator expression, computed by the function that consumes them instead of by frames of its own.

A StopIteration that leaves a generator becomes a RuntimeError, one that the function of a `map` raises ends the `map`,
and one that leaves a loop does neither. So no StopIteration may leave what computes an item: the program defines no
class, and only builtins, methods with the name of a builtin type's method, and functions of the program are called for
which the same holds.
"""

from __future__ import annotations

import builtins

import libcst as cst

from rewrite.analysis.evaluation_order import non_operands
from rewrite.analysis.exact_types import TYPES
from rewrite.analysis.scopes import ModuleScopes, Scope
from rewrite.analysis.stop_iteration import is_asynchronous
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.syntax.tree import walk

Comprehension = cst.GeneratorExp | cst.ListComp
PLAIN_FUNCTIONS = frozenset(
    {"abs", "bool", "chr", "float", "int", "len", "list", "max", "min", "ord", "range", "round", "set", "sorted", "str"}
    | {"sum", "tuple", "enumerate", "zip", "reversed", "isinstance"}
)
"""Builtins that raise no StopIteration, and change none of the operands, if no class of the program is involved."""
BUILTIN_METHODS = frozenset(name for kind in TYPES.values() for name in dir(kind) if not name.startswith("_"))
"""Names of methods of builtin types, without those of operators."""
_OPAQUE = (cst.NamedExpr, cst.Yield, cst.Lambda, cst.Await, cst.With, cst.Import, cst.ImportFrom, cst.Decorator)


def never_stops(node: Comprehension, plan: LoweringPlan) -> bool:
    """Whether no StopIteration can leave a comprehension of the program, and it binds and awaits nothing."""
    scope = plan.scopes.find(node)
    if scope is None or is_asynchronous(node) or plan.scopes.defines_class:  # None: its iterable became a step
        return False
    return all(_are_plain(part, scope, plan.scopes, frozenset()) for part in non_operands(node))


def items_as_list(node: Comprehension, plan: LoweringPlan) -> cst.ListComp:
    """The list comprehension with the same items."""
    if isinstance(node, cst.ListComp):
        return node
    made = cst.ListComp(node.elt, node.for_in)
    plan.scopes.adopt(made, plan.scopes.of(node))
    return made


def plain_functions(name: str, scope: Scope) -> list[cst.FunctionDef]:
    """The `def` statements without decorators that bind a name; none if anything else binds it."""
    owner = scope.owner(name)
    made = [] if owner is None else [one.definition for one in owner.bindings[name]]
    found = [one for one in made if isinstance(one, cst.FunctionDef) and not one.decorators]
    return found if len(found) == len(made) else []


def _are_plain(node: cst.CSTNode, scope: Scope, scopes: ModuleScopes, calling: frozenset[int]) -> bool:
    return all(_is_plain_step(inner, scope, scopes, calling) for inner in walk(node))


def _is_plain_step(node: cst.CSTNode, scope: Scope, scopes: ModuleScopes, calling: frozenset[int]) -> bool:
    match node:
        case cst.Call(func=func):
            given = [one.value for one in node.args if one.keyword is not None and one.keyword.value == "key"]
            return all(_is_plain_function(one, scope, scopes, calling) for one in (func, *given))
        case cst.Raise(exc=cst.Name(name) | cst.Call(func=cst.Name(name))):
            return _is_other_error(name, scope)
        case cst.Raise():
            return False
    return not isinstance(node, _OPAQUE)


def _is_plain_function(func: cst.BaseExpression, scope: Scope, scopes: ModuleScopes, calling: frozenset[int]) -> bool:
    """Whether a call of a function raises no StopIteration; `calling` has the ids of those looked at already."""
    match func:
        case cst.Name(name) if scope.is_builtin(name):
            return name in PLAIN_FUNCTIONS or name == "None" or _is_other_error(name, scope)
        case cst.Name(name):
            found = plain_functions(name, scope)
            new = [one for one in found if id(one) not in calling]
            inside = calling.union(map(id, new))
            return bool(found) and all(_are_plain(one.body, scopes.of(one), scopes, inside) for one in new)
        case cst.Attribute(attr=cst.Name(name)):
            return name in BUILTIN_METHODS
    return False


def _is_other_error(name: str, scope: Scope) -> bool:
    """Whether a name is that of a builtin exception other than StopIteration."""
    error = getattr(builtins, name, None) if scope.is_builtin(name) else None
    return isinstance(error, type) and issubclass(error, Exception) and error is not StopIteration
