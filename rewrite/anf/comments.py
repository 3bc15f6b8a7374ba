"""Restore the comments that a lowered statement has lost, next to the code that they describe.

LibCST stores comments in the white space of brackets, commas and operators, so that taking an expression apart loses
some. They are restored in one place, after a statement has been lowered: its comments are compared with those of its
steps. A missing comment goes to the step that evaluates the code of its line; a comment on a line of its own, to the
step for the next line.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import libcst as cst

from rewrite.anf.lowering_report import LoweringReport
from rewrite.syntax.source_map import PrintedModule
from rewrite.syntax.tree import BLOCK_FIELDS, CLAUSES, walk

_HELD = (cst.BaseStatement, cst.BaseSuite, *CLAUSES)


@dataclasses.dataclass
class PendingComments:
    """Comments to add to one statement.

    Attributes:
        behind: comments at the end of its line.
        above: comments on lines before it.
    """

    behind: list[cst.Comment] = dataclasses.field(default_factory=list)
    above: list[cst.Comment] = dataclasses.field(default_factory=list)


class CommentRestorer:
    """The comments of one module, and the code that restores them."""

    def __init__(self, old: PrintedModule) -> None:
        self.old = old
        self.any = "#" in old.text
        self._known: dict[int, tuple[cst.CSTNode, tuple[cst.Comment, ...]]] = {}  # keeps the node alive

    def of(self, node: cst.CSTNode) -> tuple[cst.Comment, ...]:
        """Return the comments in a node, almost always in the order of the text."""
        if self.old.is_uncommented(node):
            return ()
        if _role(type(node)) != "held":
            return tuple(self._inside(node))
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = (node, tuple(self._inside(node)))
        return known[1]

    def _inside(self, node: cst.CSTNode) -> Iterator[cst.Comment]:
        for name in _all_fields(type(node)):
            value = getattr(node, name)
            for part in value if type(value) in (list, tuple) else (value,):
                match _role(part.__class__):
                    case "comment":
                        yield part
                    case "held" | "node":
                        yield from self.of(part)

    def restore(
        self, node: cst.BaseStatement, made: list[cst.BaseStatement], report: LoweringReport
    ) -> list[cst.BaseStatement]:
        """Return the statements that `node` was lowered to, with its missing comments added.

        Args:
            node: the original statement.
            made: the statements that it was lowered to.
            report: the report, which maps steps to operations of the original.
        """
        if not self.any or not made:
            return made
        before = self.of(node)
        if not before:  # its steps have none either; record that for the enclosing statements
            self._known.update({id(statement): (statement, ()) for statement in made})
            return made
        missing = self._missing(before, [comment for statement in made for comment in self.of(statement)])
        if not missing:
            return made
        heads = [(head, self._lines(head, report)) for statement in made for head in _heads(statement)]
        own = node.trailing_whitespace.comment if isinstance(node, cst.SimpleStatementLine) else None
        notes: dict[int, PendingComments] = {}
        for comment in missing:
            alone, line = self._place(comment)
            target = made[-1] if comment is own or line is None else _nearest(heads, line, alone)
            given = notes.setdefault(id(target), PendingComments())
            (given.above if alone else given.behind).append(comment)
        return [self._noted(statement, notes, report) for statement in made]

    def _missing(self, before: Sequence[cst.Comment], after: Sequence[cst.Comment]) -> list[cst.Comment]:
        if len(before) == len(after) and all(a is b for a, b in zip(before, after, strict=True)):
            return []
        there = {id(comment) for comment in after}
        copies = Counter(comment.value for comment in after) - Counter(c.value for c in before if id(c) in there)
        missing = []
        for comment in before:
            if id(comment) in there:
                continue
            if copies[comment.value] > 0:
                copies[comment.value] -= 1
            else:
                missing.append(comment)
        return missing

    def _place(self, comment: cst.Comment) -> tuple[bool, int | None]:
        """Whether the comment was on a line of its own, and its line; None if it is not part of the original."""
        if id(comment) not in self.old.token_index:
            return False, None
        tokens = self.old.token_index[id(comment)]
        return self.old.begins_line(tokens), self.old.line_at(tokens)

    def _lines(self, head: cst.CSTNode, report: LoweringReport) -> frozenset[int]:
        """The lines of the original whose parts a statement shows, without its blocks."""
        nodes = [inner for part in _own_parts(head) for inner in walk(part)]
        shown = [report.steps[id(node)] for node in nodes if id(node) in report.steps]
        return frozenset(
            self.old.line_at(self.old.token_index[id(n)]) for n in (*nodes, *shown) if id(n) in self.old.token_index
        )

    def _noted(self, node: Any, notes: Mapping[int, PendingComments], report: LoweringReport) -> Any:
        """Add comments to a statement and to the statements in its blocks; the same object if there are none."""
        changes: dict[str, Any] = {}
        for name in BLOCK_FIELDS:
            value = getattr(node, name, None)
            if isinstance(value, (list, tuple)):
                new: Any = [self._noted(part, notes, report) for part in value]
                if any(a is not b for a, b in zip(new, value, strict=True)):
                    changes[name] = new
            elif isinstance(value, cst.CSTNode):
                new = self._noted(value, notes, report)
                if new is not value:
                    changes[name] = new
        if id(node) in notes:
            changes |= _with_notes(node, changes, notes[id(node)])
        if not changes:
            return node
        new = node.with_changes(**changes)
        if isinstance(node, cst.BaseStatement):
            report.origins[id(new)] = (new, report.origins.get(id(node), (node, node))[1])
        return new


@cache
def _role(kind: type[object]) -> str:
    """Classify a part of a node: "comment", "held" (has blocks), "node" (another node with parts) or ""."""
    if issubclass(kind, cst.Comment):
        return "comment"
    if issubclass(kind, _HELD):
        return "held"
    return "node" if issubclass(kind, cst.CSTNode) and not issubclass(kind, _SILENT) else ""


_SILENT = (cst.SimpleWhitespace, cst.Newline)


@cache
def _all_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a node class; those above a statement come first."""
    names = [field.name for field in dataclasses.fields(kind)]
    return tuple(sorted(names, key=lambda name: name != "leading_lines"))


