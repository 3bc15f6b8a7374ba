"""The intervention `item_loops`: an operation on the items of a container becomes a loop over them.

For each operation, `item_loop_table` has the facts about its operands that make the loop right, and the loop. It does
the same comparisons and truth tests in the same order as the operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT
from rewrite.analysis.scopes import BUILTINS
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume_any, is_any_known, is_known
from rewrite.interventions.item_loop_table import FUNCTIONS, METHODS, OPERATORS, OperationLoop
from rewrite.interventions.local_variables import next_consumer
from rewrite.string_methods.guards import atoms
from rewrite.syntax.tree import code, walk

_WORD = re.compile(r"[A-Za-z_]+")
_VARIABLE = re.compile(r"\{([a-z]+)\}")
_CONSUMERS = ("list", "tuple")


class ItemLoops(Intervention):
    """Writes the loop of an operation whose operands meet its facts.

    Not in scope: arguments with names, generator expressions (`consumed_generator`), and `reversed` that
    no call consumes at once.
    """

    name = "item_loops"
    summary = "`sum`, `count`, `set.difference` and other operations on the items of a container as a loop over them"
    recipes = ("elements",)
    kind = "elements"
    order = 13
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Equal items",
            """
            def f(items):
                return items.count(3)
            """,
            """
            def f(items):
                _t0 = 0
                for _t1 in items:
                    if _t1 == 3:
                        _t0 += 1
                return _t0
            """,
            "f([3, 1, 3])",
            with_call=True,
        ),
        RewriteExample(
            "A statement that changes a list",
            """
            def f(items):
                items.remove(3)
                return items
            """,
            """
            def f(items):
                for _t0, _t1 in enumerate(items):
                    if _t1 == 3:
                        items.pop(_t0)
                        break
                else:
                    raise ValueError('list.remove(x): x not in list')
                return items
            """,
            "f([1, 3, 3])",
            with_call=True,
        ),
        RewriteExample(
            "A list of equal items",
            """
            def f(n):
                return [0] * n
            """,
            """
            def f(n):
                _t0 = [0]
                _t1 = []
                for _t2 in range(n):
                    _t1 += _t0
                return _t1
            """,
            "f(3)",
            with_call=True,
        ),
        RewriteExample(
            "Items of a set that are not in another one",
            """
            def f(a, b):
                return a - b
            """,
            """
            def f(a, b):
                if len(a) // 4 > len(b):
                    _t0 = a.copy()
                    for _t1 in b:
                        _t0.discard(_t1)
                else:
                    _t0 = set()
                    for _t1 in a:
                        if _t1 not in b:
                            _t0.add(_t1)
                return _t0
            """,
            "f({1, 2}, {2})",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Items that may be no int",
            """
            def f(items):
                return sum(items)
            """,
        ),
        UntouchedExample(
            "An item that may not be equal to itself",
            """
            def f(x):
                return [1, 2].count(x)
            """,
        ),
        UntouchedExample(
            "Operands that may be no sets",
            """
            def f(a, b):
                return a & b
            """,
        ),
        UntouchedExample(
            "The union of two sets",
            """
            def f():
                return {1, 2} | {3}
            """,
        ),
        UntouchedExample(
            "A function with the name",
            """
            def f(any, items):
                return any(items)
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
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.BinaryOperation or (kind is cst.Call and method in ("", *METHODS))

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        return _find_loop(node, plan) is not None

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        loop = _find_loop(node, steps)
        assert loop is not None
        operands = _operands(node)
        for part, facts in _parts(node, operands, loop):
            assume_any(part, facts, steps)
        effects = [ANY_EFFECT] if steps.scopes.defines_class else []
        is_in_head = len(operands) == 1 and steps.is_shown_by_loop(operands[0]) and loop.text.count("{0}") == 1
        read = [steps.loop_source(operands[0])] if is_in_head else atoms(operands, steps, effects)
        known = [code(one) for one in read]
        is_read = loop.value and not steps.is_value_of(node, cst.Expr)
        text = f"{loop.text}{{result}} = {loop.value}\n" if is_read else loop.text
        kinds = {"result": loop.kind, "place": "int"}
        names = {
            name: steps.fresh_temporary(kinds.get(name), node if name == "result" else name)
            for name in dict.fromkeys(_VARIABLE.findall(text))
        }
        steps.emit_text(text.format(*known, **names), node)
        return cst.Name(names.get("result", "None"))


def _find_loop(node: cst.BaseExpression, plan: LoweringPlan) -> OperationLoop | None:
    """The loop for an operation whose operands meet its facts."""
    operands = _operands(node)
    for loop in _named(node, plan):
        used = set(_WORD.findall(loop.text)) & BUILTINS
        if len(loop.facts) != len(operands) or not all(map(plan.scope.is_builtin, used)):
            continue
        if (loop.compares and plan.scopes.defines_class) or (loop.is_apart and not any(map(_is_new, operands))):
            continue
        if all(_holds(part, facts, plan) for part, facts in _parts(node, operands, loop)):
            return loop
    return None


def _named(node: cst.BaseExpression, plan: LoweringPlan) -> Sequence[OperationLoop]:
    """The loops for an operation of this name."""
    match node:
        case cst.Call(function) if (name := code(function)) in FUNCTIONS:
            is_kept = name == "reversed" and not _is_consumed(node, plan)
            return FUNCTIONS[name] if plan.scope.is_builtin(name.partition(".")[0]) and not is_kept else []
        case cst.Call(cst.Attribute(attr=cst.Name(name))):
            return METHODS.get(name, [])
        case cst.BinaryOperation(operator=operator):
            return OPERATORS.get(type(operator), [])
    return []


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The operands in evaluation order; empty for arguments with names or stars, and generator expressions."""
    match node:
        case cst.Call(func, arguments) if all(one.keyword is None and not one.star for one in arguments):
            if any(isinstance(one.value, cst.GeneratorExp) for one in arguments):
                return []
            receiver = [func.value] if isinstance(func, cst.Attribute) and code(func) not in FUNCTIONS else []
            return [*receiver, *(one.value for one in arguments)]
        case cst.BinaryOperation(left=left, right=right):
            return [left, right]
    return []


def _parts(
    node: cst.BaseExpression, operands: Sequence[cst.BaseExpression], loop: OperationLoop
) -> Iterator[tuple[cst.BaseExpression, tuple[str, ...]]]:
    yield from zip((*operands, node), (*loop.facts, loop.of_result), strict=True)


def _holds(part: cst.BaseExpression, facts: Sequence[str], plan: LoweringPlan) -> bool:
    return not facts or is_any_known(part, facts, plan)


def _is_new(node: cst.BaseExpression) -> bool:
    """Whether an expression creates its value, a set, so that no other expression has the same object."""
    is_set = isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == "set"
    return is_set or isinstance(node, cst.Set | cst.SetComp)


def _is_consumed(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether a call takes all items of the value at once and keeps none of it."""
    for one in walk(plan.around):
        match one:
            case cst.Call(func, [cst.Arg(argument, keyword=None, star="")]) if argument is node:
                if isinstance(func, cst.Attribute) and func.attr.value == "join":
                    return is_known(func.value, exactly("str"), plan)
                return isinstance(func, cst.Name) and func.value in _CONSUMERS and plan.scope.is_builtin(func.value)
    return next_consumer(node, plan) in (*_CONSUMERS, "join")
