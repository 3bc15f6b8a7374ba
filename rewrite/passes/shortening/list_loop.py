"""Loops that fill a new list or set, as a comprehension or as a call of `list` or `set`.

    r = []                                      r = [str(i) for i in items if i > 2]
    for i in items:
        if i > 2:
            r.append(str(i))

Nothing mentions the list between its creation and the loop, and the loop mentions it in the `append` only, so nothing
observes when the list is created. Items are computed in the same order. `list(items)` is written for builtin containers
only, since `list` asks other objects for their length.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.passes.candidate import PassCandidate
from rewrite.passes.loops import ForLoop, plain_loops
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.syntax_patterns import plain_arguments, plain_assignment
from rewrite.syntax.tree import code

_METHODS = {"append": ("list", "[]", "list()"), "add": ("set", "set()")}


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Loops of one `r.append(item)`, with or without an `if`, after `r = []`."""
    for loop in plain_loops(program):
        tests, statement = loop.guarded_statement
        added = _added(statement)
        if added is None:
            continue
        name, method, value = added
        if not loop.is_accumulator(name) or loop.mentions(name, loop.node.iter, value, *tests):
            continue
        if not _METHODS.keys() & {method} or not loop.is_builtin(_METHODS[method][0]):
            continue
        made = _made_before(loop, name, _METHODS[method][1:])
        text = _text(loop, value, tests, _METHODS[method][0])
        if made is not None and text:
            edits = [program.deletion(made), program.replacement(loop.node, loop.node, f"{name} = {text}")]
            yield program.candidate(loop.node, f"the loop as a comprehension for {name}", edits)


def _added(small: cst.CSTNode | None) -> tuple[str, str, cst.BaseExpression] | None:
    """Variable, method and argument of `r.append(item)`; None for other statements."""
    call = small.value if isinstance(small, cst.Expr) else None
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute) or len(call.args) != 1:
        return None
    receiver, values = call.func.value, plain_arguments(call)
    return (receiver.value, call.func.attr.value, values[0]) if isinstance(receiver, cst.Name) and values else None


def _made_before(loop: ForLoop, name: str, empty: tuple[str, ...]) -> cst.SimpleStatementLine | None:
    """The statement before the loop that creates the empty list, if nothing in between mentions the variable."""
    for node in reversed(loop.site.block[: loop.site.index]):
        if name not in loop.program.mentioned_names(node):
            continue
        assigned = plain_assignment(node)
        if assigned is None or assigned[0] != name or code(assigned[1]) not in empty or loop.program.is_kept(node):
            return None
        return node if isinstance(node, cst.SimpleStatementLine) else None
    return None


def _text(loop: ForLoop, value: cst.BaseExpression, tests: list[cst.BaseExpression], kind: str) -> str | None:
    if not tests and (mapped := loop.mapped(value)):
        return f"{kind}({mapped})"
    inner = loop.comprehension(value, tests)
    return inner and (f"[{inner}]" if kind == "list" else f"{{{inner}}}")
