"""Lower comprehensions to loops.

`[f(x) for x in xs if p(x)]` becomes a loop over `xs` that appends to a new list, in the same evaluation order: the
first iterable, then for each item the conditions, then the element (of a dict: key, value). The comprehension's
variables become variables of the function. They keep their names unless the function uses those, and nothing else sees
them. Some comprehensions stay: one whose variable a closure captures, one whose StopIteration is observed
(`rewrite.analysis.stop_iteration`), and one whose body runs later (generator expressions).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import libcst as cst

from rewrite.analysis.effects import is_constant
from rewrite.analysis.evaluation_order import clauses, elements, non_operands
from rewrite.analysis.scopes import BUILTINS, ModuleScopes, Scope
from rewrite.analysis.stop_iteration import is_asynchronous, is_exception_observed
from rewrite.anf.lambda_names import is_only_called
from rewrite.anf.lowering import Lowering, register
from rewrite.anf.lowering_plan import Answer, HiddenValue, LoweringPlan
from rewrite.anf.nested_conditions import emit_guarded, record_whole
from rewrite.syntax import build
from rewrite.syntax.source_map import PrintedModule
from rewrite.syntax.tree import Node, as_header, children, fields, walk, without_parentheses

Loop = cst.ListComp | cst.SetComp | cst.DictComp
Store = Callable[[Any, str, Lowering], None]


def becomes_statements(node: Loop, plan: LoweringPlan) -> Answer:
    """Whether a comprehension becomes a loop, or which values stay hidden in one that cannot."""
    scope = plan.scopes.of(node)
    if not (
        plan.forces_control_flow(node) or any(True for part in non_operands(node) for _ in plan.claimed(part, scope))
    ):
        return Answer(False)
    reason = obstacle(node, plan)
    if not reason:
        return Answer(True)
    kept: list[HiddenValue] = []
    for part in non_operands(node):
        shown = isinstance(part, cst.Comparison) and part not in elements(node) and not plan.names_conditions
        kept += plan.hidden_values(part, reason, root=shown, scope=scope)
    return Answer(False, tuple(kept))


def rename(node: Node, names: Mapping[str, str], scopes: ModuleScopes, old: PrintedModule) -> Node:
    """Return a copy with names replaced. Nested scopes stay known; they must not bind any of the names.

    The copies have the positions of the original, so that what is known about an expression there is not lost.
    """
    if isinstance(node, cst.Name):
        name = cst.Name(names[node.value], node.lpar, node.rpar) if node.value in names else node.with_changes()
        old.record_copy(name, node)
        return name  # type: ignore[return-value]
    changes: dict[str, Any] = {}
    for field in fields(type(node)):
        if field in ("attr", "keyword"):
            continue
        value = getattr(node, field)
        if isinstance(value, cst.CSTNode):
            changes[field] = rename(value, names, scopes, old)
        elif isinstance(value, (list, tuple)):
            changes[field] = [rename(item, names, scopes, old) for item in value]
    new = node.with_changes(**changes) if changes else node
    scopes.adopt(new, scopes.find(node))
    old.record_copy(new, node)
    return new


def does_work(node: cst.BaseComp) -> bool:
    """Whether more than names and constants is evaluated per item."""
    return any(not isinstance(part, cst.Name) and not is_constant(part) for part in non_operands(node))


def obstacle(node: Loop, plan: LoweringPlan) -> str:
    """Return why a comprehension cannot become a loop; "" if it can."""
    if is_asynchronous(node) and is_exception_observed(node, plan.function):
        return "comprehension that awaits: a StopIteration that leaves it may become a RuntimeError"
    if isinstance(node, cst.SetComp) and not plan.scope.is_builtin("set"):
        return "the name set is not the builtin here"
    own = plan.scopes.of(node).bindings.keys()
    if any(not isinstance(inner, (cst.Name, cst.Tuple, cst.List)) for inner in _targets(node)):
        return "comprehension: its target is not a name"
    if plan.function.kind == "class":
        return "comprehension in a class body: it does not see the variables of the class"
    if any(_may_be_unbound(name, plan) for name in plan.scopes.of(node).names - own):
        return "comprehension: up to Python 3.11, the error for an enclosing function without a value differs"
    known = None if plan.module.reflection.super_renamed else "super"
    if any(asks_for_class(part, known) for part in non_operands(node)):
        return "comprehension: up to Python 3.11, super() in one does not find the class"
    taken = _names_to_replace(node, plan)
    for part in non_operands(node):
        for inner in walk(part):
            if isinstance(inner, (cst.Lambda, cst.GeneratorExp)) and plan.scopes.of(inner).names & own:
                return "comprehension: a closure captures its variable"
            if isinstance(inner, cst.Lambda) and not is_only_called(inner, part, plan.scopes.of(node)):
                return "comprehension that creates functions, whose qualified names would change"
            if isinstance(inner, cst.BaseComp) and taken & plan.scopes.of(inner).bindings.keys():
                return "comprehension: its variable shadows that of another comprehension"
    return ""


def asks_for_class(node: cst.CSTNode, known: str | None) -> bool:
    """Whether a node itself calls `super()`, which finds its arguments in the calling function.

    Args:
        node: the node.
        known: the name of `super`; None if it may have any name.
    """
    called = node.func.value if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and not node.args else ""
    if called and known in (None, called):
        return True
    own = not isinstance(node, (cst.Lambda, cst.GeneratorExp))
    return own and any(asks_for_class(child, known) for child in children(node))


def _may_be_unbound(name: str, plan: LoweringPlan) -> bool:
    """Whether a name is that of a nested function or class that may not be bound yet.

    A comprehension that is a function of its own then raises NameError, a loop UnboundLocalError.
    """
    certain = name in plan.bound and name not in plan.function.deleted
    if plan.function.kind != "function" or certain or name in plan.function.declared_global:
        return False
    return any(binding.how == "definition" for binding in plan.function.bindings.get(name, ()))


def _names_to_replace(node: Loop, plan: LoweringPlan) -> set[str]:
    """The comprehension's variables that need other names.

    The function uses theirs, they would become globals, or they would hide a builtin that a rewrite uses later.
    """
    own = plan.scopes.of(node).bindings.keys()
    if plan.function.kind == "module":
        return {name for name in own if name not in plan.names.temporaries}
    return {name for name in own if name in plan.function.names | plan.loop_names | BUILTINS}


def _targets(node: cst.BaseComp) -> Iterator[cst.BaseExpression]:
    for clause in clauses(node):
        yield clause.target
        if isinstance(clause.target, (cst.Tuple, cst.List)):
            yield from (element.value for element in clause.target.elements)


def expand(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Write the loop.

    Returns:
        The temporary with the finished list, set or dict.
    """
    assert isinstance(node, (cst.ListComp, cst.SetComp, cst.DictComp))
    kind = {cst.ListComp: "list", cst.SetComp: "set", cst.DictComp: "dict"}[type(node)]
    empty = {"list": cst.List([]), "dict": cst.Dict([]), "set": cst.Call(cst.Name("set"))}[kind]
    return accumulate(node, kind, empty, _store, steps)


