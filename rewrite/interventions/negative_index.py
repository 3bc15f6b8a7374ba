"""The intervention `negative_index`: a negative index becomes the equivalent non-negative one, which a state shows."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import at_most, exactly, has_max_magnitude, has_min_length
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atom, list_characters
from rewrite.syntax import build
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value
from rewrite.syntax.tree import substitute

_SEQUENCES = ("list", "str", "tuple")


class NegativeIndex(Intervention):
    """Adds the length to an index that every call shows to be negative and not before the first item.

    Not in scope: literals such as `items[-1]`, and indices of assignment targets.
    """

    name = "negative_index"
    summary = "a computed negative index as the place from the front that it means"
    recipes = ("idioms",)
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A loop over negative indices",
            """
            def f(items):
                last = []
                for i in range(-2, 0):
                    last.append(items[i])
                return last
            """,
            """
            def f(items):
                last = []
                for i in range(-2, 0):
                    _t0 = len(items) + i
                    last.append(items[_t0])
                return last
            """,
            "f([4, 5, 6])",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A literal",
            """
            def f():
                items = [1, 2]
                return items[-1]
            """,
        ),
        UntouchedExample(
            "An index of which no call shows the sign",
            """
            def f(items, i):
                return items[i]
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Subscript

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        index = _index(node)
        if index is None or not plan.scope.is_builtin("len"):
            return False
        facts = _facts(node, index, plan)
        return bool(facts) and all(is_known(part, what, plan) for part, what in facts)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Subscript)
        index = _index(node)
        assert index is not None
        for part, what in _facts(node, index, steps):
            assume(part, what, steps)
        done = steps.lower_in_order([node.value, index])
        items = atom(done.get(id(node.value), node.value), steps, [index])
        offset = atom(done.get(id(index), index), steps)
        length = cst.Call(cst.Name("len"), [cst.Arg(build.clone(items))])
        place = steps.materialize(cst.BinaryOperation(length, cst.Add(), build.clone(offset)))
        return substitute(node, {id(node.value): items, id(index): place})


def _index(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The single index of a subscript that is not a literal."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(cst.Index(value=index, star=None))]):
            return index if literal_value(index) is NOT_LITERAL else None
    return None


def _facts(
    node: cst.BaseExpression, index: cst.BaseExpression, plan: LoweringPlan
) -> list[tuple[cst.BaseExpression, str]]:
    """What must hold: a sequence, and an index that is negative and within it; empty if no call shows the numbers."""
    assert isinstance(node, cst.Subscript)
    seen = plan.shown.of(node.value) if plan.shown is not None else None
    numbers = plan.shown.of(index) if plan.shown is not None else None
    kind = next((one for one in _SEQUENCES if seen is not None and seen.supports(exactly(one))), "")
    if not kind or numbers is None or numbers.numbers is None:
        return []
    far = max(map(abs, numbers.numbers))
    return [
        (node.value, exactly(kind)),
        (node.value, has_min_length(far)),
        (index, at_most(-1)),
        (index, has_max_magnitude(far)),
    ]


class NegativeLiteral(Intervention):
    """Counts a literal index from the front: `items[-1]` as the item before the length.

    `items[-1]` of an empty sequence raises the same error, since its length minus one is -1. Further from the end,
    every call must show that the sequence is long enough. A string is counted by the list of its characters. Not in
    scope: targets of assignments.
    """

    name = "negative_literal"
    summary = "a negative literal index as the place from the front that it means"
    recipes = ("elements",)
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "The last item",
            """
            def f(items):
                return items[-1] + 1
            """,
            """
            def f(items):
                _t0 = len(items) - 1
                return items[_t0] + 1
            """,
            "f([4, 5, 6])",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A value that may have keys",
            """
            def f(items):
                return items[-1]
            """,
        ),
        UntouchedExample(
            "A target",
            """
            def f():
                items = [1]
                items[-1] = 2
                return items
            """,
        ),
        UntouchedExample(
            "A sequence that may be too short",
            """
            def f():
                items = [1]
                return items[-2]
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Subscript

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        facts = _literal_facts(node, plan)
        return plan.scope.is_builtin("len") and bool(facts) and all(is_known(part, what, plan) for part, what in facts)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Subscript)
        for part, what in _literal_facts(node, steps):
            assume(part, what, steps)
        items = atom(steps.lower_operand(node.value), steps)
        is_text = is_known(node.value, exactly("str"), steps)
        counted = steps.materialize(list_characters(build.clone(items), steps)) if is_text else build.clone(items)
        length = cst.Call(cst.Name("len"), [cst.Arg(counted)])
        far = cst.Integer(str(-_literal_index(node)))
        place = steps.materialize(cst.BinaryOperation(length, cst.Subtract(), far))
        index = cst.SubscriptElement(cst.Index(place))
        return node.with_changes(value=items, slice=[index])


def _literal_index(node: cst.BaseExpression) -> int:
    """The negative literal of a subscript; 0 for any other expression."""
    match node:
        case cst.Subscript(slice=[cst.SubscriptElement(cst.Index(value=index, star=None))]):
            found = literal_value(index)
            return found if type(found) is int and found < 0 else 0
    return 0


def _literal_facts(node: cst.BaseExpression, plan: LoweringPlan) -> list[tuple[cst.BaseExpression, str]]:
    """What must hold: a sequence that is long enough; empty for any other subscript."""
    if _literal_index(node) == 0:
        return []
    assert isinstance(node, cst.Subscript)
    known = (one for one in _SEQUENCES if is_known(node.value, exactly(one), plan))
    kind = next(known, "")
    far = -_literal_index(node)
    return [(node.value, exactly(kind)), *([(node.value, has_min_length(far))] if far > 1 else [])] if kind else []
