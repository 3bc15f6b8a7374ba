"""The intervention `consumed_generator`: a generator expression, `map` or `filter` that a call consumes becomes a loop.

Each item that a generator yields costs three frames, and each prints the captured values in full. `sum`, `any` and
`all` become an accumulator, which shows the value after each item, and `return any(…)` becomes a loop that returns; the
other supported calls get a list.

This applies only where no StopIteration can leave the generator (`rewrite.anf.generator_items`).

A list computes all items before the call sees the first one. `join`, `sorted`, `list` and `tuple` do so themselves.
`set` and `frozenset` hash each item before the next one is computed, which may raise or run code of the item; the items
must have a type with which it cannot. `max` and `min` compare each item before the next one is computed, as their loop
does; it begins with None, so that the items must have another type, and ends with None where `max` raises, so that
every call must show a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import libcst as cst

from rewrite.analysis.evaluation_order import clauses
from rewrite.anf.applied_functions import AppliedFunction, mapped_items
from rewrite.anf.comprehensions import accumulate, obstacle, write_loop
from rewrite.anf.comprehensions import expand as expand_comprehension
from rewrite.anf.condition_lowering import lower_condition, negated_test
from rewrite.anf.generator_items import Comprehension, items_as_list, never_stops
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.nested_conditions import emit_guarded
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume, is_known
from rewrite.interventions.local_variables import next_consumer
from rewrite.string_methods.guards import atom, is_lasting
from rewrite.syntax import build
from rewrite.syntax.literal_values import literal_value
from rewrite.syntax.tree import code

_SCALARS = ("int", "bool", "str", "float")
_ITEMS = (*_SCALARS, "tuple", "list")
CONSUMED = {
    "sum": ("int", "bool"),
    **dict.fromkeys(("max", "min"), _ITEMS),
    **dict.fromkeys(("set", "frozenset"), _SCALARS),
}
"""By the function that consumes a generator, the types of items with which a loop does the same; the functions below do
nothing with an item before they ask for the next, or only test its truth."""
_ENDING, _LISTING = ("any", "all"), ("sorted", "list", "tuple", "join")
_CONTAINERS = ("list", "str", "dict", "tuple", "set")
ORDER = {"max": ">", "min": "<"}
"""How a later item compares with the one that is kept."""


@dataclass(frozen=True)
class _ConsumedItems:
    """The items that a call consumes at once.

    Attributes:
        name: The function that consumes them.
        items: A comprehension with the items.
        function: The function of a `map` or `filter`; None if the source has a comprehension.
        default: The result without items; None if that is an error.
        is_kept: Whether it is the next statement that calls it, with a variable.
    """

    name: str
    items: Comprehension
    function: AppliedFunction | None = None
    default: cst.BaseExpression | None = None
    is_kept: bool = False


class ConsumedGenerator(Intervention):
    """Writes an accumulator for `sum`, `any`, `all`, `max` and `min`, and a list for `join`, `sorted` and containers.

    `map` and `filter` are generator expressions of the same items (`rewrite.anf.applied_functions`).

    Not in scope: keys, and for a sum, a maximum or a set, items whose type neither the source nor the calls show.
    """

    name = "consumed_generator"
    summary = "a generator expression, `map` or `filter` that a call consumes at once as a loop"
    recipes = ("idioms",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A sum of truth values",
            """
            def f(text):
                return sum(c in 'aeiou' for c in text)
            """,
            """
            def f(text):
                _t0 = 0
                for c in text:
                    if c in 'aeiou':
                        _t0 += 1
                return _t0
            """,
            "f('banana')",
            with_call=True,
        ),
        RewriteExample(
            "A test that ends at the first item",
            """
            def f(items):
                found = any(i > 2 for i in items if i)
                return found
            """,
            """
            def f(items):
                found = False
                for i in items:
                    if i:
                        if i > 2:
                            found = True
                            break
                return found
            """,
            "f([0, 1, 3, 5])",
            with_call=True,
        ),
        RewriteExample(
            "A result that is returned",
            """
            def f(rows):
                return all(i > 2 for row in rows for i in row)
            """,
            """
            def f(rows):
                for row in rows:
                    for i in row:
                        if not i > 2:
                            return False
                return True
            """,
            "f([[3], [5, 1]])",
            with_call=True,
        ),
        RewriteExample(
            "The greatest value",
            """
            def f(words):
                return max(len(word) for word in words)
            """,
            """
            def f(words):
                _t0 = None
                for word in words:
                    _t1 = len(word)
                    if _t0 is None or _t1 > _t0:
                        _t0 = _t1
                return _t0
            """,
            "f(['ab', 'c'])",
            with_call=True,
        ),
        RewriteExample(
            "A list for any other call",
            """
            def f(text):
                return '-'.join(c.upper() for c in text)
            """,
            """
            def f(text):
                _t0 = []
                for c in text:
                    _t0.append(c.upper())
                return '-'.join(_t0)
            """,
            "f('ab')",
            with_call=True,
        ),
        RewriteExample(
            "A function that `map` calls",
            """
            def f(numbers):
                return list(map(str, numbers))
            """,
            """
            def f(numbers):
                _t0 = []
                for item in numbers:
                    _t0.append(str(item))
                return _t0
            """,
            "f([1, 23])",
        ),
        RewriteExample(
            "A variable that the next statement consumes",
            """
            def f(a, b):
                sums = map(lambda x, y: x + y, a, b)
                return list(sums)
            """,
            """
            def f(a, b):
                sums = []
                for x, y in zip(a, b):
                    sums.append(x + y)
                return list(sums)
            """,
            "f([1, 2], [3, 4])",
            with_call=True,
        ),
        RewriteExample(
            "Items that `filter` keeps",
            """
            def f(items, n):
                return tuple(filter(lambda x: x > n, items))
            """,
            """
            def f(items, n):
                _t0 = []
                for x in items:
                    if x > n:
                        _t0.append(x)
                return tuple(_t0)
            """,
            "f([1, 2, 3], 1)",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Items of which no call shows the type",
            """
            def f(items):
                return sum(i for i in items)
            """,
        ),
        UntouchedExample(
            "Items that a set hashes before the next one is computed, which may fail",
            """
            def f(items):
                return set((a, b[0]) for a, b in items)
            """,
        ),
        UntouchedExample(
            "A `map` that is kept",
            """
            def f(items):
                m = map(str, items)
                return m, list(m)
            """,
        ),
        UntouchedExample(
            "A function of the program, which may raise StopIteration",
            """
            def g(i):
                return next(i)
            def f(a):
                return list(map(g, a))
            """,
        ),
        UntouchedExample(
            "A generator that is kept",
            """
            def f(items):
                g = (i for i in items)
                return g
            """,
        ),
        UntouchedExample(
            "A call that may raise StopIteration",
            """
            def f(a):
                return sum(next(i) for i in a)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method in ("", "join")

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = _consumed(node, plan)
        if found is None or not never_stops(found.items, plan) or not _is_suitable(found, node, plan):
            return False
        if found.name in _ENDING and len(clauses(found.items)) > 1 and not plan.is_value_of(node, cst.Return):
            return False  # a `break` leaves only one loop
        return not obstacle(items_as_list(found.items, plan), plan)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        assert isinstance(node, cst.Call)
        found = _consumed(node, steps)
        assert found is not None
        _assume_facts(found, steps)
        name, listed = "list" if found.is_kept else found.name, items_as_list(found.items, steps)
        if name == "sum":
            counted = _known_type(found, steps) == "bool"
            return accumulate(listed, "int", cst.Integer("0"), _count if counted else _add, steps)
        if name in _ENDING:
            return _tested(name, listed, steps, _ending(found, node, steps))
        if name in ORDER and _has_result(found, node, steps):
            return _extreme(found, node, listed, steps)
        result = expand_comprehension(listed, steps)
        return result if name == "list" else node.with_changes(args=[cst.Arg(result)])


