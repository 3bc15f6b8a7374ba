"""Delete temporaries after their last use, so that they keep no object alive and no scope keeps their names.

This applies with the option `release`, where others see the variables (`rewrite.anf.frozen_scopes`), and in a function
that deletes variables of its own, since it depends on object lifetimes.

`del t` comes directly after the last statement that uses `t`. If that is a condition or a `with`, it comes at the start
of the blocks; if only one block uses `t`, inside that block. If `t` is not definitely assigned (a loop that may not
run, an exception caught by a handler or a `with`), it is bound first:

    t = None
    del t

This never fails and leaves nothing behind. Exceptions: the iterable of a loop and the subject of a `match` live until
the statement ends or is left by `break` or `continue`; what a `return`, a `raise` or a propagating exception leaves
behind is released with the frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from rewrite.analysis.control_flow import insert_before_jumps
from rewrite.analysis.definite_assignment import DefiniteAssignment
from rewrite.syntax import build
from rewrite.syntax.tree import BLOCK_FIELDS, CLAUSES, children

if TYPE_CHECKING:
    from rewrite.anf.lowering_report import LoweringReport

Names = frozenset[str]
NO_NAMES: Names = frozenset()
_LONGEST = 72  # characters of the names deleted by one statement


class TemporaryDeletion:
    """Deletes temporaries of one scope.

    Attributes:
        order: the place of each temporary in the order of creation.
        names: the temporaries.
        report: maps new statements to their origins.
        certainty: the definite assignment of the temporaries.
    """

    def __init__(self, names: Iterable[str], report: LoweringReport) -> None:
        self.order = {name: place for place, name in enumerate(names)}
        self.names = frozenset(self.order)
        self.report = report
        self.certainty = DefiniteAssignment(self.names)
        self._mentions: dict[int, tuple[cst.CSTNode, Names]] = {}  # by id; the entry keeps the node alive

    def block(
        self, body: Sequence[cst.BaseStatement], names: Names, bound: Names = NO_NAMES, outside: Names = NO_NAMES
    ) -> list[cst.BaseStatement]:
        """Delete temporaries in a block after their last use. No name may be used after the block.

        Args:
            body: the statements.
            names: the temporaries to delete.
            bound: the names that are definitely assigned before the block.
            outside: the names that steps before the block use.
        """
        result: list[cst.BaseStatement] = []
        known: Names | None = bound
        for statement, (fresh, last, across) in zip(body, self._spans(body, names, outside), strict=True):
            before = known or NO_NAMES
            known = self.certainty.after(statement, known)
            part = self.last(statement, fresh, last, before, known) if last else [statement]
            part[0] = self.at_jumps(part[0], across, before)
            result += part
            known = None if known is None else known - last
        return result

    def _spans(
        self, body: Sequence[cst.BaseStatement], names: Names, outside: Names
    ) -> Iterator[tuple[Names, Names, Names]]:
        """Yield for each statement the names that begin and end in it, that end in it, and that stay alive after it.

        Only live names are held at a time, so that the cost per statement does not grow with the length of the block.
        """
        ends: dict[str, int] = {}
        for index, statement in enumerate(body):
            ends.update(dict.fromkeys(names & self.mentions(statement), index))
        alive = outside & ends.keys()
        for index, statement in enumerate(body):
            here = names & self.mentions(statement)
            last = frozenset(name for name in here if ends[name] == index)
            fresh, alive = last - alive, (alive | here) - last
            yield fresh, last, alive

    def last(
        self, statement: cst.BaseStatement, fresh: Names, names: Names, before: Names, behind: Names | None
    ) -> list[cst.BaseStatement]:
        """Return the last statement that uses `names`, and the deletions; no statement before uses `fresh`."""
        inner = fresh - self._shared(statement, fresh) if fresh else NO_NAMES
        swallowed = inner & self.mentions(statement.body) if isinstance(statement, cst.With) else NO_NAMES
        new = self.inside(statement, inner) if inner else statement
        rest = names - inner
        if rest and isinstance(statement, (cst.If, cst.With)):
            new = self.at_start(new, rest, before)
            rest = NO_NAMES
        else:
            new = self.at_jumps(new, rest, before)
            rest = NO_NAMES if behind is None else rest  # the code after it is unreachable
        return [new, *self.deletion(rest | swallowed, behind or NO_NAMES, statement)]

    def _shared(self, statement: cst.BaseStatement, names: Names) -> Names:
        """The names that the statement uses outside its blocks, or that a block needs from elsewhere."""
        outside = NO_NAMES.union(*map(self.mentions, _head(statement)))
        return names & outside.union(*(self.certainty.exposed(suite.body) for suite in _suites(statement)))

    def inside(self, node: Any, names: Names) -> Any:
        """Delete names that only the blocks of a statement use, inside those blocks."""
        changes: dict[str, Any] = {}
        for field in BLOCK_FIELDS:
            value = getattr(node, field, None)
            if isinstance(value, (list, tuple)):
                changes[field] = [self.inside(part, names) for part in value]
            elif isinstance(value, cst.If):
                changes[field] = build.else_(self.block([value], names))
            elif isinstance(value, cst.BaseSuite):
                changes[field] = self.suite(value, names)
            elif value is not None:
                changes[field] = self.inside(value, names)
        if isinstance(node, (cst.Try, cst.TryStar)):
            raised = names & self.mentions(node.body)
            changes["handlers"] = [self.first(handler, raised, NO_NAMES, node) for handler in changes["handlers"]]
        return self.rebuilt(node, changes)

    def suite(
        self, node: cst.BaseSuite, names: Names, bound: Names = NO_NAMES, outside: Names = NO_NAMES
    ) -> cst.BaseSuite:
        """Delete temporaries in a block of a statement."""
        if not names & self.mentions(node):
            return node
        assert isinstance(node, cst.IndentedBlock), "a suite on one line has no temporaries"
        return node.with_changes(body=self.block(node.body, names, bound, outside))

    def at_start(self, node: Any, names: Names, bound: Names) -> Any:
        """Delete at the start of each block the names whose last use is the head of an `if` or `with`."""
        changes: dict[str, Any] = {"body": self._begin(node.body, names, bound, node)}
        if isinstance(node, cst.If):
            other = node.orelse
            if isinstance(other, cst.Else):
                changes["orelse"] = other.with_changes(body=self._begin(other.body, names, bound, node))
            else:
                block = build.suite([] if other is None else [other])
                start = self._begin(cst.IndentedBlock([] if other is None else block.body), names, bound, node)
                changes["orelse"] = cst.Else(start)
        return self.rebuilt(node, changes)

    def at_jumps(self, node: Any, names: Names, bound: Names) -> Any:
        """Delete live names before each `break` or `continue` that leaves a statement."""
        return insert_before_jumps(node, partial(self.deletion, names, bound), self.rebuilt) if names else node

    def _begin(self, suite: cst.BaseSuite, names: Names, bound: Names, origin: cst.CSTNode) -> cst.BaseSuite:
        used = names & self.mentions(suite)
        new = self.suite(suite, used, bound & used, used)
        return _preceded(self.deletion(names - used, bound, origin), new)

    def first(self, node: Any, names: Names, bound: Names, origin: cst.CSTNode) -> Any:
        """Delete names at the start of a handler."""
        return node.with_changes(body=_preceded(self.deletion(names, bound, origin), node.body)) if names else node

    def deletion(self, names: Names, bound: Names, origin: cst.CSTNode) -> list[cst.BaseStatement]:
        """Return the statements that delete names; those not in `bound` may have no value."""
        if not names:
            return []
        ordered = sorted(names, key=self.order.__getitem__)
        lines: list[cst.BaseStatement] = []
        for portion in _portions(ordered):
            unsure = [name for name in portion if name not in bound]
            # Directly before its `del`: `rewrite.analysis.symbol_table` then knows that nothing reads the None.
            lines += [build.line(_none(unsure))] if unsure else []
            lines.append(build.line(_del(portion)))
        for line in lines:
            self.report.origins[id(line)] = (line, self.report.origins.get(id(origin), (origin, origin))[1])
        return lines

    def rebuilt(self, node: Any, changes: dict[str, Any]) -> Any:
        """Rebuild a statement with other fields, and record the same origin."""
        new = node.with_changes(**changes)
        self.report.origins[id(new)] = (new, self.report.origins.get(id(node), (node, node))[1])
        return new

    def mentions(self, node: cst.CSTNode) -> Names:
        """Return the temporaries that a node uses; nested functions and classes have temporaries of their own."""
        known = self._mentions.get(id(node))
        if known is None:
            known = self._mentions[id(node)] = (node, self._mentioned(node))
        return known[1]

    def _mentioned(self, node: cst.CSTNode) -> Names:
        if isinstance(node, cst.Name):
            return self.names & {node.value}
        own = isinstance(node, (cst.FunctionDef, cst.ClassDef, cst.Lambda))
        return NO_NAMES.union(*(self.mentions(child) for child in children(node) if not (own and child is node.body)))  # type: ignore[attr-defined]


def _none(names: Sequence[str]) -> cst.Assign:
    return cst.Assign([cst.AssignTarget(cst.Name(name)) for name in names], cst.Name("None"))


def _del(names: Sequence[str]) -> cst.Del:
    elements = [cst.Element(cst.Name(name)) for name in names]
    target: Any = elements[0].value if len(elements) == 1 else cst.Tuple(elements, lpar=(), rpar=())
    return cst.Del(target)


def _portions(names: Sequence[str]) -> Iterator[list[str]]:
    """Group names so that each statement has a readable length."""
    portion: list[str] = []
    for name in names:
        if portion and sum(len(other) + 3 for other in portion) + len(name) > _LONGEST:
            yield portion
            portion = []
        portion.append(name)
    if portion:
        yield portion


def _head(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The parts of a statement without its blocks."""
    has_own_scope = isinstance(node, (cst.FunctionDef, cst.ClassDef))
    for child in children(node):
        if has_own_scope or not isinstance(child, (cst.BaseSuite, cst.If, *CLAUSES)):
            yield child
        elif isinstance(child, CLAUSES):
            yield from _head(child)


def _suites(node: cst.CSTNode) -> Iterator[Any]:
    """The blocks of a statement; an `elif` counts as a block with one statement."""
    for child in children(node):
        if isinstance(child, cst.BaseSuite):
            yield child
        elif isinstance(child, cst.If):
            yield build.suite([child])
        elif isinstance(child, CLAUSES):
            yield from _suites(child)


def _preceded(statements: list[cst.BaseStatement], suite: cst.BaseSuite) -> cst.BaseSuite:
    """The block with statements inserted at its start."""
    if not statements:
        return suite
    if isinstance(suite, cst.IndentedBlock):
        return suite.with_changes(body=[*statements, *suite.body])
    return build.expand_suite(suite, statements)
