"""The intervention `compared_values`: `max` and `min` as one comparison after the other.

`max` keeps its first argument and takes a later one if `later > kept`; `min` compares with `<`. The steps do the same
comparisons and calls of a key in the same order, so that this holds for values of every type, NaN included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT
from rewrite.anf.applied_functions import (
    AppliedFunction,
    Fact,
    apply_function,
    for_each,
    is_decided,
    is_none,
    item_facts,
    loop_variables,
)
from rewrite.anf.comprehensions import accumulate, obstacle
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_min_length
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atom, atoms, is_lasting
from rewrite.syntax.tree import code

_OPERATORS = {"max": ">", "min": "<"}
_SEQUENCES = ("list", "tuple")


@dataclass(frozen=True)
class _Comparison:
    """A call of `max` or `min`.

    Attributes:
        function: Its name.
        values: The arguments that are compared, or the one with the items.
        key: The function of which the values are compared; the name `None` for the items themselves.
        default: The result without items; None if that is an error.
    """

    function: str
    values: tuple[cst.BaseExpression, ...]
    key: cst.BaseExpression
    default: cst.BaseExpression | None

    @property
    def is_plain(self) -> bool:
        """Whether the values themselves are compared, and there must be one."""
        return is_none(self.key) and self.default is None


class ComparedValues(Intervention):
    """Compares the arguments, or the items of a container that is not empty.

    Items are taken one by one, as the functions do, unless it is certain that a comparison cannot change a list.

    Not in scope: containers that may be empty, unless there is a default, and defaults that are computed or that an
    effect may change.
    """

    name = "compared_values"
    summary = "`max` and `min` as one comparison after the other"
    recipes = ("elements",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The greater of two values",
            """
            def f(a, b):
                return max(a, b + 1)
            """,
            """
            def f(a, b):
                _t0 = b + 1
                _t1 = a
                if _t0 > _t1:
                    _t1 = _t0
                return _t1
            """,
            "f(1, 2)",
        ),
        RewriteExample(
            "The least item",
            """
            def f(items):
                return min(items)
            """,
            """
            def f(items):
                _t0 = items[0]
                for _t1 in items[1:]:
                    if _t1 < _t0:
                        _t0 = _t1
                return _t0
            """,
            "f([2, 1, 3])",
            with_call=True,
        ),
        RewriteExample(
            "The key of the greatest value",
            """
            def f(counts):
                return max(counts, key=counts.get)
            """,
            """
            def f(counts):
                _t0 = None
                for place, item in enumerate(counts):
                    _t2 = counts.get(item)
                    if place == 0 or _t2 > _t1:
                        _t0 = item
                        _t1 = _t2
                return _t0
            """,
            "f({'a': 1, 'b': 2})",
            with_call=True,
        ),
        RewriteExample(
            "A default",
            """
            def f(items):
                return min(items, default=0)
            """,
            """
            def f(items):
                _t0 = 0
                for place, item in enumerate(items):
                    if place == 0 or item < _t0:
                        _t0 = item
                return _t0
            """,
            "f([2, 1])",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A key that may change",
            """
            def f(a, b, key):
                return max(a, b, key=key)
            """,
        ),
        UntouchedExample(
            "Items of which no call shows how many they are",
            """
            def f(items):
                return max(items)
            """,
        ),
        UntouchedExample(
            "A function with the name",
            """
            def f(max, a, b):
                return max(a, b)
            """,
        ),
        UntouchedExample(
            "Unpacked arguments",
            """
            def f(items):
                return max(*items, 1)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and not method

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = _compared(node, plan)
        if found is None:
            return False
        if found.is_plain and (len(found.values) > 1 or _is_fixed(found.values[0], plan)):
            return True
        applied = apply_function(found.key, 1, plan)
        if applied is None or not plan.scope.is_builtin("enumerate") or not _has_result(found, plan):
            return False
        made, _ = _loop(found, applied, plan)
        return not obstacle(made, plan) and is_decided(made, applied, plan)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        found = _compared(node, steps)
        assert found is not None
        if found.is_plain and len(found.values) > 1:
            return _compare_arguments(node, found, steps)
        if found.is_plain and _is_fixed(found.values[0], steps):
            return _compare_later_items(node, found, steps)
        return _compare_items(found, steps)


