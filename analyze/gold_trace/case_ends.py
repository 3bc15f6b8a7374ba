"""Marks the lines that CPython 3.10 visits at the end of a `case`, which newer compilers leave out.

After the body of a `case`, 3.10 jumps to the end of the `match`. The jump has the line at which the compiler arrived
last: after an `if` whose test was false, the last line of the body that was skipped. Newer compilers give the jump no
line; a `pass` with that line has the same effect. 3.10 sometimes copies a short end of the function in place of the
jump and drops the line; that is not modelled, so such a trace is labelled (`analyze.gold_trace.caveats`). Imports the
standard library only, because it runs inside the sandbox.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_Compound = ast.If | ast.For | ast.While | ast.Match


def mark_case_ends(tree: ast.Module) -> bool:
    """Adds `pass` statements at the ends of cases. Returns whether the tree was changed."""
    ends = [(case, _last_line(case.body)) for node in ast.walk(tree) for case in cases_with_line(node)]
    for case, line in ends:
        if line is not None:
            case.body.append(ast.Pass(lineno=line, end_lineno=line, col_offset=0, end_col_offset=0))
    return bool(ends)


def cases_with_line(node: ast.AST) -> Iterator[ast.match_case]:
    """The cases of a `match` that may be left by a jump with a line of its own: those that end in an `if` or a loop."""
    if isinstance(node, ast.Match):
        jumping = node.cases[:-1] if _has_default(node) else node.cases
        yield from (case for case in jumping if isinstance(case.body[-1], _Compound))


def _has_default(node: ast.Match) -> bool:
    """Whether the last case is `_`, whose body runs into the end of the `match`."""
    last = node.cases[-1].pattern
    return len(node.cases) > 1 and isinstance(last, ast.MatchAs) and last.pattern is None and last.name is None


def _last_line(body: list[ast.stmt]) -> int | None:
    """The line of 3.10's compiler after a body; None if the code after it has no line."""
    last = body[-1]
    if isinstance(last, ast.If | ast.For | ast.While) and last.orelse:
        return _last_line(last.orelse)
    if isinstance(last, ast.If):
        return _last_line(last.body)
    if isinstance(last, ast.Match):
        return _last_line(last.cases[-1].body) if _has_default(last) else last.cases[-1].pattern.lineno
    return None if isinstance(last, ast.For | ast.AsyncFor | ast.Try | ast.TryStar) else last.lineno
