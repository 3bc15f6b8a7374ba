"""Comprehensions as loops.

`[f(x) for x in xs if p(x)]` becomes a loop over `xs` that appends to a fresh list, in the same order of evaluation:
the first iterable, then for each item the conditions, then the element (of a dict: key, value). The comprehension's own
variables become variables of the function, under their own names where the function does not use those, and are not
seen by anybody else. What cannot be a loop here is left alone: a variable that a closure keeps, `async for`, a body
that only runs later (generator expressions).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from rewrite import build
from rewrite.effects import is_constant
from rewrite.tree import walk

if TYPE_CHECKING:
    from rewrite.steps import Steps

Loop = cst.ListComp | cst.SetComp | cst.DictComp


def needs(node: cst.BaseExpression, steps: Steps) -> bool:
    """Whether a comprehension is to be opened into a loop; reports what stays hidden in one that cannot be."""
    if isinstance(node, cst.Lambda):
        steps.leave(node.body, "lambda: its body runs later", root=True)
        return False
    if isinstance(node, cst.GeneratorExp):
        for part in _inside(node):
            steps.leave(part, "generator expression: its body runs later", root=True)
        return False
    if not isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp)):
        return False
    if not (steps.opens(node) or any(True for part in _inside(node) for _ in steps.claimed(part))):
        return False
    reason = _obstacle(node, steps)
    for part in _inside(node) if reason else ():
        steps.leave(part, reason, root=True)
    return not reason


def clauses(node: cst.BaseComp) -> list[cst.CompFor]:
    """The `for` clauses of a comprehension, outermost first."""
    found: list[cst.CompFor] = []
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        found.append(clause)
        clause = clause.inner_for_in
    return found


def elements(node: cst.BaseComp) -> list[cst.BaseExpression]:
    """What a comprehension makes of each item: the element, or key and value."""
    return [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]  # type: ignore[attr-defined]


def does_work(node: cst.BaseComp) -> bool:
    """Whether more is evaluated per item than names and constants."""
    return any(not isinstance(part, cst.Name) and not is_constant(part) for part in _inside(node))


def _inside(node: cst.BaseComp) -> Iterator[cst.BaseExpression]:
    """What is evaluated per item."""
    for index, clause in enumerate(clauses(node)):
        if index:
            yield clause.iter
        yield from (condition.test for condition in clause.ifs)
    yield from elements(node)


def _obstacle(node: Loop, steps: Steps) -> str:
    if any(clause.asynchronous is not None for clause in clauses(node)):
        return "asynchronous comprehension"
    if isinstance(node, cst.SetComp) and not steps.scope.is_builtin("set"):
        return "the name set is not Python's own here"
    own = steps.scopes.of(node).bindings.keys()
    if any(name in steps.function.names or name in steps.loop_names for name in own):
        return "comprehension: its variable has the name of another one"
    if any(not isinstance(inner, (cst.Name, cst.Tuple, cst.List)) for inner in _targets(node)):
        return "comprehension: its target is not a name"
    for part in _inside(node):
        for inner in walk(part):
            if isinstance(inner, (cst.Lambda, cst.GeneratorExp)) and steps.scopes.of(inner).names & own:
                return "comprehension: a closure keeps its variable"
    return ""


def _targets(node: cst.BaseComp) -> Iterator[cst.BaseExpression]:
    for clause in clauses(node):
        yield clause.target
        if isinstance(clause.target, (cst.Tuple, cst.List)):
            yield from (element.value for element in clause.target.elements)


def expand(node: cst.BaseExpression, steps: Steps) -> cst.BaseExpression:
    """Write the loop; gives the temporary that holds the finished list, set or dict."""
    assert isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp))
    iterable = steps.loop_source(node.for_in.iter)
    kind = {cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict"}[type(node)]
    result = steps.fresh(kind)
    empty = {"list": cst.List([]), "dict": cst.Dict([]), "set": cst.Call(cst.Name("set"))}[kind]
    steps.assign(result, empty)
    own = set(steps.scopes.of(node).bindings)
    outer_scope, steps.scope = steps.scope, steps.scopes.of(node)
    steps.loop_names |= own
    try:
        _loop(node, clauses(node), iterable, result, steps)
    finally:
        steps.scope = outer_scope
        steps.loop_names -= own
    return cst.Name(result)


def _loop(node: Loop, remaining: list[cst.CompFor], iterable: cst.BaseExpression, result: str, steps: Steps) -> None:
    clause = remaining[0]
    with steps.block() as body:
        steps.bound |= {name.value for name in _targets(node) if isinstance(name, cst.Name)}
        _guarded([condition.test for condition in clause.ifs], node, remaining[1:], result, steps)
    steps.emit(cst.For(_loop_target(clause.target), iterable, build.suite(body)))


def _loop_target(target: cst.BaseAssignTargetExpression) -> cst.BaseAssignTargetExpression:
    return target


def _guarded(
    tests: list[cst.BaseExpression], node: Loop, remaining: list[cst.CompFor], result: str, steps: Steps
) -> None:
    if tests:
        test = steps.test(tests[0])
        with steps.block() as body:
            _guarded(tests[1:], node, remaining, result, steps)
        steps.emit(build.if_(test, body))
    elif remaining:
        _loop(node, remaining, steps.loop_source(remaining[0].iter), result, steps)
    else:
        _store(node, result, steps)


def _store(node: Loop, result: str, steps: Steps) -> None:
    if isinstance(node, cst.DictComp):
        done = steps.ordered([node.key, node.value], shown=[node.value])
        key, value = done.get(id(node.key), node.key), done.get(id(node.value), node.value)
        if not isinstance(value, cst.Name) and not is_constant(value):
            key = steps.keep(key, [node.value])
        item = cst.Subscript(cst.Name(result), [cst.SubscriptElement(cst.Index(key))])
        steps.emit(cst.Assign([cst.AssignTarget(item)], value))
        return
    method = "append" if isinstance(node, cst.ListComp) else "add"
    call = cst.Call(cst.Attribute(cst.Name(result), cst.Name(method)), [cst.Arg(steps.value(node.elt))])
    steps.emit(cst.Expr(call))
