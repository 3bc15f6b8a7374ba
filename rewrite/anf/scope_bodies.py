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
from rewrite.anf.blocks import BlockLowering
from rewrite.anf.delete_temporaries import TemporaryDeletion
from rewrite.anf.frozen_scopes import FrozenBlockLowering, VisibleScopeLowering
from rewrite.anf.lowering import Lowering, ModuleLowering

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

    def blocks(self, scope: Scope) -> BlockLowering:
        """Return the block lowering of a scope; a frozen one if nothing may be added to the scope."""
        parameters = [name for name, found in scope.bindings.items() if any(b.how == "parameter" for b in found)]
        prefix = "_" if scope.kind in ("module", "class") else ""
        steps = Lowering(self, scope, self.names.of_scope(prefix, parameters))
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

    def body(self, scope: Scope, statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """Return the lowered statements of a scope; temporaries are deleted if required."""
        blocks = self.blocks(scope)
        return self.released(blocks, blocks.body(statements))

    def released(self, blocks: BlockLowering, body: list[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """Delete temporaries after their last use, if the option is set or the program deletes its own variables."""
        given = blocks.steps.names.temporaries | blocks.steps.names.loop_variables
        wanted = self.release or blocks.steps.function.deletes
        if not wanted or not given or blocks.deletes:
            return body
        return TemporaryDeletion(given, self.report).block(body, frozenset(given))

    def definition_body(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        """Lower the body of a function or class; the same object if nothing changed."""
        blocks = self.blocks(self.scopes.of(node))
        new = blocks.suite(node.body)
        if new is node.body or not isinstance(new, cst.IndentedBlock):
            return new
        return new.with_changes(body=self.released(blocks, list(new.body)))
