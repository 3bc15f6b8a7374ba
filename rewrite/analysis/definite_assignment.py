"""Definite assignment and upward-exposed reads: which temporaries have a value after a statement, which a block needs.

Conservative, and meant for temporaries: names bound inside a loop, `try`, `with` or `match` are not certain after it.
Names bound by a walrus are ignored, since a temporary is never bound that way. The data-flow analysis computes the
transfer function and the exposed reads of each node once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import libcst as cst

from rewrite.analysis.control_flow import LEAVING, has_break
from rewrite.syntax.tree import CLAUSES, children

Names = frozenset[str]
NO_NAMES: Names = frozenset()
_HANDLERS = (cst.ExceptHandler, cst.ExceptStarHandler)  # the name of the exception is deleted at the end


class BindingEffect(NamedTuple):
    """The transfer function of a statement that runs to its end: some names lose their value, then some get one.

    Attributes:
        unbound: names that may have no value afterwards.
        bound: names that have a value afterwards.
    """

    unbound: Names
    bound: Names

    def apply(self, before: Names) -> Names:
        """Return the names that have a value afterwards, given those before."""
        return (before - self.unbound) | self.bound

    def join(self, other: BindingEffect) -> BindingEffect:
        """Return the effect that is certain if either of two effects happens."""
        gone = (self.unbound - self.bound) | (other.unbound - other.bound)
        return BindingEffect(gone, self.bound & other.bound)


NO_EFFECT = BindingEffect(NO_NAMES, NO_NAMES)


class DefiniteAssignment:
    """The analysis for some names in one scope; each node is analyzed once."""

    def __init__(self, names: Names) -> None:
        self.names = names
        # By node id; the entry keeps the node alive.
        self._effects: dict[int, tuple[cst.CSTNode, BindingEffect | None]] = {}
        self._exposed: dict[int, tuple[cst.CSTNode, Names]] = {}
        self._names: dict[int, tuple[cst.CSTNode, Names]] = {}
        self._deletions: dict[int, tuple[cst.CSTNode, Names]] = {}

    def after(self, statement: cst.CSTNode, bound: Names | None) -> Names | None:
        """Return the names definitely assigned after a statement, or None if its end is never reached."""
        effect = self._effect(statement)
        return None if bound is None or effect is None else effect.apply(bound)

    def exposed(self, body: Sequence[cst.CSTNode]) -> Names:
        """Return the upward-exposed names of a block: those that it may read before it binds them."""
        found, settled = set[str](), set[str]()
        for statement in body:
            found |= self._exposed_reads(statement) - settled
            effect = self._effect(statement)
            if effect is None:
                break
            settled |= effect.bound
        return frozenset(found)

    def _effect(self, statement: cst.CSTNode) -> BindingEffect | None:
        known = self._effects.get(id(statement))
        if known is None:
            known = self._effects[id(statement)] = (statement, self._compute_effect(statement))
        return known[1]

    def _compute_effect(self, statement: cst.CSTNode) -> BindingEffect | None:
        if isinstance(statement, cst.SimpleStatementLine):
            return self._sequence_effect(statement.body)
        if isinstance(statement, LEAVING):
            return None
        if isinstance(statement, cst.BaseSmallStatement):
            deleted = self.names.intersection(_deleted_by(statement))
            return BindingEffect(deleted, self.names.intersection(_bound_by(statement)))
        if isinstance(statement, cst.If):
            return self._if_effect(statement)
        if isinstance(statement, cst.While) and _endless(statement):
            return None
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            return BindingEffect(NO_NAMES, self.names & {statement.name.value})
        return BindingEffect(self._deleted_names(statement), NO_NAMES)

    def _deleted_names(self, node: cst.CSTNode) -> Names:
        """The names that a statement may delete somewhere inside."""
        if isinstance(node, cst.Del):
            return self.names.intersection(_names(node.target))
        if isinstance(node, (cst.BaseExpression, cst.FunctionDef, cst.ClassDef)):
            return NO_NAMES
        known = self._deletions.get(id(node))
        if known is None:
            caught = _names(node.name.name) if isinstance(node, _HANDLERS) and node.name is not None else ()
            inside = map(self._deleted_names, children(node))
            known = self._deletions[id(node)] = (node, self.names.intersection(caught).union(*inside))
        return known[1]

    def _if_effect(self, node: cst.If) -> BindingEffect | None:
        first, other = self._sequence_effect(node.body.body), node.orelse
        second: BindingEffect | None = NO_EFFECT
        if other is not None:
            second = self._effect(other) if isinstance(other, cst.If) else self._sequence_effect(other.body.body)
        if first is None or second is None:
            return first or second
        return first.join(second)

    def _sequence_effect(self, body: Sequence[cst.CSTNode]) -> BindingEffect | None:
        gone, bound = set[str](), set[str]()
        for statement in body:
            effect = self._effect(statement)
            if effect is None:
                return None
            gone |= effect.unbound
            bound -= effect.unbound
            bound |= effect.bound
        return BindingEffect(frozenset(gone), frozenset(bound))

    def _exposed_reads(self, statement: cst.CSTNode) -> Names:
        """The names that a statement may read before it binds them."""
        known = self._exposed.get(id(statement))
        if known is None:
            known = self._exposed[id(statement)] = (statement, self._compute_exposed_reads(statement))
        return known[1]

    def _compute_exposed_reads(self, statement: cst.CSTNode) -> Names:
        if isinstance(statement, cst.SimpleStatementLine):
            return NO_NAMES.union(*map(self._read_names, statement.body))
        if isinstance(statement, cst.BaseSmallStatement):
            return self._read_names(statement)
        found, inside = NO_NAMES, NO_NAMES
        for part in _parts(statement):
            if isinstance(part, cst.BaseSuite):
                inside |= self.exposed(part.body)
            elif isinstance(part, cst.If):
                inside |= self._exposed_reads(part)
            elif not (isinstance(statement, cst.For) and part is statement.target):
                found |= self._read_names(part)
        here = frozenset(_names(statement.target)) if isinstance(statement, cst.For) else NO_NAMES
        return found | (inside - here)

    def _read_names(self, node: cst.CSTNode) -> Names:
        """The names in a node other than whole assignment targets."""
        if not isinstance(node, cst.Assign):
            return self._names_in(node)
        targets = [self._names_in(item.target) - frozenset(_names(item.target)) for item in node.targets]
        return self._names_in(node.value).union(*targets)

    def _names_in(self, node: cst.CSTNode) -> Names:
        if isinstance(node, cst.Name):
            return self.names & {node.value}
        known = self._names.get(id(node))
        if known is None:
            known = self._names[id(node)] = (node, NO_NAMES.union(*map(self._names_in, children(node))))
        return known[1]


def _endless(node: cst.While) -> bool:
    return isinstance(node.test, cst.Name) and node.test.value == "True" and not has_break(node.body)


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
        if isinstance(child, CLAUSES):
            yield from _parts(child)
        elif not (isinstance(node, (cst.FunctionDef, cst.ClassDef)) and child in (node.body, node.name)):
            yield child
