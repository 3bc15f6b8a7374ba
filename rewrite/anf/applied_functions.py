"""A function that is called once for each item, such as the key of `sorted`, as an expression of a loop variable.

A `lambda` is replaced by its body, any other function by a call, if evaluating it again for each item gives the same
function. Not in scope: what the function may raise, and when it is called (the interventions that use this).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT, is_movable
from rewrite.analysis.evaluation_order import clauses
from rewrite.analysis.exact_types import STRING_METHODS, TYPES
from rewrite.analysis.scopes import Binding, Scope
from rewrite.anf.generator_items import plain_functions
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import CHARACTERS, LISTS, NUMBERS, STRINGS, TUPLES, exactly
from rewrite.evidence.facts import FactContext, assume, is_known
from rewrite.syntax.tree import walk

Fact = tuple[cst.BaseExpression, str]
"""An expression, and what must hold of it (`rewrite.evidence.assumptions`)."""
_ITEM = "item"
_KINDS = (
    *(("char", exactly("str")), ("char", CHARACTERS), ("str", STRINGS)),
    *(("int", NUMBERS), ("list", LISTS), ("tuple", TUPLES)),
)
"""Types of items, each with the fact about their container that shows it."""
_WITH_FORM = ("str", "int", "sum", "max", "min", "sorted")
"""The builtins that have another form for some items, of which a type is not enough to know them."""
_LATER = (cst.Yield, cst.Await, cst.NamedExpr, cst.Lambda, cst.GeneratorExp)


@dataclass(frozen=True)
class AppliedFunction:
    """A function applied to variables.

    Attributes:
        parameters: The variables, one for each argument.
        value: The expression that has the value of the call.
        names: The names that the expression uses.
        facts: What must hold so that the function is the same for each item: expressions, each with one fact.
        is_call: Whether the value is a call that the source does not have, so that nothing was seen of it.
    """

    parameters: tuple[str, ...]
    value: cst.BaseExpression
    names: frozenset[str]
    facts: tuple[Fact, ...] = ()
    is_call: bool = False

    def assume(self, steps: FactContext) -> None:
        """Record what the rewrite assumes."""
        for one, what in self.facts:
            assume(one, what, steps)


def apply_function(function: cst.BaseExpression, count: int, plan: LoweringPlan) -> AppliedFunction | None:
    """A function applied to variables; None if it may be another function by the time of a later item.

    Args:
        function: The expression that gives the function; for `None`, the item itself is the value.
        count: The number of arguments.
        plan: The plan of the scope.
    """
    if isinstance(function, cst.Lambda):
        return _inlined(function, count, plan)
    if is_none(function):
        return AppliedFunction((_ITEM,), cst.Name(_ITEM), frozenset({_ITEM}))
    facts = _facts_of_same(function, plan)
    if facts is None:
        return None
    parameters = (_ITEM,) if count == 1 else tuple(f"{_ITEM}_{number}" for number in range(1, count + 1))
    call = cst.Call(function, [cst.Arg(cst.Name(name)) for name in parameters])
    names = {one.value for one in walk(function) if isinstance(one, cst.Name)}
    return AppliedFunction(parameters, call, frozenset({*names, *parameters}), facts, is_call=True)


def for_each(
    applied: AppliedFunction,
    iterable: cst.BaseExpression,
    plan: LoweringPlan,
    *,
    element: cst.BaseExpression | None = None,
    condition: cst.BaseExpression | None = None,
    place: str = "",
    kind: str = "",
) -> cst.ListComp:
    """The list comprehension that applies a function to each item.

    Args:
        applied: The function.
        iterable: The items, or tuples of as many items as the function has arguments.
        plan: The plan of the scope.
        element: The element (default: the value of the function).
        condition: The condition for an element (default: none).
        place: The variable that counts the items; "" for none.
        kind: The exact type of all items; "" if it is not known.
    """
    variables = (place, *applied.parameters) if place else applied.parameters
    targets = [cst.Name(one) for one in variables]
    items = cst.Call(cst.Name("enumerate"), [cst.Arg(iterable)]) if place else iterable
    conditions = [cst.CompIf(condition)] if condition is not None else []
    target = targets[0] if len(targets) == 1 else cst.Tuple([cst.Element(one) for one in targets], lpar=[], rpar=[])
    made = cst.ListComp(element or applied.value, cst.CompFor(target, items, conditions))
    scope = Scope("comprehension", plan.scope, names={*applied.names, *variables})
    scope.bindings = {one: [Binding("parameter")] for one in variables}
    scope.assumed_types = dict.fromkeys(applied.parameters, kind) if kind else {}
    plan.scopes.adopt(made, scope)
    return made


def item_facts(applied: AppliedFunction, items: cst.BaseExpression, plan: LoweringPlan) -> tuple[str, tuple[Fact, ...]]:
    """The exact type of all items of a container, and the fact that says so.

    "" and none if nothing shows a type, or if what was seen of the function shows more.
    """
    if not applied.is_call:
        return "", ()
    kind, what = next((one for one in _KINDS if is_known(items, one[1], plan)), ("", ""))
    return kind, ((items, what),) if kind else ()


def is_decided(made: cst.ListComp, applied: AppliedFunction, plan: LoweringPlan) -> bool:
    """Whether a second rewrite would leave the call of a function that is applied to each item.

    It would see the items, of which nothing was seen yet but what their container shows.
    """
    is_typed = bool(plan.scopes.of(made).assumed_types)
    match applied.value:
        case cst.Call(cst.Name(name)) if applied.is_call and plan.scope.is_builtin(name):
            has_form = name in _WITH_FORM or (name == "len" and not is_typed)
        case cst.Call(cst.Attribute(receiver, cst.Name(name))) if applied.is_call:
            has_form = name in STRING_METHODS and is_known(receiver, exactly("str"), plan)
        case _:
            return True
    with plan.within(plan.scopes.of(made)):
        return not has_form or plan.claim(applied.value) is not None


def mapped_items(
    node: cst.BaseExpression, plan: LoweringPlan, *, typed: bool = False
) -> tuple[cst.ListComp, AppliedFunction] | None:
    """The list comprehension with the items of a `map` or `filter`, and its function; None for any other expression.

    It differs only if the function raises StopIteration, which ends a `map`, or if not all items are consumed at once.

    Args:
        node: The expression.
        plan: The plan of the scope.
        typed: Whether to assume the type that all items have, if the function of a single one is to be called.
    """
    match node:
        case cst.Call(cst.Name("map" | "filter" as name), [first, *others]) if plan.scope.is_builtin(name) and others:
            values = [one.value for one in others]
            applied = apply_function(first.value, len(values), plan)
            is_plain = all(one.keyword is None and not one.star for one in node.args)
            if applied is None or not is_plain or not (plan.scope.is_builtin("zip") or len(values) == 1):
                return None
            kind, facts = item_facts(applied, values[0], plan) if typed and len(values) == 1 else ("", ())
            applied = replace(applied, facts=(*applied.facts, *facts))
            if name == "filter":
                item = cst.Name(applied.parameters[0])
                kept = for_each(applied, values[0], plan, element=item, condition=applied.value, kind=kind)
                return (kept, applied) if len(values) == 1 else None
            items = values[0] if len(values) == 1 else cst.Call(cst.Name("zip"), [cst.Arg(one) for one in values])
            return (for_each(applied, items, plan, kind=kind), applied) if not is_none(first.value) else None
    return None


def loop_variables(made: cst.ListComp) -> list[str]:
    """The variables of a comprehension that `for_each` made, as its loop calls them."""
    target = clauses(made)[0].target
    parts: Sequence[cst.BaseExpression] = (
        [one.value for one in target.elements] if isinstance(target, cst.Tuple) else [target]
    )
    return [cst.ensure_type(one, cst.Name).value for one in parts]


def _inlined(function: cst.Lambda, count: int, plan: LoweringPlan) -> AppliedFunction | None:
    """The body of a lambda with plain parameters; None if the function of the loop would evaluate it otherwise."""
    given = function.params
    special = given.posonly_params or given.kwonly_params or given.star_kwarg or isinstance(given.star_arg, cst.Param)
    scope = plan.scopes.find(function)
    if scope is None or scope.reflection or special or any(one.default is not None for one in given.params):
        return None
    if len(given.params) != count or plan.scope.kind == "class":
        return None
    names = tuple(one.name.value for one in given.params)
    for inner in walk(function.body):
        nested = plan.scopes.find(inner)
        if isinstance(inner, _LATER) or (nested is not None and nested.bindings.keys() & set(names)):
            return None  # a function that lives longer than the step, or a variable of the same name
    if not all(_is_readable(name, plan) for name in scope.names - set(names)):
        return None
    return AppliedFunction(names, function.body, frozenset(scope.names))


def is_none(function: cst.BaseExpression) -> bool:
    """Whether `None` stands for the function that gives each item itself."""
    return isinstance(function, cst.Name) and function.value == "None"


def _is_readable(name: str, plan: LoweringPlan) -> bool:
    """Whether a variable of this function certainly has a value; without one, a lambda raises another exception."""
    owner = plan.scope.owner(name)
    return owner is not plan.function or owner.kind == "module" or (name in plan.bound and name not in owner.deleted)


def _facts_of_same(function: cst.BaseExpression, plan: LoweringPlan) -> tuple[Fact, ...] | None:
    """What must hold so that an expression gives the same function for each item; None if nothing makes it so."""
    match function:
        case cst.Name(name) if plan.scope.is_builtin(name):
            return ()
        case cst.Name(name):
            stays = is_movable(function, [ANY_EFFECT], plan.scope, plan.bound)
            return () if stays and plain_functions(name, plan.scope) else None
        case cst.Attribute(cst.Name(owner), cst.Name(method)) if plan.scope.is_builtin(owner):
            return () if owner in TYPES and hasattr(TYPES[owner], method) else None
        case cst.Attribute(cst.Name() as receiver, cst.Name(method)):
            known = (one for one in TYPES if hasattr(TYPES[one], method) and is_known(receiver, exactly(one), plan))
            kind = next(known, None)
            stays = is_movable(receiver, [ANY_EFFECT], plan.scope, plan.bound)
            return ((receiver, exactly(kind)),) if kind is not None and stays else None
    return None
