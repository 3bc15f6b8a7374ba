"""`# spellout: leave`: a comment that protects a statement from being rewritten.

At the end of a line it protects the statement of that line: of a statement with blocks, only what the line itself
evaluates; of a function or class, everything. On a line of its own it protects the next statement.
"""

from __future__ import annotations

import re

import libcst as cst

from rewrite.anf.frozen_statements import FrozenStatement
from rewrite.pipeline.compile_check import StatementIndex
from rewrite.syntax.source_map import PrintedModule

REASON = "protected by a comment"
_MARK = re.compile(r"#\s*spellout:\s*leave\b")


def find_leave_comments(old: PrintedModule) -> dict[int, FrozenStatement]:
    """Return the statements, by id, that comments of a printed module protect."""
    if not _MARK.search(old.text):
        return {}
    statements = StatementIndex(old)
    kept = {}
    for comment in old.comments:
        if not _MARK.match(comment.value):
            continue
        line = old.line_at(old.token_index[id(comment)])
        alone = old.lines[line - 1].lstrip().startswith("#")
        node = statements.next_to(line) if alone else statements.at(line)
        if node is not None:
            kept[id(node)] = FrozenStatement(REASON, whole=isinstance(node, (cst.FunctionDef, cst.ClassDef)))
    return kept
