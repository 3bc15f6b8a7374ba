"""The long names of a function's variables, short: `new_distance` is written in every frame from where it is bound.

Only variables that nothing but the function's own statements sees: no parameters, nothing global, nonlocal, deleted,
seen by an inner function, bound by an import, `def`, `class`, `with`, `except` or `case`, or shown by `f"{name=}"`; in
no function that looks at its variables. And only those that certainly have a value where they are read, for the error
of an unbound one says its name. A name that takes one token stays: it costs as much as a letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

import libcst as cst

from analyze.tokens.tokenizer import default_tokenizer
from rewrite.savings.program import Function, Program
from rewrite.savings.saving import Edit, Saving
from rewrite.syntax.spelling import Spelled
from rewrite.syntax.tree import walk

MOST_KEPT = 2
"""Names of so many characters stay."""
_BOUND_BY = frozenset({"value", "element", "augmented", "other"})
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp)


def find(program: Program) -> Iterator[Saving]:
    """One candidate a function: all of its long names."""
    for function in program.functions:
        if function.scope.reflection or program.kept(function.node):
            continue
        names = _shorter(program, function)
        edits = [
            Edit(*program.offsets(mention), short)
            for name, short in names.items()
            for mention in function.mentions[name]
        ]
        if edits:
            what = ", ".join(f"{name} as {short}" for name, short in names.items())
            yield program.saving("short_names", function.node, what, edits)


def _shorter(program: Program, function: Function) -> dict[str, str]:
    """The new names, by the old ones."""
    taken = {part.value for part in walk(function.node) if isinstance(part, cst.Name)}
    free = [letter for letter in ascii_lowercase if letter not in taken and letter != "l"]
    found: dict[str, str] = {}
    for name in function.mentions:
        if not free or len(name) <= MOST_KEPT or not may_be_renamed(function, name):
            continue
        short = min(free, key=lambda letter: (_tokens(letter), letter != name[0], letter))
        if _tokens(short) < _tokens(name):
            free.remove(short)
            found[name] = short
    return found


def _tokens(name: str) -> int:
    """What a name costs in a frame."""
    return len(default_tokenizer().encode(f', "{name}": "'))


def may_be_renamed(function: Function, name: str) -> bool:
    """Whether nothing but the function's own statements sees a variable's name."""
    if not function.owns(name) or name.startswith("__") or not function.certainly_bound(name):
        return False
    if any(binding.how not in _BOUND_BY for binding in function.scope.bindings[name]):
        return False
    if any(isinstance(mention, Spelled) for mention in function.mentions[name]):
        return False
    return name not in _in_comprehensions(function) and name not in _said(function)


def _in_comprehensions(function: Function) -> set[str]:
    """The names that comprehensions bind."""
    nodes = [node for kind in _COMPREHENSIONS for node in function.nodes.get(kind, ())]
    clauses = [clause for node in nodes for clause in walk(node) if isinstance(clause, cst.CompFor)]
    return {part.value for clause in clauses for part in walk(clause.target) if isinstance(part, cst.Name)}


def _said(function: Function) -> set[str]:
    """The names that stand in the text that `f"{name=}"` makes."""
    nodes = function.nodes.get(cst.FormattedStringExpression, ())
    spelled = [node for node in nodes if isinstance(node, cst.FormattedStringExpression) and node.equal is not None]
    return {part.value for node in spelled for part in walk(node) if isinstance(part, cst.Name)}
