"""Live intervals of the temporaries of a function.

A temporary is live from the statement that first binds it to the last one that mentions it. If that one is in a loop
that does not contain the first, the temporary is live to the end of the loop (linear scan over live intervals: Poletto
and Sarkar, 1999). One that is read before it is bound, in an earlier round of a loop, is live in all loops around. A
temporary that nothing reads is shown for the next operation: it is live until then.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import NESTED, AnyFunction, statement_blocks

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


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

    def overlaps(self, other: LiveInterval) -> bool:
        """Whether both are live at some moment."""
        return self.first <= other.last and other.first <= self.last


@dataclass
class LiveIntervals:
    """The live intervals of the temporaries of one function, in source order.

    Statement number n reads at moment 2n and stores at 2n + 1.
    """

    found: dict[str, LiveInterval] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    _loops: list[tuple[int, int]] = field(default_factory=list)
    _early: set[str] = field(default_factory=set)
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
        for name in lives._early:
            life = lives.found[name]
            around = [loop for loop in lives._loops if loop[0] <= life.first <= loop[1]]
            if around:
                life.first, life.last = min(around)[0], max(life.last, max(end for _, end in around))
            else:
                lives.pinned.add(name)
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
            self._pin(*_evaluated(node))
            return
        start = 2 * self._number
        for part in _heads(node):
            self._mention(part)
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

    def _mention(self, node: ast.AST) -> None:
        if isinstance(node, ast.GeneratorExp):
            first, *others = node.generators
            self._mention(first.iter)  # evaluated at once, unlike the rest
            self._pin(node.elt, first.target, *first.ifs, *others)
            return
        if isinstance(node, NESTED):
            self._pin(*_evaluated(node))
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
                self._early.add(node.id)
        for child in ast.iter_child_nodes(node):
            self._mention(child)

    def _pin(self, *nodes: ast.AST) -> None:
        self.pinned |= {inner.id for node in nodes for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _evaluated(definition: ast.AST) -> list[ast.AST]:
    """What a definition evaluates itself: decorators, defaults, bases."""
    return [child for child in ast.iter_child_nodes(definition) if not isinstance(child, ast.stmt)]


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
