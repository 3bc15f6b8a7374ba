"""Lowering: write the steps of a plan in exactly the evaluation order of the original.

`Lowering` collects the steps that come before the statement being rewritten. Its methods take an expression of the
original and return what replaces it: `lower_operand` if its value would be hidden, `lower_root` if its statement shows
the value anyway, and `condition_lowering.lower_condition` if only its truth is tested. `rewrite.anf.lowering_plan` has
answered by then which expressions get a step.

One rule keeps the order: before steps for a later operand are written, every earlier operand that is not movable past
them (`rewrite.analysis.effects`) is saved into a temporary.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, binds_name, creates_object, is_method_stable, is_movable
from rewrite.analysis.evaluation_order import operands
from rewrite.analysis.exact_types import TYPES, exact_type, variable_types
from rewrite.analysis.scopes import Scope
from rewrite.analysis.type_narrowing import Facts
from rewrite.anf.lowering_plan import BECOMES_STATEMENTS, LoweringPlan, ModuleContext, Question
from rewrite.anf.name_hints import words
from rewrite.anf.names import ScopeNames
from rewrite.evidence.assumptions import PLAIN_LOOKUP
from rewrite.evidence.facts import assume
from rewrite.syntax.tree import as_starred_value, as_step_value, substitute, walk, with_changes, without_parentheses

Expand = Callable[[Any, "Lowering"], cst.BaseExpression]
LOWER: dict[type[cst.CSTNode], Expand] = {}  # constructs that are not plain operations; modules register theirs


def register(becomes_statements: Question, expand: Expand, *kinds: type[cst.BaseExpression]) -> None:
    """Register how some kinds of expressions are lowered whose parts are not simply operands.

    Args:
        becomes_statements: answers whether such an expression becomes statements, and what stays hidden in it.
        expand: writes the statements, and returns what replaces the value.
        *kinds: the node classes.
    """
    BECOMES_STATEMENTS.update(dict.fromkeys(kinds, becomes_statements))
    LOWER.update(dict.fromkeys(kinds, expand))


class ModuleLowering(ModuleContext, ABC):
    """The lowering of one module: what the parts of the engine ask each other for."""

    @abstractmethod
    def body(self, scope: Scope, statements: Sequence[cst.BaseStatement]) -> list[cst.BaseStatement]:
        """Return the statements of a scope, lowered with temporaries of their own."""

    @abstractmethod
    def relower(self, statements: Sequence[cst.BaseStatement], steps: Lowering) -> list[cst.BaseStatement]:
        """Lower the statements of a step as if they were part of the program."""

    @abstractmethod
    def definition_body(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        """Return the lowered body of a function or class."""


class Lowering(LoweringPlan):
    """The plan of one scope, and the steps written for it so far."""

    def __init__(self, engine: ModuleLowering, scope: Scope, names: ScopeNames) -> None:
        super().__init__(engine, scope, names)
        self.engine = engine
        self.out: list[cst.BaseStatement] = []
        self.character_lists: set[str] = set()  # temporaries that hold a list of characters
        self.tables: dict[str, str] = {}  # by a variable with a translation table, the temporary with its characters
        self.replacements: dict[int, cst.BaseSmallStatement] = {}  # by the id of a statement that comes later
        self.following_steps: list[cst.BaseCompoundStatement | cst.SimpleStatementLine] = []  # to write after it

    def lower_operand(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate an operand now, or in place if nothing of it is materialized; return what replaces it."""
        claim = self.claim(node)
        if claim is None:
            return self.lower_parts(node)
        self.report.applied.append((claim.name, node))
        value = claim.expand(node, self)
        if self.out and isinstance(value, cst.Name):
            if isinstance(self.out[-1], cst.SimpleStatementLine):
                self.report.steps.setdefault(id(self.out[-1].body[0]), node)
            if value.value in self.names.temporaries and binds_name(self.out[-1], value.value):
                self.values[id(self.out[-1])] = self.out[-1], value.value, node
        return value

    def lower_root(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate an expression whose value its statement shows; return what replaces it."""
        claim = self.claim(node)
        return self.lower_operand(node) if claim is not None and claim.at_root else self.lower_parts(node)

    def report_branch(self, node: cst.BaseExpression) -> None:
        """Report an operand with a branch of its own, which shows its value as a temporary would.

        Only a condensed rewrite does: without this form of the operand, it leaves out the branch.
        """
        claim = self.claim(node)
        if self.condensed and claim is not None and not claim.at_root:
            self.report.applied.append((claim.name, node))

    def lower_parts(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Write the steps for the parts of an expression; the operation itself stays in place."""
        if not self.emits_inside(node):
            return node
        if self.becomes_statements(node):
            return LOWER[type(node)](node, self)
        if isinstance(node, cst.Await) and isinstance(node.expression, cst.Call):
            return with_changes(node, {"expression": self.lower_parts(node.expression)})
        parts = operands(node)
        done = self.lower_in_order(
            parts.expressions[: parts.splittable],
            shown=self.shown_operands(node),
            callee_of=node,
            iterated=parts.iterated,
        )
        return substitute(node, done)

    def lower_in_order(
        self,
        expressions: Sequence[cst.BaseExpression],
        *,
        shown: Iterable[cst.BaseExpression] = (),
        callee_of: cst.BaseExpression | None = None,
        iterated: Collection[int] = (),
    ) -> dict[int, cst.BaseExpression]:
        """Evaluate operands in order.

        Args:
            expressions: the operands.
            shown: operands whose own value the statement shows if nothing comes after them.
            callee_of: the call whose callee is the first operand.
            iterated: ids of operands that are unpacked with a star before the next one is evaluated.

        Returns:
            The replacement of each changed operand, by its id.
        """
        roots = {id(e) for e in shown}
        needs = [self.emits_root(e) if id(e) in roots else self.emits(e) for e in expressions]
        last = max((i for i, needed in enumerate(needs) if needed), default=-1)
        moved = max((i for i in range(last + 1) if needs[i] and not self.stays_in_place(expressions[i])), default=-1)
        result: dict[int, cst.BaseExpression] = {}
        for index in range(last + 1):
            old = expressions[index]
            later = expressions[index + 1 : moved + 1]
            new = self.lower_root(old) if id(old) in roots else self.lower_operand(old)
            if index == 0 and isinstance(callee_of, cst.Call) and isinstance(callee_of.func, cst.Attribute):
                method = callee_of.func if new is old else with_changes(callee_of.func, {"value": new})
                if later and not is_method_stable(method, later, self.scope, self.bound):
                    if self.shown is None or not assume(callee_of.func, PLAIN_LOOKUP, self):
                        result[id(callee_of.func)] = self.materialize(method)
                        continue
                    new = self.stabilize(new, later)
            elif later and id(old) in iterated:
                # Python iterates over it before it evaluates the next operand.
                new = self.materialize(cst.List([cst.StarredElement(as_starred_value(new))]))
            elif later:
                new = self.stabilize(new, later)
            if new is not old:
                result[id(old)] = new
        return result

    def stabilize(self, node: cst.BaseExpression, later: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
        """Return the node, or a temporary with its value if it could change during the steps for `later`."""
        if is_movable(node, later, self.scope, self.bound) or self._is_method_of_builtin(node):
            return node
        return self.materialize(node)

    def _is_method_of_builtin(self, node: cst.BaseExpression) -> bool:
        """Whether the node is `str.upper` or the like, which cannot change; with calls it needs no temporary."""
        if self.shown is None or not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
            return False
        owner = TYPES.get(node.value.value) if self.scope.is_builtin(node.value.value) else None
        return owner is not None and hasattr(owner, node.attr.value)

    def stabilize_object(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Stabilize a value that is written more than once: a display or lambda creates a new object each time."""
        kept = self.stabilize(node, [ANY_EFFECT])
        return self.materialize(kept) if creates_object(kept) else kept

    def detach(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Return the expression without the brackets around it; a scope that it opens stays known."""
        new = without_parentheses(node)
        self.scopes.adopt(new, self.scopes.find(node))
        return new

    def materialize(self, node: cst.BaseExpression) -> cst.Name:
        """Evaluate a node now, into a new temporary; return it unchanged if it is a temporary already."""
        if isinstance(node, cst.Name) and node.value in self.names.temporaries:
            return node
        name = self.fresh_temporary(exact_type(node, self.scope), node)
        self.assign(name, node)
        return cst.Name(name)

    def fresh_temporary(self, known: str | None = None, called: cst.CSTNode | str = "") -> str:
        """Create a temporary.

        Args:
            known: its proven type, None if unknown.
            called: what a readable name is made from.
        """
        said = "" if not self.names.readable else called if isinstance(called, str) else words(called)
        name = self.names.fresh(said)
        variable_types(self.function)[name] = known
        self.function.bindings[name] = []
        self.bound.add(name)
        return name

    def assign(self, name: str, value: cst.BaseExpression) -> None:
        """Write `name = value`."""
        self.emit(cst.Assign([cst.AssignTarget(cst.Name(name))], as_step_value(value)))

    def emit(self, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement | cst.SimpleStatementLine) -> None:
        """Write a statement as a step of the statement being rewritten."""
        line = cst.SimpleStatementLine([statement]) if isinstance(statement, cst.BaseSmallStatement) else statement
        self.report.origins[id(line)] = (line, self.around)
        self.out.append(line)

    def emit_text(self, text: str, node: cst.BaseExpression | None = None) -> None:
        """Write statements given as source, which replace a node of the original."""
        written: Sequence[cst.BaseStatement] = cst.parse_module(text).body
        around = self.around
        if self.names_conditions:
            written = self.engine.relower(written, self)
            self.around = around
        for statement in written:
            for inner in walk(statement):
                if isinstance(inner, cst.BaseStatement):
                    self.report.origins[id(inner)] = (inner, around)
                    if node is not None:
                        self.report.steps[id(inner)] = node
            self.out.append(statement)

    def replace(self, index: int, statement: cst.BaseStatement) -> None:
        """Replace a statement that was written before; it keeps its origin."""
        before = self.out[index]
        if id(before) in self.values:
            self.values[id(statement)] = statement, *self.values[id(before)][1:]
        origin = self.report.origins.get(id(before), (None, self.around))[1]
        self.report.origins[id(statement)] = (statement, origin)
        self.out[index] = statement

    def loop_source(self, node: cst.BaseExpression, *, ends_early: bool = False) -> cst.BaseExpression:
        """Evaluate the iterable of a loop.

        A call of an iterator builtin (`range`, `enumerate`, …) stays in the loop, since the loop shows its items. Any
        other call stays in a loop that a `break` can end: only the loop may hold a reference to a generator then.
        """
        if self.is_shown_by_loop(node):
            return self.lower_parts(node)
        if ends_early and isinstance(node, cst.Call) and self.emits(node) and exact_type(node, self.scope) is None:
            self.report_skipped(node, "lifetime: only the loop may hold a reference to its iterable")
            return self.lower_parts(node)
        return self.lower_operand(node)

    @contextmanager
    def with_facts(self, facts: Facts) -> Iterator[None]:
        """A context in which type tests have shown these facts about variables of the function."""
        before, self.function.facts = self.function.facts, facts
        try:
            yield
        finally:
            self.function.facts = before

    @contextmanager
    def excluding_type(self, test: tuple[str, str] | None) -> Iterator[None]:
        """A context in which a type test has failed: the variable does not have exactly that type."""
        new = {test} - self.excluded_types if test is not None else set()
        self.excluded_types |= new
        try:
            yield
        finally:
            self.excluded_types -= new

    @contextmanager
    def block(self) -> Iterator[list[cst.BaseStatement]]:
        """A context whose steps go into the list it yields; names bound inside are not certain afterwards."""
        before, self.out = self.out, []
        self.enclosing.append((None, before))
        try:
            with self.bound.block():
                yield self.out
        finally:
            self.out = before
            self.enclosing.pop()
