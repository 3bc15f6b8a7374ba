"""The intervention `reversed_loop`: a loop over `reversed` loops over a list in that order, or over a range.

`reversed` reads its operand while the loop runs, so nothing may change a list meanwhile.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from analyze.operations.catalogue import methods
from rewrite.analysis.effects import is_constant
from rewrite.anf.generator_items import BUILTIN_METHODS, PLAIN_FUNCTIONS
from rewrite.anf.intervention import RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, assume_any, is_known
from rewrite.string_methods.guards import atoms, is_atom
from rewrite.syntax.tree import children, code, replace_nodes, walk

_SEQUENCES = ("str", "tuple", "list")
_CHANGING = methods("list", lambda one: one.mutates is not None)
_DISPLAYS = (cst.List, cst.Dict, cst.Set, cst.ListComp, cst.SetComp, cst.DictComp)
_LATER = (cst.FunctionDef, cst.Lambda, cst.GeneratorExp, cst.Yield, cst.Await)


class ReversedLoop(StatementIntervention):
    """Reverses a copy before the loop, or counts down.

    Not in scope: lists that the loop may change, dicts, and ranges with a step.
    """

    name = "reversed_loop"
    summary = "a loop over `reversed` as a loop over a list in that order, or over a range that counts down"
    recipes = ("elements",)
    kind = "idioms"
    order = 6
    statements = (cst.For,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Characters",
            """
            def f(text):
                for c in reversed(text):
                    print(c)
            """,
            """
            def f(text):
                _t0 = list(text)
                _t0.reverse()
                for c in _t0:
                    print(c)
            """,
            "f('abc')",
            with_call=True,
        ),
        RewriteExample(
            "Numbers that count down",
            """
            def f(n):
                for i in reversed(range(1, n)):
                    print(i)
            """,
            """
            def f(n):
                _t0 = n - 1
                for i in range(_t0, 0, -1):
                    print(i)
            """,
            "f(4)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A list that the loop changes",
            """
            def f():
                a = [1, 2]
                for x in reversed(a):
                    a.remove(x)
            """,
        ),
        UntouchedExample(
            "A list that has two names",
            """
            def f():
                a = [1, 2]
                b = a
                for x in reversed(a):
                    b.append(x)
            """,
        ),
        UntouchedExample(
            "An iterator that is kept",
            """
            def f():
                r = reversed('ab')
                return r
            """,
        ),
        UntouchedExample(
            "Items of unknown type",
            """
            def f(a):
                for x in reversed(a):
                    print(x)
            """,
        ),
    )

    def claims(self, node: cst.For, plan: LoweringPlan) -> bool:
        head = _reversed(node, plan) if node.asynchronous is None else None
        if head is None or any(id(one) in plan.module.frozen for one in walk(node.body)):
            return False
        items = head.args[0].value
        if bounds := _bounds(items, plan):
            return all(is_known(one, exactly("int"), plan) for one in bounds)
        kind = next((one for one in _SEQUENCES if is_known(items, exactly(one), plan)), "")
        return kind != "" and plan.scope.is_builtin("list") and (kind != "list" or _is_steady(items, node.body, plan))

    def expand(self, node: cst.For, steps: Lowering) -> cst.For:
        head = _reversed(node, steps)
        assert head is not None
        items = head.args[0].value
        made = _counted_down(items, steps) if _bounds(items, steps) else _reversed_copy(items, steps)
        return node.with_changes(iter=made if node.iter is head else replace_nodes(node.iter, {id(head): made}))


def _counted_down(items: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    bounds = _bounds(items, steps)
    for one in bounds:
        assume(one, exactly("int"), steps)
    first, last = map(code, atoms([cst.Integer("0"), *bounds][-2:], steps))
    return cst.parse_expression(f"range({_less(last, steps)}, {_less(first, steps)}, -1)")


def _reversed_copy(items: cst.BaseExpression, steps: Lowering) -> cst.Name:
    assume_any(items, map(exactly, _SEQUENCES), steps)
    [operand] = atoms([items], steps)
    result = steps.fresh_temporary("list", items)
    steps.emit_text(f"{result} = list({code(operand)})\n{result}.reverse()\n")
    return cst.Name(result)


def _less(number: str, steps: Lowering) -> str:
    """One less than a number: a literal, or a temporary."""
    if number.lstrip("-").isdecimal():
        return str(int(number) - 1)
    result = steps.fresh_temporary("int", "last")
    steps.emit_text(f"{result} = {number} - 1\n")
    return result


def _reversed(node: cst.For, plan: LoweringPlan) -> cst.Call | None:
    """The call of `reversed` in the head of a loop, also behind `enumerate` or in a `zip` with variables."""
    heads: list[cst.BaseExpression] = [node.iter]
    match node.iter:
        case cst.Call(cst.Name("enumerate" | "zip" as name), given) if plan.scope.is_builtin(name):
            values = [one.value for one in given]
            calls = [one for one in values if not is_atom(one)]
            heads = calls if len(calls) == 1 else []
    match heads:
        case [cst.Call(cst.Name("reversed"), [cst.Arg(keyword=None, star="")]) as call]:
            return call if plan.scope.is_builtin("reversed") else None
    return None


def _bounds(items: cst.BaseExpression, plan: LoweringPlan) -> list[cst.BaseExpression]:
    """The bounds of a range without a step; none for any other expression."""
    match items:
        case cst.Call(cst.Name("range"), [_] | [_, _] as given) if plan.scope.is_builtin("range"):
            plain = all(one.keyword is None and not one.star for one in given)
            return [one.value for one in given] if plain else []
    return []


def _is_steady(items: cst.BaseExpression, body: cst.CSTNode, plan: LoweringPlan) -> bool:
    """Whether no statement of a loop can change a list: it changes only lists that other variables alone hold.

    Nothing that runs later may hold the list, and no class may have operators of its own.
    """
    own = plan.function.node
    if (
        own is None
        or plan.scopes.defines_class
        or any(isinstance(one, _LATER) for part in children(own) for one in walk(part))
    ):
        return False
    if not isinstance(items, cst.Name) or not _is_own_list(items.value, plan, ("parameter", "value")):
        return False
    return all(_keeps(one, items.value, plan) for one in walk(body))


def _keeps(node: cst.CSTNode, kept: str, plan: LoweringPlan) -> bool:
    match node:
        case cst.Call(cst.Name(name)):
            return plan.scope.is_builtin(name) and name in (*PLAIN_FUNCTIONS, "print")
        case cst.Arg(keyword=cst.Name()):
            return False  # it may be a function
        case cst.Call(cst.Attribute(changed, cst.Name(name))):
            return name in BUILTIN_METHODS and (name not in _CHANGING or _is_apart(changed, kept, plan))
        case cst.Call() | cst.Del() | cst.With() | cst.Import() | cst.ImportFrom():
            return False
        case cst.AugAssign(cst.Subscript(changed)) | cst.AugAssign(changed):
            return _is_apart(changed, kept, plan)
        case cst.AssignTarget(target) | cst.AnnAssign(target) | cst.For(target) | cst.CompFor(target):
            return _is_harmless(target, kept, plan)
    return True


def _is_harmless(target: cst.BaseExpression, kept: str, plan: LoweringPlan) -> bool:
    """Whether what an assignment stores, in each part of a tuple, leaves a list as it is."""
    match target:
        case cst.Tuple(elements):
            return all(_is_harmless(one.value, kept, plan) for one in elements)
        case cst.Subscript(changed):
            return _is_apart(changed, kept, plan)
    return isinstance(target, cst.Name)


def _is_apart(changed: cst.BaseExpression, kept: str, plan: LoweringPlan) -> bool:
    """Whether a variable holds only values that the function made for it, and so never the one that is kept."""
    own = ("value", "augmented")
    return isinstance(changed, cst.Name) and changed.value != kept and _is_own_list(changed.value, plan, own)


def _is_own_list(name: str, plan: LoweringPlan, how: tuple[str, ...]) -> bool:
    """Whether a variable of the function is bound only in some ways, and only to displays and constants."""
    owner = plan.scope.owner(name)
    if owner is None or owner is not plan.function or owner.kind != "function" or name in owner.rebound_elsewhere:
        return False
    bindings = owner.bindings[name]
    values = (one.expression for one in bindings if one.how == "value")
    is_own = all(isinstance(one, _DISPLAYS) or (one is not None and is_constant(one)) for one in values)
    return bool(bindings) and is_own and all(one.how in how for one in bindings)
