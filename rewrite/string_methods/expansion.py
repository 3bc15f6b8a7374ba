"""Interventions on string operations: each replaces an operation by a reference implementation.

One class is generated for each reference implementation. Proven and assumed preconditions need no guard. Otherwise, a
guard tests exact types and other preconditions first and has the original operation in its else branch, so that other
types, including subclasses of `str`, behave as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

import libcst as cst

from analyze.operations.catalogue import methods
from analyze.operations.operation import Kind
from rewrite.analysis.effects import is_movable
from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.imported_modules import may_be_module
from rewrite.analysis.scopes import BUILTINS
from rewrite.analysis.statement_heads import range_arguments
from rewrite.anf.condition_lowering import lower_condition
from rewrite.anf.intervention import ClaimRefusal, Intervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import NOT_PROVEN, assume, choose_strategy, is_known
from rewrite.string_methods.character_lists import share_characters
from rewrite.string_methods.concatenations import is_concatenation, list_concatenation
from rewrite.string_methods.discharge import ArgumentGuard, record_assumptions, required_guard
from rewrite.string_methods.guards import atom, atoms, guard, is_atom, is_character, is_short, shadowed_builtin
from rewrite.string_methods.idioms.translating import BY_PAIRS
from rewrite.string_methods.inline import inline_reference, reference_body
from rewrite.string_methods.operation_sites import OperationSite, match_site, may_match_site
from rewrite.string_methods.outlining import can_outline, outlined_call
from rewrite.string_methods.reference import (
    CALLED_BUILTINS,
    ELEMENTS,
    RECIPES,
    ReferenceImplementation,
    references,
)
from rewrite.syntax import build
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value
from rewrite.syntax.tree import code, walk

Test = tuple[cst.BaseExpression, ArgumentGuard]
_ONCE = (cst.Lambda, cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp, cst.NamedExpr)
_NAME = re.compile(r"[A-Za-z_]+")
_OF_OTHERS = ("join",)  # methods that mainly operate on an argument
_TRIMS = methods("str", lambda one: one.kind is Kind.TRIM)
_MAY_BE_ITSELF = methods("str", lambda one: one.kind is Kind.SPLIT) | {"part", "slice"}
"""Operations whose result may be the string itself or contain it, where the implementation makes an equal string."""
IDENTITY = "the module may tell its result from the string itself: it compares objects by identity"
OUTSIDE = "outside functions: a second rewrite could not distinguish the list of characters from a string"
_FIRST = 20  # position in a recipe: before the temporaries
_IDIOMS_FIRST = 10


class StringOperationIntervention(Intervention):
    """Replaces a string operation by a reference implementation. Subclasses set `reference`."""

    guards = True
    reference: ClassVar[ReferenceImplementation]

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return may_match_site(kind, method, cls.reference)

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        site = match_site(node, self.reference)
        guards = self.guarded(site, plan) if site is not None else None
        if site is None or guards is None or self._is_idle(site, plan):
            return False
        if self.reference.method in _MAY_BE_ITSELF and plan.module.observes_identity:
            return ClaimRefusal(IDENTITY)
        shadowed = shadowed_builtin(self.needed(guards), plan)
        if shadowed is None and reference_body(self.reference).looks and plan.function.kind in ("module", "class"):
            return ClaimRefusal(OUTSIDE)
        return True if shadowed is None else shadowed

    def skip_reason(self, node: cst.BaseExpression, plan: LoweringPlan) -> str:
        """The reason why an operation is unchanged that would need a guard, if guards are not allowed here; else ""."""
        site = match_site(node, self.reference)
        if site is None or self.guarded(site, plan) is not None:
            return ""
        for parameter, wanted in self.reference.requirements.items():
            part = site.part(parameter)
            if wanted.type and choose_strategy(part, wanted.type, plan) == "skip":
                return ""
        before, plan.unproven = plan.unproven, "guard"
        try:
            return NOT_PROVEN if self.guarded(site, plan) and not self._is_idle(site, plan) else ""
        finally:
            plan.unproven = before

    def guarded(self, site: OperationSite, plan: LoweringPlan) -> list[tuple[int, ArgumentGuard]] | None:
        """The guards that the operands need, by index; None if the reference implementation does not apply."""
        found: list[tuple[int, ArgumentGuard]] = []
        for parameter, wanted in self.reference.requirements.items():
            asked = required_guard(site.part(parameter), wanted, plan)
            if asked is None:
                return None
            place = site.bound[parameter]
            if asked and isinstance(place, int):
                found.append((place, asked))
        known = [place for place in range(len(site.parts)) if place not in dict(found)]
        if len(known) == 0 and not isinstance(site.node, cst.Call):
            return None  # both operands are unknown: they may not be strings
        return found

    def needed(self, guards: Sequence[tuple[int, ArgumentGuard]]) -> set[str]:
        """The builtins that the generated code uses."""
        asked = {asked.type for _, asked in guards if asked.type}
        tests = [one.test for _, asked in guards for one in asked.preconditions]
        found = {name for test in tests for name in _NAME.findall(test)}
        return {
            *reference_body(self.reference).builtins,
            *asked,
            *(found & BUILTINS),
            *(["type", "str"] if guards else []),
        }

    def _is_idle(self, site: OperationSite, plan: LoweringPlan) -> bool:
        """Whether a replacement is pointless: the string has at most one character, or the receiver may be a module."""
        text = site.parts[site.receiver]
        if isinstance(site.node, cst.Call) and exact_type(text, plan.scope) is None and may_be_module(text, plan.scope):
            return True
        if self.reference.method in _OF_OTHERS or (self.reference.is_idiom and self.reference.method == "replace"):
            return False  # a model may lose the only character of a string that it replaces nothing in
        if self.reference.is_idiom and self.reference.method in _TRIMS and _is_behind_test(text, plan):
            return True
        return is_short(text, plan) or (self.reference.recipes == RECIPES and is_character(text, plan))

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        site = match_site(node, self.reference)
        assert site is not None
        guards = self.guarded(site, steps)
        assert guards is not None
        for parameter, wanted in self.reference.requirements.items():
            record_assumptions(site.part(parameter), wanted, steps)
        first = self._first_operand(site, steps)
        certain = not guards or guards[0][0] != 0 or not guards[0][1].type
        result = steps.fresh_temporary(self.reference.result_kind if not guards else None, node)
        method: cst.BaseExpression | None = None
        rest = site.parts[1:]
        if not certain and isinstance(node, cst.Call) and not all(map(is_atom, rest)):
            method = cst.Attribute(build.clone(first), node.func.attr)  # type: ignore[attr-defined]
            if not any(isinstance(inner, _ONCE) for part in rest for inner in walk(part)):
                self._evaluated_twice(site, result, first, guards, method, steps)
                return cst.Name(result)
            # The arguments can occur only once: bind the method before them, as Python does.
            method = steps.materialize(method)
        values = [first, *self._other_operands(site, steps)]
        self._checked(site, result, values, guards, method, steps)
        return cst.Name(result)

    def _first_operand(self, site: OperationSite, steps: Lowering) -> cst.BaseExpression:
        return atom(steps.lower_operand(site.parts[0]), steps, site.parts[1:])

    def _other_operands(self, site: OperationSite, steps: Lowering) -> list[cst.BaseExpression]:
        return atoms(site.parts[1:], steps)

    def _evaluated_twice(
        self,
        site: OperationSite,
        result: str,
        first: cst.BaseExpression,
        guards: Sequence[tuple[int, ArgumentGuard]],
        method: cst.BaseExpression,
        steps: Lowering,
    ) -> None:
        """Guard the receiver before the arguments are evaluated; both branches evaluate them."""
        node = site.node
        (_, asked), *more = guards
        later = ArgumentGuard("", asked.preconditions)
        more = [(0, later), *more] if later else list(more)
        guard(
            [(first, asked.type)],
            lambda: self._checked(site, result, [first, *atoms(site.parts[1:], steps)], more, None, steps),
            lambda: steps.assign(result, steps.lower_parts(build.clone(node.with_changes(func=method)))),
            steps,
        )

    def _checked(
        self,
        site: OperationSite,
        result: str,
        values: Sequence[cst.BaseExpression],
        guards: Sequence[tuple[int, ArgumentGuard]],
        method: cst.BaseExpression | None,
        steps: Lowering,
    ) -> None:
        """Emit the guarded reference implementation, with the original operation in the else branch."""
        types = [(values[place], asked.type) for place, asked in guards if asked.type]
        tests = [(values[place], one.test) for place, asked in guards for one in asked.preconditions]

        def then() -> None:
            self._tested(tests, lambda: self._spell(site, result, values, bool(guards), steps), other, steps)

        def other() -> None:
            steps.assign(result, site.on_str(values))

        guard(types, then, lambda: steps.assign(result, site.again(values, method)), steps)

    def _tested(
        self,
        tests: Sequence[tuple[cst.BaseExpression, str]],
        then: Callable[[], None],
        otherwise: Callable[[], None],
        steps: Lowering,
    ) -> None:
        if not tests:
            then()
            return
        (value, test), *rest = tests
        with steps.block() as right:
            self._tested(rest, then, otherwise, steps)
        with steps.block() as wrong:
            otherwise()
        steps.emit(
            build.if_(lower_condition(cst.parse_expression(test.format(value=code(value))), steps), right, wrong)
        )

    def _spell(
        self, site: OperationSite, result: str, values: Sequence[cst.BaseExpression], guarded: bool, steps: Lowering
    ) -> None:
        given = {
            parameter: code(values[place]) if isinstance(place, int) else place
            for parameter, place in site.bound.items()
        }
        reference, given = self._variant(given, steps)
        if not guarded and steps.module.known.outlined.holds(site.node, self.name) and can_outline(steps):
            steps.assign(result, outlined_call(reference, given, site.node, steps))
            steps.report.steps[id(steps.out[-1])] = site.node
            return
        variables = reference_body(reference).variables
        name = lambda variable: steps.fresh_temporary(variables[variable], variable)  # noqa: E731
        # Without calls, a second rewrite cannot prove that a value built in a loop is a string.
        unbound = guarded or steps.unproven == "guard" or steps.function.kind != "function"
        self._write(inline_reference(reference, given, result, name, unbound=unbound), result, site, steps)

    def _variant(self, given: dict[str, str], steps: Lowering) -> tuple[ReferenceImplementation, dict[str, str]]:
        """The implementation to write, and its arguments: a table that the rewrite made of pairs has no codes."""
        pairs = steps.tables.get(given.get("table", ""))
        if pairs is None:
            return self.reference, given
        return BY_PAIRS[self.reference.recipes], {**given, "table": pairs}

    def _write(self, text: str, result: str, site: OperationSite, steps: Lowering) -> None:
        steps.emit_text(text, site.node)


class IdiomIntervention(StringOperationIntervention):
    """Replaces a string operation by an idiom, where every requirement is proven or every call shows it."""

    guards = False
    kind = "idioms"

    @property
    def joins(self) -> bool:
        """Whether the last step joins the characters of a list or of a part of it."""
        return reference_body(self.reference).joins

    def guarded(self, site: OperationSite, plan: LoweringPlan) -> list[tuple[int, ArgumentGuard]] | None:
        found = super().guarded(site, plan)
        if self.reference.method in ("in", "not in") and literal_value(site.parts[site.receiver]) is not NOT_LITERAL:
            return None  # the source shows the characters
        wanted = [one.fact for one in self.reference.shown_result]
        shown = all(is_known(site.node, fact, plan) for fact in wanted)
        function = CALLED_BUILTINS.get(self.reference.method)
        hidden = function is not None and not plan.scope.is_builtin(function)
        return None if found or hidden or not shown else found

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        # The test of a loop would make the list again in each round.
        again = isinstance(plan.around, cst.While) and self.reference.recipes != ELEMENTS
        return not again and super().claims(node, plan)

    def skip_reason(self, node: cst.BaseExpression, plan: LoweringPlan) -> str:
        return ""

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        for one in self.reference.shown_result:
            assume(node, one.fact, steps)
        return super().expand(node, steps)

    def _first_operand(self, site: OperationSite, steps: Lowering) -> cst.BaseExpression:
        listed = reference_body(self.reference).listed
        if site.receiver == 0 and site.bound.get(listed) == 0 and is_concatenation(site.parts[0], steps):
            return list_concatenation(site.parts[0], steps)
        return super()._first_operand(site, steps)

    def _other_operands(self, site: OperationSite, steps: Lowering) -> list[cst.BaseExpression]:
        rest = site.parts[1:]
        once = {site.bound[name] for name in reference_body(self.reference).once}
        places = [place for place in range(1, len(site.parts)) if place in once]
        kept = {id(site.parts[place]) for place in places if _is_counted(site.parts[place], rest, steps)}
        lowered = iter(atoms([one for one in rest if id(one) not in kept], steps))
        return [one if id(one) in kept else next(lowered) for one in rest]

    def _write(self, text: str, result: str, site: OperationSite, steps: Lowering) -> None:
        steps.emit_text(share_characters(text, result, steps), site.node)

    def _is_idle(self, site: OperationSite, plan: LoweringPlan) -> bool:
        if self.reference.recipes == ELEMENTS:
            return is_short(site.parts[site.receiver], plan) and self.reference.method != "replace"
        bounds = range_arguments(plan.around) if self.reference.method == "len" else ()
        if any(site.node is one for bound in bounds for one in walk(bound)):
            return True  # the rounds of the loop show the length
        return super()._is_idle(site, plan) or (self.reference.method == "part" and _cuts_one(site))


def _is_counted(node: cst.BaseExpression, operands: Sequence[cst.BaseExpression], steps: Lowering) -> bool:
    """Whether an operand is `i + 1` or the like, of a number that no operand changes, and gets no step of its own."""
    match node:
        case cst.BinaryOperation(cst.Name() as number, cst.Add() | cst.Subtract(), cst.Integer()):
            steady = is_movable(number, operands, steps.scope, steps.bound)
            return steady and steps.claim(node) is None and assume(number, exactly("int"), steps)
    return False


def _is_behind_test(text: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether an `if` looks at the ends of a string first, as in `if s[0].isspace():` with `s = s.strip()` alone in it.

    The intervention `nothing_stripped` writes this, so that a second rewrite must leave it.
    """
    around = plan.enclosing[-1][0] if plan.enclosing else None
    if not (isinstance(text, cst.Name) and isinstance(around, cst.If) and around.orelse is None):
        return False
    name, alone = text.value, len(around.body.body) == 1
    return alone and f"{name}[" in code(around.test) and code(plan.around).lstrip().startswith(f"{name} = {name}.")


