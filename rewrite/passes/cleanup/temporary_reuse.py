"""Register allocation for temporaries by liveness: two of one kind that are not live at the same time share a name.

Each local variable costs tokens in every later frame of the trace. A temporary is live from the statement that first
binds it to the last one that mentions it. If that one is in a loop that does not contain the first, the temporary is
live to the end of the loop (linear scan over live intervals: Poletto and Sarkar, 1999). One that is read before it is
bound, in an earlier round of a loop, is live in all loops around. A temporary that nothing reads is shown for the next
operation: it is live until then. Two temporaries share a name only if all their values in the
traces have the same type, so that a name does not stand for a list and then for a count. A temporary that a nested
function, a generator expression or a `del` mentions keeps its name. The pass works on the source of a finished rewrite;
the caller counts whether the result is cheaper.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from analyze.gold_trace.trace import Trace
from corpora.literals import parse_literal
from rewrite.analysis.legality import read_locals
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import (
    NESTED,
    AnyFunction,
    Renames,
    apply_renames,
    functions_with_locals,
    statement_blocks,
)

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
Kinds = Mapping[tuple[int, str], type]
"""By line of the `def` (0: the module) and name of a temporary, the exact type of all its values. One of several types,
or of an unknown one, is missing."""


def observed_kinds(traces: Iterable[Trace]) -> Kinds:
    """The types of the values of temporaries that the states of traces show."""
    shown: dict[tuple[int, str], dict[str, None]] = {}
    for place, text in shown_values(traces):
        if TEMPORARY.fullmatch(place[1]):
            shown.setdefault(place, {})[text] = None
    kinds = {place: set(map(_kind, texts)) for place, texts in shown.items()}
    return {place: kind for place, (kind, *others) in kinds.items() if kind is not None and not others}


def shown_values(traces: Iterable[Trace]) -> Iterator[tuple[tuple[int, str], str]]:
    """The values of variables that states show, each with the line of the `def` and the name."""
    for trace in traces:
        functions = _functions_by_line(trace.context)
        for line, frame in zip(trace.lines, trace.frames, strict=True):
            place = line if frame.event == "call" and line else functions.get(line, 0)
            yield from (((place, name), text) for name, text in frame.shown)


def _functions_by_line(source: str) -> dict[int, int]:
    """The line of the innermost `def` around each line of a source; lines outside functions are missing.

    The line of the `def` itself is one of the scope around it, which executes it. The call of a function shows it too,
    when there are no temporaries yet.
    """
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, AnyFunction)]
    outer_first = sorted(functions, key=lambda node: node.lineno)
    return {
        line: node.lineno for node in outer_first for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def _kind(text: str) -> type | None:
    """The type of a value by its repr; None if that is no literal."""
    try:
        return type(parse_literal(text))
    except ValueError:
        return None


def reuse_temporaries(text: str, original: str, kinds: Kinds) -> str:
    """The source with fewer names for temporaries; its lines stay the same.

    >>> before = "def f(a):\\n    _t0 = a + 1\\n    _t1 = _t0 * 2\\n    _t2 = str(_t1)\\n    return _t2 + a\\n"
    >>> print(reuse_temporaries(before, "", {(1, "_t0"): int, (1, "_t1"): int, (1, "_t2"): str}), end="")
    def f(a):
        _t0 = a + 1
        _t0 = _t0 * 2
        _t1 = str(_t0)
        return _t1 + a

    Args:
        text: The source, in which temporaries do not share names.
        original: The source before the rewrite.
        kinds: The types of the temporaries; one without a type shares its name with none.
    """
    taken = set(TEMPORARY.findall(original))
    names: Renames = {}
    for node, variables in functions_with_locals(ast.parse(text), read_locals(text)):
        own = {name: kind for (line, name), kind in kinds.items() if line == node.lineno}
        names |= _shared(LiveIntervals.of(node), taken | (variables.references.keys() - variables.renamable), own)
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


def _shared(lives: LiveIntervals, taken: set[str], kinds: Mapping[str, type]) -> Renames:
    """The renames by which temporaries share names."""
    free = {name: life for name, life in lives.found.items() if name not in lives.pinned | taken}
    barred = lives.pinned | taken
    names = [name for number in range(len(free) + len(barred)) if (name := f"_t{number}") not in barred]
    busy: dict[str, int] = {}  # until when
    held: dict[str, type | None] = {}  # the type of the values
    changes: Renames = {}
    for old, life in sorted(free.items(), key=lambda item: item[1].first):
        kind = kinds.get(old)
        new = next(
            name
            for name in names
            if name not in busy or (busy[name] < life.first and kind is not None and held[name] is kind)
        )
        busy[new], held[new] = life.last, kind
        if new != old:
            changes |= {(name.lineno, name.col_offset): (old, new) for name in life.mentions}
    return changes
