"""Shared values: an expression whose value a temporary holds is not computed again.

    _t0 = s[-1]                                _t0 = s[-1]
    if _t0 == 'y' or s[-1] == 'Y':      ->     if _t0 == 'y' or _t0 == 'Y':

This is value numbering for the statements after a temporary, in its block. The expression consists of indices, lengths
and arithmetic on parameters that keep their value. Every call showed them to be exactly `str` or `int`, so that the
expression has no side effect and always the same value; the rewrite assumes it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from analyze.operations.catalogue import operators
from analyze.operations.operation import Kind
from rewrite.analysis.legality import read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.anf.result import Rewritten
from rewrite.evidence.assumptions import Assumption, exactly
from rewrite.evidence.gather import Evidence
from rewrite.passes.cleanup.name_mentions import (
    AnyFunction,
    Renames,
    apply_renames,
    blocks_of,
    functions_with_locals,
    is_plain,
    may_bind,
    own_nodes,
    stored_name,
)

_OF_INTS = operators(lambda one: one.kind is Kind.ARITHMETIC and one.is_binary and one.result == "int")
_OPERATORS = tuple(getattr(ast, name) for name in _OF_INTS)
_IMMUTABLE = ("str", "int")


def share_values(made: Rewritten, original: str, evidence: Evidence) -> Rewritten:
    """The rewrite whose expressions read such temporaries.

    Args:
        made: The rewrite, in a form in which temporaries do not share names.
        original: The source before the rewrite.
        evidence: What the calls showed of the original.
    """
    if not made.changed or TEMPORARY.search(original) or not is_plain(made.source):
        return made
    renames: Renames = {}
    assumed: set[Assumption] = set()
    before = _functions(original)
    for name, (function, steady) in _functions(made.source).items():
        if name not in before:
            continue
        for temporary, value, rest in _temporaries(function):
            again = [node for one in rest for node in _equal_nodes(one, value)]
            facts = _facts(value, before[name][0], evidence, original)
            if again and facts and {fact.expression for fact in facts} <= steady & before[name][1]:
                source = ast.get_source_segment(made.source, value) or ""
                renames |= {(node.lineno, node.col_offset): (source, temporary) for node in again}
                assumed |= facts
    if not renames:
        return made
    return replace(made, source=apply_renames(made.source, renames), assumes=tuple(sorted({*made.assumes, *assumed})))


def _functions(text: str) -> dict[str, tuple[AnyFunction, frozenset[str]]]:
    """The functions whose name is unique, each with its parameters that nothing else sees or gives another value."""
    tree = ast.parse(text)
    if may_bind(tree, "len"):
        return {}
    found = list(functions_with_locals(tree, read_locals(text)))
    names = Counter(function.name for function, _ in found)
    return {
        function.name: (function, _parameters(function) & variables.renamable - {*map(stored_name, ast.walk(function))})
        for function, variables in found
        if names[function.name] == 1
    }


def _parameters(function: AnyFunction) -> frozenset[str]:
    args = function.args
    return frozenset(one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs))


def _temporaries(function: AnyFunction) -> Iterator[tuple[str, ast.expr, Sequence[ast.stmt]]]:
    """The temporaries with one value that may be shared: the name, the value, and the statements after it."""
    stores = Counter(map(stored_name, ast.walk(function)))
    for block in blocks_of(function):
        for index, statement in enumerate(block):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.Call() | ast.BinOp() as value):
                    if TEMPORARY.fullmatch(name) and stores[name] == 1 and _is_steady(value):
                        yield name, value, block[index + 1 :]


def _is_steady(node: ast.expr | None) -> bool:
    """Whether an expression on immutable values has no side effect."""
    match node:
        case None | ast.Name() | ast.Constant(value=int()) | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            return True
        case ast.Subscript(value=ast.Name(), slice=ast.Slice(lower=lower, upper=upper, step=step)):
            return all(map(_is_steady, (lower, upper, step)))
        case ast.Subscript(value=ast.Name(), slice=index):
            return _is_steady(index)
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return True
        case ast.BinOp(left=left, op=operator, right=right):
            return isinstance(operator, _OPERATORS) and _is_steady(left) and _is_steady(right)
    return False


def _equal_nodes(statement: ast.AST, value: ast.expr) -> Iterator[ast.expr]:
    """The expressions of a statement that are equal to a value and take as many characters on one line."""
    for node in own_nodes(statement):
        if isinstance(node, type(value)) and _width(node) == _width(value) and ast.dump(node) == ast.dump(value):
            yield node


def _width(node: ast.expr) -> int | None:
    assert node.end_col_offset is not None
    return node.end_col_offset - node.col_offset if node.lineno == node.end_lineno else None


def _facts(value: ast.expr, before: AnyFunction, evidence: Evidence, original: str) -> set[Assumption]:
    """The types of the variables where the original computes the value first; empty if not every one is shown."""
    first = next(_equal_nodes(before, value), None)
    names = [node for node in ast.walk(first) if isinstance(node, ast.Name) and node.id != "len"] if first else []
    facts: set[Assumption] = set()
    for node in names:
        assert node.end_lineno is not None and node.end_col_offset is not None
        seen = evidence.seen.get((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset))
        kind = next((kind for kind in _IMMUTABLE if seen is not None and seen.types == {kind}), None)
        if kind is None:
            return set()
        line = original.split("\n")[node.lineno - 1]
        column = len(line.encode()[: node.col_offset].decode())
        facts.add(Assumption(node.lineno, column + 1, node.id, exactly(kind)))
    return facts
