"""Functions, classes, lambdas and generator expressions: what they evaluate outside, and their own scopes inside.

A lambda or generator expression that hides values becomes a nested function: `def _t0(x): …` in its place, with the
same parameters, closures and moment of evaluation. Its `__name__`, and what a traceback calls it, are all that differs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from rewrite.classes import has_plain_namespace
from rewrite.comments import Comments
from rewrite.gate import Keep
from rewrite.intervention import Intervention
from rewrite.names import Names, ScopeNames
from rewrite.observed import Observed, forget_kinds, guard, guarded_parameters
from rewrite.operands import defaults
from rewrite.reflection import NOTHING_SEEN, Reflection
from rewrite.release import Release
from rewrite.report import Report
from rewrite.scopes import BUILTINS, Scope, Scopes
from rewrite.steps import Steps
from rewrite.tree import substitute, walk

if TYPE_CHECKING:
    from rewrite.statements import Bodies

CLASS_BODY = "class body: a temporary may become an attribute"
MODULE_LEVEL = "module level: the module looks at its globals"


class Definitions:
    """Enters the scopes of one module: each has names and steps of its own."""

    def __init__(
        self,
        interventions: Sequence[Intervention],
        scopes: Scopes,
        names: Names,
        comments: Comments,
        observed: Observed | None = None,
        reflection: Reflection = NOTHING_SEEN,
        *,
        release: bool = False,
        kept: Mapping[int, Keep] | None = None,
    ) -> None:
        self.staying = kept or {}
        self.release = release
        self.observed = observed or {}
        self.reflection = reflection
        self.interventions = interventions
        self.scopes = scopes
        self.names = names
        self.comments = comments
        self.report = Report()

    def module(self, node: cst.Module) -> list[cst.BaseStatement]:
        """The statements of the module, rewritten."""
        return self.body(self.scopes.module, node.body)

    def bodies(self, scope: Scope, names: ScopeNames | None = None) -> Bodies:
        """What rewrites the statements of a scope: with steps, or none where nothing may be added."""
        from rewrite.frozen import Frozen, Visible
        from rewrite.statements import Bodies

        steps = Steps(self, scope, names or self.names.of_scope("" if scope.kind not in ("module", "class") else "_"))
        steps.bound.update(name for name, found in scope.bindings.items() if any(b.how == "parameter" for b in found))
        reflection = sorted(name for name in scope.reflection if name not in BUILTINS or scope.is_builtin(name))
        if reflection:
            return Frozen(steps, self, f"the scope uses {', '.join(reflection)}")
        if scope.kind == "class" and not self.is_plain(scope):
            return Frozen(steps, self, CLASS_BODY)
        if self.reflection.everywhere:
            return Frozen(steps, self, self.reflection.everywhere)
        if scope.kind == "module" and ("globals" in scope.names or self.reflection.module):
            return Frozen(steps, self, MODULE_LEVEL)
        return Visible(steps, self) if scope.kind in ("class", "module") else Bodies(steps, self)

    def again(self, statements: Sequence[cst.BaseStatement], steps: Steps) -> list[cst.BaseStatement]:
        """Statements that a step consists of, rewritten as if they stood in the program."""
        from rewrite.statements import Bodies

        return Bodies(steps, self).body(statements)

    def is_plain(self, scope: Scope) -> bool:
        """Whether a class keeps no trace of a name that its body deletes again."""
        node, around = scope.node, scope.parent
        return isinstance(node, cst.ClassDef) and around is not None and has_plain_namespace(node, around)

    def body(
        self, scope: Scope, statements: Sequence[cst.BaseStatement], names: ScopeNames | None = None
    ) -> list[cst.BaseStatement]:
        """The statements of a scope, rewritten; their temporaries released where that is asked for."""
        bodies = self.bodies(scope, names)
        return self.released(bodies, bodies.body(statements))

    def suite(self, scope: Scope, block: cst.BaseSuite, names: ScopeNames) -> cst.BaseSuite:
        """The block of a function or class, rewritten; itself, if nothing changed."""
        bodies = self.bodies(scope, names)
        new = bodies.suite(block)
        if new is block or not isinstance(new, cst.IndentedBlock):
            return new
        return new.with_changes(body=self.released(bodies, list(new.body)))

    def released(self, bodies: Bodies, body: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """The statements with temporaries released: where that is asked for, or the program does so with its own."""
        given = bodies.steps.names.given | bodies.steps.names.kept
        wanted = self.release or bodies.steps.function.deletes
        if not wanted or not given or bodies.deletes:
            return body
        return Release(given, self.report).block(body, frozenset(given))

    def statement(self, node: cst.FunctionDef | cst.ClassDef, around: Bodies, frozen: str = "") -> None:
        """A function or class: decorators, then defaults or bases, outside; its body in a scope of its own."""
        arguments = [*node.bases, *node.keywords] if isinstance(node, cst.ClassDef) else []
        values = [decorator.decorator for decorator in node.decorators]
        if isinstance(node, cst.FunctionDef):
            values += defaults(node.params).expressions
        reason = frozen or _obstacle(node, arguments)
        if reason:
            kept = self.kept(node)
            for value in (*values, *(argument.value for argument in arguments)):
                around.steps.leave(value, reason, root=value in kept or not around.steps.names_conditions)
            done = {}
        else:
            values += [argument.value for argument in arguments]
            used = [] if around.steps.names_conditions else values
            done = around.steps.ordered(values, shown=[*used, *self.kept(node)])
        fields: dict[str, Any] = {"body": self.inside(node)}
        if done:
            fields["decorators"] = [substitute(decorator, done) for decorator in node.decorators]
            if isinstance(node, cst.FunctionDef):
                fields["params"] = substitute(node.params, done)
            else:
                fields["bases"] = [substitute(argument, done) for argument in node.bases]
                fields["keywords"] = [substitute(argument, done) for argument in node.keywords]
        around.compose(node, fields)
        around.steps.bound.add(node.name.value)

    def kept(self, node: cst.FunctionDef | cst.ClassDef) -> Sequence[cst.BaseExpression]:
        """What a definition stores: defaults."""
        return defaults(node.params).expressions if isinstance(node, cst.FunctionDef) else ()

    def inside(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        """The body of a function or class, rewritten; twice, where argument types have been observed."""
        scope = self.scopes.of(node)
        guarded = {}
        if isinstance(node, cst.FunctionDef) and scope.parent is self.scopes.module:
            guarded = guarded_parameters(node, scope, self.observed)
        names = self.names.of_scope("" if isinstance(node, cst.FunctionDef) else "_")
        if not guarded or not isinstance(node.body, cst.IndentedBlock):
            return self.suite(scope, node.body, names)
        flag = names.fresh("types_match") if len(guarded) > 1 else ""
        head, rest = _declarations(node.body.body)
        mark = names.mark()
        first = self.version(scope, rest, guarded, names)
        report, self.report = self.report, Report()  # the original counts once
        names.back(mark)
        second = self.version(scope, rest, {}, names)
        copies = [statement.deep_clone() for statement in second]
        report.origins |= _copied_origins(second, copies, self.report)
        self.report = report
        if all(a is b for a, b in zip(first, rest, strict=False)) and len(first) == len(rest):
            return node.body  # nothing to spell out
        tested = guard(guarded, flag, first, copies)
        if flag and self.release:
            tested = Release([flag], self.report).block(tested, frozenset({flag}))
        for statement in tested:
            self.report.origins[id(statement)] = (statement, rest[0])
        return node.body.with_changes(body=[*head, *tested])

    def version(
        self, scope: Scope, body: Sequence[cst.BaseStatement], assumed: dict[str, str], names: ScopeNames
    ) -> list[cst.BaseStatement]:
        """The statements of a function, rewritten for parameters of the types assumed."""
        scope.assumed = assumed
        forget_kinds(self.scopes.by_node.values(), scope)
        result = self.body(scope, body, names)
        scope.assumed = {}
        forget_kinds(self.scopes.by_node.values(), scope)
        return result


def _copied_origins(
    statements: Sequence[cst.BaseStatement], copies: Sequence[cst.BaseStatement], report: Report
) -> dict[int, tuple[cst.CSTNode, cst.CSTNode]]:
    """Where the copies of statements come from, by the ids of the copies."""
    pairs = (
        pair for old, new in zip(statements, copies, strict=True) for pair in zip(walk(old), walk(new), strict=True)
    )
    return {
        id(new): (new, report.origins.get(id(old), (old, old))[1])
        for old, new in pairs
        if isinstance(old, cst.BaseStatement)
    }


def _declarations(
    body: Sequence[cst.BaseStatement],
) -> tuple[list[cst.BaseStatement], list[cst.BaseStatement]]:
    """The docstring and the `global` and `nonlocal` lines that a function begins with, and the rest."""
    for index, statement in enumerate(body):
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        docstring = index == 0 and isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString)
        if not docstring and not isinstance(small, (cst.Global, cst.Nonlocal)):
            return list(body[:index]), list(body[index:])
    return list(body), []


def _obstacle(node: cst.FunctionDef | cst.ClassDef, arguments: Sequence[cst.Arg]) -> str:
    if node.type_parameters is not None:
        return "evaluated in the scope of the type parameters"
    return "after a starred argument" if any(argument.star for argument in arguments) else ""
