"""From one expression to steps that are evaluated in exactly the same order: decided first, then written.

What becomes of an expression is a `Decision`, made once for each node and role (`as_operand`, `inside`; those of
constructs stand in their modules) before anything of it is written. It says whether steps are needed, what makes
statements of it, and which values stay hidden, and why.

`Lowering` collects the steps that come before the statement being rewritten. Its methods take an expression of the
original and return what stands for it afterwards: `value` where its value would be hidden (an operand), `root` where
the statement shows it anyway (`short_circuit.condition` where it is only asked for its truth). *Which* values get a
step decide the interventions of the recipe.

The rule that keeps order: before steps for a later operand are written, every earlier operand that is not movable past
them (`rewrite.analysis.effects`) is saved into a temporary.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

import libcst as cst

from rewrite.analysis.bound_names import Bound
from rewrite.analysis.effects import ANYTHING, is_new, keeps_buffer, method_stays, movable
from rewrite.analysis.evaluation_order import Operands, operands, operations, type_test
from rewrite.analysis.exact_types import TYPES, kind, kinds
from rewrite.analysis.reflection import NOTHING_SEEN, Reflection
from rewrite.analysis.scopes import Scope, Scopes
from rewrite.analysis.type_narrowing import Facts
from rewrite.anf.argument_types import Observed
from rewrite.anf.comments import Comments
from rewrite.anf.function_names import only_called
from rewrite.anf.keep import Keep
from rewrite.anf.name_hints import words
from rewrite.anf.names import Names, ScopeNames
from rewrite.anf.report import Report
from rewrite.assumption import PLAIN
from rewrite.evidence.asking import NOTHING_KNOWN, Known, rely
from rewrite.syntax.tree import bare, changed, one_line, starred, substitute, walk

TYPE_TEST = "a type test stays in one piece: operations on strings are guarded by such"
WALKERS = frozenset({"range", "enumerate", "zip", "reversed", "map", "filter", "iter"})


class Rule(Protocol):
    """What the engine asks of an intervention (`rewrite.anf.intervention`)."""

    name: ClassVar[str]
    at_root: ClassVar[bool]
    guards: ClassVar[bool]
    names_conditions: bool

    def claims(self, node: cst.BaseExpression, steps: Lowering, /) -> bool: ...
    def leaves(self, node: cst.BaseExpression, steps: Lowering, /) -> str: ...
    def reports(self, node: cst.AugAssign, steps: Lowering, /) -> None: ...
    def opens(self, node: cst.BaseExpression, steps: Lowering, /) -> bool: ...
    def expand(self, node: cst.BaseExpression, steps: Lowering, /) -> cst.BaseExpression: ...


@dataclass
class Engine(ABC):
    """One module being rewritten: what all its scopes share, and how the parts of the engine ask for each other.

    staying: statements that stay as they are, by id; report: what was done and left so far.
    """

    interventions: Sequence[Rule]
    scopes: Scopes
    names: Names
    comments: Comments
    observed: Observed = field(default_factory=dict)
    reflection: Reflection = NOTHING_SEEN
    release: bool = False
    staying: Mapping[int, Keep] = field(default_factory=dict)
    report: Report = field(default_factory=Report)
    known: Known = NOTHING_KNOWN

    @abstractmethod
    def body(
        self, scope: Scope, statements: Sequence[cst.BaseStatement], names: ScopeNames | None = None
    ) -> list[cst.BaseStatement]:
        """The statements of a scope, rewritten with temporaries of its own."""

    @abstractmethod
    def again(self, statements: Sequence[cst.BaseStatement], steps: Lowering) -> list[cst.BaseStatement]:
        """Statements that a step consists of, rewritten as if they stood in the program."""

    @abstractmethod
    def inside(self, node: cst.FunctionDef | cst.ClassDef) -> cst.BaseSuite:
        """The body of a function or class, rewritten."""


class Kept(NamedTuple):
    """A hidden value that stays hidden, and why."""

    node: cst.BaseExpression
    reason: str


@dataclass(frozen=True)
class Decision:
    """What becomes of an expression, decided once and before anything of it is written.

    work: whether steps are written for it. opened: the construct that makes statements of it; None where its operation
    stays in its place. kept: the hidden values in it that stay.
    """

    work: bool
    opened: Construct | None = None
    kept: tuple[Kept, ...] = ()


@dataclass(frozen=True)
class Construct:
    """How a kind of expression is lowered whose parts are not simply operands.

    decide: whether it becomes statements, and what it keeps. expand: writes them, and gives what stands for the value.
    whole: it looks at its parts itself.
    """

    decide: Callable[[Any, Lowering], Decision]
    expand: Callable[[Any, Lowering], cst.BaseExpression]
    whole: bool = False


CONSTRUCTS: dict[type[cst.CSTNode], Construct] = {}  # by what they are; each module registers its own


def register(construct: Construct, *kinds: type[cst.BaseExpression]) -> None:
    """Lower expressions of these kinds so."""
    CONSTRUCTS.update(dict.fromkeys(kinds, construct))


class Lowering:
    """The steps written so far in one scope. `bound`: the local names that certainly have a value by now."""

    def __init__(self, engine: Engine, scope: Scope, names: ScopeNames) -> None:
        self.engine = engine
        self.recipe = engine.interventions
        self.scopes = engine.scopes
        self.report = engine.report
        self.names = names
        self.names_conditions = any(intervention.names_conditions for intervention in self.recipe)
        self.shown = engine.known.shown
        self.unproven = engine.known.unproven
        self.left_out = engine.known.left_out
        self.guards = bool(engine.observed) or any(intervention.guards for intervention in self.recipe)
        self.scope = scope
        self.function = scope  # where temporaries live, also while a comprehension is being opened
        self.out: list[cst.BaseStatement] = []
        self.bound = Bound()
        self.excluded: set[tuple[str, str]] = set()  # (name, type): a guard has shown the name not to hold one
        self.loop_names: set[str] = set()  # variables of the comprehensions being opened
        self.around: cst.CSTNode = cst.Pass()
        self.following: Sequence[cst.CSTNode] = ()  # the next statements of the block behind the one being rewritten
        self.behind: list[cst.BaseCompoundStatement | cst.SimpleStatementLine] = []  # to be written behind that one
        self.unseen: dict[int, cst.Lambda] = {}  # lambdas whose names nobody can see
        # By id of the node; the node stands with it, so that no other one can get the same id.
        self._claims: dict[int, tuple[cst.CSTNode, Rule | None]] = {}
        self._decisions: dict[tuple[int, Decide], tuple[cst.CSTNode, Decision]] = {}

    # What is decided; nothing is written.

    def claim(self, node: cst.BaseExpression) -> Rule | None:
        """The intervention that spells this node out, if any does."""
        known = self._claims.get(id(node))
        if known is None:
            known = self._claims[id(node)] = (node, next(self._claiming(node), None))
            if self.unproven != "guard" and (known[1] is None or not known[1].guards):
                self._leave_unproven(node)
        return known[1]

    def _leave_unproven(self, node: cst.BaseExpression) -> None:
        """Report a node that only a type test could make an operation on strings, where none is to be written."""
        reason = next(filter(None, (intervention.leaves(node, self) for intervention in self.recipe)), "")
        if reason:
            self.report.left[id(node)] = (node, reason)

    def _claiming(self, node: cst.BaseExpression) -> Iterator[Rule]:
        for intervention in self.recipe:
            if intervention.claims(node, self) and not self.left_out.holds(node, intervention.name):
                yield intervention

    def decided(self, node: cst.BaseExpression, decide: Decide) -> Decision:
        """What `decide` says of a node: asked once, and what is kept is reported then."""
        known = self._decisions.get((id(node), decide))
        if known is None:
            known = self._decisions[id(node), decide] = (node, decide(node, self))
            for kept in known[1].kept:
                self.refuse(*kept)
        return known[1]

    def emits(self, node: cst.BaseExpression) -> bool:
        """Whether `value(node)` writes steps."""
        return self.decided(node, as_operand).work

    def emits_any(self, nodes: Iterable[cst.BaseExpression]) -> bool:
        """Whether any of the nodes needs steps; each one is looked at, so that all that must be left is reported."""
        return max([self.emits(node) for node in nodes], default=False)

    def emits_root(self, node: cst.BaseExpression) -> bool:
        """Whether `root(node)` writes steps."""
        claim = self.claim(node)
        return (claim is not None and claim.at_root) or self.emits_inside(node)

    def emits_inside(self, node: cst.BaseExpression) -> bool:
        """Whether a part of the node needs steps."""
        return self.decided(node, inside).work

    def opened(self, node: cst.BaseExpression) -> Construct | None:
        """What makes statements of the node; None where its operation stays in its place."""
        return self.decided(node, inside).opened

    def is_guard(self, node: cst.BaseExpression) -> bool:
        """Whether the expression is a type test, by which the recipe guards what it writes."""
        return self.guards and type_test(node) is not None

    def opens(self, node: cst.BaseExpression) -> bool:
        return any(i.opens(node, self) and not self.left_out.holds(node, i.name) for i in self.recipe)

    def keeping(self, node: cst.CSTNode, reason: str, *, root: bool = False) -> Iterator[Kept]:
        """Every value in `node` that stays hidden; if `root`, its own is shown by its statement."""
        for inner in self.claimed(node):
            claim = self.claim(inner)
            if not (root and inner is node) or (claim is not None and claim.at_root):
                yield Kept(inner, reason)

    def leave(self, node: cst.CSTNode, reason: str, *, root: bool = False) -> None:
        """Report every value in `node` that stays hidden (`keeping`)."""
        for kept in self.keeping(node, reason, root=root):
            self.refuse(*kept)

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

    def reduce(self, node: cst.BaseExpression) -> cst.BaseExpression:
        """Write the steps for the parts of an expression; the operation itself stays in place."""
        if not self.emits_inside(node):
            return node
        opened = self.opened(node)
        if opened is not None:
            return opened.expand(node, self)
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
                    if not rely(callee_of.func, PLAIN, self):
                        result[id(callee_of.func)] = self.save(method)
                        continue
                    new = self.keep(new, later)
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
        if movable(node, later, self.scope, self.bound) or self._is_method_of_builtin(node):
            return node
        return self.save(node)

    def _is_method_of_builtin(self, node: cst.BaseExpression) -> bool:
        """Whether it is `str.upper` or the like, which cannot change: with calls no name is spent on it."""
        if self.shown is None or not isinstance(node, cst.Attribute) or not isinstance(node.value, cst.Name):
            return False
        owner = TYPES.get(node.value.value) if self.scope.is_builtin(node.value.value) else None
        return owner is not None and hasattr(owner, node.attr.value)

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

    def emit_text(self, text: str) -> None:
        """Write statements given as text."""
        written: Sequence[cst.BaseStatement] = cst.parse_module(text).body
        around = self.around
        if self.names_conditions:
            written = self.engine.again(written, self)
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


Decide = Callable[[cst.BaseExpression, Lowering], Decision]


def as_operand(node: cst.BaseExpression, steps: Lowering) -> Decision:
    """What becomes of an expression whose value its statement does not show."""
    kept: tuple[Kept, ...] = ()
    if keeps_buffer(node, steps.scope):
        kept = (Kept(node, "lifetime: while a memoryview is there, its object cannot be resized"),)
    claimed = steps.claim(node) is not None
    return Decision(steps.decided(node, inside).work or claimed, kept=kept)


def inside(node: cst.BaseExpression, steps: Lowering) -> Decision:
    """What becomes of the parts of an expression, and whether that makes statements of the whole."""
    construct = CONSTRUCTS.get(type(node))
    parts, work = operands(node), False
    unseen = only_called(node, steps.scope) if isinstance(node, cst.Call) else None
    if unseen is not None:
        steps.unseen[id(unseen)] = unseen
    if steps.is_guard(node):
        parts = Operands(parts.expressions, 0, TYPE_TEST)
    if construct is not None and construct.whole:
        parts = Operands((), 0)
    kept: list[Kept] = []
    shown = isinstance(node, cst.Yield)  # what is yielded is shown
    for index, part in enumerate(parts.expressions):
        if index < parts.splittable:
            work |= steps.emits_root(part) if shown else steps.emits(part)
        else:
            kept += steps.keeping(part, parts.reason)
    if construct is None:
        return Decision(work, None, tuple(kept))
    own = construct.decide(node, steps)
    return Decision(work or own.work, construct if own.work else None, (*kept, *own.kept))
