"""The interventions on string operations: each writes one reference implementation in the place of the operation.

There is one class for each reference implementation, made from it; nothing about a method stands here. What is proven
or assumed needs no guard; for the rest the exact types are asked first, with the operation itself in the else branch,
so that lists, dicts, subclasses of `str` and all others behave as before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar

import libcst as cst

from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.imported_modules import may_be_module
from rewrite.analysis.scopes import BUILTINS
from rewrite.anf.intervention import Intervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.plan import ClaimRefusal, LoweringPlan
from rewrite.anf.short_circuit import lower_condition
from rewrite.evidence.facts import NOT_PROVEN, choose_strategy
from rewrite.string_methods.apart import call_of, may_stand_apart
from rewrite.string_methods.discharge import Guard, discharged, note
from rewrite.string_methods.guards import atom, atoms, guard, is_atom, is_character, is_short, missing
from rewrite.string_methods.inline import body_of, inlined, result_kind
from rewrite.string_methods.reference import RECIPES, Reference, references
from rewrite.string_methods.sites import Site, may_be_site, site_of
from rewrite.syntax import build
from rewrite.syntax.tree import code, walk

Test = tuple[cst.BaseExpression, Guard]
_ONCE = (cst.Lambda, cst.GeneratorExp, cst.ListComp, cst.SetComp, cst.DictComp, cst.NamedExpr)
_NAME = re.compile(r"[A-Za-z_]+")
_OF_OTHERS = ("join",)  # whose receiver is not what they work on
OUTSIDE = "outside functions: a second rewrite could not tell the list of the characters from a text"
_FIRST = 20  # their places in a recipe, before the temporaries


class SpelledOut(Intervention):
    """An operation on strings written as its reference implementation. Subclasses set `reference`."""

    guards = True
    reference: ClassVar[Reference]

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return may_be_site(kind, method, cls.reference)

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool | ClaimRefusal:
        site = site_of(node, self.reference)
        guards = self.guarded(site, plan) if site is not None else None
        if site is None or guards is None or self._is_idle(site, plan):
            return False
        shadowed = missing(self.needed(guards), plan)
        if shadowed is None and body_of(self.reference).looks and plan.function.kind in ("module", "class"):
            return ClaimRefusal(OUTSIDE)
        return True if shadowed is None else shadowed

    def skip_reason(self, node: cst.BaseExpression, plan: LoweringPlan) -> str:
        """Why an operation is left alone that guards could make one on strings: none are to be written here."""
        site = site_of(node, self.reference)
        if site is None or self.guarded(site, plan) is not None:
            return ""
        for parameter, wanted in self.reference.wanted.items():
            part = site.part(parameter)
            if wanted.type and choose_strategy(part, wanted.type, plan) == "skip":
                return ""
        before, plan.unproven = plan.unproven, "guard"
        try:
            return NOT_PROVEN if self.guarded(site, plan) and not self._is_idle(site, plan) else ""
        finally:
            plan.unproven = before

    def guarded(self, site: Site, plan: LoweringPlan) -> list[tuple[int, Guard]] | None:
        """What guards have to ask of the parts of a site, the text first; None where the form does not fit."""
        found: list[tuple[int, Guard]] = []
        for parameter, wanted in self.reference.wanted.items():
            asked = discharged(site.part(parameter), wanted, plan)
            if asked is None:
                return None
            place = site.bound[parameter]
            if asked and isinstance(place, int):
                found.append((place, asked))
        known = [place for place in range(len(site.parts)) if place not in dict(found)]
        if len(known) == 0 and not isinstance(site.node, cst.Call):
            return None  # of two unknown values nothing says that texts are meant
        return found

    def needed(self, guards: Sequence[tuple[int, Guard]]) -> set[str]:
        """The builtins that what is written uses."""
        asked = {asked.type for _, asked in guards if asked.type}
        tests = [one.test for _, asked in guards for one in asked.preconditions]
        found = {name for test in tests for name in _NAME.findall(test)}
        return {*body_of(self.reference).builtins, *asked, *(found & BUILTINS), *(["type", "str"] if guards else [])}

    def _is_idle(self, site: Site, plan: LoweringPlan) -> bool:
        """Whether there is nothing to spell out: a method on at most one character, or one that a module has."""
        text = site.parts[site.receiver]
        if isinstance(site.node, cst.Call) and exact_type(text, plan.scope) is None and may_be_module(text, plan.scope):
            return True
        if self.reference.method in _OF_OTHERS:
            return False
        return is_short(text, plan) or (self.reference.recipes == RECIPES and is_character(text, plan))

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        site = site_of(node, self.reference)
        assert site is not None
        guards = self.guarded(site, steps)
        assert guards is not None
        for parameter, wanted in self.reference.wanted.items():
            note(site.part(parameter), wanted, steps)
        first = atom(steps.lower_operand(site.parts[0]), steps, site.parts[1:])
        certain = not guards or guards[0][0] != 0 or not guards[0][1].type
        result = steps.fresh_temporary(result_kind(self.reference) if not guards else None, node)
        method: cst.BaseExpression | None = None
        rest = site.parts[1:]
        if not certain and isinstance(node, cst.Call) and not all(map(is_atom, rest)):
            method = cst.Attribute(build.clone(first), node.func.attr)  # type: ignore[attr-defined]
            if not any(isinstance(inner, _ONCE) for part in rest for inner in walk(part)):
                self._evaluated_twice(site, result, first, guards, method, steps)
                return cst.Name(result)
            # The arguments can only stand once: bind the method before them, as Python does.
            method = steps.materialize(method)
        values = [first, *atoms(rest, steps)]
        self._checked(site, result, values, guards, method, steps)
        return cst.Name(result)

    def _evaluated_twice(
        self,
        site: Site,
        result: str,
        first: cst.BaseExpression,
        guards: Sequence[tuple[int, Guard]],
        method: cst.BaseExpression,
        steps: Lowering,
    ) -> None:
        """The type of the receiver asked before the arguments are evaluated, which therefore stand in both branches."""
        node = site.node
        (_, asked), *more = guards
        later = Guard("", asked.preconditions)
        more = [(0, later), *more] if later else list(more)
        guard(
            [(first, asked.type)],
            lambda: self._checked(site, result, [first, *atoms(site.parts[1:], steps)], more, None, steps),
            lambda: steps.assign(result, steps.lower_parts(build.clone(node.with_changes(func=method)))),
            steps,
        )

    def _checked(
        self,
        site: Site,
        result: str,
        values: Sequence[cst.BaseExpression],
        guards: Sequence[tuple[int, Guard]],
        method: cst.BaseExpression | None,
        steps: Lowering,
    ) -> None:
        """The operation spelled out if everything is as it has to be, else the original one."""
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
        self, site: Site, result: str, values: Sequence[cst.BaseExpression], guarded: bool, steps: Lowering
    ) -> None:
        given = {
            parameter: code(values[place]) if isinstance(place, int) else place
            for parameter, place in site.bound.items()
        }
        if not guarded and steps.module.known.outlined.holds(site.node, self.name) and may_stand_apart(steps):
            steps.assign(result, call_of(self.reference, given, site.node, steps))
            steps.report.steps[id(steps.out[-1])] = site.node
            return
        variables = body_of(self.reference).variables
        name = lambda variable: steps.fresh_temporary(variables[variable], variable)  # noqa: E731
        # Without calls a second rewrite proves less: of a text that grew in a loop, not even that it is one.
        unbound = guarded or steps.unproven == "guard" or steps.function.kind != "function"
        steps.emit_text(inlined(self.reference, given, result, name, unbound=unbound), site.node)


@cache
def interventions() -> tuple[type[SpelledOut], ...]:
    """One class for each reference implementation, in the order in which they are tried."""
    forms = [form for known in references().values() for form in known]
    return tuple(_made(form, _FIRST + place / 100) for place, form in enumerate(forms))


def _made(reference: Reference, order: float) -> type[SpelledOut]:
    return type(
        "".join(part.capitalize() for part in reference.name.split("_")),
        (SpelledOut,),
        {
            "__doc__": reference.summary,
            "name": reference.name,
            "summary": f"{reference.method}: {reference.summary}",
            "recipes": reference.recipes,
            "order": order,
            "reference": reference,
            "EXAMPLES": (),
            "UNTOUCHED": (),
        },
    )