def accumulate(
    node: Loop, kind: str | None, start: cst.BaseExpression, store: Store, steps: Lowering, *, ends_early: bool = False
) -> cst.Name:
    """Write a loop that collects the elements of a comprehension.

    Args:
        node: the comprehension; nothing must be an obstacle (`obstacle`).
        kind: the type of the result, None if unknown.
        start: the value of the result before the first element.
        store: writes the step for one element: the comprehension, the variable of the result, the lowering.
        steps: the lowering of the function.
        ends_early: whether a step may leave the loop.

    Returns:
        The temporary with the result.
    """
    iterable = steps.loop_source(node.for_in.iter, ends_early=ends_early)
    result = steps.fresh_temporary(kind, node)
    steps.assign(result, start)
    write_loop(node, iterable, lambda made: store(made, result, steps), steps)
    return cst.Name(result)


def write_loop(node: Loop, iterable: cst.BaseExpression, store: Callable[[Loop], None], steps: Lowering) -> None:
    """Write the loop of a comprehension.

    Args:
        node: the comprehension; nothing must be an obstacle (`obstacle`).
        iterable: the first iterable, evaluated (`Lowering.loop_source`).
        store: writes the step for one element of the comprehension, which has the names of the loop.
        steps: the lowering of the function.
    """
    node = _renamed(node, steps)
    own = set(steps.scopes.of(node).bindings)
    outer_scope, steps.scope = steps.scope, steps.scopes.of(node)
    steps.loop_names |= own
    steps.names.loop_variables |= dict.fromkeys(sorted(own - steps.names.temporaries.keys()))
    try:
        _loop(node, clauses(node), iterable, lambda: store(node), steps)
    finally:
        steps.scope = outer_scope
        steps.loop_names -= own


