"""The intervention `item_loops`: an operation on the items of a container becomes a loop over them.

One table has for each operation the facts about its operands that make the loop right, and the loop. It does the same
comparisons and truth tests in the same order as the operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import libcst as cst

from rewrite.analysis.scopes import BUILTINS
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import NUMBERS, at_least, exactly, has_max_magnitude
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atoms
from rewrite.syntax.tree import code, walk

_WORD = re.compile(r"[A-Za-z_]+")
_CONSUMERS = ("list", "tuple")
_LIST, _INT = (exactly("list"),), (exactly("int"),)
_SELF_EQUAL = (exactly("int"), exactly("str"))
"""Containers find an item that is the same object without a comparison; these types are equal to themselves."""


@dataclass(frozen=True)
class _Loop:
    """What replaces an operation.

    Attributes:
        facts: For each operand, facts of which one must hold; () if nothing must.
        text: The statements; `{0}` and so on are the operands.
        kind: The type of the result.
        of_result: Facts of which one must hold for the result; () if nothing must.
    """

    facts: tuple[tuple[str, ...], ...]
    text: str
    kind: str | None
    of_result: tuple[str, ...] = ()


_PLACE = "for {%s}, {item} in enumerate({0}):\n    if {item} == {1}:\n        "
_FUNCTIONS: Mapping[str, _Loop] = {
    "sum": _Loop(((NUMBERS,),), "{result} = 0\nfor {item} in {0}:\n    {result} += {item}\n", "int"),
    "any": _Loop(
        ((),), "{result} = False\nfor {item} in {0}:\n    if {item}:\n        {result} = True\n        break\n", "bool"
    ),
    "all": _Loop(
        ((),),
        "{result} = True\nfor {item} in {0}:\n    if not {item}:\n        {result} = False\n        break\n",
        "bool",
    ),
    "pow": _Loop((_INT, (at_least(0),)), "{result} = 1\nfor {item} in range({1}):\n    {result} *= {0}\n", "int", _INT),
    "reversed": _Loop(
        ((*_LIST, exactly("str"), exactly("tuple")),), "{result} = list({0})\n{result}.reverse()\n", "list"
    ),
}
_METHODS: Mapping[str, _Loop] = {
    "count": _Loop(
        ((*_LIST, exactly("tuple")), _SELF_EQUAL),
        "{result} = 0\nfor {item} in {0}:\n    if {item} == {1}:\n        {result} += 1\n",
        "int",
    ),
    "index": _Loop(
        (_LIST, _SELF_EQUAL),
        _PLACE % "result" + "break\nelse:\n    raise ValueError(repr({1}) + ' is not in list')\n",
        "int",
    ),
    "remove": _Loop(
        (_LIST, _SELF_EQUAL),
        _PLACE % "place"
        + "{0}.pop({place})\n        break\nelse:\n    raise ValueError('list.remove(x): x not in list')\n",
        None,
    ),
}
_SMALL = (has_max_magnitude(9999),)
_REPEATED = tuple(
    _Loop(
        facts, f"{{result}} = {empty}\nfor {{item}} in range({{{times}}}):\n    {{result}} += {{{1 - times}}}\n", kind
    )
    for kind, empty in (("list", "[]"), ("str", "''"))
    for times, facts in enumerate(((_SMALL, (exactly(kind),)), ((exactly(kind),), _SMALL)))
)


class ItemLoops(Intervention):
    """Writes the loop of an operation whose operands meet its facts.

    Not in scope: a `start`, generator expressions (`consumed_generator`), and `reversed` that
    no call consumes at once.
    """

    name = "item_loops"
    summary = "`sum`, `count` and other operations on the items of a container as a loop over them"
    recipes = ("elements",)
    kind = "elements"
    order = 13
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Equal items",
            "def f(items):\n    return items.count(3)\n",
            "def f(items):\n    _t0 = 0\n    for _t1 in items:\n        if _t1 == 3:\n            _t0 += 1\n"
            "    return _t0\n",
            "f([3, 1, 3])",
            with_call=True,
        ),
        RewriteExample(
            "A statement that changes a list",
            "def f(items):\n    items.remove(3)\n    return items\n",
            "def f(items):\n    for _t0, _t1 in enumerate(items):\n        if _t1 == 3:\n            items.pop(_t0)\n"
            "            break\n    else:\n        raise ValueError('list.remove(x): x not in list')\n"
            "    return items\n",
            "f([1, 3, 3])",
            with_call=True,
        ),
        RewriteExample(
            "A list of equal items",
            "def f(n):\n    return [0] * n\n",
            "def f(n):\n    _t0 = [0]\n    _t1 = []\n    for _t2 in range(n):\n        _t1 += _t0\n    return _t1\n",
            "f(3)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("Items that may be no int", "def f(items):\n    return sum(items)\n"),
        UntouchedExample("An item that may not be equal to itself", "def f(x):\n    return [1, 2].count(x)\n"),
        UntouchedExample("A function with the name", "def f(any, items):\n    return any(items)\n"),
        UntouchedExample("An iterator that is kept", "def f():\n    r = reversed('ab')\n    return r\n"),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.BinaryOperation or (kind is cst.Call and method in ("", *_METHODS))

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        return _find_loop(node, plan) is not None

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        loop = _find_loop(node, steps)
        assert loop is not None
        operands = _operands(node)
        for part, facts in _parts(node, operands, loop):
            next((one for one in facts if assume(part, one, steps)), None)
        known = [code(one) for one in atoms(operands, steps)]
        names = {
            name: steps.fresh_temporary(kind, node if name == "result" else name)
            for name, kind in (("result", loop.kind), ("place", "int"), ("item", None))
            if f"{{{name}}}" in loop.text
        }
        steps.emit_text(loop.text.format(*known, **names), node)
        return cst.Name(names.get("result", "None"))


def _find_loop(node: cst.BaseExpression, plan: LoweringPlan) -> _Loop | None:
    """The loop for an operation whose operands meet its facts."""
    operands = _operands(node)
    for loop in _named(node, plan):
        used = set(_WORD.findall(loop.text)) & BUILTINS
        if len(loop.facts) != len(operands) or not all(map(plan.scope.is_builtin, used)):
            continue
        if all(_holds(part, facts, plan) for part, facts in _parts(node, operands, loop)):
            return loop
    return None


def _named(node: cst.BaseExpression, plan: LoweringPlan) -> Sequence[_Loop]:
    """The loops for an operation of this name."""
    match node:
        case cst.Call(cst.Name(name)) if name in _FUNCTIONS and plan.scope.is_builtin(name):
            return [_FUNCTIONS[name]] if name != "reversed" or _is_consumed(node, plan) else []
        case cst.Call(cst.Attribute(attr=cst.Name(name))) if name in _METHODS:
            return [_METHODS[name]]
        case cst.BinaryOperation(operator=cst.Multiply()):
            return _REPEATED
    return []


def _operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The operands in evaluation order; empty for arguments with names or stars, and generator expressions."""
    match node:
        case cst.Call(func, arguments) if all(one.keyword is None and not one.star for one in arguments):
            if any(isinstance(one.value, cst.GeneratorExp) for one in arguments):
                return []
            receiver = [func.value] if isinstance(func, cst.Attribute) else []
            return [*receiver, *(one.value for one in arguments)]
        case cst.BinaryOperation(left=left, right=right):
            return [left, right]
    return []


def _parts(
    node: cst.BaseExpression, operands: Sequence[cst.BaseExpression], loop: _Loop
) -> Iterator[tuple[cst.BaseExpression, tuple[str, ...]]]:
    yield from zip((*operands, node), (*loop.facts, loop.of_result), strict=True)


def _holds(part: cst.BaseExpression, facts: Sequence[str], plan: LoweringPlan) -> bool:
    return not facts or any(is_known(part, one, plan) for one in facts)


def _is_consumed(node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether a call takes all items of the value at once and keeps none of it."""
    for one in walk(plan.around):
        match one:
            case cst.Call(func, [cst.Arg(argument, keyword=None, star="")]) if argument is node:
                if isinstance(func, cst.Attribute) and func.attr.value == "join":
                    return is_known(func.value, exactly("str"), plan)
                return isinstance(func, cst.Name) and func.value in _CONSUMERS and plan.scope.is_builtin(func.value)
    return False
