"""The intervention `consumed_generator`: a generator expression, `map` or `filter` that a call consumes becomes a loop.

Each item that a generator yields costs three frames, and each prints the captured values in full. `sum`, `any` and
`all` become an accumulator, which shows the value after each item; the other supported calls get a list.

A StopIteration that leaves a generator becomes a RuntimeError, one that leaves a loop does not. So this applies
only if the program defines no class, and the generator calls only builtins and methods with the name of a builtin
type's method.

A list computes all items before the call sees the first one. `join`, `sorted`, `list` and `tuple` do so themselves.
`max`, `min`, `set` and `frozenset` compare or hash each item before the next one is computed, which may raise or run
code of the item; the items must have a type with which it cannot (`CONSUMED`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import libcst as cst

from rewrite.analysis.evaluation_order import clauses, non_operands
from rewrite.analysis.exact_types import TYPES
from rewrite.analysis.stop_iteration import is_asynchronous
from rewrite.anf.applied_functions import AppliedFunction, mapped_items
from rewrite.anf.comprehensions import accumulate, obstacle
from rewrite.anf.comprehensions import expand as expand_comprehension
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.nested_conditions import emit_guarded
from rewrite.anf.options import DEFAULT_OPTIONS, RewriteOptions
from rewrite.anf.short_circuit import lower_condition
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.discharge import literal_value
from rewrite.syntax import build
from rewrite.syntax.tree import walk

_SUMMED, _SCALARS = ("int", "bool"), ("int", "bool", "str", "float")
_ITEMS = (*_SCALARS, "tuple", "list")
CONSUMED = {
    "sum": _SUMMED,
    **dict.fromkeys(("any", "all", "sorted", "list", "tuple"), _ITEMS),
    **dict.fromkeys(("max", "min", "set", "frozenset"), _SCALARS),
    "join": ("str",),
}
"""By the function that consumes a generator, the types of items with which a loop does the same: what the function does
with each one before it asks for the next neither fails nor has a side effect."""
_LISTING = ("sorted", "list", "tuple", "join")
"""The functions that compute all items before they do anything with one."""
_ENDING = ("any", "all")
"""The calls that stop at an item."""
_CALLED = frozenset(
    {"abs", "bool", "chr", "float", "int", "len", "list", "max", "min", "ord", "range", "round", "set", "sorted", "str"}
    | {"sum", "tuple", "enumerate", "zip", "reversed", "isinstance"}
)
_OPPOSITE: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
}
_METHODS = frozenset(name for kind in TYPES.values() for name in dir(kind) if not name.startswith("_"))
Comprehension = cst.GeneratorExp | cst.ListComp


@dataclass(frozen=True)
class _ConsumedItems:
    """The items that a call consumes at once.

    Attributes:
        name: The function that consumes them.
        items: A comprehension with the items.
        function: The function of a `map` or `filter`; None if the source has a comprehension.
    """

    name: str
    items: Comprehension
    function: AppliedFunction | None = None


class ConsumedGenerator(Intervention):
    """Writes an accumulator for `sum`, `any` and `all`, and a list for `join`, `max`, `min`, `sorted` and containers.

    `map` and `filter` are generator expressions of the same items (`rewrite.anf.applied_functions`). A `map` of which
    all items are computed first needs no types.

    Not in scope: calls with further arguments, and items whose type neither the source nor the calls show.
    """

    name = "consumed_generator"
    summary = "a generator expression, `map` or `filter` that a call consumes at once as a loop"
    recipes = ("idioms",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A sum of truth values",
            "def f(text):\n    return sum(c in 'aeiou' for c in text)\n",
            "def f(text):\n    _t0 = 0\n    for c in text:\n        if c in 'aeiou':\n            _t0 += 1\n"
            "    return _t0\n",
            "f('banana')",
            with_call=True,
        ),
        RewriteExample(
            "A test that ends at the first item",
            "def f(items):\n    return any(i > 2 for i in items if i)\n",
            "def f(items):\n    _t0 = False\n    for i in items:\n        if i:\n            if i > 2:\n"
            "                _t0 = True\n                break\n    return _t0\n",
            "f([0, 1, 3, 5])",
            with_call=True,
        ),
        RewriteExample(
            "A list for any other call",
            "def f(text):\n    return '-'.join(c.upper() for c in text)\n",
            "def f(text):\n    _t0 = []\n    for c in text:\n        _t0.append(c.upper())\n    return '-'.join(_t0)\n",
            "f('ab')",
            with_call=True,
        ),
        RewriteExample(
            "A function that `map` calls",
            "def f(numbers):\n    return list(map(str, numbers))\n",
            "def f(numbers):\n    _t0 = []\n    for item in numbers:\n        _t0.append(str(item))\n    return _t0\n",
            "f([1, 23])",
        ),
        RewriteExample(
            "Items that `filter` keeps",
            "def f(items, n):\n    return tuple(filter(lambda x: x > n, items))\n",
            "def f(items, n):\n    _t0 = []\n    for _t1 in items:\n        if _t1 > n:\n            _t0.append(_t1)\n"
            "    return tuple(_t0)\n",
            "f([1, 2, 3], 1)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("Items of which no call shows the type", "def f(items):\n    return sum(i for i in items)\n"),
        UntouchedExample(
            "Items that `max` compares before the next one is computed, which may fail",
            "def f(items):\n    return max((a, b[0]) for a, b in items)\n",
        ),
        UntouchedExample("A `map` that is kept", "def f(items):\n    m = map(str, items)\n    return list(m)\n"),
        UntouchedExample(
            "A function of the program, which may raise StopIteration",
            "def g(i):\n    return next(i)\ndef f(a):\n    return list(map(g, a))\n",
        ),
        UntouchedExample("A generator that is kept", "def f(items):\n    g = (i for i in items)\n    return g\n"),
        UntouchedExample("A call that may raise StopIteration", "def f(a):\n    return sum(next(i) for i in a)\n"),
    )

    def __init__(self, options: RewriteOptions = DEFAULT_OPTIONS) -> None:
        super().__init__(options)
        self._lists: dict[int, tuple[cst.CSTNode, cst.ListComp]] = {}  # by the id of the generator, which keeps its id

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method in ("", "join")

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = _consumed(node, plan)
        if found is None or not _ends_normally(found.items, plan) or not _is_suitable(found, plan):
            return False
        if found.name in _ENDING and len(clauses(found.items)) > 1:
            return False  # a `break` leaves only one loop
        return not obstacle(self._as_list(found.items, plan), plan)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Call)
        found = _consumed(node, steps)
        assert found is not None
        _assume_facts(found, steps)
        name, listed = found.name, self._as_list(found.items, steps)
        if name == "sum":
            counted = _known_type(found, steps) == "bool"
            return accumulate(listed, "int", cst.Integer("0"), _count if counted else _add, steps)
        if name in _ENDING:
            start = cst.Name("False" if name == "any" else "True")
            return accumulate(listed, "bool", start, _leave if name == "any" else _fail, steps, ends_early=True)
        result = expand_comprehension(listed, steps)
        return result if name == "list" else node.with_changes(args=[cst.Arg(result)])

    def _as_list(self, node: Comprehension, plan: LoweringPlan) -> cst.ListComp:
        """The list comprehension with the items of a generator expression."""
        if isinstance(node, cst.ListComp):
            return node
        assert isinstance(node, cst.GeneratorExp)
        if id(node) not in self._lists:
            self._lists[id(node)] = (node, cst.ListComp(node.elt, node.for_in))
        made = self._lists[id(node)][1]
        plan.scopes.adopt(made, plan.scopes.of(node))
        return made


def _consumed(node: cst.BaseExpression, plan: LoweringPlan) -> _ConsumedItems | None:
    """What a call consumes at once; None for any other node."""
    match node:
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=given, keyword=None, star="")]):
            if name in CONSUMED and name != "join" and plan.scope.is_builtin(name):
                return _items_of(name, given, plan)
        case cst.Call(
            func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name("join")),
            args=[cst.Arg(value=given, keyword=None, star="")],
        ) if isinstance(literal_value(text), str):
            return _items_of("join", given, plan)
    return None


def _items_of(name: str, given: cst.BaseExpression, plan: LoweringPlan) -> _ConsumedItems | None:
    if isinstance(given, cst.GeneratorExp) or (name == "sum" and isinstance(given, cst.ListComp)):
        return _ConsumedItems(name, given)
    mapped = mapped_items(given, plan)
    return None if mapped is None else _ConsumedItems(name, *mapped)


def _ends_normally(node: Comprehension, plan: LoweringPlan) -> bool:
    """Whether no StopIteration can leave the comprehension, and it binds and awaits nothing."""
    if is_asynchronous(node) or plan.scopes.defines_class:
        return False
    return all(_is_plain_step(inner, plan) for part in non_operands(node) for inner in walk(part))


def _is_plain_step(node: cst.CSTNode, plan: LoweringPlan) -> bool:
    match node:
        case cst.NamedExpr() | cst.Yield() | cst.Lambda() | cst.Await():
            return False
        case cst.Call(func=cst.Name(value=name)):
            return name in _CALLED and plan.scope.is_builtin(name)
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
            return name in _METHODS
    return not isinstance(node, cst.Call)


def _is_suitable(found: _ConsumedItems, plan: LoweringPlan) -> bool:
    """Whether the function does the same with a list of the items, or with one item after the other."""
    needs_no_type = found.function is not None and found.name in _LISTING
    return needs_no_type or _known_type(found, plan) is not None


def _known_type(found: _ConsumedItems, plan: LoweringPlan) -> str | None:
    """The type that every call shows of the items; None if there is none that suits the function."""
    with plan.within(plan.scopes.of(found.items)):
        known = (one for one in CONSUMED[found.name] if is_known(found.items.elt, exactly(one), plan))
        return next(known, None)


def _assume_facts(found: _ConsumedItems, steps: Lowering) -> None:
    if found.function is not None:
        found.function.assume(steps)
    known = _known_type(found, steps)
    if known is not None:
        with steps.within(steps.scopes.of(found.items)):
            assume(found.items.elt, exactly(known), steps)


def _add(node: Any, result: str, steps: Lowering) -> None:
    steps.emit(cst.AugAssign(cst.Name(result), cst.AddAssign(), steps.detach(steps.lower_root(node.elt))))


def _count(node: Any, result: str, steps: Lowering) -> None:
    step = cst.AugAssign(cst.Name(result), cst.AddAssign(), cst.Integer("1"))
    emit_guarded(node.elt, lambda: steps.emit(step), steps)


def _leave(node: Any, result: str, steps: Lowering) -> None:
    emit_guarded(node.elt, lambda: _decide(result, "True", steps), steps)


def _fail(node: Any, result: str, steps: Lowering) -> None:
    test = _negated(lower_condition(node.elt, steps), node.elt, steps)
    with steps.block() as body:
        _decide(result, "False", steps)
    steps.emit(build.if_(test, body))


def _negated(test: cst.BaseExpression, elt: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """`not` of a test; a comparison of numbers or strings, or for membership, gets the opposite operator."""
    match test, elt:
        case (
            cst.Comparison(comparisons=[cst.ComparisonTarget(operator=operator) as target], lpar=[]),
            cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]),
        ) if type(operator) in _OPPOSITE:
            if isinstance(operator, cst.In | cst.NotIn) or all(_is_plain(one, steps) for one in (left, right)):
                return test.with_changes(comparisons=[target.with_changes(operator=_OPPOSITE[type(operator)]())])
    return build.not_(test)


def _is_plain(node: cst.BaseExpression, steps: Lowering) -> bool:
    return any(assume(node, exactly(kind), steps) for kind in ("int", "str", "bool"))


def _decide(result: str, value: str, steps: Lowering) -> None:
    steps.assign(result, cst.Name(value))
    steps.emit(cst.Break())
