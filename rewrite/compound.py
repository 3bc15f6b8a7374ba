"""Statements with blocks: conditions, loops, `with`, `try` (`match`: `rewrite.matching`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from rewrite import branches, build, matching
from rewrite.flow import tested
from rewrite.jumps import breaks
from rewrite.operands import operands
from rewrite.simple import bind, store, target_emits
from rewrite.tree import changed, header

if TYPE_CHECKING:
    from rewrite.statements import Bodies


def if_(bodies: Bodies, node: cst.If) -> None:
    steps = bodies.steps
    if node.orelse is None and branches.is_lazy(node.test) and _is_conjunction(node.test, bodies):
        _nested_if(bodies, node, branches.conditions(node.test, steps))
        return
    test = steps.test(node.test)
    with steps.knowing_not(_shown_not(bodies, node, node.body)):
        body, bound = bodies.branch(node.body)
    with steps.knowing_not(_shown_not(bodies, node, node.orelse)):
        otherwise, other = orelse(bodies, node.orelse)
    reached = [names for names in (bound, set() if node.orelse is None else other) if names is not None]
    if reached:
        steps.bound.update(set.intersection(*reached))
    bodies.compose(node, {"test": test, "body": body, "orelse": otherwise})


def _shown_not(bodies: Bodies, node: cst.If, branch: cst.CSTNode | None) -> tuple[str, str] | None:
    """Variable and type, where the test shows that it has not this type in the whole of a branch."""
    name, wanted, positive = tested(node.test)
    if (
        not name
        or branch is None
        or positive == (branch is node.body)
        or name in bodies.steps.scopes.flow.bound(branch)
    ):
        return None
    return name, wanted


def _is_conjunction(test: branches.Lazy, bodies: Bodies) -> bool:
    """Whether the condition needs control flow, and is an `and`: nested ifs say the same."""
    if isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.Or):
        return False
    return branches.opens(test, bodies.steps)


def _nested_if(bodies: Bodies, node: cst.If, conditions: Sequence[Callable[[], cst.BaseExpression]]) -> None:
    test = conditions[0]()
    if len(conditions) == 1:
        bodies.compose(node, {"test": header(test), "body": bodies.branch(node.body)[0], "leading_lines": ()})
        return
    with bodies.steps.block() as inner:
        _nested_if(bodies, node, conditions[1:])
    bodies.steps.emit(build.if_(test, inner))


def orelse(bodies: Bodies, node: cst.If | cst.Else | None) -> tuple[cst.If | cst.Else | None, set[str] | None]:
    """The else part, and the names it binds. An `elif` that needs steps becomes `else:` and an `if`."""
    if node is None:
        return None, None
    if isinstance(node, cst.Else):
        suite, bound = bodies.branch(node.body)
        return (node if suite is node.body else node.with_changes(body=suite)), bound
    with bodies.steps.block() as block, bodies.steps.bound.block() as after:
        bodies.statement(node)
    first = block[0]
    return (first if len(block) == 1 and isinstance(first, cst.If) else cst.Else(build.suite(block))), after


def while_(bodies: Bodies, node: cst.While) -> None:
    """`while test` whose test needs steps: tested inside, where `continue` comes by again."""
    steps = bodies.steps
    if not steps.emits_test(node.test):
        body = bodies.branch(node.body)[0]
        bodies.compose(node, {"body": body, "orelse": orelse(bodies, node.orelse)[0]})
        return
    going, stop = "True", [build.line(cst.Break())]
    if node.orelse is not None:
        # The loop must still end by its test for its else to run, and that test must be a truth of its own.
        going = steps.fresh("bool", "going_on")
        steps.assign(going, cst.Name("True"))
        stop = [build.assign(going, cst.Name("False")), build.line(cst.Continue())]
    with steps.block() as prefix:
        test = steps.test(node.test)
        steps.emit(build.if_(steps.negated(test), stop))
        body = bodies.suite(node.body, prefix)
    bodies.compose(node, {"test": cst.Name(going), "body": body, "orelse": orelse(bodies, node.orelse)[0]})


def for_(bodies: Bodies, node: cst.For) -> None:
    steps = bodies.steps
    iterable, target = steps.loop_source(node.iter, ends_early=breaks(node.body)), node.target
    with steps.block() as prefix:
        if target_emits(node.target, steps):
            target = cst.Name(steps.fresh(None, node.target))
            store(node.target, cst.Name(target.value), steps)
        bind(node.target, steps)
        body = bodies.suite(node.body, prefix)
    fields = {"target": target, "iter": iterable, "body": body, "orelse": orelse(bodies, node.orelse)[0]}
    bodies.compose(node, fields)


def with_(bodies: Bodies, node: cst.With) -> None:
    steps = bodies.steps
    for place, item in enumerate(node.items):
        if place and (steps.emits(item.item) if steps.names_conditions else steps.emits_root(item.item)):
            _nested_with(bodies, node, place)
            return
    first = node.items[0]
    manager = steps.value(first.item) if steps.names_conditions else steps.root(first.item)
    with steps.block():
        for item in node.items:
            if item.asname is not None:
                bind(item.asname.name, steps)
                for part in operands(item.asname.name).expressions:
                    steps.leave(part, "target of a with")
        body = bodies.suite(node.body)
    fields: dict[str, Any] = {"body": body}
    if manager is not first.item:
        fields["items"] = [changed(first, {"item": manager}), *node.items[1:]]
    bodies.compose(node, fields)


def _nested_with(bodies: Bodies, node: cst.With, split: int) -> None:
    """The first managers are entered before the others are built."""
    first = [*node.items[: split - 1], node.items[split - 1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
    last = node.items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)  # legal in parentheses only
    inner = node.with_changes(items=[*node.items[split:-1], last], leading_lines=(), lpar=(), rpar=())
    with_(bodies, node.with_changes(items=first, body=cst.IndentedBlock([inner]), lpar=(), rpar=()))


def try_(bodies: Bodies, node: cst.Try | cst.TryStar) -> None:
    steps = bodies.steps
    with steps.bound.block() as bound:
        body = bodies.suite(node.body)
    handlers = [_handler(bodies, handler) for handler in node.handlers]
    with steps.block():
        steps.bound.update(bound)
        otherwise = orelse(bodies, node.orelse)[0]
    final = node.finalbody
    if final is not None:
        new = bodies.suite(final.body)
        final = final if new is final.body else final.with_changes(body=new)
    fields: dict[str, Any] = {"body": body, "orelse": otherwise, "finalbody": final}
    if any(a is not b for a, b in zip(handlers, node.handlers, strict=True)):
        fields["handlers"] = handlers
    bodies.compose(node, fields)


def _handler(bodies: Bodies, node: Any) -> Any:
    if node.type is not None:
        reason = "except clause: evaluated while an exception looks for its handler"
        bodies.steps.leave(node.type, reason)
    suite = bodies.branch(node.body)[0]
    return node if suite is node.body else node.with_changes(body=suite)


HANDLERS: dict[type[cst.CSTNode], Callable[[Bodies, Any], None]] = {
    cst.For: for_,
    cst.If: if_,
    cst.Match: matching.match,
    cst.Try: try_,
    cst.TryStar: try_,
    cst.While: while_,
    cst.With: with_,
}
