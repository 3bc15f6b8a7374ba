"""Functions, classes, lambdas and generator expressions: what they evaluate outside, and their own scopes inside.

A lambda or generator expression that hides values becomes a nested function: `def _t0(x): …` in its place, with the
same parameters, closures and moment of evaluation. Its `__name__`, and what a traceback calls it, are all that differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from rewrite.intervention import Intervention
from rewrite.names import Names
from rewrite.operands import defaults
from rewrite.scopes import BUILTINS, Scope, Scopes
from rewrite.steps import Report, Steps
from rewrite.tree import substitute

if TYPE_CHECKING:
    from rewrite.statements import Bodies

CLASS_BODY = "class body: a temporary would become an attribute"
MODULE_LEVEL = "module level: a temporary would become a global"


class Definitions:
    """Enters the scopes of one module: each has names and steps of its own."""

    def __init__(self, interventions: Sequence[Intervention], scopes: Scopes, names: Names) -> None:
        self.interventions = interventions
        self.scopes = scopes
        self.names = names
        self.report = Report()

    def module(self, node: cst.Module) -> list[cst.BaseStatement]:
        """The statements of the module, rewritten."""
        return self.bodies(self.scopes.module).body(node.body)

    def bodies(self, scope: Scope) -> Bodies:
        """What rewrites the statements of a scope: with steps, or none where nothing may be added."""
        from rewrite.frozen import Frozen, ModuleLevel
        from rewrite.statements import Bodies

        steps = Steps(self, scope)
        steps.bound = {name for name, found in scope.bindings.items() if any(b.how == "parameter" for b in found)}
        reflection = sorted(name for name in scope.reflection if name not in BUILTINS or scope.is_builtin(name))
        if reflection:
            return Frozen(steps, self, f"the scope uses {', '.join(reflection)}")
        if scope.kind == "class":
            return Frozen(steps, self, CLASS_BODY)
        if scope.kind == "module":
            return ModuleLevel(steps, self, MODULE_LEVEL)
        return Bodies(steps, self)

    def statement(self, node: cst.FunctionDef | cst.ClassDef, around: Bodies, frozen: str = "") -> None:
        """A function or class: decorators, then defaults or bases, outside; its body in a scope of its own."""
        arguments = [*node.bases, *node.keywords] if isinstance(node, cst.ClassDef) else []
        values = [decorator.decorator for decorator in node.decorators]
        if isinstance(node, cst.FunctionDef):
            values += defaults(node.params).expressions
        reason = frozen or _obstacle(node, arguments)
        if reason:
            for value in (*values, *(argument.value for argument in arguments)):
                around.steps.leave(value, reason, root=True)
            done = {}
        else:
            values += [argument.value for argument in arguments]
            done = around.steps.ordered(values, shown=values)
        fields: dict[str, Any] = {"body": self.bodies(self.scopes.of(node)).suite(node.body)}
        if done:
            fields["decorators"] = [substitute(decorator, done) for decorator in node.decorators]
            if isinstance(node, cst.FunctionDef):
                fields["params"] = substitute(node.params, done)
            else:
                fields["bases"] = [substitute(argument, done) for argument in node.bases]
                fields["keywords"] = [substitute(argument, done) for argument in node.keywords]
        around.compose(node, fields)
        around.steps.bound.add(node.name.value)


def _obstacle(node: cst.FunctionDef | cst.ClassDef, arguments: Sequence[cst.Arg]) -> str:
    if node.type_parameters is not None:
        return "evaluated in the scope of the type parameters"
    return "after a starred argument" if any(argument.star for argument in arguments) else ""
