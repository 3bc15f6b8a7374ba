"""The intervention `applied_loop`: a loop over `map`, `filter` or a generator expression loops over their items.

`for x in map(f, items)` becomes `for item in items`, and the body begins with `x = f(item)`: a state shows the item
before a step uses it. Both compute a value when its round begins, and the body runs in between.
"""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from rewrite.analysis.effects import binds_name
from rewrite.analysis.evaluation_order import clauses
from rewrite.anf.applied_functions import AppliedFunction, is_decided, mapped_items
from rewrite.anf.comprehensions import obstacle, rename
from rewrite.anf.generator_items import items_as_list, never_stops
from rewrite.anf.intervention import RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.syntax import build
from rewrite.syntax.tree import walk


class AppliedLoop(StatementIntervention):
    """Computes the value at the start of the body, behind the condition of a `filter`.

    Not in scope: generator expressions with several `for`, and functions that the body of the loop replaces.
    """

    name = "applied_loop"
    summary = "a loop over `map`, `filter` or a generator expression as a loop over their items"
    recipes = ("elements",)
    kind = "idioms"
    order = 6
    statements = (cst.For,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "A function of each item",
            """
            def f(words):
                total = 0
                for size in map(len, words):
                    total += size
                return total
            """,
            """
            def f(words):
                total = 0
                for _t0 in words:
                    size = len(_t0)
                    total += size
                return total
            """,
            "f([[1, 2], [3]])",
            with_call=True,
        ),
        RewriteExample(
            "Items that `filter` keeps",
            """
            def f(text):
                found = []
                for c in filter(str.isalpha, text):
                    found.append(c)
                return found
            """,
            """
            def f(text):
                found = []
                for _t0 in text:
                    if str.isalpha(_t0):
                        c = _t0
                        found.append(c)
                return found
            """,
            "f('a1b')",
        ),
        RewriteExample(
            "A generator expression",
            """
            def f(pairs):
                for n in (a * b for a, b in pairs):
                    print(n)
            """,
            """
            def f(pairs):
                for _t0, _t1 in pairs:
                    n = _t0 * _t1
                    print(n)
            """,
            "f([(2, 3)])",
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A function that the loop replaces",
            """
            def f(a, items):
                b = {}
                for x in map(b.get, items):
                    b = a
                    print(x)
            """,
        ),
        UntouchedExample(
            "A function that may raise StopIteration",
            """
            def f(a):
                for x in map(next, a):
                    print(x)
            """,
        ),
        UntouchedExample(
            "An unknown function",
            """
            def f(g, items):
                for x in map(g, items):
                    print(x)
            """,
        ),
        UntouchedExample(
            "A `map` that is kept",
            """
            def f(m):
                m = map(len, m)
                for x in m:
                    print(x)
            """,
        ),
    )

    def claims(self, node: cst.For, plan: LoweringPlan) -> bool:
        return _items(node, plan) is not None

    def expand(self, node: cst.For, steps: Lowering) -> cst.For:
        found = _items(node, steps)
        assert found is not None
        listed, applied = found
        if applied is not None:
            applied.assume(steps)
        types = steps.scopes.of(listed).assumed_types
        names = {name: steps.fresh_temporary(types.get(name), name) for name in _variables(listed)}
        listed = rename(listed, names, steps.scopes, steps.module.comments.old)
        [clause] = clauses(listed)
        body = node.body if isinstance(node.body, cst.IndentedBlock) else build.expand_suite(node.body, [])
        body = body.with_changes(body=[build.line(cst.Assign([cst.AssignTarget(node.target)], listed.elt)), *body.body])
        for condition in reversed(clause.ifs):
            body = build.suite([cst.If(condition.test, body)])
        return node.with_changes(target=clause.target, iter=clause.iter, body=body)


def _items(node: cst.For, plan: LoweringPlan) -> tuple[cst.ListComp, AppliedFunction | None] | None:
    """A comprehension with the items of a loop, and the function that gives them; None for any other loop."""
    is_free = plan.scope.kind == "function" and node.asynchronous is None
    if not is_free or any(id(one) in plan.module.frozen for one in walk(node.body)):
        return None
    generator = node.iter if isinstance(node.iter, cst.GeneratorExp) else None
    found = (
        (items_as_list(generator, plan), None) if generator is not None else mapped_items(node.iter, plan, typed=True)
    )
    if found is None or len(clauses(found[0])) > 1 or not never_stops(found[0], plan) or obstacle(found[0], plan):
        return None
    listed, applied = found
    if applied is None:
        return listed, applied
    function = applied.names - {*applied.parameters} if applied.is_call else ()
    is_same = is_decided(listed, applied, plan) and not any(binds_name(node, name) for name in function)
    return (listed, applied) if is_same else None


def _variables(listed: cst.ListComp) -> list[str]:
    target = clauses(listed)[0].target
    return [one.value for one in walk(target) if isinstance(one, cst.Name)]
