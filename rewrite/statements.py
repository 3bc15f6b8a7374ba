"""Blocks of statements: each statement in turn, its steps right before it.

The grammar of what comes out, for full decomposition (an *atom* is a name or a constant; every operation has atoms as
operands, but for what is listed in `Rewritten.left`):

    step      = name "=" operation | name "=" atom | operation | target augmented atom | "return" operation | …
    operation = atom op atom | atom "(" atoms ")" | atom "." name "(" atoms ")" | atom "[" atoms "]" | display | …
    condition = atom | ["not"] atom | atom comparison atom          (of if and while)
    loop      = "for" target "in" (atom | range(atoms) | …)          (see `Steps.loop_source`)

Where a statement evaluates several expressions with something happening in between (assignment to several targets,
`with` of several managers, `del` of several things, `elif`), it is split at that point. What each kind of statement
evaluates when stands in `rewrite.simple`, `rewrite.compound` and `rewrite.definitions`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import libcst as cst

from rewrite import compound, simple
from rewrite.definitions import Definitions
from rewrite.jumps import leaves
from rewrite.steps import Steps
from rewrite.tree import changed


class Bodies:
    """Rewrites the statements of one scope into `steps`. `deletes`: and deletes the temporaries of each at once."""

    deletes = False

    def __init__(self, steps: Steps, definitions: Definitions) -> None:
        self.steps = steps
        self.definitions = definitions

    def body(self, statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """The statements, rewritten, with their steps; the same objects where nothing changed."""
        before, self.steps.out = self.steps.out, []
        for statement in statements:
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
        return new, None if leaves(suite) else bound

    def statement(self, node: cst.BaseStatement) -> None:
        """One statement; the comments above it go to the first of its steps."""
        steps = self.steps
        steps.around = node
        start = len(steps.out)
        with steps.knowing(steps.scopes.facts_at(node)):
            if id(node) in self.definitions.staying:
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
        definitions = self.definitions
        steps.out[start:] = definitions.comments.kept(node, steps.out[start:], definitions.report)

    def keep(self, node: cst.BaseStatement) -> None:
        """A statement that must stay as it is, or all but the blocks in it."""
        from rewrite.frozen import Kept, Whole

        keep = self.definitions.staying[id(node)]
        bodies = Whole(self.steps, self.definitions, keep.reason) if keep.whole else Kept(self, keep.reason)
        if isinstance(node, cst.SimpleStatementLine):
            bodies.line(node)
        else:
            bodies.compound(node)

    def compound(self, node: cst.BaseStatement) -> None:
        """A statement with blocks."""
        if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
            self.definitions.statement(node, self)
        else:
            compound.HANDLERS[type(node)](self, node)

    def line(self, node: cst.SimpleStatementLine) -> None:
        """One line of small statements; each gets a line of its own when one of them needs steps."""
        steps = self.steps
        start, same = len(steps.out), True
        for small in node.body:
            before = len(steps.out)
            handler: Callable[[Bodies, Any], cst.BaseSmallStatement | None] | None = simple.HANDLERS.get(type(small))
            new = small if handler is None else handler(self, small)
            same = same and new is small and before == len(steps.out)
            if new is not None:
                steps.emit(new.with_changes(semicolon=cst.MaybeSentinel.DEFAULT) if len(node.body) > 1 else new)
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
            self.steps.emit(changed(node, fields))
        else:
            self.steps.out.append(node)
