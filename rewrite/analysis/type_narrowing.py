"""Type narrowing: what a type test shows about a variable, in its branch and after an `if` whose branches agree.

    if type(x) is str:      # x is a str here,
        ...
    else:
        x = str(5)
    x.upper()               # and here, since the other branch made it one

A fact holds until a statement that may rebind the name begins; that statement no longer sees it. Alternatives are kept
as expressions, whose types are computed later (`rewrite.analysis.exact_types`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import libcst as cst

from rewrite.analysis.control_flow import ends_with_jump
from rewrite.analysis.evaluation_order import type_test
from rewrite.syntax.tree import children, walk


class AssignedExpression(NamedTuple):
    """An expression that a branch assigns, with the types that tests show where it is evaluated.

    The facts at the point of the question would be wrong: `y` of `x = y.upper()` may have been tested or rebound since.
    """

    expression: cst.BaseExpression
    types: Mapping[str, tuple[str, ...]]


# The alternatives for the value of a variable: types, or assigned expressions.
Fact = tuple[str | AssignedExpression, ...]
Facts = Mapping[str, Fact]
NO_FACTS: Facts = {}


class TypeFlow:
    """The facts at the statements of a module, recorded while they are visited in order.

    Attributes:
        at: facts by the id of a statement; the entry keeps the statement alive. Statements without facts have no entry.
    """

    def __init__(self) -> None:
        self.at: dict[int, tuple[cst.CSTNode, Facts]] = {}
        self._bound: dict[int, tuple[cst.CSTNode, frozenset[str]]] = {}  # by id; the entry keeps the node alive

    def facts_through(self, facts: Facts, node: cst.CSTNode) -> Facts:
        """Return the facts that hold everywhere in a node."""
        if not facts:
            return facts
        bound = self.bound(node)
        return {name: fact for name, fact in facts.items() if name not in bound}

    def facts_in_branch(self, facts: Facts, node: cst.If, *, holds: bool) -> Facts:
        """Return the facts at the start of a branch of an `if`: where its test holds, or where it does not."""
        name, wanted, positive = narrowing_test(node.test)
        branch = node.body if holds else node.orelse
        if not name or holds != positive or branch is None or name in self.bound(branch):
            return facts
        return {**facts, name: (wanted,)}

    def facts_after(self, facts: Facts, node: cst.CSTNode) -> Facts:
        """Return the facts after a statement, given those that hold in all of it."""
        name, wanted, positive = narrowing_test(node.test) if isinstance(node, cst.If) else ("", "", False)
        if not isinstance(node, cst.If) or not name:
            return facts
        right = self._end(node.body, name, (wanted,) if positive else None)
        wrong = self._end(node.orelse, name, None if positive else (wanted,))
        return facts if right is None or wrong is None or not right + wrong else {**facts, name: right + wrong}

    def _end(self, node: cst.CSTNode | None, name: str, before: Fact | None) -> Fact | None:
        """What a variable holds at the end of a branch. None: anything; empty: the end is never reached."""
        if node is None:
            return before
        if isinstance(node, cst.Else):
            return self._end(node.body, name, before)
        if isinstance(node, cst.If):
            ends = [self._end(part, name, before) for part in (node.body, node.orelse)]
            return None if None in ends else tuple(one for end in ends for one in end or ())
        if isinstance(node, cst.BaseSuite):
            if ends_with_jump(node):
                return ()
            return self._last((part for part in reversed(node.body) if name in self.bound(part)), name, before)
        return None

    def _last(self, binding: Iterable[cst.CSTNode], name: str, before: Fact | None) -> Fact | None:
        last = next(iter(binding), None)
        if last is None:
            return before
        if isinstance(last, cst.If):
            return self._end(last, name, None)
        small = last.body[0] if isinstance(last, cst.SimpleStatementLine) and len(last.body) == 1 else last
        if not isinstance(small, cst.Assign) or name in self.bound(small.value):
            return None
        plain = all(isinstance(item.target, cst.Name) for item in small.targets)
        return (AssignedExpression(small.value, self._types(last)),) if plain else None

    def _types(self, statement: cst.CSTNode) -> dict[str, tuple[str, ...]]:
        """The facts at a statement that are types; nested expressions would grow without bound."""
        _, facts = self.at.get(id(statement), (statement, NO_FACTS))
        types = {name: tuple(one for one in fact if isinstance(one, str)) for name, fact in facts.items()}
        return {name: found for name, found in types.items() if len(found) == len(facts[name])}

    def bound(self, node: cst.CSTNode) -> frozenset[str]:
        """Return the names that a node may bind anywhere in it (an overestimate)."""
        known = self._bound.get(id(node))
        if known is None:
            known = self._bound[id(node)] = (node, frozenset(_bound(node)))
        return known[1]


def _bound(node: cst.CSTNode) -> Iterable[str]:
    """The names that a node may bind. A deletion, and the assignment right before it, does not count."""
    stack = [node]
    while stack:
        inner = stack.pop()
        stack.extend(effective_statements(inner.body) if isinstance(inner, cst.IndentedBlock) else children(inner))
        targets: Sequence[cst.CSTNode | None] = ()
        match inner:
            case cst.AssignTarget() | cst.AugAssign() | cst.AnnAssign() | cst.NamedExpr() | cst.For():
                targets = (inner.target,)
            case cst.CompFor():
                targets = (inner.target,)
            case cst.AsName() | cst.FunctionDef() | cst.ClassDef() | cst.MatchAs() | cst.MatchStar() | cst.Param():
                targets = (inner.name,)
            case cst.TypeAlias():
                targets = (inner.name,)
            case cst.MatchMapping():
                targets = (inner.rest,)
            case cst.Global() | cst.Nonlocal():
                targets = [item.name for item in inner.names]
            case cst.ImportAlias():
                targets = (inner.asname.name if inner.asname else inner.name,)
        for target in targets:
            if target is not None:
                yield from (part.value for part in walk(target) if isinstance(part, cst.Name))


def effective_statements(body: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """Yield the statements of a block without each `t = None` right before `del t`, whose value nothing reads."""
    for index, statement in enumerate(body):
        following = body[index + 1] if index + 1 < len(body) else None
        if not (_nones(statement) and _nones(statement) <= _deleted(following)):
            yield statement


def _nones(line: cst.CSTNode) -> set[str]:
    """The names of a line that only sets them to None."""
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(small, cst.Assign) or not isinstance(small.value, cst.Name) or small.value.value != "None":
        return set()
    names = {item.target.value for item in small.targets if isinstance(item.target, cst.Name)}
    return names if len(names) == len(small.targets) else set()


def _deleted(line: cst.CSTNode | None) -> set[str]:
    """The names that a line deletes."""
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    if not isinstance(small, cst.Del):
        return set()
    parts = [e.value for e in small.target.elements] if isinstance(small.target, cst.Tuple) else [small.target]
    return {part.value for part in parts if isinstance(part, cst.Name)}


def narrowing_test(node: cst.BaseExpression) -> tuple[str, str, bool]:
    """Parse `type(x) is T` or `type(x) is not T`.

    Returns:
        Variable, type, and whether the variable has the type where the test holds; empty names for other expressions.
    """
    found = type_test(node)
    if found is not None:
        return (*found, True)
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        (target,) = node.comparisons
        if isinstance(target.operator, cst.IsNot):
            found = type_test(node.with_changes(comparisons=[target.with_changes(operator=cst.Is())]))
    elif isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        found = type_test(node.expression)
    return ("", "", False) if found is None else (*found, False)
