"""Lists of characters that are made again: the list that an earlier statement of the block shows is used instead.

    _t0 = list(text)                _t0 = list(text)
    a = text.strip()          ->    a = text.strip()
    _t1 = list(text)                b = _t0[1:]
    b = _t1[1:]

Nothing uses the earlier list, so it was made to show a string, and nothing has changed it. `text` must not be assigned
in between. A list that the program itself makes later takes the place of one that is only read until then, where
nothing can observe that the program's variable is bound earlier (`rewrite.passes.cleanup.earlier_bindings`). A
temporary may also hold a list that the program computes of something else, which can change (`nested_lists`).
"""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence

from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.earlier_bindings import can_bind_earlier
from rewrite.passes.cleanup.name_mentions import NESTED, Renames, stored_name

_OTHER_BINDINGS = (*NESTED, ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.Match)
"""What may assign a variable otherwise than by an `ast.Name`."""


def nested_lists(original: str) -> frozenset[str]:
    """The variables of which a source computes a list within another expression, so that a temporary may hold it.

    >>> nested_lists("a = list(b); n = len(list(c))")
    frozenset({'c'})
    """
    tree = ast.parse(original)
    assigned = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Assign)}
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)]) if id(node) not in assigned:
                found.add(name)
    return frozenset(found)


def find_repeated_list(
    block: Sequence[ast.stmt],
    index: int,
    mentions: Mapping[str, Sequence[ast.Name]],
    free: Container[str],
    nested: Container[str],
    *,
    caught: bool,
) -> Renames | None:
    """The renames that make a statement of a block superfluous, which lists a string again; None for all others.

    Args:
        block: The statements.
        index: The statement in question.
        mentions: By name, the mentions in the function.
        free: The variables that only the function's own statements use.
        nested: The variables of which the program itself computes such lists (`nested_lists`).
        caught: Whether the function may go on after an exception that is raised in the block.
    """
    new, text = listed_string(block[index])
    if text in nested:
        return None
    if text in free and new in free and not TEMPORARY.fullmatch(new):
        return _own_list(block, index, mentions, free, caught)
    if not TEMPORARY.fullmatch(new):
        return None
    inside = sum(isinstance(node, ast.Name) and node.id == new for one in block[index:] for node in ast.walk(one))
    if text not in free or new not in free or inside != len(mentions[new]):
        return None
    for number in reversed(range(index)):
        old, same = listed_string(block[number])
        if same == text and old in free and TEMPORARY.fullmatch(old) and len(mentions[old]) == 1:
            return {(node.lineno, node.col_offset): (new, old) for node in mentions[new][1:]}
        if any(may_assign(node, text) for node in ast.walk(block[number])):
            return None
    return None


def _own_list(
    block: Sequence[ast.stmt],
    index: int,
    mentions: Mapping[str, Sequence[ast.Name]],
    free: Container[str],
    caught: bool,
) -> Renames | None:
    """The renames by which the list of a statement is that of an earlier temporary, which is only read before it."""
    new, text = listed_string(block[index])
    for number in reversed(range(index)):
        old, same = listed_string(block[number])
        if same == text and old in free and TEMPORARY.fullmatch(old):
            between = block[number + 1 : index]
            uses = sum(isinstance(node, ast.Name) and node.id == old for one in between for node in ast.walk(one))
            read = all(is_only_read(old, one) for one in between) and uses == len(mentions[old]) - 1
            hidden = can_bind_earlier(new, block[number:index], caught=caught)
            return {(node.lineno, node.col_offset): (old, new) for node in mentions[old]} if read and hidden else None
        if any(may_assign(node, text) for node in ast.walk(block[number])):
            return None
    return None


def is_only_read(name: str, node: ast.AST) -> bool:
    """Whether a node only reads a list: its items, parts and length, or by a method that does not change it."""
    read: set[int] = set()
    for one in ast.walk(node):
        match one:
            case ast.Subscript(value=value, ctx=ast.Load()) | ast.Attribute(value=value, attr="count" | "index"):
                read.add(id(value))
            case ast.Call(func=ast.Name(id="len" | "min" | "max"), args=[value]):
                read.add(id(value))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]):
                read.add(id(value))
    names = (one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == name)
    return all(id(one) in read for one in names if isinstance(one.ctx, ast.Load))


def listed_string(statement: ast.stmt) -> tuple[str, str]:
    """The names `t` and `x` of `t = list(x)`; empty for any other statement."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=new)], value=ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=text)], keywords=[])
        ):
            return new, text
    return "", ""


def may_assign(node: ast.AST, name: str) -> bool:
    """Whether a node may give a variable another value."""
    return stored_name(node) == name or isinstance(node, _OTHER_BINDINGS)