def _consumed(node: cst.BaseExpression, plan: LoweringPlan) -> _ConsumedItems | None:
    """What a call consumes at once; None for any other node."""
    match node:
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=given, keyword=None, star=""), *options]):
            if name in (*CONSUMED, *_ENDING, *_LISTING) and name != "join" and plan.scope.is_builtin(name):
                return _with_default(_items_of(name, given, plan), options, plan)
        case cst.Call(
            func=cst.Attribute(value=cst.SimpleString() as text, attr=cst.Name("join")),
            args=[cst.Arg(value=given, keyword=None, star="")],
        ) if isinstance(literal_value(text), str):
            return _items_of("join", given, plan)
    consumer = next_consumer(node, plan)
    found = _items_of(consumer, node, plan) if consumer in (*CONSUMED, *_LISTING) else None
    return replace(found, is_kept=True) if found else None


def _items_of(name: str, given: cst.BaseExpression, plan: LoweringPlan) -> _ConsumedItems | None:
    if isinstance(given, cst.GeneratorExp) or (name == "sum" and isinstance(given, cst.ListComp)):
        return _ConsumedItems(name, given)
    mapped = mapped_items(given, plan)
    return None if mapped is None else _ConsumedItems(name, *mapped)


def _with_default(
    found: _ConsumedItems | None, options: Sequence[cst.Arg], plan: LoweringPlan
) -> _ConsumedItems | None:
    """The same with the further arguments of the call; None if they are not a default that no effect changes."""
    match options:
        case []:
            return found
        case [cst.Arg(value=value, keyword=cst.Name("default"))] if found and found.name in ORDER:
            return replace(found, default=value) if is_lasting(value, plan, [found.items]) else None
    return None


