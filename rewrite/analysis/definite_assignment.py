"""Which names certainly have a value after a statement, and which a block needs from before.

Conservative, for temporaries: what a loop, `try`, `with` or `match` binds inside is not certain behind it. Names that
expressions bind (walrus) are not looked at; a temporary is never bound so. Data flow as compilers know it: what a
statement binds and deletes (its transfer function) and the reads that are exposed upwards, each worked out once a node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from rewrite.analysis.control_flow import LEAVING, breaks
from rewrite.syntax.tree import children

Names = frozenset[str]
NONE: Names = frozenset()
_HANDLERS = (cst.ExceptHandler, cst.ExceptStarHandler)  # the name of one is deleted at its end


class Effect(NamedTuple):
    """What a statement that runs to its end does to the names with a value: some lose it, then some get one."""

    gone: Names
    bound: Names

    def on(self, before: Names) -> Names:
        """The names that have a value afterwards."""
        return (before - self.gone) | self.bound

    def beside(self, other: Effect) -> Effect:
        """What is certain when either of two has happened."""
        gone = (self.gone - self.bound) | (other.gone - other.bound)
        return Effect(gone, self.bound & other.bound)


NOTHING = Effect(NONE, NONE)


class Certainty:
    """Answers about `names`, for the nodes of one scope; each is looked at once, however often it is asked about."""

    def __init__(self, names: Names) -> None:
        self.names = names
        # By id; the node keeps its id.
        self._effects: dict[int, tuple[cst.CSTNode, Effect | None]] = {}
        self._exposed: dict[int, tuple[cst.CSTNode, Names]] = {}
        self._names: dict[int, tuple[cst.CSTNode, Names]] = {}
        self._deletions: dict[int, tuple[cst.CSTNode, Names]] = {}

    def after(self, statement: cst.CSTNode, bound: Names | None) -> Names | None:
        """The names certainly bound when the statement has run to its end; None: its end is never reached."""
        effect = self._effect(statement)
        return None if bound is None or effect is None else effect.on(bound)

    def exposed(self, body: Sequence[cst.CSTNode]) -> Names:
        """The names that a block may read before it has bound them, so that their values must come from outside."""
        found, settled = set[str](), set[str]()
        for statement in body:
            found |= self._read_first(statement) - settled
            effect = self._effect(statement)
            if effect is None:
                break
            settled |= effect.bound
        return frozenset(found)

    def _effect(self, statement: cst.CSTNode) -> Effect | None:
        known = self._effects.get(id(statement))
        if known is None:
            known = self._effects[id(statement)] = (statement, self._worked_out(statement))
        return known[1]

    def _worked_out(self, statement: cst.CSTNode) -> Effect | None:
        if isinstance(statement, cst.SimpleStatementLine):
            return self._through(statement.body)
        if isinstance(statement, LEAVING):
            return None
        if isinstance(statement, cst.BaseSmallStatement):
            deleted = self.names.intersection(_deleted_by(statement))
            return Effect(deleted, self.names.intersection(_bound_by(statement)))
        if isinstance(statement, cst.If):
            return self._either(statement)
        if isinstance(statement, cst.While) and _endless(statement):
            return None
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            return Effect(NONE, self.names & {statement.name.value})
        return Effect(self._lost(statement), NONE)

    def _lost(self, node: cst.CSTNode) -> Names:
        """The names that a statement may delete somewhere inside."""
        if isinstance(node, cst.Del):
            return self.names.intersection(_names(node.target))
        if isinstance(node, (cst.BaseExpression, cst.FunctionDef, cst.ClassDef)):
            return NONE
        known = self._deletions.get(id(node))
        if known is None:
            caught = _names(node.name.name) if isinstance(node, _HANDLERS) and node.name is not None else ()
            inside = map(self._lost, children(node))
            known = self._deletions[id(node)] = (node, self.names.intersection(caught).union(*inside))
        return known[1]

    def _either(self, node: cst.If) -> Effect | None:
        first, other = self._through(node.body.body), node.orelse
        second: Effect | None = NOTHING
        if other is not None:
            second = self._effect(other) if isinstance(other, cst.If) else self._through(other.body.body)
        if first is None or second is None:
            return first or second
        return first.beside(second)

    def _through(self, body: Sequence[cst.CSTNode]) -> Effect | None:
        gone, bound = set[str](), set[str]()
        for statement in body:
            effect = self._effect(statement)
            if effect is None:
                return None
            gone |= effect.gone
            bound -= effect.gone
            bound |= effect.bound
        return Effect(frozenset(gone), frozenset(bound))

    def _read_first(self, statement: cst.CSTNode) -> Names:
        """The names that one statement may read before it has given them a value."""
        known = self._exposed.get(id(statement))
        if known is None:
            known = self._exposed[id(statement)] = (statement, self._exposed_by(statement))
        return known[1]

    def _exposed_by(self, statement: cst.CSTNode) -> Names:
        if isinstance(statement, cst.SimpleStatementLine):
            return NONE.union(*map(self._reads, statement.body))
        if isinstance(statement, cst.BaseSmallStatement):
            return self._reads(statement)
        found, inside = NONE, NONE
        for part in _parts(statement):
            if isinstance(part, cst.BaseSuite):
                inside |= self.exposed(part.body)
            elif isinstance(part, cst.If):
                inside |= self._read_first(part)
            elif not (isinstance(statement, cst.For) and part is statement.target):
                found |= self._reads(part)
        here = frozenset(_names(statement.target)) if isinstance(statement, cst.For) else NONE
        return found | (inside - here)

    def _reads(self, node: cst.CSTNode) -> Names:
        """The names that stand there other than as a whole target."""
        if not isinstance(node, cst.Assign):
            return self._mentioned(node)
        targets = [self._mentioned(item.target) - frozenset(_names(item.target)) for item in node.targets]
        return self._mentioned(node.value).union(*targets)

    def _mentioned(self, node: cst.CSTNode) -> Names:
        if isinstance(node, cst.Name):
            return self.names & {node.value}
        known = self._names.get(id(node))
        if known is None:
            known = self._names[id(node)] = (node, NONE.union(*map(self._mentioned, children(node))))
        return known[1]


def _endless(node: cst.While) -> bool:
    return isinstance(node.test, cst.Name) and node.test.value == "True" and not breaks(node.body)


def _bound_by(small: cst.CSTNode) -> Iterable[str]:
    if isinstance(small, cst.Assign):
        for target in small.targets:
            yield from _names(target.target)
    elif isinstance(small, cst.AnnAssign) and small.value is not None:
        yield from _names(small.target)


def _deleted_by(small: cst.CSTNode) -> Iterable[str]:
    return _names(small.target) if isinstance(small, cst.Del) else ()


def _names(target: cst.CSTNode) -> Iterator[str]:
    if isinstance(target, cst.Name):
        yield target.value
    elif isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from _names(element.value)


def _parts(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    for child in children(node):
        if isinstance(child, (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)):
            yield from _parts(child)
        elif not (isinstance(node, (cst.FunctionDef, cst.ClassDef)) and child in (node.body, node.name)):
            yield child
