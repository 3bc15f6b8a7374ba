"""The intervention `sorted_items`: `sorted` and `list.sort` insert one item after the other at its place.

An item goes behind all items whose keys are not greater, so that equal ones keep their order, also with
`reverse=True`. Other comparisons are made than those of `sorted`; so the keys must have an order in which comparisons
have no effect and cannot fail. The keys are computed in the order of the items, as `sorted` does before it compares.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import libcst as cst

from rewrite.analysis.effects import ANY_EFFECT
from rewrite.analysis.exact_types import exact_type
from rewrite.analysis.scopes import Scope
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
from rewrite.anf.generator_items import items_as_list, never_stops, plain_functions
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import NOT_NAN, ORDERED, exactly, has_max_magnitude
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.guards import atom, atoms
from rewrite.syntax.tree import code, walk

_BUILTINS = ("list", "len")
_KINDS = ("int", "str", "bool")
_TRUTHS = (exactly("bool"), has_max_magnitude(9999))
"""Facts about `reverse`: that `sorted` takes it in every version of Python."""


@dataclass(frozen=True)
class _Sort:
    """A call that sorts.

    Attributes:
        items: The items.
        in_place: Whether it changes their list.
        reverse: Whether it sorts in reverse: a constant, a variable, or an expression.
        key: The function that gives the keys; None for the items themselves.
    """

    items: cst.BaseExpression
    in_place: bool
    reverse: cst.BaseExpression
    key: cst.BaseExpression | None


class _ScopedFact(NamedTuple):
    """What must hold of an expression as a scope evaluates it: this function, a comprehension, or another function."""

    scope: Scope
    expression: cst.BaseExpression
    what: str

    def is_known(self, plan: LoweringPlan) -> bool:
        """Whether it is proven or may be assumed."""
        with plan.within(self.scope):
            return is_known(self.expression, self.what, plan)


class SortedItems(Intervention):
    """Inserts each item before the first one that comes later.

    Not in scope: keys of which neither the source nor the calls show an order, and keys for `list.sort` that may see
    the list, which is empty while it is sorted.
    """

    name = "sorted_items"
    summary = "`sorted` and `list.sort` as insertions of one item after the other"
    recipes = ("elements",)
    kind = "elements"
    order = 8
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A list that is changed",
            """
            def f(items):
                items.sort(reverse=True)
                return items
            """,
            """
            def f(items):
                _t0 = []
                for _t1 in list(items):
                    _t2 = 0
                    while _t2 < len(_t0) and _t0[_t2] >= _t1:
                        _t2 += 1
                    _t0.insert(_t2, _t1)
                items[:] = _t0
                return items
            """,
            "f([1, 3, 2])",
            with_call=True,
        ),
        RewriteExample(
            "A key",
            """
            def f(pairs):
                return sorted(pairs, key=lambda pair: pair[1])
            """,
            """
            def f(pairs):
                _t0 = []
                _t1 = []
                for pair in list(pairs):
                    _t2 = pair[1]
                    _t3 = 0
                    while _t3 < len(_t0) and _t0[_t3] <= _t2:
                        _t3 += 1
                    _t0.insert(_t3, _t2)
                    _t1.insert(_t3, pair)
                return _t1
            """,
            "f([('a', 2), ('b', 1), ('c', 2)])",
            with_call=True,
        ),
        RewriteExample(
            "An order that the program computes, of the items of a generator expression",
            """
            def f(words, last):
                return sorted((w[0] for w in words), reverse=last)
            """,
            """
            def f(words, last):
                _t0 = [w[0] for w in words]
                _t1 = []
                for _t2 in list(_t0):
                    _t3 = 0
                    if last:
                        while _t3 < len(_t1) and _t1[_t3] >= _t2:
                            _t3 += 1
                    else:
                        while _t3 < len(_t1) and _t1[_t3] <= _t2:
                            _t3 += 1
                    _t1.insert(_t3, _t2)
                return _t1
            """,
            "f(['ab', 'c'], True)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Items that may have no order",
            """
            def f(items):
                return sorted(items)
            """,
        ),
        UntouchedExample(
            "A key of unknown values",
            """
            def f():
                return sorted([-2, 1], key=abs)
            """,
        ),
        UntouchedExample(
            "A key that sees the list",
            """
            def f(a):
                a.sort(key=lambda x: len(a))
                return a
            """,
        ),
        UntouchedExample(
            "An order of unknown type",
            """
            def f(n):
                return sorted('ab', key=ord, reverse=n)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and not method

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = _sort(node, plan)
        if found is None or not all(map(plan.scope.is_builtin, _BUILTINS)):
            return False
        facts = _facts(node, found, plan)
        return facts is not None and all(one.is_known(plan) for one in facts)

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        found = _sort(node, steps)
        assert found is not None
        for one in _facts(node, found, steps) or ():
            with steps.within(one.scope):
                assume(one.expression, one.what, steps)
        later = [ANY_EFFECT] if found.key is not None else []
        items, reverse = atoms([found.items, found.reverse], steps, later)
        found = replace(found, reverse=reverse)
        result = _insert_all(node, found, items, steps) if found.key is None else _insert_by_key(found, items, steps)
        if not found.in_place:
            return cst.Name(result)
        steps.emit_text(f"{code(items)}[:] = {result}\n", node)
        return cst.Name("None")


