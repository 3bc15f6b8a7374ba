"""Specialize a function for argument types: one body for those types behind a guard, and one for all others.

`observed={"f": {"text": "str"}}` (from `observed_types`, or written by hand) says nothing about other calls. The
function therefore tests the types of these arguments on entry, and the else branch has a body that assumes nothing. In
the specialized body, methods of the arguments need no type test and are looked up in place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

import libcst as cst

from rewrite.analysis.evaluation_order import type_test
from rewrite.analysis.exact_types import TYPES
from rewrite.analysis.scopes import Scope
from rewrite.syntax import build
from rewrite.syntax.tree import walk

Observed = Mapping[str, Mapping[str, str]]


def observed_types(source: str, calls: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the argument types of top-level functions: parameters that get one builtin type in all of the calls.

    Only positional literal arguments of calls by name count; any other argument makes its type unknown.

    Raises:
        SyntaxError: if the source or a call does not parse.

    Example:
        >>> observed_types("def f(a, b): ...", ["f('x', 1)", "f('', None)"])
        {'f': {'a': 'str'}}
    """
    names = {
        node.name: [parameter.arg for parameter in (*node.args.posonlyargs, *node.args.args)]
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }
    seen: dict[str, dict[str, set[str]]] = {}
    for call in calls:
        node = ast.parse(call, mode="eval").body
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
            parameters = seen.setdefault(node.func.id, {})
            for name, argument in zip(names[node.func.id], node.args, strict=False):
                parameters.setdefault(name, set()).add(_type_of(argument))
    found = {
        function: {
            name: next(iter(types)) for name, types in parameters.items() if len(types) == 1 and types <= TYPES.keys()
        }
        for function, parameters in seen.items()
    }
    return {function: parameters for function, parameters in found.items() if parameters}


def _type_of(node: ast.expr) -> str:
    try:
        return type(ast.literal_eval(node)).__name__
    except ValueError:
        return ""


def guarded_parameters(node: cst.FunctionDef, scope: Scope, observed: Observed) -> dict[str, str]:
    """Return the parameters of a function to guard, with their types; none if it tests their types already."""
    wanted = {
        name: kind
        for name, kind in observed.get(node.name.value, {}).items()
        if any(binding.how == "parameter" for binding in scope.bindings.get(name, ()))
        and kind in TYPES
        and kind != "char"
    }
    tested = {test[0] for part in node.body.body for inner in walk(part) if (test := type_test(inner)) is not None}
    builtins = {"type", *wanted.values()}
    if tested & wanted.keys() or not all(scope.is_builtin(name) for name in builtins):
        return {}
    return wanted


def forget_kinds(scopes: Iterable[Scope], outer: Scope) -> None:
    """Drop the inferred types of the variables of `outer` and of its nested scopes."""
    for scope in scopes:
        at: Scope | None = scope
        while at is not None and at is not outer:
            at = at.parent
        if at is outer:
            scope.variable_types = None


def guard(
    tests: Mapping[str, str], flag: str, then: list[cst.BaseStatement], otherwise: list[cst.BaseStatement]
) -> list[cst.BaseStatement]:
    """Return statements that run `then` if all parameters have exactly these types, else `otherwise`.

    Args:
        tests: types by parameter.
        flag: the temporary for the result of several tests.
        then: the specialized statements.
        otherwise: the general statements.
    """
    checks = [cst.parse_expression(f"type({name}) is {kind}") for name, kind in tests.items()]
    if len(checks) == 1:
        return [build.if_(checks[0], then, otherwise)]
    assigned: list[cst.BaseStatement] = []
    for check in reversed(checks):
        step = build.assign(flag, check)
        assigned = [step, build.if_(cst.Name(flag), assigned)] if assigned else [step]
    return [*assigned, build.if_(cst.Name(flag), then, otherwise)]