def _compared(node: cst.BaseExpression, plan: LoweringPlan) -> _Comparison | None:
    """The comparison that a call is; None for any other expression, or for arguments that are not plain."""
    match node:
        case cst.Call(cst.Name(name)) if name in _OPERATORS and plan.scope.is_builtin(name):
            values = tuple(one.value for one in node.args if one.keyword is None)
            options = {one.keyword.value: one.value for one in node.args if one.keyword is not None}
            first_option = next((i for i, one in enumerate(node.args) if one.keyword is not None), len(node.args))
            if not values or any(one.star for one in node.args) or first_option < len(values):
                return None
            key, default = options.pop("key", cst.Name("None")), options.pop("default", None)
            if options or (default is not None and (len(values) > 1 or not is_lasting(default, plan, values))):
                return None
            return _Comparison(name, values, key, default)
    return None


def _has_result(found: _Comparison, plan: LoweringPlan) -> bool:
    """Whether there is a value to compare, or a default; a generator expression becomes a loop in another way."""
    if len(found.values) > 1:
        return True
    is_generator = isinstance(found.values[0], cst.GeneratorExp)
    return not is_generator and (found.default is not None or is_known(found.values[0], has_min_length(1), plan))


def _loop(found: _Comparison, applied: AppliedFunction, plan: LoweringPlan) -> tuple[cst.ListComp, tuple[Fact, ...]]:
    """The comprehension with what is compared, and what is known of the type of the items."""
    if len(found.values) > 1:
        items: cst.BaseExpression = cst.Tuple([cst.Element(one) for one in found.values])
        return for_each(applied, items, plan, place="place"), ()
    kind, facts = item_facts(applied, found.values[0], plan)
    return for_each(applied, found.values[0], plan, place="place", kind=kind), facts


def _compare_arguments(node: cst.BaseExpression, found: _Comparison, steps: Lowering) -> cst.Name:
    """Write a test for each argument but the first."""
    first, *later = map(code, atoms(found.values, steps, [ANY_EFFECT]))
    kept = steps.fresh_temporary(None, node)
    tests = [f"if {one} {_OPERATORS[found.function]} {kept}:\n    {kept} = {one}\n" for one in later]
    steps.emit_text("".join([f"{kept} = {first}\n", *tests]), node)
    return cst.Name(kept)


def _compare_later_items(node: cst.BaseExpression, found: _Comparison, steps: Lowering) -> cst.Name:
    """Write a loop over all items of a list or tuple but the first."""
    [values] = found.values
    assume(values, exactly(_sequence(values, steps)), steps)
    assume(values, has_min_length(1), steps)
    items = code(atom(steps.lower_operand(values), steps))
    kept, item = steps.fresh_temporary(None, node), steps.fresh_temporary(None, "item")
    test = f"    if {item} {_OPERATORS[found.function]} {kept}:\n        {kept} = {item}\n"
    steps.emit_text(f"{kept} = {items}[0]\nfor {item} in {items}[1:]:\n{test}", node)
    return cst.Name(kept)


def _compare_items(found: _Comparison, steps: Lowering) -> cst.Name:
    """Write a loop over the items that compares the values of the key."""
    applied = apply_function(found.key, 1, steps)
    assert applied is not None
    made, of_items = _loop(found, applied, steps)
    for one, what in (*applied.facts, *of_items):
        assume(one, what, steps)
    if found.default is None and len(found.values) == 1:
        assume(found.values[0], has_min_length(1), steps)
    is_itself = is_none(found.key)
    most = "" if is_itself else steps.fresh_temporary(None, "most")

    def compare(node: cst.ListComp, result: str, steps: Lowering) -> None:
        place, item = loop_variables(node)
        value = item if is_itself else code(atom(steps.lower_operand(node.elt), steps, [ANY_EFFECT]))
        test = f"if {place} == 0 or {value} {_OPERATORS[found.function]} {most or result}:\n    {result} = {item}\n"
        steps.emit_text(test if is_itself else f"{test}    {most} = {value}\n")

    return accumulate(made, None, found.default or cst.Name("None"), compare, steps)


def _is_fixed(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether it is a list or tuple that is not empty and that no comparison can change."""
    return _sequence(node, plan) != "" and not plan.scopes.defines_class


def _sequence(node: cst.BaseExpression, plan: LoweringPlan) -> str:
    """The type of a list or tuple that is not empty; "" if nothing shows that it is one."""
    if not is_known(node, has_min_length(1), plan):
        return ""
    known = (one for one in _SEQUENCES if is_known(node, exactly(one), plan))
    return next(known, "")
