"""Register allocation for temporaries by liveness: two that are not live at the same time share a name.

Each local variable costs tokens in every later frame of the trace. A temporary is live from the statement that first
binds it to the last one that mentions it. If that one is in a loop that does not contain the first, the temporary is
live to the end of the loop (linear scan over live intervals: Poletto and Sarkar, 1999). A temporary that nothing reads
is shown for the next operation: it is live until then. A temporary that a nested function, a generator expression or a
`del` mentions keeps its name. The pass works on the source of a finished rewrite; the caller counts whether the result
is cheaper.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from rewrite.analysis.legality import read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.temporaries import (
    NESTED,
    AnyFunction,
    Renames,
    apply_renames,
    functions_with_locals,
    statement_blocks,
)

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def reuse_temporaries(text: str, original: str) -> str:
    """The source with fewer names for temporaries; its lines stay the same.

    >>> print(reuse_temporaries("def f(a):\\n    _t0 = a + 1\\n    _t1 = _t0 * 2\\n    return _t1 - 3\\n", ""), end="")
    def f(a):
        _t0 = a + 1
        _t0 = _t0 * 2
        return _t0 - 3
    """
    taken = set(TEMPORARY.findall(original))
    names: Renames = {}
    for node, variables in functions_with_locals(ast.parse(text), read_locals(text)):
        names |= _shared(LiveIntervals.of(node), taken | (variables.references.keys() - variables.renamable))
    return apply_renames(text, names)


@dataclass
class LiveInterval:
    """One temporary: its mentions, and the first and last moment at which it is live."""

    mentions: list[ast.Name] = field(default_factory=list)
    first: int = -1
    last: int = -1

    @property
    def is_unread(self) -> bool:
        """Whether the temporary is only stored, so that a state shows it."""
        return all(isinstance(name.ctx, ast.Store) for name in self.mentions)


@dataclass
class LiveIntervals:
    """The live intervals of the temporaries of one function, in source order.

    Statement number n reads at moment 2n and stores at 2n + 1.
    """

    found: dict[str, LiveInterval] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    _loops: list[tuple[int, int]] = field(default_factory=list)
    _number: int = 0

    @classmethod
    def of(cls, function: AnyFunction) -> LiveIntervals:
        """The live intervals of a function."""
        lives = cls()
        lives._block(function.body)
        unread = {life.last // 2 for life in lives.found.values() if life.is_unread}
        for life in lives.found.values():
            if life.is_unread:
                after = next(number for number in range(life.last // 2, lives._number + 2) if number not in unread)
                life.last = 2 * after
        for life in lives.found.values():
            for start, end in sorted(lives._loops, reverse=True):  # inner ones first
                if not start <= life.first <= end and start <= life.last <= end:
                    life.last = end
        return lives

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self._number += 1
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, NESTED):
            self._pin(node)
            return
        start = 2 * self._number
        for part in _heads(node):
            self._mention(part, node)
        if isinstance(node, _LOOPS):
            # The iterable of a `for` is evaluated once, the test of a `while` in each round.
            start += isinstance(node, ast.For | ast.AsyncFor)
            self._block(node.body)
            self._number += 1
            self._loops.append((start, 2 * self._number))
            self._block(node.orelse)
        else:
            for block in statement_blocks(node):
                self._block(block)

    def _mention(self, node: ast.AST, statement: ast.stmt) -> None:
        if isinstance(node, NESTED):
            self._pin(node)
            return
        if isinstance(node, ast.Name) and TEMPORARY.fullmatch(node.id):
            stored = isinstance(node.ctx, ast.Store)
            if isinstance(node.ctx, ast.Del):
                self.pinned.add(node.id)
            moment = 2 * self._number + stored
            life = self.found.setdefault(node.id, LiveInterval())
            life.mentions.append(node)
            life.first = moment if life.first < 0 else life.first
            life.last = max(life.last, moment)
            if not stored and life.first == moment:
                self.pinned.add(node.id)  # read before it is stored: the interval is not known
        for child in ast.iter_child_nodes(node):
            self._mention(child, statement)

    def _pin(self, node: ast.AST) -> None:
        """Pin what a definition evaluates itself: decorators, defaults, bases."""
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt):
                self.pinned |= {inner.id for inner in ast.walk(child) if isinstance(inner, ast.Name)}


def _heads(node: ast.stmt) -> Iterator[ast.AST]:
    """What a compound statement evaluates itself, in source order."""
    blocks = {id(inner) for block in statement_blocks(node) for inner in block}
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ExceptHandler):
            yield from (part for part in (child.type,) if part is not None)
        elif isinstance(child, ast.match_case):
            yield child.pattern
            yield from (part for part in (child.guard,) if part is not None)
        elif id(child) not in blocks:
            yield child


def _shared(lives: LiveIntervals, taken: set[str]) -> Renames:
    """The renames by which temporaries share names."""
    free = {name: life for name, life in lives.found.items() if name not in lives.pinned | taken}
    barred = lives.pinned | taken
    names = [name for number in range(len(free) + len(barred)) if (name := f"_t{number}") not in barred]
    busy: dict[str, int] = {}  # until when
    changes: Renames = {}
    for old, life in sorted(free.items(), key=lambda item: item[1].first):
        new = next(name for name in names if busy.get(name, -1) < life.first)
        busy[new] = life.last
        if new != old:
            changes |= {(name.lineno, name.col_offset): (old, new) for name in life.mentions}
    return changes