def _heads(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The statement and those in its blocks, in the order of the text."""
    if isinstance(statement, cst.BaseStatement):
        yield statement
    for name in BLOCK_FIELDS:
        value = getattr(statement, name, None)
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(part, _HELD):
                yield from _heads(part)


def _own_parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of a statement without its blocks."""
    if isinstance(node, cst.SimpleStatementLine):
        yield from node.body
        return
    for name in _all_fields(type(node)):
        value = getattr(node, name)
        for part in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(part, cst.CSTNode) and not isinstance(part, _HELD):
                yield part


def _nearest(heads: Sequence[tuple[cst.CSTNode, frozenset[int]]], line: int, alone: bool) -> cst.CSTNode:
    """The first statement that shows the line, or its neighbour."""
    wanted = line + 1 if alone else line
    shown = ((min((n for n in lines if n >= wanted), default=0), place) for place, (_, lines) in enumerate(heads))
    following = [(number, place) for number, place in shown if number]
    if following and (alone or min(following)[0] == line):
        return heads[min(following)[1]][0]
    before = [(max(lines), -place) for place, (_, lines) in enumerate(heads) if lines and max(lines) < line]
    if before:
        return heads[-max(before)[1]][0]
    return heads[min(following)[1] if following else -1][0]


def _with_notes(node: Any, changes: Mapping[str, Any], notes: PendingComments) -> dict[str, Any]:
    """The fields of a statement that hold its comments, with new comments added."""
    behind, above = list(notes.behind), list(notes.above)
    new: dict[str, Any] = {}
    block = changes.get("body", getattr(node, "body", None))
    if behind and isinstance(node, cst.SimpleStatementLine):
        if node.trailing_whitespace.comment is None:
            new["trailing_whitespace"] = _after(behind.pop(0))
    elif behind and isinstance(block, cst.IndentedBlock) and block.header.comment is None:
        new["body"] = block.with_changes(header=_after(behind.pop(0)))
    lines = [*node.leading_lines, *(cst.EmptyLine(comment=comment) for comment in (*above, *behind))]
    return new | ({"leading_lines": lines} if above or behind else {})


def _after(comment: cst.Comment) -> cst.TrailingWhitespace:
    return cst.TrailingWhitespace(cst.SimpleWhitespace("  "), comment)
