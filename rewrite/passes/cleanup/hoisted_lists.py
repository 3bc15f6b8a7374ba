"""Lists of characters before a loop: a list that each round would make again of the same string is made once.

    for i in range(3):            _t0 = list(a)
        _t0 = list(a)      ->     for i in range(3):
        …                             …

The list begins the body of a loop that certainly runs, or that iterates over the string itself, so that it is made at
the same moment, or nothing but an empty list is made. The loop assigns neither variable and only reads the list; a
string cannot change, and it is bound, so that no error comes before the loop binds its variable. The pass works on
the source of a finished rewrite.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import blocks_of, functions_with_locals, may_bind, stored_name
from rewrite.passes.cleanup.repeated_lists import is_only_read, listed_string, may_assign, nested_lists


def hoist_lists(text: str, original: str = "") -> tuple[str, list[int]]:
    """The source with such lists before their loops, and the old number (from 0) of each line.

    Args:
        text: The source.
        original: The source before the rewrite, which may compute lists of what is no string (default: one that
            computes none).

    >>> before = "def f(a):\\n    for i in range(2):\\n        _t0 = list(a)\\n        print(_t0[i])\\n"
    >>> print(hoist_lists(before)[0], end="")
    def f(a):
        _t0 = list(a)
        for i in range(2):
            print(_t0[i])
    """
    lines, variables = list(range(text.count("\n") + 1)), read_locals(text)
    nested = nested_lists(original)
    while loop := next(_loops(text, variables, nested), None):
        rows, at = text.split("\n"), loop.lineno - 1
        rows.insert(at, rows[at][: loop.col_offset] + rows.pop(at + 1).strip())
        lines.insert(at, lines.pop(at + 1))
        text = "\n".join(rows)
    return text, lines


def _loops(text: str, variables: Sequence[FunctionLocals], nested: Container[str]) -> Iterator[ast.For]:
    """The loops that begin with such a list."""
    rows, tree = text.split("\n"), ast.parse(text)
    if may_bind(tree, "range", "enumerate"):
        return
    for function, own_variables in functions_with_locals(tree, variables):
        stores = Counter(map(stored_name, ast.walk(function)))
        for loop in (one for block in blocks_of(function) for one in block if isinstance(one, ast.For)):
            name, listed = listed_string(loop.body[0])
            if not TEMPORARY.fullmatch(name) or listed in nested or stores[name] > 1:
                continue
            if not {name, listed} <= own_variables.renamable or not own_variables.is_certainly_bound(listed):
                continue
            steady = is_only_read(name, function) and not any(may_assign(node, listed) for node in ast.walk(loop))
            if steady and len(loop.body) > 1 and _runs(loop, listed) and _is_movable(loop, rows):
                yield loop


def _is_movable(loop: ast.For, rows: Sequence[str]) -> bool:
    """Whether the head of a loop and the statement after it are on lines of their own, without comments."""
    head, row = rows[loop.lineno - 1], rows[loop.lineno]
    apart = loop.lineno + 1 == loop.body[0].lineno and not head[: loop.col_offset].strip()
    return apart and not any(mark in head + row for mark in ";#")


def _runs(loop: ast.For, listed: str) -> bool:
    """Whether a loop has a round: over a constant range, or over the string itself, whose list may be empty, too."""
    match loop.iter:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)]):
            return name == listed
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            try:
                return bool(range(*map(ast.literal_eval, args)))
            except (TypeError, ValueError):
                return False
    return False
