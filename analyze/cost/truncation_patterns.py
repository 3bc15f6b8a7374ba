"""Finds what makes a reference trace long, by the names of the paper's truncation patterns (Table 9).

    growing list    List mutation: a loop extends the object that it iterates over or that its condition tests
    nested loops    Nested iteration: a loop in a loop of the same function, or a comprehension of several loops
    long input      Long input: a loop over more than 30 characters or items

A loop counts if it ran in the trace; values are those that the trace shows. `analyze.cost.token_budget` measures
whether the trace fits, and `analyze.cost.growth` how it grows.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from analyze.cost.token_budget import TokenBudget
from analyze.gold_trace.trace import Trace
from analyze.operations.catalogue import called, functions
from analyze.operations.operation import Iterates, Mutation
from corpora.literals import parse_literal, parsed

PatternName = Literal["growing list", "nested loops", "long input"]
LONG = 30
_GROW = frozenset({"appendleft", "extendleft"}) | called(lambda one: one.mutates is Mutation.ADDS)
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_PASSES_ON = functions(lambda one: one.iterates is Iterates.LATER)
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_Loop = ast.For | ast.AsyncFor | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class LengthPattern:
    """A loop that makes the trace long.

    Attributes:
        name: The name of the pattern.
        lines: Its first and last line in the traced source.
        tokens: Tokens of the frames of these lines, without called functions, as far as the budget was counted.
        why: The reason, in words.
    """

    name: PatternName
    lines: tuple[int, int]
    tokens: int
    why: str


def patterns(trace: Trace, budget: TokenBudget) -> tuple[LengthPattern, ...]:
    """Returns the patterns of a trace, most expensive first.

    There are none if the source does not parse or its lines are unknown.
    """
    tree = parsed(trace.context)
    if tree is None:
        return ()
    shown, ran = _shown(trace), set(trace.lines)
    found = [
        LengthPattern(name, span, sum(cost for line, cost in budget.lines if line and span[0] <= line <= span[1]), why)
        for loop, outer in _loops(tree, None)
        if (span := (loop.lineno, loop.end_lineno or loop.lineno)) and ran & set(range(span[0], span[1] + 1))
        for name, why in _named(loop, outer, shown)
    ]
    return tuple(sorted(found, key=lambda pattern: -pattern.tokens))


def _loops(node: ast.AST, outer: _Loop | None) -> Iterator[tuple[_Loop, _Loop | None]]:
    """Yields every loop with the enclosing loop of the same function."""
    for child in ast.iter_child_nodes(node):
        inside = None if isinstance(node, _SCOPES) else outer
        if isinstance(child, _Loop):
            yield child, inside
            yield from _loops(child, child)
        else:
            yield from _loops(child, inside)


def _named(loop: _Loop, outer: _Loop | None, shown: Mapping[str, str]) -> Iterator[tuple[PatternName, str]]:
    names = _names(loop)
    grown = next((name for name in _grown(loop, shown) if name in names), None)
    if grown is not None:
        copied = " (it iterates over a copy or a range, so it ends)" if not _goes_over(loop, grown) else ""
        yield "growing list", f"the loop extends {grown} while it runs{copied}"
    if outer is not None:
        what = "a comprehension that" if isinstance(loop, _COMPREHENSIONS) else "it"
        yield "nested loops", f"{what} runs in every iteration of the loop in line {outer.lineno}"
    elif isinstance(loop, _COMPREHENSIONS) and len(loop.generators) > 1:
        yield "nested loops", f"a comprehension of {len(loop.generators)} loops"
    long = max(((_length(shown.get(name, "")), name) for name in names if name != grown), default=(0, ""))
    if long[0] > LONG:
        yield "long input", f"{long[1]} has up to {long[0]} characters or items, each of which takes steps"


def _headers(loop: _Loop) -> list[ast.expr]:
    if isinstance(loop, ast.While):
        return [loop.test]
    return [part.iter for part in loop.generators] if isinstance(loop, _COMPREHENSIONS) else [loop.iter]


def _names(loop: _Loop) -> list[str]:
    """Returns the variables that the loop iterates over or tests, without called functions."""
    nodes = [node for header in _headers(loop) for node in ast.walk(header)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return [node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called]


def _goes_over(loop: _Loop, name: str) -> bool:
    """Whether the loop sees additions: it iterates over the object itself, or tests it again."""
    if isinstance(loop, ast.While):
        return True
    header = _headers(loop)[0]
    while isinstance(header, ast.Call) and getattr(header.func, "id", "") in _PASSES_ON and header.args:
        header = header.args[-1]
    return isinstance(header, ast.Name) and header.id == name


def _grown(loop: _Loop, shown: Mapping[str, str]) -> Iterator[str]:
    """Yields the variables that the body extends."""
    if isinstance(loop, _COMPREHENSIONS):
        return
    for node in (inner for statement in loop.body for inner in ast.walk(statement)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _GROW:
            if isinstance(node.func.value, ast.Name):
                yield node.func.value.id
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.BitOr):
            name = node.target.id if isinstance(node.target, ast.Name) else ""
            if _length(shown.get(name, "")) >= 0:
                yield name


def _shown(trace: Trace) -> dict[str, str]:
    """Returns the longest value that the trace shows for each name."""
    longest: defaultdict[str, str] = defaultdict(str)
    for frame in trace.frames:
        for name, value in frame.state or ():
            if len(value) > len(longest[name]):
                longest[name] = value
    return longest


def _length(shown: str) -> int:
    """Returns the length of a shown value; -1 if it has none."""
    try:
        value = parse_literal(shown)
    except ValueError:
        return -1
    return len(value) if isinstance(value, str | bytes | list | tuple | dict | set | frozenset) else -1
