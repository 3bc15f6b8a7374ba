"""Copy propagation: a temporary that only hands its value on to a variable is replaced by that variable.

`_t0 = f(a)` and `x = _t0` become `x = f(a)`. So do the parts of `x, y = _t0, _t1`. With `return _t0` in the next
statement, `_t0 = f(a)` becomes `return f(a)`. A list that is filled in a loop and then assigned to `x` is called `x`
from the start, and so is a value that each branch of a test ends with. A copy of `x` that is changed until it is
assigned to `x`, or returned, is `x` itself. The pass changes a variable only if it is local to this function and
nothing can observe that it is bound earlier (`rewrite.passes.cleanup.earlier_bindings`). The pass works on the source
of a finished rewrite.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from rewrite.analysis.legality import FunctionLocals, read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.earlier_bindings import blocks_and_handlers, can_bind_earlier
from rewrite.passes.cleanup.earlier_bindings import mentions as mentions_name
from rewrite.passes.cleanup.name_mentions import (
    AnyFunction,
    Renames,
    apply_renames,
    evaluated_nodes,
    functions_with_locals,
    own_nodes,
)


def propagate_copies(text: str) -> tuple[str, list[int]]:
    """The source without such temporaries, and the numbers (from 0) of the lines that remain.

    >>> propagate_copies("def f(a):\\n    _t0 = a.b()\\n    x = _t0\\n    return x\\n")[0]
    'def f(a):\\n    x = a.b()\\n    return x\\n'
    """
    lines, variables = list(range(text.count("\n") + 1)), read_locals(text)
    while found := next(_found(ast.parse(text), variables), None):
        names, removed = found
        rows = apply_renames(text, names).split("\n")
        for line in sorted(removed, reverse=True):
            del rows[line - 1]
            del lines[line - 1]
        text = "\n".join(rows)
    return text, lines


def _found(tree: ast.Module, variables: Sequence[FunctionLocals]) -> Iterator[tuple[Renames, set[int]]]:
    """For each copy that is not needed: the renames, and the lines to delete."""
    for function, own_variables in functions_with_locals(tree, variables):
        mentions, free = _mentions(function), own_variables.renamable
        for block, caught in blocks_and_handlers(function.body):
            for index, statement in enumerate(block):
                returned = _returned(block, index, mentions)
                if returned and returned[0] in free:
                    yield returned[1], {statement.lineno}
                copy = _returned_copy(block, index, mentions, caught)
                if copy and set(copy[:2]) <= free and own_variables.is_certainly_bound(copy[1]):
                    old, new, line = copy
                    yield {(node.lineno, node.col_offset): (old, new) for node in mentions[old][1:]}, {line}
                pairs = _copied(statement)
                if not pairs or not _alone(block, index):
                    continue
                places: Renames = {}
                removed = {statement.lineno}
                for old, new in pairs.items():
                    start = _start(block, index, old, mentions[old]) if old in free else None
                    if start is None:
                        break
                    next_to_it = start == index - 1 and len(pairs) == 1 and _stores(block[start]) == old
                    hidden = new in free and can_bind_earlier(new, block[start:index], caught=caught)
                    hidden = hidden and not _keeps(block[start], old, new)
                    if not next_to_it and not hidden:
                        break
                    places |= {(node.lineno, node.col_offset): (old, new) for node in mentions[old][:-1]}
                    apart = start < index - 1 and _alone(block, start)
                    if apart and _plain_copy(block[start]) == (old, new) and own_variables.is_certainly_bound(new):
                        removed.add(block[start].lineno)
                else:
                    yield places, removed


def _copied(statement: ast.stmt) -> dict[str, str]:
    """The names `t` and `x` of `x = t`, or of each part of `x, y = t, u`; nothing for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=new)], value=ast.Name(id=old)):
            pairs = [(old, new)]
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            named = [part.id for part in (*values, *targets) if isinstance(part, ast.Name)]
            if len(targets) != len(values) or len(named) != 2 * len(values):
                return {}
            pairs = list(zip(named[: len(values)], named[len(values) :], strict=True))
        case _:
            return {}
    found = dict(pairs)
    temporary = all(TEMPORARY.fullmatch(old) for old in found)
    return found if temporary and len(found) == len(set(found.values())) == len(pairs) else {}


