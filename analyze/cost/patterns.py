"""What makes a true trace long, by the names of the paper's table of truncation patterns (Table 9).

    growing list    List mutation: a loop adds to what it goes over, or to what its condition asks for
    nested loops    Nested iteration: a loop in a loop of the same function, or a comprehension of several loops
    long input      Long input: a loop over more than 30 characters or items

A loop counts where it ran in the trace; the values are those that the trace shows. What it does not do: say that a
trace does not fit (`analyze.cost.token_budget`), or that it grows so (`analyze.cost.growth`).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from analyze.cost.token_budget import Budget
from analyze.gold_trace.trace import Trace

PatternName = Literal["growing list", "nested loops", "long input"]
LONG = 30
_GROW = frozenset({"append", "appendleft", "insert", "extend", "extendleft", "add", "update", "setdefault"})
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_LOOPS = ast.For | ast.AsyncFor | ast.While | _COMPREHENSIONS
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_Loop = ast.For | ast.AsyncFor | ast.While | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class Pattern:
    """A loop that makes the trace long.

    lines: its first and last in the traced text; tokens: of the frames of these lines (what they call stands
    elsewhere), as far as the budget was counted; why: in words.
    """

    name: PatternName
    lines: tuple[int, int]
    tokens: int
    why: str


def patterns(trace: Trace, budget: Budget) -> tuple[Pattern, ...]:
    """The patterns of a trace, dearest first; none where its text does not parse or its lines are not known."""
    try:
        tree = ast.parse(trace.context)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    shown, ran = _shown(trace), set(trace.lines)
    found = [
        Pattern(name, span, sum(cost for line, cost in budget.lines if line and span[0] <= line <= span[1]), why)
        for loop, outer in _loops(tree, None)
        if (span := (loop.lineno, loop.end_lineno or loop.lineno)) and ran & set(range(span[0], span[1] + 1))
        for name, why in _named(loop, outer, shown)
    ]
    return tuple(sorted(found, key=lambda pattern: -pattern.tokens))


def _loops(node: ast.AST, outer: _Loop | None) -> Iterator[tuple[_Loop, _Loop | None]]:
    """Every loop with the loop of the same function that it stands in."""
    for child in ast.iter_child_nodes(node):
        inside = None if isinstance(node, _SCOPES) else outer
        if isinstance(child, _LOOPS):
            yield child, inside
            yield from _loops(child, child)
        else:
            yield from _loops(child, inside)


def _named(loop: _Loop, outer: _Loop | None, shown: Mapping[str, str]) -> Iterator[tuple[PatternName, str]]:
    names = _names(loop)
    grown = next((name for name in _grown(loop, shown) if name in names), None)
    if grown is not None:
        copied = " (a copy or a count of it is gone over, which ends)" if not _goes_over(loop, grown) else ""
        yield "growing list", f"the loop makes {grown} longer while it goes on{copied}"
    if outer is not None:
        yield "nested loops", f"it runs anew at every turn of the loop of line {outer.lineno}"
    elif isinstance(loop, _COMPREHENSIONS) and len(loop.generators) > 1:
        yield "nested loops", f"one comprehension of {len(loop.generators)} loops"
    long = max(((_length(shown.get(name, "")), name) for name in names if name != grown), default=(0, ""))
    if long[0] > LONG:
        yield "long input", f"{long[1]} has up to {long[0]} characters or items, and each takes steps"


def _headers(loop: _Loop) -> list[ast.expr]:
    if isinstance(loop, ast.While):
        return [loop.test]
    return [part.iter for part in loop.generators] if isinstance(loop, _COMPREHENSIONS) else [loop.iter]


def _names(loop: _Loop) -> list[str]:
    """The variables that the loop goes over or asks for; functions that are called are none."""
    nodes = [node for header in _headers(loop) for node in ast.walk(header)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    return [node.id for node in nodes if isinstance(node, ast.Name) and id(node) not in called]


def _goes_over(loop: _Loop, name: str) -> bool:
    """Whether the loop sees what is added: it goes over the object itself, or asks anew."""
    if isinstance(loop, ast.While):
        return True
    header = _headers(loop)[0]
    while (
        isinstance(header, ast.Call)
        and getattr(header.func, "id", "") in ("enumerate", "iter", "zip", "map")
        and header.args
    ):
        header = header.args[-1]
    return isinstance(header, ast.Name) and header.id == name


def _grown(loop: _Loop, shown: Mapping[str, str]) -> Iterator[str]:
    """The variables that the body makes longer."""
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
    """The longest value that the trace shows of each name."""
    longest: defaultdict[str, str] = defaultdict(str)
    for frame in trace.frames:
        for name, value in frame.state or ():
            if len(value) > len(longest[name]):
                longest[name] = value
    return longest


def _length(shown: str) -> int:
    """The length of a shown value; -1 where it has none."""
    try:
        value = ast.literal_eval(shown)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return -1
    return len(value) if isinstance(value, str | bytes | list | tuple | dict | set) else -1
