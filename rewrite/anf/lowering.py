"""From a plan to steps that are evaluated in exactly the order of the original.

`Lowering` collects the steps that come before the statement being rewritten. Its methods take an expression of the
original and return what stands for it afterwards: `value` where its value would be hidden (an operand), `root` where
the statement shows it anyway (`short_circuit.condition` where it is only asked for its truth). What gets a step has
been decided by then (`rewrite.anf.plan`).

The rule that keeps order: before steps for a later operand are written, every earlier operand that is not movable past
them (`rewrite.analysis.effects`) is saved into a temporary.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, creates_object, is_method_stable, is_movable
from rewrite.analysis.evaluation_order import operands
from rewrite.analysis.exact_types import TYPES, exact_type, variable_types
from rewrite.analysis.scopes import Scope
from rewrite.analysis.type_narrowing import Facts
from rewrite.anf.name_hints import words
from rewrite.anf.names import ScopeNames
from rewrite.anf.plan import CONSTRUCTS, Decide, LoweringPlan, ModuleContext
from rewrite.evidence.assumptions import PLAIN_LOOKUP
from rewrite.evidence.facts import assume
from rewrite.syntax.tree import as_starred_value, as_step_value, substitute, walk, with_changes, without_parentheses

ITERATOR_BUILTINS = frozenset({"range", "enumerate", "zip", "reversed", "map", "filter", "iter"})
Expand = Callable[[Any, "Lowering"], cst.BaseExpression]
LOWER: dict[type[cst.CSTNode], Expand] = {}  # what is no plain operation; each module registers its own


def register(decide: Decide, expand: Expand, *kinds: type[cst.BaseExpression]) -> None:
    """How kinds of expressions are lowered whose parts are not simply operands.

    decide: whether one becomes statements, and what it keeps. expand: writes them, and gives what stands for the value.
    """
    CONSTRUCTS.update(dict.fromkeys(kinds, decide))
    LOWER.update(dict.fromkeys(kinds, expand))


class ModuleLowering(ModuleContext, ABC):
    """One module being rewritten, and how the parts of the engine ask for each other."""

    @abstractmethod
    def body(
        self, scope: Scope, statements: Sequence[cst.BaseStatement], names: ScopeNames | None = None
    ) -> list[cst.BaseStatement]:
        """The statements of a scope, rewritten with temporaries of its own."""

    @abstractmethod
    def relower(self, statements: Sequence[cst.BaseStatement], steps: Lowering) -> list[cst.BaseStatement]:
        """Statements that a step consists of, rewritten as if they stood in the program."""

    @abstractmethod
    def definition_body(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        """The body of a function or class, rewritten."""


class Lowering(LoweringPlan):
    """The plan of one scope and the steps written for it so far."""

    def __init__(self, engine: ModuleLowering, scope: Scope, names: ScopeNames) -> None:
        super().__init__(engine, scope, names)
        self.engine = engine
        self.out: list[cst.BaseStatement] = []
        self.following_steps: list[cst.BaseCompoundStatement | cst.SimpleStatementLine] = []  # to be written behind it

    def lower_operand(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate an operand now or, if nothing of it is to be shown, where it stands."""
        claim = self.claim(node)
        if claim is None:
            return self.lower_parts(node)
        self.report.applied.append((claim.name, node))
        value = claim.expand(node, self)
        if self.out and isinstance(value, cst.Name) and isinstance(self.out[-1], cst.SimpleStatementLine):
            self.report.steps.setdefault(id(self.out[-1].body[0]), node)
        return value

    def lower_root(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate an expression whose value its statement shows."""
        claim = self.claim(node)
        return self.lower_operand(node) if claim is not None and claim.at_root else self.lower_parts(node)

    def lower_parts(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Write the steps for the parts of an expression; the operation itself stays in place."""
        if not self.emits_inside(node):
            return node
        if self.becomes_statements(node):
            return LOWER[type(node)](node, self)
        if isinstance(node, cst.Await) and isinstance(node.expression, cst.Call):
            return with_changes(node, {"expression": self.lower_parts(node.expression)})
        parts = operands(node)
        shown = parts.expressions if isinstance(node, cst.Yield) else ()
        done = self.lower_in_order(
            parts.expressions[: parts.splittable], shown=shown, callee_of=node, iterated=parts.iterated
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
        """Evaluate operands in order; gives what each one (by id) becomes.

        shown: those whose own value the statement shows, should nothing come after them.
        callee_of: the call whose callee comes first among them.
        iterated: those (by id) that are unpacked with a star before the next one is evaluated.
        """
        roots = {id(e) for e in shown}
        needs = [self.emits_root(e) if id(e) in roots else self.emits(e) for e in expressions]
        last = max((i for i, needed in enumerate(needs) if needed), default=-1)
        result: dict[int, cst.BaseExpression] = {}
        for index in range(last + 1):
            old = expressions[index]
            later = expressions[index + 1 : last + 1]
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
        """Make sure that the value is still the same after the steps for `later`."""
        if is_movable(node, later, self.scope, self.bound) or self._is_method_of_builtin(node):
            return node
        return self.materialize(node)

    def _is_method_of_builtin(self, node: cst.BaseExpression) -> bool:
        """Whether it is `str.upper` or the like, which cannot change: with calls no name is spent on it."""
        if self.shown is None or not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
            return False
        owner = TYPES.get(node.value.value) if self.scope.is_builtin(node.value.value) else None
        return owner is not None and hasattr(owner, node.attr.value)

    def stabilize_object(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The same for a value written more than once: a display or a lambda would be another object each time."""
        kept = self.stabilize(node, [ANY_EFFECT])
        return self.materialize(kept) if creates_object(kept) else kept

    def detach(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression as one that no brackets of another stand round; a scope that it opens stays known."""
        new = without_parentheses(node)
        if id(node) in self.scopes.by_node:
            self.scopes.by_node[id(new)] = self.scopes.of(node)
        return new

    def materialize(self, node: cst.BaseExpression) -> cst.Name:
        """Evaluate `node` now, into a fresh temporary (none is needed for one that is a temporary already)."""
        if isinstance(node, cst.Name) and node.value in self.names.temporaries:
            return node
        name = self.fresh_temporary(exact_type(node, self.scope), node)
        self.assign(name, node)
        return cst.Name(name)

    def fresh_temporary(self, known: str | None = None, called: cst.CSTNode | str = "") -> str:
        """A new temporary, of the proven kind `known` where it is read; `called`: what a readable name is made from."""
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
        """Write a statement, as a step of the one being rewritten."""
        line = cst.SimpleStatementLine([statement]) if isinstance(statement, cst.BaseSmallStatement) else statement
        self.report.origins[id(line)] = (line, self.around)
        self.out.append(line)

    def emit_text(self, text: str, node: cst.BaseExpression | None = None) -> None:
        """Write statements given as text, which spell out a node of the original."""
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
        """Put another version of a statement in the place of one written before."""
        origin = self.report.origins.get(id(self.out[index]), (None, self.around))[1]
        self.report.origins[id(statement)] = (statement, origin)
        self.out[index] = statement

    def loop_source(self, node: cst.BaseExpression, *, ends_early: bool = False) -> cst.BaseExpression:
        """Evaluate what a loop iterates over.

        An iterator that only walks over something (`range`, `enumerate`, …) stays in the loop: its items are shown. So
        does any other call in a loop that a `break` can end: nothing but the loop may hold on to a generator then.
        """
        if isinstance(node, cst.Call):
            callee = node.func.value if isinstance(node.func, cst.Name) else ""
            if callee in ITERATOR_BUILTINS and self.scope.is_builtin(callee) and not self.names_conditions:
                return self.lower_parts(node)
            if ends_early and self.emits(node) and exact_type(node, self.scope) is None:
                self.report_skipped(node, "lifetime: the loop alone may hold its iterable")
                return self.lower_parts(node)
        return self.lower_operand(node)

    @contextmanager
    def with_facts(self, facts: Facts) -> Iterator[None]:
        """Inside, type tests have shown this of variables of the function."""
        before, self.function.facts = self.function.facts, facts
        try:
            yield
        finally:
            self.function.facts = before

    @contextmanager
    def excluding_type(self, test: tuple[str, str] | None) -> Iterator[None]:
        """Inside, the name of a type test that has failed does not hold an object of exactly that type."""
        new = {test} - self.excluded_types if test is not None else set()
        self.excluded_types |= new
        try:
            yield
        finally:
            self.excluded_types -= new

    @contextmanager
    def block(self) -> Iterator[list[cst.BaseStatement]]:
        """Statements written inside go into the list given; what they bind is not certain afterwards."""
        before, self.out = self.out, []
        try:
            with self.bound.block():
                yield self.out
        finally:
            self.out = before
