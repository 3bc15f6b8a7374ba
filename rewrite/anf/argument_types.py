"""Argument types seen in a benchmark's own calls: one body for those types, behind a guard, and one for all others.

`observed={"f": {"text": "str"}}` (of `observed_types`, or made by hand) says nothing about other calls; so the function
tests the types of those arguments when it starts, and keeps a body that takes nothing for granted in the else branch.
In the first body more is proven: methods of the arguments need no test, and are looked up where they stand.
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
    """For each top-level function, the parameters that get arguments of one builtin type in all of the calls.

    Only calls by name with literal positional arguments are looked at; others make their function's types unknown.
    Raises SyntaxError for source or calls that do not parse.

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
    """The parameters of a function that are worth a guard, with their types: used in it, and not guarded already."""
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
    """What was worked out about the variables of `outer` and the scopes inside it is to be worked out anew."""
    for scope in scopes:
        at: Scope | None = scope
        while at is not None and at is not outer:
            at = at.parent
        if at is outer:
            scope.variable_types = None


def guard(
    tests: Mapping[str, str], flag: str, then: list[cst.BaseStatement], otherwise: list[cst.BaseStatement]
) -> list[cst.BaseStatement]:
    """The statements that run `then` if all the parameters have exactly these types, else `otherwise`."""
    checks = [cst.parse_expression(f"type({name}) is {kind}") for name, kind in tests.items()]
    if len(checks) == 1:
        return [build.if_(checks[0], then, otherwise)]
    assigned: list[cst.BaseStatement] = []
    for check in reversed(checks):
        step = build.assign(flag, check)
        assigned = [step, build.if_(cst.Name(flag), assigned)] if assigned else [step]
    return [*assigned, build.if_(cst.Name(flag), then, otherwise)]