def _returned(block: Sequence[ast.stmt], index: int, mentions: dict[str, list[ast.Name]]) -> tuple[str, Renames] | None:
    """The temporary of a `return t` right after `t = …`, and the change that makes this a `return …`."""
    match block[index]:
        case ast.Return(value=ast.Name(id=old)) if index and TEMPORARY.fullmatch(old) and _alone(block, index):
            if _start(block, index, old, mentions[old]) == index - 1 and _stores(block[index - 1]) == old:
                stored = mentions[old][0]
                return old, {(stored.lineno, stored.col_offset): (f"{old} =", "return")}
    return None


def _returned_copy(
    block: Sequence[ast.stmt], index: int, mentions: dict[str, list[ast.Name]], caught: bool
) -> tuple[str, str, int] | None:
    """The names `t` and `x` of a copy `t = x` that is changed until a `return` uses it, and the line of the copy."""
    if not isinstance(block[index], ast.Return):
        return None
    result = {node.id for node in ast.walk(block[index]) if isinstance(node, ast.Name)}
    for number, copy in enumerate(block[:index]):
        old, new = _plain_copy(copy)
        if not TEMPORARY.fullmatch(old) or new in result or not _alone(block, number):
            continue
        if (
            can_bind_earlier(new, block[number:index], caught=caught)
            and _start(block, index, old, mentions[old]) == number
        ):
            return old, new, copy.lineno
    return None


def _plain_copy(statement: ast.AST) -> tuple[str, str]:
    """The names `t` and `x` of `t = x`; empty for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=source)):
            return target, source
    return "", ""


def _alone(block: Sequence[ast.stmt], index: int) -> bool:
    """Whether a statement shares its line with no other and is not the only one of its block."""
    statement = block[index]
    others = {line for other in block if other is not statement for line in (other.lineno, other.end_lineno)}
    return statement.lineno == statement.end_lineno and statement.lineno not in others and len(block) > 1


def _mentions(function: AnyFunction) -> dict[str, list[ast.Name]]:
    found: dict[str, list[ast.Name]] = {}
    for node in own_nodes(function):
        if isinstance(node, ast.Name):
            found.setdefault(node.id, []).append(node)
    return {name: sorted(nodes, key=lambda node: (node.lineno, node.col_offset)) for name, nodes in found.items()}


def _start(block: Sequence[ast.stmt], index: int, old: str, mentions: Sequence[ast.Name]) -> int | None:
    """The statement of the block that first binds the temporary, if all mentions are between it and `index`."""
    # Also in a default or generator expression, whose mentions are not among those to rename.
    counts = [sum(mentions_name(node, old) for node in evaluated_nodes(other)) for other in block]
    inside = [number for number, count in enumerate(counts) if count]
    first = block[inside[0]]
    stored = _ends(first, old) == counts[inside[0]]
    whole = sum(counts) == len(mentions) and inside[-1] == index
    return inside[0] if whole and (stored or _is_found(first, old)) else None


def _stores(statement: ast.stmt) -> str:
    """The target of a plain assignment; "" for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _ends(statement: ast.stmt, name: str) -> int:
    """The number of assignments of a name that end the branches of a statement; 0 if one branch ends otherwise."""
    if isinstance(statement, ast.If) and statement.orelse:
        ends = [_ends(branch[-1], name) for branch in (statement.body, statement.orelse)]
        return sum(ends) if all(ends) else 0
    return int(_stores(statement) == name)


def _keeps(statement: ast.stmt, old: str, new: str) -> bool:
    """Whether a branch ends with a plain copy of the variable, which would be assigned to itself."""
    return isinstance(statement, ast.If) and any(_plain_copy(one) == (old, new) for one in ast.walk(statement))


def _is_found(statement: ast.stmt, name: str) -> bool:
    """Whether a loop over characters binds a name in any case: as its variable, or at the end of its `else`."""
    if not isinstance(statement, ast.For) or not statement.orelse or _stores(statement.orelse[-1]) != name:
        return False
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement.target))
