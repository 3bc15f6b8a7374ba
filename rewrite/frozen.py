"""Scopes to which nothing may be added, and the module level, where a temporary is deleted again at once.

A temporary in a class body would become an attribute (an Enum member, a dataclass field); in a scope that looks at its
own variables (`locals()`, `eval`) it would be seen. There every statement stays, what is hidden is reported, and only
the functions inside are rewritten. At module level a temporary would be a global: it is deleted right after its
statement, and where that is not certain to succeed (steps under an `if` or in a loop, statements inside `try`) the
statement stays as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from rewrite.definitions import Definitions
from rewrite.operands import operands
from rewrite.statements import Bodies
from rewrite.steps import Steps
from rewrite.tree import changed, fields

_PARTS = (cst.Else, cst.If, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase, cst.WithItem)


class Frozen(Bodies):
    """Keeps all statements; `reason` says why."""

    def __init__(self, steps: Steps, definitions: Definitions, reason: str) -> None:
        super().__init__(steps, definitions)
        self.reason = reason

    def line(self, node: cst.SimpleStatementLine) -> None:
        for small in node.body:
            self.report(small)
        self.steps.out.append(node)

    def report(self, node: cst.BaseSmallStatement) -> None:
        """Report what a small statement hides."""
        steps = self.steps
        if isinstance(node, (cst.Assign, cst.AnnAssign, cst.AugAssign)):
            targets = [item.target for item in node.targets] if isinstance(node, cst.Assign) else [node.target]
            for part in (part for target in targets for part in operands(target).expressions):
                steps.leave(part, self.reason)
            if node.value is not None:
                steps.leave(node.value, self.reason, root=not isinstance(node, cst.AugAssign))
        elif isinstance(node, cst.Del):
            for part in operands(node.target).expressions:
                steps.leave(part, self.reason)
        elif isinstance(node, (cst.Expr, cst.Return)) and node.value is not None:
            steps.leave(node.value, self.reason, root=True)
        elif isinstance(node, (cst.Assert, cst.Raise)):
            steps.leave(node, self.reason)

    def compound(self, node: cst.BaseStatement) -> None:
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self.definitions.statement(node, self, self.reason)
            return
        new = self.part(node)
        if new is node:
            self.steps.out.append(node)
        else:
            self.steps.emit(new)

    def part(self, node: Any) -> Any:
        """A statement, or a part of one that holds blocks: the blocks rewritten, the rest reported."""
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
        return changed(node, changes) if changes else node

    def piece(self, node: cst.CSTNode) -> Any:
        if isinstance(node, cst.BaseSuite):
            return self.suite(node)
        if isinstance(node, _PARTS):
            return self.part(node)
        if isinstance(node, cst.BaseExpression):
            self.steps.leave(node, self.reason, root=isinstance(node, cst.Comparison))
        return node


class ModuleLevel(Frozen):
    """Statements of a module: steps where their temporaries can be deleted again."""

    def __init__(self, steps: Steps, definitions: Definitions, reason: str) -> None:
        super().__init__(steps, definitions, reason)
        self.tentative = 0

    def statement(self, node: cst.BaseStatement) -> None:
        if isinstance(node, (cst.Try, cst.TryStar)):
            self.tentative += 1
            super().statement(node)
            self.tentative -= 1
        elif self.tentative or not isinstance(node, cst.SimpleStatementLine):
            super().statement(node)
        else:
            self.deleting(node)

    def deleting(self, node: cst.SimpleStatementLine) -> None:
        """The statement with its steps and a `del` for their temporaries, or as it was."""
        steps = self.steps
        start, mark = len(steps.out), steps.mark()
        steps.around = node
        Bodies.line(self, node)
        new = steps.out[start:]
        if all(isinstance(statement, cst.SimpleStatementLine) for statement in new):
            del steps.out[start:]
            self.finish(node, new, steps.since(mark))
        else:
            steps.undo(mark)
            super().statement(node)

    def finish(self, node: cst.BaseStatement, new: Sequence[cst.BaseStatement], names: Sequence[str]) -> None:
        steps = self.steps
        start = len(steps.out)
        steps.out += new
        if names:
            targets = [cst.Element(cst.Name(name)) for name in names]
            one: Any = targets[0].value if len(targets) == 1 else cst.Tuple(targets, lpar=(), rpar=())
            steps.emit(cst.Del(one))
            steps.replace(start, steps.out[start].with_changes(leading_lines=node.leading_lines))  # type: ignore[attr-defined]
