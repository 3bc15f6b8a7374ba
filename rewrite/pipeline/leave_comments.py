"""`# spellout: leave`: a comment that keeps a line as it is.

At the end of a line it stands for the statement that the line belongs to (of one with blocks, for what the line itself
evaluates; of a function or class, for all of it); on a line of its own, for the next statement.
"""

from __future__ import annotations

import re

import libcst as cst

from rewrite.anf.keep import Keep
from rewrite.pipeline.compile_check import Statements
from rewrite.syntax.source_map import Printed

REASON = "asked for by a comment"
_MARK = re.compile(r"#\s*spellout:\s*leave\b")


class _Comments(cst.CSTVisitor):
    """The comments that say so."""

    def __init__(self) -> None:
        self.found: list[cst.Comment] = []

    def visit_Comment(self, node: cst.Comment) -> None:  # noqa: N802 - LibCST's name
        if _MARK.match(node.value):
            self.found.append(node)


def left_by_comment(old: Printed) -> dict[int, Keep]:
    """The statements, by id, that comments of a printed module keep as they are."""
    if not _MARK.search(old.text):
        return {}
    comments = _Comments()
    old.module.visit(comments)
    statements = Statements(old)
    kept = {}
    for comment in comments.found:
        line = old.at(old.index[id(comment)])
        alone = old.lines[line - 1].lstrip().startswith("#")
        node = statements.next_to(line) if alone else statements.at(line)
        if node is not None:
            kept[id(node)] = Keep(REASON, whole=isinstance(node, (cst.FunctionDef, cst.ClassDef)))
    return kept