def _sort(node: cst.BaseExpression, plan: LoweringPlan) -> _Sort | None:
    """The sort that a call is; None for any other expression."""
    match node:
        case cst.Call(cst.Name("sorted"), [cst.Arg(items, keyword=None, star=""), *options]):
            in_place = False
            if not plan.scope.is_builtin("sorted"):
                return None
        case cst.Call(cst.Attribute(items, cst.Name("sort")), options):
            in_place = True
        case _:
            return None
    given = {one.keyword.value: one.value for one in options if one.keyword is not None}
    reverse, key = given.pop("reverse", cst.Name("False")), given.pop("key", None)
    if given or len(options) != len({one.keyword.value for one in options if one.keyword is not None}):
        return None
    if isinstance(items, cst.GeneratorExp):
        if not never_stops(items, plan) or obstacle(items_as_list(items, plan), plan):
            return None
        items = items_as_list(items, plan)
    return _Sort(items, in_place, reverse, None if key is None or is_none(key) else key)


def _facts(node: cst.BaseExpression, found: _Sort, plan: LoweringPlan) -> list[_ScopedFact] | None:
    """What must hold: the types of `reverse` and of a list that is changed; None if nothing gives the keys an order."""
    known = (one for one in _TRUTHS if is_known(found.reverse, one, plan))
    own = [(found.reverse, next(known, exactly("bool")))]
    if found.in_place:
        own += [(found.items, exactly("list")), (found.items, ORDERED)][: 1 if found.key is None else 2]
    order: list[_ScopedFact] | None = []
    if found.key is None:
        own.append(_order_of_items(node, found, plan))
    else:
        applied = apply_function(found.key, 1, plan)
        if applied is None or (found.in_place and not _reads_items_only(applied, plan)):
            return None
        made, of_items = _keyed(found, applied, found.items, plan)
        own += [*of_items, *applied.facts]
        keys = _keys(applied, made, plan) if not obstacle(made, plan) and is_decided(made, applied, plan) else None
        order = None if keys is None else _order_facts(*keys, plan)
    return None if order is None else [*(_ScopedFact(plan.scope, *one) for one in own), *order]


def _order_of_items(node: cst.BaseExpression, found: _Sort, plan: LoweringPlan) -> Fact:
    """What gives the items an order: a string has one, else the contents of the operand or of the result."""
    if is_known(found.items, exactly("str"), plan):
        return found.items, exactly("str")
    return found.items if found.in_place or is_known(found.items, ORDERED, plan) else node, ORDERED


def _keyed(
    found: _Sort, applied: AppliedFunction, items: cst.BaseExpression, plan: LoweringPlan
) -> tuple[cst.ListComp, tuple[Fact, ...]]:
    """The comprehension with the keys of items, and what is known of the type of the items."""
    kind, facts = item_facts(applied, found.items, plan)
    return for_each(applied, cst.Call(cst.Name("list"), [cst.Arg(items)]), plan, kind=kind), facts


