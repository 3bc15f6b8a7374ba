"""What becomes of the expressions of a scope: a plan, made before anything of them is written, and writing nothing.

What becomes of an expression is a `Decision`, made once for each node and role (`as_operand`, `inside`; those of
constructs stand in their modules). It says whether steps are needed, what makes statements of the expression, and which
values stay hidden, and why; that much of the report is made here. *Which* values get a step decide the rules of the
recipe. A `Plan` knows the scope, what has a value by now and what is known of types; it has no means of writing, which
the types hold: whoever decides gets a `Plan`, whoever writes a `rewrite.anf.lowering.Lowering`.

In which order the parts of an expression are evaluated stands in `rewrite.analysis.evaluation_order`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

import libcst as cst

from rewrite.analysis.bound_names import BoundNames
from rewrite.analysis.effects import is_memoryview
from rewrite.analysis.evaluation_order import ORDER, Operands, non_operands, operands, operations, type_test
from rewrite.analysis.reflection import NO_REFLECTION, Reflection
from rewrite.analysis.scopes import ModuleScopes, Scope
from rewrite.anf.argument_types import Observed
from rewrite.anf.comments import CommentRestorer
from rewrite.anf.frozen_statements import FrozenStatement
from rewrite.anf.names import ModuleNames, ScopeNames
from rewrite.anf.report import LoweringReport
from rewrite.evidence.facts import NO_KNOWLEDGE, PriorKnowledge

TYPE_TEST = "a type test stays in one piece: operations on strings are guarded by such"


class ClaimRefusal(NamedTuple):
    """The answer of a rule that would spell a value out, but must not: why. It is no claim, so it counts as false."""

    reason: str

    def __bool__(self) -> bool:
        return False


class Rule(Protocol):
    """What the engine asks of an intervention (`rewrite.anf.intervention`)."""

    name: ClassVar[str]
    at_root: ClassVar[bool]
    guards: ClassVar[bool]
    names_conditions: bool

    def concerns(self, kind: type[cst.CSTNode], method: str, /) -> bool: ...
    def claims(self, node: cst.BaseExpression, plan: LoweringPlan, /) -> bool | ClaimRefusal: ...
    def skip_reason(self, node: cst.BaseExpression, plan: LoweringPlan, /) -> str: ...
    def operator_reason(self, node: cst.AugAssign, plan: LoweringPlan, /) -> str: ...
    def forces_control_flow(self, node: cst.BaseExpression, plan: LoweringPlan, /) -> bool: ...
    def expand(self, node: cst.BaseExpression, steps: Any, /) -> cst.BaseExpression: ...


@dataclass
class ModuleContext:
    """One module being rewritten: what all its scopes share.

    staying: statements that stay as they are, by id; report: what was done and left so far.
    """

    interventions: Sequence[Rule]
    scopes: ModuleScopes
    names: ModuleNames
    comments: CommentRestorer
    observed: Observed = field(default_factory=dict)
    reflection: Reflection = NO_REFLECTION
    release: bool = False
    frozen: Mapping[int, FrozenStatement] = field(default_factory=dict)
    report: LoweringReport = field(default_factory=LoweringReport)
    known: PriorKnowledge = NO_KNOWLEDGE
    _concerned: dict[tuple[type[cst.CSTNode], str], tuple[Rule, ...]] = field(default_factory=dict)
    _atoms: dict[type[cst.CSTNode], bool] = field(default_factory=dict)

    def candidates_for(self, node: cst.BaseExpression) -> tuple[Rule, ...]:
        """The interventions that may claim a node of this kind, in their order."""
        key = type(node), _method(node)
        known = self._concerned.get(key)
        if known is None:
            known = self._concerned[key] = tuple(one for one in self.interventions if one.concerns(*key))
        return known

    def is_atom(self, node: cst.BaseExpression) -> bool:
        """Whether nothing can become of a node of this kind: it evaluates no parts, and no intervention may claim it.

        Most expressions are such (names, numbers, texts), and nothing has to be noted of them.
        """
        kind = type(node)
        known = self._atoms.get(kind)
        if known is None:
            known = kind not in ORDER and kind not in CONSTRUCTS and not self.candidates_for(node)
            self._atoms[kind] = known
        return known


def _method(node: cst.BaseExpression) -> str:
    """The method of `str` that a call may be one of; "" for any other node."""
    name = node.func.attr.value if type(node) is cst.Call and type(node.func) is cst.Attribute else ""
    return name if name in _METHODS else ""


_METHODS = frozenset(dir(str))


class HiddenValue(NamedTuple):
    """A hidden value that stays hidden, and why."""

    node: cst.BaseExpression
    reason: str


@dataclass(frozen=True)
class Decision:
    """What becomes of an expression, decided once and before anything of it is written.

    work: whether steps are written for it. opened: whether they make statements of the whole of it; its operation stays
    in its place where they do not. kept: the hidden values in it that stay.
    """

    needs_steps: bool
    becomes_statements: bool = False
    hidden: tuple[HiddenValue, ...] = ()


NO_STEPS = Decision(False)
Decide = Callable[[Any, "LoweringPlan"], Decision]
CONSTRUCTS: dict[type[cst.CSTNode], Decide] = {}  # what is no plain operation; each module registers its own


class LoweringPlan:
    """What is decided in one scope. `bound`: the local names that certainly have a value by now."""

    def __init__(self, module: ModuleContext, scope: Scope, names: ScopeNames) -> None:
        self.module = module
        self.recipe = module.interventions
        self.scopes = module.scopes
        self.report = module.report
        self.names = names
        self.names_conditions = any(intervention.names_conditions for intervention in self.recipe)
        self.shown = module.known.shown
        self.unproven = module.known.unproven
        self.excluded_sites = module.known.excluded
        self.guards = bool(module.observed) or any(intervention.guards for intervention in self.recipe)
        self.scope = scope
        self.function = scope  # where temporaries live, also while a comprehension is being opened
        self.bound = BoundNames()
        self.excluded_types: set[tuple[str, str]] = set()  # (name, type): a guard has shown the name not to hold one
        self.loop_names: set[str] = set()  # variables of the comprehensions being opened
        self.around: cst.CSTNode = cst.Pass()  # the statement being rewritten
        self.following: Sequence[cst.CSTNode] = ()  # the next statements of its block
        self.out: Sequence[cst.BaseStatement] = ()  # those before it, as they are written
        # By id of the node; the node stands with it, so that no other one can get the same id.
        self._claims: dict[int, tuple[cst.CSTNode, Rule | None]] = {}
        self._decisions: dict[tuple[int, Decide], tuple[cst.CSTNode, Decision]] = {}

    def claim(self, node: cst.BaseExpression) -> Rule | None:
        """The intervention that spells this node out, if any does: asked once, and what must stay is reported then."""
        if self.module.is_atom(node):
            return None
        known = self._claims.get(id(node))
        if known is None:
            known = self._claims[id(node)] = (node, self._claimant(node))
            if self.unproven != "guard" and (known[1] is None or not known[1].guards):
                self._leave_unproven(node)
        return known[1]

    def _claimant(self, node: cst.BaseExpression) -> Rule | None:
        for intervention in self.module.candidates_for(node):
            answer = intervention.claims(node, self)
            if answer and not self.excluded_sites.holds(node, intervention.name):
                return intervention
            if isinstance(answer, ClaimRefusal):
                self.report_skipped(node, answer.reason)
        return None

    def _leave_unproven(self, node: cst.BaseExpression) -> None:
        """Report a node that only a type test could make an operation on strings, where none is to be written."""
        reason = next(filter(None, (one.skip_reason(node, self) for one in self.module.candidates_for(node))), "")
        if reason:
            self.report.left[id(node)] = (node, reason)

    def decided(self, node: cst.BaseExpression, decide: Decide) -> Decision:
        """What `decide` says of a node: asked once, and what is kept is reported then."""
        if self.module.is_atom(node):
            return NO_STEPS
        known = self._decisions.get((id(node), decide))
        if known is None:
            known = self._decisions[id(node), decide] = (node, decide(node, self))
            for kept in known[1].hidden:
                self.report_skipped(*kept)
        return known[1]

    def emits(self, node: cst.BaseExpression) -> bool:
        """Whether `Lowering.value(node)` writes steps."""
        return self.decided(node, decide_operand).needs_steps

    def emits_any(self, nodes: Iterable[cst.BaseExpression]) -> bool:
        """Whether any of the nodes needs steps; each one is looked at, so that all that must be left is reported."""
        return max([self.emits(node) for node in nodes], default=False)

    def emits_root(self, node: cst.BaseExpression) -> bool:
        """Whether `Lowering.root(node)` writes steps."""
        claim = self.claim(node)
        return (claim is not None and claim.at_root) or self.emits_inside(node)

    def emits_inside(self, node: cst.BaseExpression) -> bool:
        """Whether a part of the node needs steps."""
        return self.decided(node, decide_parts).needs_steps

    def becomes_statements(self, node: cst.BaseExpression) -> bool:
        """Whether the whole of the node becomes statements; its operation stays in its place where it does not."""
        return self.decided(node, decide_parts).becomes_statements

    def is_guard(self, node: cst.BaseExpression) -> bool:
        """Whether the expression is a type test, by which the recipe guards what it writes."""
        return self.guards and type_test(node) is not None

    def forces_control_flow(self, node: cst.BaseExpression) -> bool:
        """Whether a comprehension or chained comparison becomes control flow although no part needs a step."""
        return any(
            i.forces_control_flow(node, self) and not self.excluded_sites.holds(node, i.name) for i in self.recipe
        )

    def hidden_values(
        self, node: cst.CSTNode, reason: str, *, root: bool = False, scope: Scope | None = None
    ) -> Iterator[HiddenValue]:
        """Every value in `node` that stays hidden; if `root`, its own is shown by its statement."""
        for inner in self.claimed(node, scope):
            claim = self.claim(inner)
            if not (root and inner is node) or (claim is not None and claim.at_root):
                yield HiddenValue(inner, reason)

    def report_hidden(self, node: cst.CSTNode, reason: str, *, root: bool = False) -> None:
        """Report every value in `node` that stays hidden (`keeping`)."""
        for kept in self.hidden_values(node, reason, root=root):
            self.report_skipped(*kept)

    def claimed(self, node: cst.CSTNode, scope: Scope | None = None) -> Iterator[cst.BaseExpression]:
        """The expressions in `node`, itself among them, that an intervention wants to spell out.

        Each one is asked for in the scope that evaluates it: a variable of a comprehension is not that of the function.
        scope: that of `node` (the current one).
        """
        scopes: dict[int, Scope] = {}
        for inner in operations(node):
            around = scopes.get(id(inner), scope or self.scope)
            own = self.scopes.by_node.get(id(inner), around)
            if own is not around:
                scopes |= {id(part): own for other in non_operands(inner) for part in operations(other)}
            before, self.scope = self.scope, around
            claim = self.claim(inner)
            self.scope = before
            if claim is not None:
                yield inner

    def report_skipped(self, node: cst.BaseExpression, reason: str) -> None:
        """Report a value that an intervention would spell out, but for `reason`."""
        self.report.left.setdefault(id(node), (node, reason))


def decide_operand(node: cst.BaseExpression, plan: LoweringPlan) -> Decision:
    """What becomes of an expression whose value its statement does not show."""
    kept: tuple[HiddenValue, ...] = ()
    if is_memoryview(node, plan.scope):
        kept = (HiddenValue(node, "lifetime: while a memoryview is there, its object cannot be resized"),)
    claimed = plan.claim(node) is not None
    return Decision(plan.decided(node, decide_parts).needs_steps or claimed, hidden=kept)


def decide_parts(node: cst.BaseExpression, plan: LoweringPlan) -> Decision:
    """What becomes of the parts of an expression, and whether that makes statements of the whole."""
    parts, work = operands(node), False
    if plan.is_guard(node):
        parts = Operands(parts.expressions, 0, TYPE_TEST)
    kept: list[HiddenValue] = []
    shown = isinstance(node, cst.Yield)  # what is yielded is shown
    for index, part in enumerate(parts.expressions):
        if index < parts.splittable:
            work |= plan.emits_root(part) if shown else plan.emits(part)
        else:
            kept += plan.hidden_values(part, parts.reason)
    decide = CONSTRUCTS.get(type(node))
    own = NO_STEPS if decide is None else decide(node, plan)
    return Decision(work or own.needs_steps, own.needs_steps, (*kept, *own.hidden))