def _cuts_one(site: OperationSite) -> bool:
    """Whether a slice cuts off one character at an end, as the idioms themselves do, or nothing."""
    bounds = [literal_value(part) for part in site.parts[1:]]
    return not bounds or (len(bounds) == 1 and bounds[0] in (1, -1, 0))


@cache
def interventions() -> tuple[type[StringOperationIntervention], ...]:
    """One intervention class for each reference implementation, in the order in which they are tried."""
    forms = [form for known in references().values() for form in known]
    forms.sort(key=lambda form: form.recipes == ELEMENTS)  # the places of the others do not depend on them
    return tuple(
        _intervention_class(form, (_IDIOMS_FIRST if form.is_idiom else _FIRST) + place / 100)
        for place, form in enumerate(forms)
    )


def _intervention_class(reference: ReferenceImplementation, order: float) -> type[StringOperationIntervention]:
    return type(
        "".join(part.capitalize() for part in reference.name.split("_")),
        (IdiomIntervention if reference.is_idiom else StringOperationIntervention,),
        {
            "__doc__": reference.summary,
            "name": reference.name,
            "summary": f"{reference.method}: {reference.summary}",
            "recipes": reference.recipes,
            "order": order,
            **({"kind": "elements"} if reference.recipes == ELEMENTS else {}),
            "reference": reference,
            "EXAMPLES": (),
            "UNTOUCHED": (),
        },
    )
