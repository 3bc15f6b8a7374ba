"""The lowering of one module, scope by scope; each scope has names and steps of its own.

`rewrite.anf.definitions` lowers what a function or class evaluates outside its body. Each module in `HANDLERS` lowers
the constructs that it is named after. It registers itself on import, and nothing else imports it.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from rewrite.analysis.class_bodies import has_plain_namespace
from rewrite.analysis.scopes import Scope
from rewrite.anf import (
    closures,
    compound_statements,
    comprehensions,
    definitions,
    fstrings,
    match_statements,
    short_circuit,
    simple_statements,
)
from rewrite.anf.argument_types import forget_kinds, guard, guarded_parameters
from rewrite.anf.blocks import BlockLowering
from rewrite.anf.delete_temporaries import TemporaryDeletion
from rewrite.anf.frozen_scopes import FrozenBlockLowering, VisibleScopeLowering
from rewrite.anf.lowering import Lowering, ModuleLowering
from rewrite.anf.names import ScopeNames
from rewrite.anf.report import LoweringReport
from rewrite.syntax.tree import walk

HANDLERS = (
    closures,
    comprehensions,
    compound_statements,
    definitions,
    fstrings,
    match_statements,
    short_circuit,
    simple_statements,
)
CLASS_BODY = "class body: a temporary may become an attribute"
MODULE_LEVEL = "module level: the module inspects its globals"


class AnfLowering(ModuleLowering):
    """Lowers a module to A-normal form, scope by scope."""

    def module(self, node: cst.Module) -> list[cst.BaseStatement]:
        """Return the lowered statements of the module."""
        return self.body(self.scopes.module, node.body)

    def blocks(self, scope: Scope, names: ScopeNames | None = None) -> BlockLowering:
        """Return the block lowering of a scope; a frozen one if nothing may be added to the scope."""
        parameters = [name for name, found in scope.bindings.items() if any(b.how == "parameter" for b in found)]
        prefix = "_" if scope.kind in ("module", "class") else ""
        steps = Lowering(self, scope, names or self.names.of_scope(prefix, parameters))
        steps.bound.update(parameters)
        if scope.reflection:
            return FrozenBlockLowering(steps, self, f"the scope uses {', '.join(sorted(scope.reflection))}")
        if scope.kind == "class" and not self.is_plain(scope):
            return FrozenBlockLowering(steps, self, CLASS_BODY)
        if self.reflection.everywhere:
            return FrozenBlockLowering(steps, self, self.reflection.everywhere)
        if scope.kind == "module" and ("globals" in scope.names or self.reflection.module):
            return FrozenBlockLowering(steps, self, MODULE_LEVEL)
        return VisibleScopeLowering(steps, self) if scope.kind in ("class", "module") else BlockLowering(steps, self)

    def relower(self, statements: Sequence[cst.BaseStatement], steps: Lowering) -> list[cst.BaseStatement]:
        """Lower the statements of a step as if they were part of the program."""
        return BlockLowering(steps, self).body(statements)

    def is_plain(self, scope: Scope) -> bool:
        """Whether a class keeps no trace of a name that its body binds and deletes again."""
        node, around = scope.node, scope.parent
        return isinstance(node, cst.ClassDef) and around is not None and has_plain_namespace(node, around)

    def body(
        self, scope: Scope, statements: Sequence[cst.BaseStatement], names: ScopeNames | None = None
    ) -> list[cst.BaseStatement]:
        """Return the lowered statements of a scope; temporaries are deleted if required."""
        blocks = self.blocks(scope, names)
        return self.released(blocks, blocks.body(statements))

    def suite(self, scope: Scope, block: cst.BaseSuite, names: ScopeNames) -> cst.BaseSuite:
        """Lower the block of a function or class; the same object if nothing changed."""
        blocks = self.blocks(scope, names)
        new = blocks.suite(block)
        if new is block or not isinstance(new, cst.IndentedBlock):
            return new
        return new.with_changes(body=self.released(blocks, list(new.body)))

    def released(self, blocks: BlockLowering, body: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """Delete temporaries after their last use, if the option is set or the program deletes its own variables."""
        given = blocks.steps.names.temporaries | blocks.steps.names.loop_variables
        wanted = self.release or blocks.steps.function.deletes
        if not wanted or not given or blocks.deletes:
            return body
        return TemporaryDeletion(given, self.report).block(body, frozenset(given))

    def definition_body(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        """Return the lowered body of a function or class; two versions if argument types were observed."""
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
        report, self.report = self.report, LoweringReport()  # report only the first version
        names.roll_back(mark)
        second = self.version(scope, rest, {}, names)
        copies = [statement.deep_clone() for statement in second]
        report.origins |= _copied_origins(second, copies, self.report)
        self.report, needed = report, self.report.constructs
        if all(a is b for a, b in zip(first, rest, strict=False)) and len(first) == len(rest):
            return node.body  # nothing to rewrite
        report.constructs |= needed
        tested = guard(guarded, flag, first, copies)
        if flag and self.release:
            tested = TemporaryDeletion([flag], self.report).block(tested, frozenset({flag}))
        for statement in tested:
            self.report.origins[id(statement)] = (statement, rest[0])
        return node.body.with_changes(body=[*head, *tested])

    def version(
        self, scope: Scope, body: Sequence[cst.BaseStatement], assumed: dict[str, str], names: ScopeNames
    ) -> list[cst.BaseStatement]:
        """Return the statements of a function, lowered for parameters of the given types."""
        scope.assumed_types = assumed
        forget_kinds(self.scopes, scope)
        result = self.body(scope, body, names)
        scope.assumed_types = {}
        forget_kinds(self.scopes, scope)
        return result


def _copied_origins(
    statements: Sequence[cst.BaseStatement], copies: Sequence[cst.BaseStatement], report: LoweringReport
) -> dict[int, tuple[cst.CSTNode, cst.CSTNode]]:
    """The origins of copied statements, by the ids of the copies."""
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
    """Split the docstring and the leading `global` and `nonlocal` lines of a function from the rest."""
    for index, statement in enumerate(body):
        small = statement.body[0] if isinstance(statement, cst.SimpleStatementLine) else None
        docstring = index == 0 and isinstance(small, cst.Expr) and isinstance(small.value, cst.BaseString)
        if not docstring and not isinstance(small, (cst.Global, cst.Nonlocal)):
            return list(body[:index]), list(body[index:])
    return list(body), []
