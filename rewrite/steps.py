"""The engine: turns one expression into steps that are evaluated in exactly the same order.

`Steps` collects the statements that come before the statement being rewritten. Its methods take an expression of the
original program and return what stands for it afterwards: `value` where its value would be hidden (an operand),
`root` where the statement shows it anyway, `test` where it is only asked for its truth. *Which* values get a step
decide the interventions of the recipe; *how* conditional evaluation becomes control flow stands in `rewrite.branches`
and `rewrite.comprehensions`.

The rule that keeps order: before steps for a later operand are written, every earlier operand that is not movable past
them (`rewrite.effects`) is saved into a temporary.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import libcst as cst

from rewrite import branches, build, closures, comprehensions, fstrings
from rewrite.bound import Bound
from rewrite.effects import ANYTHING, is_constant, is_new, keeps_buffer, method_stays, movable
from rewrite.flow import Facts
from rewrite.function_names import only_called
from rewrite.intervention import Intervention
from rewrite.kinds import kind, kinds
from rewrite.names import ScopeNames
from rewrite.operands import Operands, operands, operations, type_test
from rewrite.scopes import Scope
from rewrite.tree import bare, changed, code, one_line, starred, substitute, walk
from rewrite.wording import words

if TYPE_CHECKING:
    from rewrite.definitions import Definitions

TYPE_TEST = "a type test stays in one piece: operations on strings are guarded by such"
WALKERS = frozenset({"range", "enumerate", "zip", "reversed", "map", "filter", "iter"})


class Steps:
    """The steps written so far in one scope. `bound`: the local names that certainly have a value by now."""

    def __init__(self, definitions: Definitions, scope: Scope, names: ScopeNames) -> None:
        self.definitions = definitions
        self.recipe = definitions.interventions
        self.scopes = definitions.scopes
        self.report = definitions.report
        self.names = names
        self.names_conditions = any(intervention.names_conditions for intervention in self.recipe)
        self.guards = bool(definitions.observed) or any(intervention.guards for intervention in self.recipe)
        self.scope = scope
        self.function = scope  # where temporaries live, also while a comprehension is being opened
        self.out: list[cst.BaseStatement] = []
        self.bound = Bound()
        self.excluded: set[tuple[str, str]] = set()  # (name, type): a guard has shown the name not to hold one
        self.loop_names: set[str] = set()  # variables of the comprehensions being opened
        self.around: cst.CSTNode = cst.Pass()
        self.unseen: dict[int, cst.Lambda] = {}  # lambdas whose names nobody can see
        # By id of the node; the node stands with it, so that no other one can get the same id.
        self._claims: dict[int, tuple[cst.CSTNode, Intervention | None]] = {}
        self._emits: dict[int, tuple[cst.CSTNode, bool]] = {}
        self._inside: dict[int, tuple[cst.CSTNode, bool]] = {}
        self.truths: dict[int, tuple[cst.CSTNode, bool]] = {}  # of `branches`
        self.longs: dict[int, tuple[cst.CSTNode, bool]] = {}

    # What needs steps, without writing any.

    def claim(self, node: cst.BaseExpression) -> Intervention | None:
        """The intervention that spells this node out, if any does."""
        known = self._claims.get(id(node))
        if known is None:
            known = self._claims[id(node)] = (node, next((i for i in self.recipe if i.claims(node, self)), None))
        return known[1]

    def emits(self, node: cst.BaseExpression) -> bool:
        """Whether `value(node)` writes steps."""
        known = self._emits.get(id(node))
        if known is None:
            if keeps_buffer(node, self.scope):
                self.refuse(node, "lifetime: while a memoryview is there, its object cannot be resized")
            known = self._emits[id(node)] = (node, self.claim(node) is not None)
            if self.emits_inside(node):
                known = self._emits[id(node)] = (node, True)
        return known[1]

    def emits_any(self, nodes: Iterable[cst.BaseExpression]) -> bool:
        """Whether any of the nodes needs steps; each one is looked at, so that all that must be left is reported."""
        return max([self.emits(node) for node in nodes], default=False)

    def emits_root(self, node: cst.BaseExpression) -> bool:
        """Whether `root(node)` writes steps."""
        claim = self.claim(node)
        return (claim is not None and claim.at_root) or self.emits_inside(node)

    def emits_inside(self, node: cst.BaseExpression) -> bool:
        """Whether a part of the node needs steps; what cannot have them is reported on the way."""
        known = self._inside.get(id(node))
        if known is None:
            parts, needed = operands(node), False
            unseen = only_called(node, self.scope) if isinstance(node, cst.Call) else None
            if unseen is not None:
                self.unseen[id(unseen)] = unseen
            if self.is_guard(node):
                parts = Operands(parts.expressions, 0, TYPE_TEST)
            if isinstance(node, (cst.FormattedString, cst.ConcatenatedString)):
                parts, needed = Operands((), 0), fstrings.needs(node, self)
            shown = isinstance(node, cst.Yield)  # what is yielded is shown
            for index, part in enumerate(parts.expressions):
                if index < parts.splittable:
                    needed |= self.emits_root(part) if shown else self.emits(part)
                else:
                    self.leave(part, parts.reason)
            needed |= branches.needs(node, self) or comprehensions.needs(node, self) or closures.needs(node, self)
            known = self._inside[id(node)] = (node, needed)
        return known[1]

    def is_guard(self, node: cst.BaseExpression) -> bool:
        """Whether the expression is a type test, by which the recipe guards what it writes."""
        return self.guards and type_test(node) is not None

    def opens(self, node: cst.BaseExpression) -> bool:
        return any(intervention.opens(node, self) for intervention in self.recipe)

    def leave(self, node: cst.CSTNode, reason: str, *, root: bool = False) -> None:
        """Report every value in `node` that stays hidden; if `root`, its own is shown by its statement."""
        for inner in self.claimed(node):
            claim = self.claim(inner)
            if not (root and inner is node) or (claim is not None and claim.at_root):
                self.refuse(inner, reason)

    def claimed(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        """The expressions in `node`, itself among them, that an intervention wants to spell out."""
        for inner in operations(node):
            if self.claim(inner) is not None:
                yield inner

    def refuse(self, node: cst.BaseExpression, reason: str) -> None:
        """Report a value that an intervention would spell out, but for `reason`."""
        self.report.left.setdefault(id(node), (node, reason))

    # Writing steps.

    def value(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate an operand now or, if nothing of it is to be shown, where it stands."""
        claim = self.claim(node)
        if claim is None:
            return self.reduce(node)
        self.report.applied.append((claim.name, node))
        value = claim.expand(node, self)
        if self.out and isinstance(value, cst.Name) and isinstance(self.out[-1], cst.SimpleStatementLine):
            self.report.steps.setdefault(id(self.out[-1].body[0]), node)
        return value

    def root(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate an expression whose value its statement shows."""
        claim = self.claim(node)
        return self.value(node) if claim is not None and claim.at_root else self.reduce(node)

    def test(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Evaluate a condition; whoever gets it asks for its truth exactly once, next, as an `if` does."""
        if branches.is_not(node) and self._tested_apart(node):
            return self._tested_not(node)  # type: ignore[arg-type]
        if self.names_conditions and not branches.is_compound(node) and not self.is_guard(node):
            return self.value(node)
        if branches.is_lazy(node):
            return branches.truth(node, self) if branches.opens(node, self) else self.reduce(node)
        if branches.is_compound(node) and self.emits(node):
            return branches.chosen(node, self)  # type: ignore[arg-type]
        return self.root(node) if isinstance(node, cst.Comparison) else self.value(node)

    def emits_test(self, node: cst.BaseExpression) -> bool:
        """Whether `test(node)` writes steps."""
        if branches.is_not(node) and self._tested_apart(node):
            named = self.names_conditions and self.claim(node) is not None
            return self.emits_test(node.expression) or named  # type: ignore[attr-defined]
        if self.names_conditions and not branches.is_compound(node) and not self.is_guard(node):
            return self.emits(node)
        if branches.is_lazy(node):
            return branches.opens(node, self) or self.emits_inside(node)
        return self.emits_root(node) if isinstance(node, cst.Comparison) else self.emits(node)

    def _tested_apart(self, node: cst.BaseExpression) -> bool:
        """Whether the operand of a `not` is a condition of its own."""
        return not self.names_conditions or branches.is_compound(node)

    def _tested_not(self, node: cst.UnaryOperation) -> cst.BaseExpression:
        inner = self.test(node.expression)
        claim = self.claim(node) if self.names_conditions else None
        if claim is None:
            return node if inner is node.expression else changed(node, {"expression": inner})
        self.report.applied.append((claim.name, node))
        return self.save(build.not_(branches.asked_once(inner, self)))

    def negated(self, test: cst.BaseExpression) -> cst.BaseExpression:
        """The negation of a condition, where one has to be written."""
        if not self.names_conditions:
            return build.not_(test)
        once = branches.asked_once(test, self)
        return self.save(build.not_(once if is_constant(once) else self.save(once)))

    def reduce(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Write the steps for the parts of an expression; the operation itself stays in place."""
        if not self.emits_inside(node):
            return node
        if branches.needs(node, self):
            return branches.expand(node, self)
        if comprehensions.needs(node, self):
            return comprehensions.expand(node, self)
        if closures.needs(node, self):
            return closures.expand(node, self)
        if isinstance(node, (cst.FormattedString, cst.ConcatenatedString)):
            return fstrings.expand(node, self)
        if isinstance(node, cst.Await) and isinstance(node.expression, cst.Call):
            return changed(node, {"expression": self.reduce(node.expression)})
        parts = operands(node)
        shown = parts.expressions if isinstance(node, cst.Yield) else ()
        done = self.ordered(parts.expressions[: parts.splittable], shown=shown, callee_of=node, iterated=parts.iterated)
        return substitute(node, done)

    def ordered(
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
            new = self.root(old) if id(old) in roots else self.value(old)
            if index == 0 and isinstance(callee_of, cst.Call) and isinstance(callee_of.func, cst.Attribute):
                method = callee_of.func if new is old else changed(callee_of.func, {"value": new})
                if later and not method_stays(method, later, self.scope, self.bound):
                    result[id(callee_of.func)] = self.save(method)
                    continue
            elif later and id(old) in iterated:
                # Python iterates over it before it evaluates the next operand.
                new = self.save(cst.List([cst.StarredElement(starred(new))]))
            elif later:
                new = self.keep(new, later)
            if new is not old:
                result[id(old)] = new
        return result

    def keep(self, node: cst.BaseExpression, later: Sequence[cst.BaseExpression]) -> cst.BaseExpression:
        """Make sure that the value is still the same after the steps for `later`."""
        return node if movable(node, later, self.scope, self.bound) else self.save(node)

    def keep_one(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The same for a value written more than once: a display or a lambda would be another object each time."""
        kept = self.keep(node, [ANYTHING])
        return self.save(kept) if is_new(kept) else kept

    def alone(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """The expression as one that no brackets of another stand round; a scope that it opens stays known."""
        new = bare(node)
        if id(node) in self.scopes.by_node:
            self.scopes.by_node[id(new)] = self.scopes.of(node)
        return new

    def save(self, node: cst.BaseExpression) -> cst.Name:
        """Evaluate `node` now, into a fresh temporary (none is needed for one that is a temporary already)."""
        if isinstance(node, cst.Name) and node.value in self.names.given:
            return node
        name = self.fresh(kind(node, self.scope), node)
        self.assign(name, node)
        return cst.Name(name)

    def fresh(self, known: str | None = None, called: cst.CSTNode | str = "") -> str:
        """A new temporary, of the proven kind `known` where it is read; `called`: what a readable name is made from."""
        said = "" if not self.names.readable else called if isinstance(called, str) else words(called)
        name = self.names.fresh(said)
        kinds(self.function)[name] = known
        self.function.bindings[name] = []
        self.bound.add(name)
        return name

    def assign(self, name: str, value: cst.BaseExpression) -> None:
        self.emit(cst.Assign([cst.AssignTarget(cst.Name(name))], bare(one_line(value))))

    def emit(self, statement: cst.BaseSmallStatement | cst.BaseCompoundStatement | cst.SimpleStatementLine) -> None:
        line = cst.SimpleStatementLine([statement]) if isinstance(statement, cst.BaseSmallStatement) else statement
        self.report.origins[id(line)] = (line, self.around)
        self.out.append(line)

    def emit_text(self, template: str, /, **parts: cst.BaseExpression | str) -> None:
        """Write statements given as text; `{name}` stands for one of `parts`, which are atoms."""
        filled = template.format_map(
            {name: part if isinstance(part, str) else code(part) for name, part in parts.items()}
        )
        written: Sequence[cst.BaseStatement] = cst.parse_module(filled).body
        around = self.around
        if self.names_conditions:
            written = self.definitions.again(written, self)
            self.around = around
        for statement in written:
            for inner in walk(statement):
                if isinstance(inner, cst.BaseStatement):
                    self.report.origins[id(inner)] = (inner, around)
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
            if callee in WALKERS and self.scope.is_builtin(callee) and not self.names_conditions:
                return self.reduce(node)
            if ends_early and self.emits(node) and kind(node, self.scope) is None:
                self.refuse(node, "lifetime: the loop alone may hold its iterable")
                return self.reduce(node)
        return self.value(node)

    @contextmanager
    def knowing(self, facts: Facts) -> Iterator[None]:
        """Inside, type tests have shown this of variables of the function."""
        before, self.function.facts = self.function.facts, facts
        try:
            yield
        finally:
            self.function.facts = before

    @contextmanager
    def knowing_not(self, test: tuple[str, str] | None) -> Iterator[None]:
        """Inside, the name of a type test that has failed does not hold an object of exactly that type."""
        new = {test} - self.excluded if test is not None else set()
        self.excluded |= new
        try:
            yield
        finally:
            self.excluded -= new

    @contextmanager
    def block(self) -> Iterator[list[cst.BaseStatement]]:
        """Statements written inside go into the list given; what they bind is not certain afterwards."""
        before, self.out = self.out, []
        try:
            with self.bound.block():
                yield self.out
        finally:
            self.out = before
