"""Lists of characters that a block holds already: an idiom uses such a list rather than making another.

`_t1 = list(text)` is left out where an earlier statement of the block, or of one around the `if` that it is in, made
the same list, neither the string nor the list has changed since, and no other code can change the variable. A string
that was only joined to be listed again is not joined: the idiom goes on with the list that it was joined from.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import libcst as cst

from rewrite.analysis.effects import binds_name, may_be_rebound
from rewrite.anf.lowering import Lowering
from rewrite.syntax.tree import code, walk

_READING = frozenset({"index", "count"})
"""The methods of a list that idioms use and that do not change it."""


def share_characters(text: str, result: str, steps: Lowering) -> str:
    """Return the statements of an idiom without the lists that the steps before them show; note those that they make.

    Args:
        text: The statements.
        result: The variable for their result.
        steps: The steps written so far.
    """
    statements = ast.parse(text).body
    renamed: dict[str, str] = {}
    kept: list[ast.stmt] = []
    for statement in statements:
        name, listed = _listing(statement)
        if not name:
            kept.append(statement)
            continue
        rest = [other for other in statements if other is not statement]
        known = _joined_from(listed, rest, steps) or _just_made(listed, steps)
        known = known or ("" if _changes(name, rest) else _held(listed, steps))
        if known:
            renamed[name] = known
        else:
            steps.character_lists.add(name)
            kept.append(statement)
    if not renamed:
        return text
    for node in (inner for statement in kept for inner in ast.walk(statement)):
        if isinstance(node, ast.Name):
            node.id = renamed.get(node.id, node.id)
    if result in renamed:  # the idiom returns the list itself
        copy = ast.Assign([ast.Name(result, ast.Store())], ast.Name(renamed[result], ast.Load()))
        kept.append(ast.fix_missing_locations(ast.copy_location(copy, statements[-1])))
    return ast.unparse(ast.Module(kept, []))


def _listing(statement: ast.stmt) -> tuple[str, str]:
    """The names `characters` and `text` of `characters = list(text)`; no `text` for a list of other characters."""
    match statement:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=text)])
        ):
            return name, text
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="list"))):
            return name, ""
    return "", ""


def _joined_from(listed: str, rest: Sequence[ast.stmt], steps: Lowering) -> str:
    """The list of characters that the last step joins to the string, if nothing else needs it; the step is dropped."""
    if not listed or listed not in steps.names.temporaries or _mentions(listed, rest) or not steps.out:
        return ""
    last = steps.out[-1]
    for name in steps.character_lists:
        if code(last).strip() in (f"{listed} = ''.join({name})", f'{listed} = "".join({name})'):
            steps.out.pop()
            return name
    return ""


def unjoined(text: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression | None:
    """The list, or part of one, that the last step joins to a temporary; the step is dropped. None for other steps."""
    last = ast.parse(code(steps.out[-1]).strip()).body if steps.out and isinstance(text, cst.Name) else []
    match last:
        case [ast.Assign([ast.Name(id=name)], ast.Call(ast.Attribute(ast.Constant(value=""), "join"), [joined]))] if (
            name == code(text)
        ):
            listed = joined.value if isinstance(joined, ast.Subscript) else joined
            if isinstance(listed, ast.Name) and listed.id in steps.character_lists:
                steps.out.pop()
                return cst.parse_expression(ast.unparse(joined))
    return None


def _just_made(listed: str, steps: Lowering) -> str:
    """The temporary itself, if the last step made it for this idiom as a list, which the idiom may change."""
    made = listed in steps.character_lists and listed in steps.names.temporaries and bool(steps.out)
    return listed if made and code(steps.out[-1]).startswith(f"{listed} = ") else ""


def _held(listed: str, steps: Lowering) -> str:
    """The list that the variable itself is, or that an earlier statement made; "" without one."""
    if not listed or listed in steps.character_lists:
        return listed
    if may_be_rebound(listed, steps.scope, steps.bound):
        return ""
    changed: set[str] = set()
    for statement in _before(steps):
        if not isinstance(statement, cst.SimpleStatementLine | cst.If):
            return ""
        parsed = ast.parse(code(statement).strip()).body
        name, other = _listing(parsed[-1]) if parsed else ("", "")
        if other == listed and name in steps.character_lists:
            return name if name not in changed else ""
        changed |= {one for one in steps.character_lists if _changes(one, parsed)}
        if binds_name(statement, listed):
            return ""
    return ""


def _before(steps: Lowering) -> Iterator[cst.BaseStatement]:
    """The statements that certainly ran before, the last one first: of the block, and of those around an `if`."""
    yield from reversed(steps.out)
    for around, out in reversed(steps.enclosing):
        if not isinstance(around, cst.If) or any(isinstance(node, cst.NamedExpr) for node in walk(around.test)):
            return
        yield from reversed(out)


def _mentions(name: str, statements: Sequence[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name for statement in statements for node in ast.walk(statement)
    )


def _changes(name: str, statements: Sequence[ast.stmt]) -> bool:
    """Whether statements may change a list: rebind it, call a method that is not known to only read, or return it."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    harmless = {id(node.value) for node in nodes if isinstance(node, (ast.Subscript, ast.Attribute)) and _reads(node)}
    harmless |= {id(inner) for node in nodes if _is_reading_call(node) for inner in ast.walk(node)}
    return any(isinstance(node, ast.Name) and node.id == name and id(node) not in harmless for node in nodes)


def _reads(node: ast.Subscript | ast.Attribute) -> bool:
    return node.attr in _READING if isinstance(node, ast.Attribute) else isinstance(node.ctx, ast.Load)


def _is_reading_call(node: ast.AST) -> bool:
    """Whether a node is a call or comparison that cannot keep or change its operands."""
    match node:
        case ast.Call(func=ast.Name(id="len" | "list" | "min" | "max"), args=[ast.Name()]):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join"), args=[ast.Name()]):
            return True
        case ast.Compare(ops=[ast.In() | ast.NotIn() | ast.Eq() | ast.NotEq()]):
            return True
    return False
