"""New loops with a body of one simple statement, written on one line: each round is one step of the trace, not two.

    for piece in pieces:            for piece in pieces: joined += piece
        joined += piece       ->

The state at the end of a round still shows what the round has computed, and the variable of a `for`. The pass works on
the source of a finished rewrite, and on loops that the original does not have. A loop with `else`, a comment or a body
of several lines stays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

MAX_LENGTH = 88
"""Characters of the longest line that is written."""
_LOOPS = (ast.For, ast.While)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)


def join_loops(text: str, original: str) -> tuple[str, list[int]]:
    """The source with new loops on one line, and the numbers (from 0) of the lines that remain.

    >>> before = "def f(a):\\n    n = 0\\n    while n < a:\\n        n += 2\\n    return n\\n"
    >>> print(join_loops(before, "")[0], end="")
    def f(a):
        n = 0
        while n < a: n += 2
        return n
    >>> join_loops(before, before)[0] == before
    True
    """
    rows, known = text.split("\n"), {row.strip() for row in original.split("\n")}
    joined = {
        loop.lineno - 1: line
        for loop in _short_loops(ast.parse(text))
        if rows[loop.lineno - 1].strip() not in known and (line := _joined(loop, rows))
    }
    kept = [number for number in range(len(rows)) if number - 1 not in joined]
    return "\n".join(joined.get(number, rows[number]) for number in kept), kept


def _short_loops(tree: ast.Module) -> Iterator[ast.For | ast.While]:
    """The loops whose header is a line and whose body is a simple statement on the next line."""
    for node in ast.walk(tree):
        if isinstance(node, _LOOPS) and len(node.body) == 1 and not node.orelse and isinstance(node.body[0], _SIMPLE):
            inner = node.body[0]
            several = isinstance(inner, ast.Assign) and not isinstance(inner.targets[0], ast.Name)
            if inner.lineno == node.lineno + 1 == inner.end_lineno and not several:
                yield node


def _joined(loop: ast.For | ast.While, rows: list[str]) -> str:
    """The loop on one line; "" if a line has something else on it or is too long."""
    head, body = rows[loop.lineno - 1], rows[loop.lineno]
    plain = head.lstrip().startswith(("for ", "while ")) and head.endswith(":") and "#" not in head + body
    line = f"{head} {body.strip()}"
    return line if plain and ";" not in body and len(line) <= MAX_LENGTH else ""
