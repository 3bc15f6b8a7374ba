"""Blocks of statements: each statement in turn, its steps right before it.

The grammar of what comes out stands in `rewrite.anf`.

Where a statement evaluates several expressions with something happening in between (assignment to several targets,
`with` of several managers, `del` of several things, `elif`), it is split at that point. What each kind of statement
evaluates when stands in `rewrite.anf.simple_statements`, `rewrite.anf.compound_statements` and
`rewrite.anf.definitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import libcst as cst

from rewrite.analysis.control_flow import ends_with_jump
from rewrite.anf.lowering import Lowering, ModuleLowering
from rewrite.syntax.tree import with_changes


class BlockLowering:
    """Rewrites the statements of one scope into `steps`.

    deletes: and deletes the temporaries of each at once; reason: why all statements of the scope stay, if they do.
    """

    deletes = False
    reason = ""

    def __init__(self, steps: Lowering, engine: ModuleLowering) -> None:
        self.steps = steps
        self.engine = engine

    def body(self, statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """The statements, rewritten, with their steps; the same objects where nothing changed."""
        before, self.steps.out = self.steps.out, []
        for place, statement in enumerate(statements):
            self.steps.following = statements[place + 1 : place + 3]
            self.statement(statement)
        result, self.steps.out = self.steps.out, before
        return result

    def suite(self, suite: cst.BaseSuite, prefix: Sequence[cst.BaseStatement] = ()) -> cst.BaseSuite:
        """A block, rewritten. `prefix`: steps to put first."""
        if isinstance(suite, cst.IndentedBlock):
            new = [*prefix, *self.body(suite.body)]
            same = len(new) == len(suite.body) and all(a is b for a, b in zip(new, suite.body, strict=True))
            return suite if same else suite.with_changes(body=new)
        assert isinstance(suite, cst.SimpleStatementSuite)
        line = cst.SimpleStatementLine(suite.body, trailing_whitespace=suite.trailing_whitespace)
        new = [*prefix, *self.body([line])]
        return suite if new == [line] else cst.IndentedBlock(new)

    def branch(self, suite: cst.BaseSuite) -> tuple[cst.BaseSuite, set[str] | None]:
        """A block that may not run, and the names it binds (None: its end is never reached)."""
        with self.steps.bound.block() as bound:
            new = self.suite(suite)
        return new, None if ends_with_jump(suite) else bound

    def statement(self, node: cst.BaseStatement) -> None:
        """One statement; the comments above it go to the first of its steps."""
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
        if start == len(steps.out) or steps.out[start] is node:
            return
        above = getattr(node, "leading_lines", ())
        for index in range(start, len(steps.out)):
            lines = above if index == start else ()
            if tuple(getattr(steps.out[index], "leading_lines", ())) != tuple(lines):
                steps.replace(index, steps.out[index].with_changes(leading_lines=lines))
        steps.out[start:] = self.engine.comments.restore(node, steps.out[start:], self.engine.report)

    def keep(self, node: cst.BaseStatement) -> None:
        """A statement that must stay as it is, or all but the blocks in it."""
        keep = self.engine.frozen[id(node)]
        blocks = FROZEN[keep.whole](self, keep.reason)
        if isinstance(node, cst.SimpleStatementLine):
            blocks.line(node)
        else:
            blocks.compound(node)

    def compound(self, node: cst.BaseStatement) -> None:
        """A statement with blocks."""
        COMPOUND[type(node)](self, node)

    def line(self, node: cst.SimpleStatementLine) -> None:
        """One line of small statements; each gets a line of its own when one of them needs steps."""
        steps = self.steps
        start, same = len(steps.out), True
        for small in node.body:
            before = len(steps.out)
            handler = SMALL.get(type(small))
            new = small if handler is None else handler(self, small)
            same = same and new is small and before == len(steps.out)
            if new is not None:
                steps.emit(new.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) if len(node.body) > 1 else new)
            same = same and not steps.following_steps
            while steps.following_steps:
                steps.emit(steps.following_steps.pop(0))
        if same:
            del steps.out[start:]
            steps.out.append(node)
        elif isinstance(steps.out[-1], cst.SimpleStatementLine):
            steps.replace(-1, steps.out[-1].with_changes(trailing_whitespace=node.trailing_whitespace))

    def compose(self, node: Any, fields: Mapping[str, Any]) -> None:
        """Write the statement with some of its fields replaced; itself, if none changed."""
        self.steps.around = node
        fields = {name: value for name, value in fields.items() if value is not getattr(node, name)}
        if fields:
            self.steps.emit(with_changes(node, fields))
        else:
            self.steps.out.append(node)


# By kind of statement; each module registers its own. A small statement's handler returns what remains of it, or None.
SMALL: dict[type[cst.CSTNode], Callable[[BlockLowering, Any], cst.BaseSmallStatement | None]] = {}
COMPOUND: dict[type[cst.CSTNode], Callable[[BlockLowering, Any], None]] = {}
# What keeps a statement as it is, with all that is in it (True) or but for the blocks in it.
FROZEN: dict[bool, Callable[[BlockLowering, str], BlockLowering]] = {}
