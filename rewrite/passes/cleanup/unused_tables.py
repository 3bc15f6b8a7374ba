"""Translation tables that nothing reads: the dict of characters that one was made of gets its name.

    _t0 = dict(zip(a, b))                   table = dict(zip(a, b))
    table = str.maketrans(_t0)       ->     for old in table:
    for old in _t0:                             …
        …

The pass works on the source of a finished rewrite, in which only `translation_table` makes such a table of a temporary:
a program whose own names look like those of temporaries gets no such passes (`rewrite.passes.cleanup.forms`).
"""

from __future__ import annotations

import ast
from collections import Counter

from rewrite.analysis.legality import read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import Renames, apply_renames, blocks_of, functions_with_locals, own_nodes


def drop_tables(text: str) -> tuple[str, list[int]]:
    """The source without such tables, and the numbers (from 0) of the lines that remain.

    >>> before = "def f(a, b):\\n    _t0 = dict(zip(a, b))\\n    c = str.maketrans(_t0)\\n    for d in _t0: print(d)\\n"
    >>> print(drop_tables(before)[0], end="")
    def f(a, b):
        c = dict(zip(a, b))
        for d in c: print(d)
    """
    renames: Renames = {}
    dropped: set[int] = set()
    rows = text.split("\n")
    if "str.maketrans(" not in text:
        return text, list(range(len(rows)))
    for function, variables in functions_with_locals(ast.parse(text), read_locals(text)):
        names = [node for node in own_nodes(function) if isinstance(node, ast.Name)]
        mentions = Counter(node.id for node in ast.walk(function) if isinstance(node, ast.Name))
        for statement in (one for block in blocks_of(function) for one in block):
            table, pairs = _table(statement)
            if not TEMPORARY.fullmatch(pairs) or mentions[table] > 1 or not {table, pairs} <= variables.renamable:
                continue
            own = [node for node in names if node.id == pairs]
            if len(own) == mentions[pairs] and rows[statement.lineno - 1].strip() == ast.unparse(statement):
                dropped.add(statement.lineno - 1)
                renames |= {(node.lineno, node.col_offset): (pairs, table) for node in own}
    changed = apply_renames(text, renames).split("\n")
    kept = [number for number in range(len(rows)) if number not in dropped]
    return "\n".join(changed[number] for number in kept), kept


def _table(statement: ast.stmt) -> tuple[str, str]:
    """The names `table` and `pairs` of `table = str.maketrans(pairs)`; empty for any other statement."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=table)],
            value=ast.Call(func=ast.Attribute(value=ast.Name(id="str"), attr="maketrans"), args=[ast.Name(id=pairs)]),
        ):
            return table, pairs
    return "", ""