def _is_suitable(found: _ConsumedItems, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether a loop does the same, or the function with a list of the items."""
    if found.name not in CONSUMED:
        return True
    known = _known_type(found, plan)
    if found.name in ORDER and not found.is_kept and _has_result(found, node, plan):
        return known is not None
    return known in _SCALARS and found.default is None


def _has_result(found: _ConsumedItems, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
    """Whether every call shows that there is an item, or there is a default."""
    known = _known_type(found, plan)
    return known is not None and (found.default is not None or is_known(node, exactly(known), plan))


def _known_type(found: _ConsumedItems, plan: LoweringPlan) -> str | None:
    """The type that every call shows of the items; None if there is none that suits the function."""
    with plan.within(plan.scopes.of(found.items)):
        known = (one for one in CONSUMED.get(found.name, ()) if is_known(found.items.elt, exactly(one), plan))
        return next(known, None)


def _assume_facts(found: _ConsumedItems, steps: Lowering) -> None:
    if found.function is not None:
        found.function.assume(steps)
    known = _known_type(found, steps)
    if known is not None:
        with steps.within(steps.scopes.of(found.items)):
            assume(found.items.elt, exactly(known), steps)


def _extreme(found: _ConsumedItems, node: cst.BaseExpression, listed: cst.ListComp, steps: Lowering) -> cst.Name:
    """Write the loop of `max` or `min`."""
    if found.default is None:
        assume(node, exactly(_known_type(found, steps) or ""), steps)

    def keep(node: Any, result: str, steps: Lowering) -> None:
        value = code(atom(steps.lower_operand(node.elt), steps))
        test = f"if {result} is None or {value} {ORDER[found.name]} {result}:\n    {result} = {value}\n"
        steps.emit_text(test)

    result = accumulate(listed, None, cst.Name("None"), keep, steps)
    if found.default is not None:
        steps.emit_text(f"if {result.value} is None:\n    {result.value} = {code(found.default)}\n")
    return result


def _add(node: Any, result: str, steps: Lowering) -> None:
    steps.emit(cst.AugAssign(cst.Name(result), cst.AddAssign(), steps.detach(steps.lower_root(node.elt))))


def _count(node: Any, result: str, steps: Lowering) -> None:
    step = cst.AugAssign(cst.Name(result), cst.AddAssign(), cst.Integer("1"))
    emit_guarded(node.elt, lambda: steps.emit(step), steps)


def _ending(found: _ConsumedItems, node: cst.BaseExpression, steps: Lowering) -> Callable[[], None] | None:
    """What writes the statements that end the function where an item decides; None if it goes on then."""
    decided = found.name == "any"
    if steps.is_value_of(node, cst.Return):
        return partial(steps.emit, cst.Return(cst.Name(str(decided))))
    ending = steps.endings.get(id(node))
    if ending is None or ending.decisive is not decided or not (ending.is_quiet or _is_released_quietly(found, steps)):
        return None
    return steps.endings.pop(id(node)).write


def _is_released_quietly(found: _ConsumedItems, steps: Lowering) -> bool:
    """Whether nothing happens when the iterator of the items is released: that of a builtin container runs no code."""
    iterable = found.items.for_in.iter
    kind = next((one for one in _CONTAINERS if is_known(iterable, exactly(one), steps)), None)
    if kind is not None:
        assume(iterable, exactly(kind), steps)
    return kind is not None


def _tested(name: str, listed: cst.ListComp, steps: Lowering, end: Callable[[], None] | None) -> cst.Name:
    """Write the loop of `any` or `all`, which ends at the first item that decides.

    Args:
        name: The function.
        listed: The items.
        steps: The lowering of the function.
        end: Writes what ends the function there; None if the result is needed.
    """
    usual, decided = str(name == "all"), str(name == "any")

    def decide(node: Any, result: str, steps: Lowering) -> None:
        stop = end or partial(_stop, result, decided, steps)
        if name == "any":
            emit_guarded(node.elt, stop, steps)
            return
        test = negated_test(lower_condition(node.elt, steps), node.elt, steps)
        with steps.block() as body:
            stop()
        steps.emit(build.if_(test, body))

    if end is None:
        return accumulate(listed, "bool", cst.Name(usual), decide, steps, ends_early=True)
    iterable = steps.loop_source(listed.for_in.iter, ends_early=True)
    write_loop(listed, iterable, lambda made: decide(made, "", steps), steps)
    return cst.Name(usual)


def _stop(result: str, value: str, steps: Lowering) -> None:
    steps.assign(result, cst.Name(value))
    steps.emit(cst.Break())
