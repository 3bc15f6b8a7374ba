"""Scopes and statements to which nothing may be added, and scopes whose temporaries are deleted at once.

In a scope with reflection (`locals()`, `eval`) a temporary would be visible. In the body of a class whose metaclass is
not known to be `type`, it may become a permanent attribute (an Enum member). Every statement there stays, hidden values
are reported, and only nested functions are lowered. At module level and in other class bodies a temporary would be a
global or an attribute: it is deleted within its statement or directly after it (`rewrite.anf.delete_temporaries`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from rewrite.analysis.evaluation_order import operands
from rewrite.anf.blocks import COMPOUND, FROZEN, BlockLowering
from rewrite.anf.compound_statements import orelse
from rewrite.anf.delete_temporaries import TemporaryDeletion
from rewrite.anf.lowering import Lowering, ModuleLowering
from rewrite.syntax.tree import CLAUSES, fields, with_changes

_PARTS = (*CLAUSES, cst.If, cst.WithItem)


class FrozenBlockLowering(BlockLowering):
    """Keeps all statements of a scope; `reason` says why."""

    def __init__(self, steps: Lowering, engine: ModuleLowering, reason: str) -> None:
        super().__init__(steps, engine)
        self.reason = reason

    def line(self, node: cst.SimpleStatementLine) -> None:
        for small in node.body:
            self.report(small)
        self.steps.out.append(node)

    def report(self, node: cst.BaseSmallStatement) -> None:
        """Report the hidden values of a simple statement."""
        steps = self.steps
        steps.report_hidden_statement(node, self.reason)
        if isinstance(node, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
            targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
            for part in (part for target in targets for part in operands(target).expressions):
                steps.report_hidden(part, self.reason)
            if node.value is not None:
                steps.report_hidden(node.value, self.reason, root=not isinstance(node, cst.AugAssign))
        elif isinstance(node, cst.Del):
            for part in operands(node.target).expressions:
                steps.report_hidden(part, self.reason)
        elif isinstance(node, (cst.Expr, cst.Return)) and node.value is not None:
            steps.report_hidden(node.value, self.reason, root=True)
        elif isinstance(node, (cst.Assert, cst.Raise)):
            steps.report_hidden(node, self.reason)

    def compound(self, node: cst.BaseStatement) -> None:
        self.steps.report_hidden_statement(node, self.reason)
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            COMPOUND[type(node)](self, node)
            return
        new = self.part(node)
        if new is node:
            self.steps.out.append(node)
        else:
            self.steps.emit(new)

    def part(self, node: Any) -> Any:
        """Lower the blocks of a statement, or of a part of one, and report the rest."""
        changes: dict[str, Any] = {}
        for name in fields(type(node)):
            value = getattr(node, name)
            if isinstance(value, (list, tuple)):
                new: Any = [self.piece(item) for item in value]
                if any(a is not b for a, b in zip(new, value, strict=True)):
                    changes[name] = new
            elif isinstance(value, cst.CSTNode):
                new = self.piece(value)
                if new is not value:
                    changes[name] = new
        return with_changes(node, changes) if changes else node

    def piece(self, node: cst.CSTNode) -> Any:
        if isinstance(node, cst.BaseSuite):
            return self.suite(node)
        if isinstance(node, _PARTS):
            return self.part(node)
        if isinstance(node, cst.BaseExpression):
            shown = isinstance(node, cst.Comparison) and not self.steps.names_conditions
            self.steps.report_hidden(node, self.reason, root=shown)
        return node


class FrozenStatementLowering(FrozenBlockLowering):
    """Keeps what one statement evaluates; `around`, the lowering that it is part of, lowers the blocks in it."""

    def __init__(self, around: BlockLowering, reason: str) -> None:
        super().__init__(around.steps, around.engine, reason)
        self.around = around

    def suite(self, suite: cst.BaseSuite, prefix: Sequence[cst.BaseStatement] = ()) -> cst.BaseSuite:
        if isinstance(suite, cst.SimpleStatementSuite):
            return super().suite(suite, prefix)
        return self.around.branch(suite)[0]

    def piece(self, node: cst.CSTNode) -> Any:
        return orelse(self.around, node)[0] if isinstance(node, cst.If) else super().piece(node)


class FrozenTreeLowering(FrozenBlockLowering):
    """Keeps a statement with everything in it, functions and classes too, and reports its hidden values."""

    def compound(self, node: cst.BaseStatement) -> None:
        if not isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            super().compound(node)
            return
        parts = node.params if isinstance(node, cst.FunctionDef) else cst.Tuple([])
        for outside in (*node.decorators, parts, *getattr(node, "bases", ())):
            self.steps.report_hidden(outside, self.reason)
        self.suite(node.body)
        self.steps.out.append(node)


class VisibleScopeLowering(BlockLowering):
    """Lowers a module or class, whose variables others see: no temporary outlives its statement."""

    deletes = True

    def __init__(self, steps: Lowering, engine: ModuleLowering) -> None:
        super().__init__(steps, engine)
        self.nested = False

    def statement(self, node: cst.BaseStatement) -> None:
        """Lower one statement; the outermost one deletes the temporaries of its steps."""
        if self.nested:
            super().statement(node)
            return
        steps = self.steps
        start, mark = len(steps.out), steps.names.mark()
        self.nested = True
        super().statement(node)
        self.nested = False
        names = steps.names.since(mark)
        if names:
            steps.out[start:] = TemporaryDeletion(names, steps.report).block(steps.out[start:], frozenset(names))


FROZEN.update(
    {
        True: lambda around, reason: FrozenTreeLowering(around.steps, around.engine, reason),
        False: FrozenStatementLowering,
    }
)