def _order_facts(value: cst.BaseExpression, scope: Scope, plan: LoweringPlan) -> list[_ScopedFact] | None:
    """The facts that give the values of an expression an order: one type, or one at each place of a tuple."""
    if exact_type(value, scope) in (*_KINDS, "char"):
        return []
    if isinstance(value, cst.Tuple) and all(isinstance(one, cst.Element) for one in value.elements):
        inside = [_order_facts(one.value, scope, plan) for one in value.elements]
        return None if None in inside else [fact for one in inside if one is not None for fact in one]
    facts = (_ScopedFact(scope, value, one) for one in (*map(exactly, _KINDS), NOT_NAN))
    return next(([one] for one in facts if one.is_known(plan)), None)


def _keys(applied: AppliedFunction, made: cst.ListComp, plan: LoweringPlan) -> tuple[cst.BaseExpression, Scope] | None:
    """The expression that gives the keys, and its scope; None if a function has others than that at its end."""
    name = applied.value.func if isinstance(applied.value, cst.Call) and applied.is_call else None
    functions = plain_functions(name.value, plan.scope) if isinstance(name, cst.Name) else []
    if not functions:
        return applied.value, plan.scopes.of(made)
    last = functions[-1].body.body[-1]
    last = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    own = [one for one in walk(functions[-1].body) if isinstance(one, cst.Return | cst.Yield)]
    if len(functions) > 1 or functions[0].asynchronous or own != [last] or not isinstance(last, cst.Return):
        return None
    return None if last.value is None else (last.value, plan.scopes.of(functions[0]))


def _reads_items_only(applied: AppliedFunction, plan: LoweringPlan) -> bool:
    """Whether a key cannot see the list by another name."""
    return all(map(plan.scope.is_builtin, applied.names - {*applied.parameters}))


def _insert_all(node: cst.BaseExpression, found: _Sort, items: cst.BaseExpression, steps: Lowering) -> str:
    """Write the loop without a key; return the variable with the result."""
    result = steps.fresh_temporary("list", node)
    place, item = steps.fresh_temporary("int", "place"), steps.fresh_temporary(None, "item")
    search = _search(found, result, place, item)
    text = f"{result} = []\nfor {item} in list({code(items)}):\n{search}    {result}.insert({place}, {item})\n"
    steps.emit_text(text, node)
    return result


def _insert_by_key(found: _Sort, items: cst.BaseExpression, steps: Lowering) -> str:
    """Write the loop with a key for each item; return the variable with the result."""
    assert found.key is not None
    applied = apply_function(found.key, 1, steps)
    assert applied is not None
    made, _ = _keyed(found, applied, items, steps)
    keys, place = steps.fresh_temporary("list", "keys"), steps.fresh_temporary("int", "place")

    def insert(node: cst.ListComp, result: str, steps: Lowering) -> None:
        [item] = loop_variables(node)
        key = code(atom(steps.lower_operand(node.elt), steps))
        text = _search(found, keys, place, key) + f"    {keys}.insert({place}, {key})\n"
        text += f"    {result}.insert({place}, {item})\n"
        steps.emit_text(textwrap.dedent(text))

    steps.assign(keys, cst.List([]))
    return accumulate(made, "list", cst.List([]), insert, steps).value


def _search(found: _Sort, keys: str, place: str, key: str) -> str:
    """The lines of a loop that find the place of a key behind all keys that are not later."""
    rising, falling = (
        f"while {place} < len({keys}) and {keys}[{place}] {order} {key}:\n    {place} += 1\n" for order in ("<=", ">=")
    )
    reverse = code(found.reverse)
    search = {"True": falling, "False": rising}.get(reverse)
    if search is None:
        search = f"if {reverse}:\n{textwrap.indent(falling, '    ')}else:\n{textwrap.indent(rising, '    ')}"
    return textwrap.indent(f"{place} = 0\n{search}", "    ")
