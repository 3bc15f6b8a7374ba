"""The name of a lambda that becomes a nested function: if it is visible, the function gets it.

The `__qualname__` of a function appears in its repr and in messages about wrong arguments. It is not visible if a
builtin only calls the lambda, with the right arguments (`sorted(xs, key=lambda x: …)`).
"""

from __future__ import annotations

import libcst as cst

from analyze.operations.catalogue import functions, methods
from analyze.operations.operation import Operation
from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.scopes import Scope
from rewrite.syntax.normalized_names import unmangled_name
from rewrite.syntax.tree import walk

LAMBDA = "<lambda>"


def _calls_key(one: Operation) -> bool:
    return "key" in one.called_parameters


_SORTING, _SORTING_METHODS = functions(_calls_key), methods("list", _calls_key)
_MAPPING = functions(lambda one: one.position_of(*one.called_parameters) == 0)


def qualified_name(scope: Scope) -> str | None:
    """Return the `__qualname__` of the function or class that opens a scope (PEP 3155), "" for a module.

    None inside a comprehension, whose part in qualified names depends on the version of Python.
    """
    around = scope.parent
    if around is None:
        return ""
    if scope.kind == "comprehension":
        return None
    named = scope.node.name if isinstance(scope.node, (cst.FunctionDef, cst.ClassDef)) else None
    name = unmangled_name(named) if named else LAMBDA
    outside = qualified_name(around)
    if outside is None:
        return None
    if not outside or (named and named.value in around.declared_global):
        return name
    return f"{outside}.{name}" if around.kind == "class" else f"{outside}.<locals>.{name}"


def naming_statements(name: str, qualname: str) -> str:
    """Return the statements that give a function the names of a lambda."""
    if qualname == LAMBDA:
        return f'{name}.__name__ = {name}.__qualname__ = "{LAMBDA}"\n'
    return f'{name}.__name__ = "{LAMBDA}"\n{name}.__qualname__ = "{qualname}"\n'


def called_lambda(node: cst.Call, scope: Scope) -> cst.Lambda | None:
    """Return the lambda among the arguments of a call that only calls it, with a matching number of arguments."""
    if any(argument.star for argument in node.args):
        return None
    if isinstance(node.func, cst.Lambda) and not any(argument.keyword for argument in node.args):
        return _taking(node.func, len(node.args))
    if isinstance(node.func, cst.Name) and scope.is_builtin(node.func.value):
        if node.func.value in _MAPPING and len(node.args) > 1:
            return _taking(node.args[0].value, len(node.args) - 1)
        sorts = node.func.value in _SORTING
    else:
        method = node.func
        sorts = (
            isinstance(method, cst.Attribute)
            and method.attr.value in _SORTING_METHODS
            and exact_type(method.value, scope) == "list"
        )
    keys = [argument.value for argument in node.args if argument.keyword and argument.keyword.value == "key"]
    return _taking(keys[0], 1) if sorts and keys else None


def is_only_called(node: cst.Lambda, around: cst.CSTNode, scope: Scope) -> bool:
    """Whether `called_lambda` finds the lambda in a call inside `around`."""
    return any(isinstance(inner, cst.Call) and called_lambda(inner, scope) is node for inner in walk(around))


def _taking(node: cst.BaseExpression, count: int) -> cst.Lambda | None:
    """The node if it is a lambda with exactly this many positional parameters."""
    if not isinstance(node, cst.Lambda):
        return None
    params = node.params
    simple = not params.kwonly_params and params.star_kwarg is None and params.star_arg is cst.MaybeSentinel.DEFAULT
    return node if simple and len(params.params) + len(params.posonly_params) == count else None
