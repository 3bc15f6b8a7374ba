"""Lists of characters that are made again: the list that an earlier statement of the block shows is used instead.

    _t0 = list(text)                _t0 = list(text)
    a = text.strip()          ->    a = text.strip()
    _t1 = list(text)                b = _t0[1:]
    b = _t1[1:]

Nothing uses the earlier list, so it was made to show a string, and nothing has changed it. `text` must not be assigned
in between.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence

from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.temporaries import NESTED, Renames

_OTHER_BINDINGS = (*NESTED, ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.Match)
"""What may assign a variable otherwise than by an `ast.Name`."""


def find_repeated_list(
    block: Sequence[ast.stmt], index: int, mentions: Mapping[str, Sequence[ast.Name]], free: Container[str]
) -> Renames | None:
    """The renames that make a statement of a block superfluous, which lists a string again; None for all others.

    Args:
        block: The statements.
        index: The statement in question.
        mentions: By name, the mentions in the function.
        free: The variables that only the function's own statements use.
    """
    new, text = _listed(block[index])
    inside = sum(isinstance(node, ast.Name) and node.id == new for one in block[index:] for node in ast.walk(one))
    if text not in free or new not in free or inside != len(mentions[new]):
        return None
    for number in reversed(range(index)):
        old, same = _listed(block[number])
        if same == text and old in free and len(mentions[old]) == 1:
            return {(node.lineno, node.col_offset): (new, old) for node in mentions[new][1:]}
        if any(_may_assign(node, text) for node in ast.walk(block[number])):
            return None
    return None


def _listed(statement: ast.stmt) -> tuple[str, str]:
    """The names `t` and `x` of `t = list(x)`, where `t` is a temporary; empty for any other statement."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=new)], value=ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=text)], keywords=[])
        ) if TEMPORARY.fullmatch(new):
            return new, text
    return "", ""


def _may_assign(node: ast.AST, name: str) -> bool:
    stored = isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
    return stored or isinstance(node, _OTHER_BINDINGS)
