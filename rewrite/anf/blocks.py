"""Lower blocks: each statement in turn, with its steps directly before it.

The grammar of the output is in `rewrite.anf`. A statement is split if it evaluates several expressions with something
happening in between: an assignment to several targets, `with` several managers, `del` several targets, `elif`. What
each kind of statement evaluates, and when, is in `rewrite.anf.simple_statements`, `rewrite.anf.compound_statements` and
`rewrite.anf.definitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import libcst as cst

from rewrite.analysis.control_flow import ends_with_jump
from rewrite.anf.lowering import Lowering, ModuleLowering
from rewrite.anf.statement_expansion import expand_statement
from rewrite.syntax import build
from rewrite.syntax.tree import with_changes


class BlockLowering:
    """Lowers the statements of one scope.

    Attributes:
        steps: the lowering that collects the steps.
        engine: the lowering of the module.
        deletes: whether the temporaries of each statement are deleted at once.
        reason: why all statements of the scope stay, or "".
    """

    deletes = False
    reason = ""

    def __init__(self, steps: Lowering, engine: ModuleLowering) -> None:
        self.steps = steps
        self.engine = engine

    def body(self, statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """Return the lowered statements with their steps; unchanged statements stay the same objects."""
        around, before, self.steps.out = self.steps.around, self.steps.out, []
        self.steps.enclosing.append((around, before))
        for place, statement in enumerate(statements):
            self.steps.following = statements[place + 1 : place + 3]
            self.statement(statement)
        result, self.steps.out, self.steps.around = self.steps.out, before, around
        self.steps.enclosing.pop()
        return result

    def suite(self, suite: cst.BaseSuite, prefix: Sequence[cst.BaseStatement] = ()) -> cst.BaseSuite:
        """Lower a block; `prefix` holds steps to put first."""
        if isinstance(suite, cst.IndentedBlock):
            new = [*prefix, *self.body(suite.body)]
            same = len(new) == len(suite.body) and all(a is b for a, b in zip(new, suite.body, strict=True))
            return suite if same else suite.with_changes(body=new)
        assert isinstance(suite, cst.SimpleStatementSuite)
        line = cst.SimpleStatementLine(suite.body, trailing_whitespace=suite.trailing_whitespace)
        new = [*prefix, *self.body([line])]
        return suite if new == [line] else cst.IndentedBlock(new)

    def branch(self, suite: cst.BaseSuite) -> tuple[cst.BaseSuite, set[str] | None]:
        """Lower a block that may not run.

        Returns:
            The block, and the names that it binds; None if its end is never reached.
        """
        with self.steps.bound.block() as bound:
            new = self.suite(suite)
        return new, None if ends_with_jump(suite) else bound

    def statement(self, node: cst.BaseStatement) -> None:
        """Lower one statement; the comments above it move to the first of its steps."""
        steps = self.steps
        steps.around = node
        start = len(steps.out)
        with steps.with_facts(steps.scopes.facts_at(node)):
            if id(node) in self.engine.frozen:
                self.keep(node)
            elif isinstance(node, cst.SimpleStatementLine):
                self.line(node)
            else:
                self.compound(node)
        if start == len(steps.out) and self.engine.comments.of(node):
            steps.emit(cst.Pass())  # nothing remains that could hold the comments
        if start == len(steps.out) or steps.out[start] is node:
            return
        above = getattr(node, "leading_lines", ())
        for index in range(start, len(steps.out)):
            lines = above if index == start else ()
            if tuple(getattr(steps.out[index], "leading_lines", ())) != tuple(lines):
                steps.replace(index, steps.out[index].with_changes(leading_lines=lines))
        steps.out[start:] = self.engine.comments.restore(node, steps.out[start:], self.engine.report)

    def keep(self, node: cst.BaseStatement) -> None:
        """Handle a frozen statement: nothing in it changes, or only the blocks in it."""
        keep = self.engine.frozen[id(node)]
        blocks = FROZEN[keep.whole](self, keep.reason)
        if isinstance(node, cst.SimpleStatementLine):
            blocks.line(node)
        else:
            blocks.compound(node)

    def compound(self, node: cst.BaseStatement) -> None:
        """Apply the statement interventions to a statement with blocks, and lower what remains."""
        new = expand_statement(node, self.steps)
        if isinstance(new, cst.BaseCompoundStatement):
            COMPOUND[type(new)](self, new)
        elif isinstance(new, cst.SimpleStatementLine):
            self.small_statements(new, interventions=False)
        elif isinstance(new, cst.BaseSmallStatement):
            line = build.line(new)
            self.steps.report.origins[id(line)] = (line, node)
            self.small_statements(line, interventions=False)

    def line(self, node: cst.SimpleStatementLine) -> None:
        """Lower a line of simple statements; each gets a line of its own if one of them needs steps."""
        self.small_statements(node, interventions=True)

    def small_statements(self, node: cst.SimpleStatementLine, *, interventions: bool) -> None:
        """Lower the statements of a line.

        Args:
            node: the line.
            interventions: whether statement interventions apply; not to what one of them has written.
        """
        steps = self.steps
        start, same = len(steps.out), True
        for small in node.body:
            before = len(steps.out)
            new: cst.CSTNode | None = expand_statement(small, steps) if interventions else small
            if isinstance(new, cst.BaseCompoundStatement):
                COMPOUND[type(new)](self, new)
                new = None
            elif isinstance(new, cst.BaseSmallStatement):
                handler = SMALL.get(type(new))
                new = new if handler is None else handler(self, new)
            assert new is None or isinstance(new, cst.BaseSmallStatement)
            same = same and new is small and before == len(steps.out)
            if new is not None:
                steps.emit(new.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) if len(node.body) > 1 else new)
            same = same and not steps.following_steps
            while steps.following_steps:
                steps.emit(steps.following_steps.pop(0))
        if same:
            del steps.out[start:]
            steps.out.append(node)
        elif len(steps.out) > start and isinstance(steps.out[-1], cst.SimpleStatementLine):
            steps.replace(-1, steps.out[-1].with_changes(trailing_whitespace=node.trailing_whitespace))

    def compose(self, node: Any, fields: Mapping[str, Any]) -> None:
        """Write a statement with some of its fields replaced; the same object if none changed."""
        self.steps.around = node
        fields = {name: value for name, value in fields.items() if value is not getattr(node, name)}
        if fields:
            self.steps.emit(with_changes(node, fields))
        else:
            self.steps.out.append(node)


# Handlers by kind of statement; modules register theirs. One for a simple statement returns what remains, or None.
SMALL: dict[type[cst.CSTNode], Callable[[BlockLowering, Any], cst.BaseSmallStatement | None]] = {}
COMPOUND: dict[type[cst.CSTNode], Callable[[BlockLowering, Any], None]] = {}
# The lowering of a frozen statement: everything in it stays (True), or everything except the blocks in it (False).
FROZEN: dict[bool, Callable[[BlockLowering, str], BlockLowering]] = {}