def _renamed(node: Loop, steps: Lowering) -> Loop:
    """The comprehension with temporaries for variables whose names the function uses."""
    scope = steps.scopes.of(node)
    names = {
        name: steps.fresh_temporary(None, name) for name in scope.bindings if name in _names_to_replace(node, steps)
    }
    if not names:
        return node
    bindings = {names.get(name, name): found for name, found in scope.bindings.items()}
    new = rename(node, names, steps.scopes, steps.module.comments.old)
    steps.scopes.adopt(new, Scope("comprehension", scope.parent, bindings, names=scope.names))
    return new


def _loop(
    node: Loop,
    remaining: list[cst.CompFor],
    iterable: cst.BaseExpression,
    store: Callable[[], None],
    steps: Lowering,
) -> None:
    clause = remaining[0]
    with steps.block() as body:
        steps.bound.update(name.value for name in _targets(node) if isinstance(name, cst.Name))
        _guarded([condition.test for condition in clause.ifs], node, remaining[1:], store, steps)
    steps.emit(cst.For(clause.target, as_header(iterable), build.suite(body), asynchronous=clause.asynchronous))


def _guarded(
    tests: list[cst.BaseExpression],
    node: Loop,
    remaining: list[cst.CompFor],
    store: Callable[[], None],
    steps: Lowering,
) -> None:
    if tests:
        emit_guarded(tests[0], lambda: _guarded(tests[1:], node, remaining, store, steps), steps)
    elif remaining:
        _loop(node, remaining, steps.loop_source(remaining[0].iter), store, steps)
    else:
        store()


def _store(node: Loop, result: str, steps: Lowering) -> None:
    if isinstance(node, cst.DictComp):
        done = steps.lower_in_order([node.key, node.value], shown=[node.value])
        key, value = done.get(id(node.key), node.key), done.get(id(node.value), node.value)
        if not isinstance(key, cst.Name) and not is_constant(key):
            key = steps.materialize(key)
        elif not isinstance(value, cst.Name) and not is_constant(value):
            key = steps.stabilize(key, [node.value])
        item = cst.Subscript(cst.Name(result), [cst.SubscriptElement(cst.Index(key))])
        steps.emit(cst.Assign([cst.AssignTarget(item)], without_parentheses(value)))
        record_whole(node.value, steps)
        return
    method = "append" if isinstance(node, cst.ListComp) else "add"
    # In a condensed rewrite, the list shows its last item, which needs no temporary.
    lower = steps.lower_root if steps.condensed and method == "append" else steps.lower_operand
    call = cst.Call(cst.Attribute(cst.Name(result), cst.Name(method)), [cst.Arg(lower(node.elt))])
    steps.emit(cst.Expr(call))
    record_whole(node.elt, steps)


register(becomes_statements, expand, cst.ListComp, cst.SetComp, cst.DictComp)
