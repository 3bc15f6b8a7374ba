"""Shrinks a program and its call together, while the rewritten program still behaves differently.

A greedy search over the syntax tree: statements are deleted, compound statements are replaced by their blocks,
expressions by their parts or by constants, and parameters are deleted together with their arguments.
"""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from rewrite.testing.mutation import printed

Shows = Callable[[str, str], bool]
_SIMPLE = (0, "", None)


class ReducedCase(NamedTuple):
    """A program and a call, as source."""

    program: str
    call: str


def reduce_counterexample(program: str, call: str, shows: Shows, seconds: float) -> ReducedCase:
    """Return the smallest program and call found.

    Args:
        program: a program that shows the difference.
        call: the call on which it shows.
        shows: whether a program and a call show it.
        seconds: time limit.
    """
    end = time.monotonic() + seconds
    best = _without_chunks(ReducedCase(program, call), shows, end)
    tried = {best}
    improved = True
    while improved and time.monotonic() < end:
        improved = False
        size = _size(best)
        sized = ((_size(candidate), candidate) for candidate in {*_smaller(best)} - tried)
        for _, candidate in sorted(pair for pair in sized if pair[0] < size):
            if time.monotonic() > end:
                break
            tried.add(candidate)
            if shows(*candidate):
                best, improved = candidate, True
                break
    return best


def _without_chunks(best: ReducedCase, shows: Shows, end: float) -> ReducedCase:
    """Delete runs of statements from each block, first long ones, then shorter ones (delta debugging)."""
    place = 0
    while time.monotonic() < end:
        blocks = _blocks(ast.parse(best.program))
        if place >= len(blocks):
            break
        length = size = len(blocks[place])
        while size and time.monotonic() < end:
            start = 0
            while start < length and time.monotonic() < end:
                tree = ast.parse(best.program)
                block = _blocks(tree)[place]
                del block[start : start + size]
                if not block and place:
                    block.append(ast.Pass())
                text = printed(tree)
                if text and len(text) < len(best.program) and shows(text, best.call):
                    best, length = ReducedCase(text, best.call), length - size
                else:
                    start += size
            size //= 2
        place += 1
    return best


def _blocks(tree: ast.Module) -> list[list[Any]]:
    return [block for node in ast.walk(tree) if isinstance(block := getattr(node, "body", None), list)]


def _size(candidate: ReducedCase) -> tuple[int, int, str]:
    nodes = sum(1 for _ in ast.walk(ast.parse(candidate.program))) + sum(1 for _ in ast.walk(ast.parse(candidate.call)))
    return nodes, len(candidate.program) + len(candidate.call), candidate.program


def _smaller(best: ReducedCase) -> Iterator[ReducedCase]:
    tree, call = ast.parse(best.program), ast.parse(best.call)
    programs = (*_without_statements(tree), *_without_parts(tree), *_smaller_expressions(tree))
    pairs: list[tuple[Any, Any]] = [(smaller, call) for smaller in programs]
    pairs += [(tree, smaller) for smaller in _smaller_expressions(call) if isinstance(smaller.body[0].value, ast.Call)]
    pairs += [(tree, shorter) for shorter in _without_statements(call) if len(call.body) > 1]
    for program, tried in (*pairs, *_without_parameters(tree, call)):
        texts = printed(program), printed(tried).strip()
        if all(texts):
            yield ReducedCase(*texts)


def _at(tree: Any, place: int) -> tuple[Any, Any]:
    """A copy of the tree and its node at a place of the walk."""
    new = copy.deepcopy(tree)
    return new, next(node for index, node in enumerate(ast.walk(new)) if index == place)


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "decorator_list", "cases")


def _without_statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Delete statements, handlers and decorators one by one; replace compound statements by one of their blocks."""
    for place, node in enumerate(ast.walk(tree)):
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            if name in ("orelse", "finalbody", "handlers") and block:
                new, found = _at(tree, place)
                setattr(found, name, [])
                yield new
            for index, statement in enumerate(block):
                if name != "body" or len(block) > 1 or isinstance(node, ast.Module):
                    new, found = _at(tree, place)
                    del getattr(found, name)[index]
                    yield new
                for inner in ("body", "orelse", "finalbody"):
                    hoisted = getattr(statement, inner, None)
                    if name != "handlers" and isinstance(hoisted, list) and hoisted and isinstance(statement, ast.stmt):
                        new, found = _at(tree, place)
                        getattr(found, name)[index : index + 1] = getattr(getattr(found, name)[index], inner)
                        yield new


def _without_parts(tree: ast.Module) -> Iterator[ast.AST]:
    """Delete the values of returns, annotations and messages, and the elements of sequences one by one."""
    for place, node in enumerate(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            if name in ("returns", "annotation", "msg", "cause") and value is not None:
                new, found = _at(tree, place)
                setattr(found, name, None)
                yield new
        for name in ("elts", "args", "keywords", "values", "names", "bases", "targets", "items"):
            values = getattr(node, name, None)
            if isinstance(values, list) and not isinstance(node, (ast.Dict, ast.arguments)):
                for index in range(len(values)):
                    new, found = _at(tree, place)
                    del getattr(found, name)[index]
                    yield new


def _smaller_expressions(tree: ast.AST) -> Iterator[Any]:
    """Replace an expression by one of its parts, or by a constant."""
    for place, node in enumerate(ast.walk(tree)):
        for name, value in ast.iter_fields(node):
            values = value if isinstance(value, list) else [value]
            for index, part in enumerate(values):
                if not isinstance(part, ast.expr) or isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del)):
                    continue
                for made in _replacements(part):
                    new, found = _at(tree, place)
                    if isinstance(value, list):
                        getattr(found, name)[index] = made
                    else:
                        setattr(found, name, made)
                    yield new


def _replacements(node: ast.expr) -> Iterator[ast.expr]:
    for part in ast.iter_child_nodes(node):
        inner = part.value if isinstance(part, (ast.keyword, ast.Starred, ast.FormattedValue)) else part
        if isinstance(inner, ast.expr):
            yield copy.deepcopy(inner)
    if not isinstance(node, (ast.Constant, ast.Name)):
        yield from (ast.Constant(value) for value in _SIMPLE)
    elif isinstance(node, ast.Constant) and node.value not in (0, "", None):
        yield ast.Constant(type(node.value)() if isinstance(node.value, (int, str, float, bytes)) else 0)
    if isinstance(node, (ast.List, ast.Tuple, ast.Dict, ast.Call, ast.Name)) and getattr(node, "elts", True):
        yield ast.List([], ast.Load())


def _without_parameters(tree: ast.Module, call: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Delete a parameter of a function, with the argument of the call."""
    for place, node in enumerate(ast.walk(tree)):
        if not isinstance(node, ast.FunctionDef):
            continue
        for index in range(len(node.args.args)):
            new, found = _at(tree, place)
            del found.args.args[index]
            found.args.defaults = found.args.defaults[-len(found.args.args) :] if found.args.args else []
            changed = copy.deepcopy(call)
            for inner in ast.walk(changed):
                named = isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == node.name
                if named and isinstance(inner, ast.Call) and index < len(inner.args):
                    del inner.args[index]
            yield new, changed
