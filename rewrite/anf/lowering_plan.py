"""The plan of a scope: what becomes of its expressions. That of a statement is made before anything of it is written.

A plan is a set of questions, each answered once for a node (`LoweringPlan.ask`): are steps written for this expression
or for its parts, does it become statements (the modules of constructs answer that). An `Answer` also says which values
stay hidden because of it, and why; these are reported then. The rules of the recipe decide *which* values get a step
(`LoweringPlan.claim`). A `LoweringPlan` knows the scope, the definitely assigned names and the known types, but cannot
write: only a `rewrite.anf.lowering.Lowering` can, and the types enforce that.

`rewrite.analysis.evaluation_order` defines the evaluation order of the parts of an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import libcst as cst

from analyze.operations.catalogue import functions
from analyze.operations.operation import Kind
from rewrite.analysis.bound_names import BoundNames
from rewrite.analysis.effects import is_memoryview
from rewrite.analysis.evaluation_order import ORDER, Operands, non_operands, operands, operations, type_test
from rewrite.analysis.observed_identity import observes_identity
from rewrite.analysis.reflection import NO_REFLECTION, Reflection
from rewrite.analysis.scopes import ModuleScopes, Scope
from rewrite.anf.comments import CommentRestorer
from rewrite.anf.frozen_statements import FrozenStatement
from rewrite.anf.intervention import ClaimRefusal, Intervention, StatementIntervention
from rewrite.anf.lowering_report import LoweringReport
from rewrite.anf.names import ModuleNames, ScopeNames
from rewrite.anf.rewrite_result import NOT_HERE
from rewrite.evidence.facts import NO_KNOWLEDGE, PriorKnowledge

ITERATOR_BUILTINS = functions(lambda one: one.kind is Kind.ITERATE and one.mutates is None) | {"range"}
TYPE_TEST = "a type test stays in one piece, since it guards string operations"


@dataclass
class ModuleContext:
    """What all scopes of the module being rewritten share.

    Attributes:
        interventions: the rules of the recipe for expressions, in order.
        scopes: the symbol table.
        names: names of temporaries.
        comments: restores comments.
        reflection: what the module may see or change without naming it.
        release: whether temporaries are deleted after their last use.
        frozen: statements that must not change, by id.
        report: what was rewritten and skipped so far.
        known: what is known from calls.
        statement_interventions: the rules of the recipe for statements, in order.
    """

    interventions: Sequence[Intervention]
    scopes: ModuleScopes
    names: ModuleNames
    comments: CommentRestorer
    reflection: Reflection = NO_REFLECTION
    release: bool = False
    frozen: Mapping[int, FrozenStatement] = field(default_factory=dict)
    report: LoweringReport = field(default_factory=LoweringReport)
    known: PriorKnowledge = NO_KNOWLEDGE
    statement_interventions: Sequence[StatementIntervention] = ()
    _atoms: dict[type[cst.CSTNode], bool] = field(default_factory=dict)

    def candidates_for(self, node: cst.BaseExpression) -> tuple[Intervention, ...]:
        """Return the interventions that may claim a node of this kind, in order."""
        return tuple(self.interventions[i] for i in _concerned(self._kinds, type(node), _method(node)))

    @cached_property
    def observes_identity(self) -> bool:
        """Whether the module may tell equal values apart by their identity."""
        return observes_identity(self.scopes.module.statements)

    @cached_property
    def _kinds(self) -> tuple[type[Intervention], ...]:
        return tuple(map(type, self.interventions))

    def is_atom(self, node: cst.BaseExpression) -> bool:
        """Whether a node of this kind never needs a step: it has no operands, and no intervention may claim it.

        Most expressions are atoms (names, numbers, strings), so nothing is cached for a single one.
        """
        kind = type(node)
        known = self._atoms.get(kind)
        if known is None:
            known = kind not in ORDER and kind not in BECOMES_STATEMENTS and not self.candidates_for(node)
            self._atoms[kind] = known
        return known


@lru_cache(maxsize=1 << 12)
def _concerned(rules: Sequence[type[Intervention]], kind: type[cst.CSTNode], method: str) -> tuple[int, ...]:
    """Which of the rules may claim a node of a kind. Cached for all programs, since a recipe has hundreds of rules."""
    return tuple(index for index, rule in enumerate(rules) if rule.concerns(kind, method))


def _method(node: cst.BaseExpression) -> str:
    """The name of the `str` method that a call may be; "" for any other node."""
    name = node.func.attr.value if type(node) is cst.Call and type(node.func) is cst.Attribute else ""
    return name if name in _METHODS else ""


_METHODS = frozenset(dir(str))


class HiddenValue(NamedTuple):
    """A value that stays hidden, and why."""

    node: cst.BaseExpression
    reason: str


class Ending(NamedTuple):
    """Statements that end the function if an operand has a value.

    Attributes:
        decisive: the value.
        write: writes the statements.
        is_quiet: whether they do nothing else, so that it does not matter what an iterator does when it is released.
    """

    decisive: bool
    write: Callable[[], None]
    is_quiet: bool = True


@dataclass(frozen=True)
class Answer:
    """The answer to a question about an expression, given before anything of it is written.

    Attributes:
        yes: the answer.
        hidden: the values in the expression that stay hidden because of it.
    """

    yes: bool
    hidden: tuple[HiddenValue, ...] = ()


Question = Callable[[Any, "LoweringPlan"], Answer]
BECOMES_STATEMENTS: dict[type[cst.CSTNode], Question] = {}
"""Whether a construct that is not a plain operation becomes statements, by its class; modules register theirs."""


class LoweringPlan:
    """The answers about one scope.

    Attributes:
        bound: the local names that are definitely assigned at the current statement.
    """

    def __init__(self, module: ModuleContext, scope: Scope, names: ScopeNames) -> None:
        self.module = module
        self.recipe = module.interventions
        self.scopes = module.scopes
        self.report = module.report
        self.names = names
        self.names_conditions = any(intervention.names_conditions for intervention in self.recipe)
        self.condensed = module.known.condensed and not self.names_conditions
        self.shown = module.known.shown
        self.unproven = module.known.unproven
        self.excluded_sites = module.known.excluded
        self.guards = any(intervention.guards for intervention in self.recipe)
        self.scope = scope
        self.function = scope  # owns the temporaries, also while a comprehension is lowered
        self.bound = BoundNames()
        self.excluded_types: set[tuple[str, str]] = set()  # (name, type): a guard for it has failed
        self.loop_names: set[str] = set()  # variables of the comprehensions being lowered
        self.shown_items: set[int] = set()  # ids of operands that the next state shows as the last item of a list
        self.endings: dict[int, Ending] = {}  # by the id of the operand that decides
        self.around: cst.CSTNode = cst.Pass()  # the statement being rewritten
        self.following: Sequence[cst.CSTNode] = ()  # the next statements of its block
        self.out: Sequence[cst.BaseStatement] = ()  # the statements written before it
        # The statements that the block is in, each with those written before it; None for a block that a rewrite made.
        self.enclosing: list[tuple[cst.CSTNode | None, Sequence[cst.BaseStatement]]] = []
        # By the id of the statement that ends the steps for an operand: the statement (which keeps the id taken), the
        # temporary with its value, and the operand.
        self.values: dict[int, tuple[cst.CSTNode, str, cst.BaseExpression]] = {}
        # By node id; the entry keeps the node alive, so that no other node can get the same id.
        self._claims: dict[int, tuple[cst.CSTNode, Intervention | None]] = {}
        self._answers: dict[tuple[int, Question], tuple[cst.CSTNode, Answer]] = {}

    def claim(self, node: cst.BaseExpression) -> Intervention | None:
        """Return the intervention that materializes this node, or None; refusals are reported the first time.

        The first answer stays: a node is asked about when its statement is reached, with what is bound and known there.
        """
        if self.module.is_atom(node):
            return None
        known = self._claims.get(id(node))
        if known is None:
            known = self._claims[id(node)] = (node, self._claimant(node))
            if self.unproven != "guard" and (known[1] is None or not known[1].guards):
                self._leave_unproven(node)
        return known[1]

    def _claimant(self, node: cst.BaseExpression) -> Intervention | None:
        if is_memoryview(node, self.scope):
            return None
        is_left_out = False  # then who left it out knows the reason
        for intervention in self.module.candidates_for(node):
            answer = intervention.claims(node, self)
            if answer and not self.excluded_sites.holds(node, intervention.name):
                return intervention
            is_left_out = is_left_out or bool(answer)
            if isinstance(answer, ClaimRefusal) and not is_left_out:
                self.report_skipped(node, answer.reason)
        return None

    def _leave_unproven(self, node: cst.BaseExpression) -> None:
        """Report a node that only a type test could show to be a string operation, where no test may be written."""
        reason = next(filter(None, (one.skip_reason(node, self) for one in self.module.candidates_for(node))), "")
        if reason:
            self.report.left[id(node)] = (node, reason)

    def ask(self, node: cst.BaseExpression, question: Question) -> bool:
        """Return the answer to a question about a node. It is given once, and hidden values are reported then."""
        if self.module.is_atom(node):
            return False
        known = self._answers.get((id(node), question))
        if known is None:
            known = self._answers[id(node), question] = (node, question(node, self))
            for kept in known[1].hidden:
                self.report_skipped(*kept)
        return known[1].yes

    def emits(self, node: cst.BaseExpression) -> bool:
        """Whether `Lowering.lower_operand(node)` writes steps."""
        return self.ask(node, _is_evaluated_before)

    def stays_in_place(self, node: cst.BaseExpression) -> bool:
        """Whether an expression changes without steps, so that nothing is evaluated earlier than in the original."""
        claim = self.claim(node)
        parts = operands(node).expressions
        if claim is not None:
            return claim.stays_in_place(node) and not self.emits_any(parts)
        changed = (one for one in parts if self.emits(one))
        return not self.becomes_statements(node) and all(map(self.stays_in_place, changed))

    def emits_any(self, nodes: Iterable[cst.BaseExpression]) -> bool:
        """Whether any node needs steps. Every node is asked about, so that all hidden values are reported."""
        return max([self.emits(node) for node in nodes], default=False)

    def emits_root(self, node: cst.BaseExpression) -> bool:
        """Whether `Lowering.lower_root(node)` writes steps."""
        claim = self.claim(node)
        return (claim is not None and claim.at_root) or self.emits_inside(node)

    def emits_inside(self, node: cst.BaseExpression) -> bool:
        """Whether a part of the node needs steps."""
        return self.ask(node, _has_steps_inside)

    def becomes_statements(self, node: cst.BaseExpression) -> bool:
        """Whether the whole node becomes statements; if not, its operation stays in place."""
        question = BECOMES_STATEMENTS.get(type(node))
        return question is not None and self.ask(node, question)

    def is_shown_by_loop(self, node: cst.BaseExpression) -> bool:
        """Whether a loop over a call, such as of `range`, shows its items, so that the call stays in the head."""
        match node:
            case cst.Call(func=cst.Name(value=callee)) if callee in ITERATOR_BUILTINS:
                return self.scope.is_builtin(callee) and not self.names_conditions
        return False

    def shown_operands(self, node: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
        """The operands whose values need no temporary: what is yielded, and the first iterable of a comprehension."""
        match node:
            case cst.Yield():
                return operands(node).expressions
            case cst.BaseComp():
                first = node.for_in.iter
                return [first] if self.is_shown_by_loop(first) else ()
        return ()

    def is_guard(self, node: cst.BaseExpression) -> bool:
        """Whether the expression is a type test with which the recipe guards its output."""
        return self.guards and type_test(node) is not None

    def forces_control_flow(self, node: cst.BaseExpression) -> bool:
        """Whether a comprehension or chained comparison becomes control flow although no part of it needs a step.

        In a condensed rewrite none does: a plan lists every change, and this one has no operation of its own.
        """
        return not self.condensed and any(
            i.forces_control_flow(node, self) and not self.excluded_sites.holds(node, i.name) for i in self.recipe
        )

    def hidden_values(
        self, node: cst.CSTNode, reason: str, *, root: bool = False, scope: Scope | None = None
    ) -> Iterator[HiddenValue]:
        """Yield every value in a node that stays hidden.

        Args:
            node: the node.
            reason: why they stay.
            root: whether the statement shows the node's own value.
            scope: the scope of the node (default: the current one).
        """
        for inner in self.claimed(node, scope):
            claim = self.claim(inner)
            if not (root and inner is node) or (claim is not None and claim.at_root):
                yield HiddenValue(inner, reason)

    def all_hidden_values(self, nodes: Iterable[cst.CSTNode], reason: str) -> tuple[HiddenValue, ...]:
        """Return every value in several nodes that stays hidden (`hidden_values`)."""
        return tuple(kept for node in nodes for kept in self.hidden_values(node, reason))

    def report_hidden(self, node: cst.CSTNode, reason: str, *, root: bool = False) -> None:
        """Report every value in a node that stays hidden (`hidden_values`)."""
        for kept in self.hidden_values(node, reason, root=root):
            self.report_skipped(*kept)

    def claimed(self, node: cst.CSTNode, scope: Scope | None = None) -> Iterator[cst.BaseExpression]:
        """Yield the expressions in a node, itself included, that an intervention wants to materialize.

        Each is asked about in the scope that evaluates it: a variable of a comprehension is not that of the function.

        Args:
            node: the node.
            scope: the scope of the node (default: the current one).
        """
        scopes: dict[int, Scope] = {}
        for inner in operations(node):
            around = scopes.get(id(inner), scope or self.scope)
            own = self.scopes.find(inner) or around
            if own is not around:
                scopes |= {id(part): own for other in non_operands(inner) for part in operations(other)}
            with self.within(around):
                claim = self.claim(inner)
            if claim is not None:
                yield inner

    def is_value_of(self, node: cst.BaseExpression, *kinds: type[cst.Return | cst.Assign | cst.Expr]) -> bool:
        """Whether the statement being rewritten is of these kinds, alone in its line, and its value is this node."""
        match self.around:
            case cst.SimpleStatementLine([cst.Return() | cst.Assign() | cst.Expr() as statement]):
                return isinstance(statement, kinds) and statement.value is node
        return False

    @contextmanager
    def within(self, scope: Scope) -> Iterator[None]:
        """A context for questions about what this scope evaluates, such as a part of a comprehension."""
        before, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = before

    def claims_statement(self, rule: StatementIntervention, node: cst.CSTNode) -> bool:
        """Whether a statement intervention applies to a statement; a refusal is reported."""
        if not isinstance(node, rule.statements) or self.excluded_sites.holds(node, rule.name):
            return False
        answer = rule.claims(node, self)
        if isinstance(answer, ClaimRefusal):
            self.report_skipped(node, answer.reason)
        return bool(answer)

    def report_hidden_statement(self, node: cst.CSTNode, reason: str) -> None:
        """Report a statement that an intervention would rewrite, with the reason why it does not."""
        if any(self.claims_statement(rule, node) for rule in self.module.statement_interventions):
            self.report_skipped(node, reason)

    def report_skipped(self, node: cst.CSTNode, reason: str) -> None:
        """Report a node that an intervention would rewrite, with the reason why it does not: the first one.

        That another recipe would go further gives way to a reason why this one does not.
        """
        known = self.report.left.get(id(node))
        if known is None or known[1].startswith(NOT_HERE):
            self.report.left[id(node)] = (node, reason)


def _is_evaluated_before(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """Whether steps are written for an expression whose value its statement does not show."""
    kept: tuple[HiddenValue, ...] = ()
    if is_memoryview(node, plan.scope):
        kept = (HiddenValue(node, "lifetime: while a memoryview exists, its object cannot be resized"),)
    claimed = plan.claim(node) is not None
    return Answer(plan.emits_inside(node) or claimed, kept)


def _has_steps_inside(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """Whether steps are written for parts of an expression, or for the whole, if it becomes statements."""
    parts, work = operands(node), False
    if plan.is_guard(node):
        parts = Operands(parts.expressions, 0, TYPE_TEST)
    kept: list[HiddenValue] = []
    shown = plan.shown_operands(node)
    for index, part in enumerate(parts.expressions):
        if index < parts.splittable:
            work |= plan.emits_root(part) if part in shown else plan.emits(part)
        else:
            kept += plan.hidden_values(part, parts.reason)
    return Answer(plan.becomes_statements(node) or work, tuple(kept))
