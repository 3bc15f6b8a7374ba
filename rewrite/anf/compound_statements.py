"""Lower statements with blocks: conditions, loops, `with`, `try` (`match`: `rewrite.anf.match_statements`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import libcst as cst

from rewrite.analysis.control_flow import has_break
from rewrite.analysis.effects import is_constant
from rewrite.analysis.evaluation_order import operands
from rewrite.analysis.type_narrowing import narrowing_test
from rewrite.anf.blocks import COMPOUND, BlockLowering
from rewrite.anf.condition_forms import emits_condition, is_not
from rewrite.anf.condition_lowering import lower_condition, lower_conditions, negated, negated_test
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import Ending
from rewrite.anf.nested_conditions import emit_nested, is_nested_conjunction
from rewrite.anf.simple_statements import bind, store, target_emits
from rewrite.syntax import build
from rewrite.syntax.tree import as_header, with_changes

_LINES = (cst.SimpleStatementLine, cst.SimpleStatementSuite)
_NOT_IN_LOOP = (cst.BaseCompoundStatement, cst.Break, cst.Continue)
"""Statements of a block that is not moved into a loop."""


def if_(blocks: BlockLowering, node: cst.If) -> None:
    """Lower a condition and its blocks. An `and` that needs control flow and has no else branch becomes nested ifs."""
    steps = blocks.steps
    if node.orelse is None and is_nested_conjunction(node.test, steps):
        *outer, last = lower_conditions(node.test, steps)
        emit_nested(outer, partial(_innermost_if, blocks, node, last), steps)
        return
    decisive = not is_not(node.test)
    tested = node.test if decisive else cst.ensure_type(node.test, cst.UnaryOperation).expression
    can_end = steps.condensed and node.orelse is None and _ends(node.body)
    if can_end:
        is_quiet = all(_is_end(one, steps) for one in _small_statements(node.body))
        steps.endings[id(tested)] = Ending(decisive, partial(_end, blocks, node.body), is_quiet)
    test = lower_condition(node.test, steps)
    if can_end and steps.endings.pop(id(tested), None) is None:
        return  # a loop ends the function
    with steps.excluding_type(_shown_not(blocks, node, node.body)):
        body, bound = blocks.branch(node.body)
    with steps.excluding_type(_shown_not(blocks, node, node.orelse)):
        otherwise, other = orelse(blocks, node.orelse)
    reached = [names for names in (bound, set() if node.orelse is None else other) if names is not None]
    if reached:
        steps.bound.update(set.intersection(*reached))
    blocks.compose(node, {"test": test, "body": body, "orelse": otherwise})


def _ends(suite: cst.BaseSuite) -> bool:
    """Whether a block of simple statements ends the function."""
    *others, last = _small_statements(suite)
    return isinstance(last, (cst.Return, cst.Raise)) and not any(isinstance(one, _NOT_IN_LOOP) for one in others)


def _small_statements(suite: cst.BaseSuite) -> list[cst.CSTNode]:
    """The simple statements of a block, and its compound ones as they are."""
    lines = [suite] if isinstance(suite, cst.SimpleStatementSuite) else suite.body
    return [one for line in lines for one in (line.body if isinstance(line, _LINES) else [line])]


def _is_end(node: cst.CSTNode, steps: Lowering) -> bool:
    """Whether a statement ends the function or prepares it, and does nothing else."""
    match node:
        case cst.Return(value=None) | cst.Return(value=cst.Name()):
            return True
        case cst.Return(value=value) | cst.Assign(targets=[cst.AssignTarget(cst.Name())], value=value):
            return value is not None and is_constant(value)
        case cst.Raise(exc=cst.Call(func=cst.Name(value=name), args=args), cause=None):
            return steps.scope.is_builtin(name) and all(
                isinstance(one.value, cst.Name) or is_constant(one.value) for one in args
            )
    return False


def _end(blocks: BlockLowering, suite: cst.BaseSuite) -> None:
    with blocks.steps.within(blocks.steps.function):
        new = blocks.suite(suite if isinstance(suite, cst.IndentedBlock) else build.expand_suite(suite, []))
    assert isinstance(new, cst.IndentedBlock)
    blocks.steps.out += new.body


def _shown_not(blocks: BlockLowering, node: cst.If, branch: cst.CSTNode | None) -> tuple[str, str] | None:
    """Variable and type, if the test shows that the variable does not have the type in the whole branch."""
    name, wanted, positive = narrowing_test(node.test)
    if (
        not name
        or branch is None
        or positive == (branch is node.body)
        or name in blocks.steps.scopes.flow.bound(branch)
    ):
        return None
    return name, wanted


def _innermost_if(blocks: BlockLowering, node: cst.If, condition: Callable[[], cst.BaseExpression]) -> None:
    test = condition()
    blocks.compose(node, {"test": as_header(test), "body": blocks.branch(node.body)[0], "leading_lines": ()})


def orelse(blocks: BlockLowering, node: cst.If | cst.Else | None) -> tuple[cst.If | cst.Else | None, set[str] | None]:
    """Lower the else part; an `elif` that needs steps becomes `else:` and an `if`.

    Returns:
        The part, and the names it binds; None if its end is never reached.
    """
    if node is None:
        return None, None
    if isinstance(node, cst.Else):
        suite, bound = blocks.branch(node.body)
        return (node if suite is node.body else node.with_changes(body=suite)), bound
    with blocks.steps.block() as block, blocks.steps.bound.block() as after:
        blocks.statement(node)
    return build.else_(block), after


def while_(blocks: BlockLowering, node: cst.While) -> None:
    """Lower a `while` whose test needs steps: the test moves into the body, where `continue` reaches it again."""
    steps = blocks.steps
    if not emits_condition(node.test, steps):
        body = blocks.branch(node.body)[0]
        blocks.compose(node, {"body": body, "orelse": orelse(blocks, node.orelse)[0]})
        return
    going, stop = "True", [build.line(cst.Break())]
    if node.orelse is not None:
        # The else branch only runs if the loop ends by its test, so the test needs a flag of its own.
        going = steps.fresh_temporary("bool", "going_on")
        steps.assign(going, cst.Name("True"))
        stop = [build.assign(going, cst.Name("False")), build.line(cst.Continue())]
    with steps.block() as prefix:
        test = lower_condition(node.test, steps)
        whole = steps.condensed and not prefix and node.orelse is None
        if not whole:
            done = negated_test(test, node.test, steps) if steps.condensed else negated(test, steps)
            steps.emit(build.if_(done, stop))
        body = blocks.suite(node.body, prefix)
    head = as_header(test) if whole else cst.Name(going)
    blocks.compose(node, {"test": head, "body": body, "orelse": orelse(blocks, node.orelse)[0]})


def for_(blocks: BlockLowering, node: cst.For) -> None:
    """Lower a `for`: the iterable before the loop; what the target evaluates, at the start of the body."""
    steps = blocks.steps
    iterable, target = steps.loop_source(node.iter, ends_early=has_break(node.body)), node.target
    with steps.block() as prefix:
        if target_emits(node.target, steps):
            target = cst.Name(steps.fresh_temporary(None, node.target))
            store(node.target, cst.Name(target.value), steps)
        bind(node.target, steps)
        body = blocks.suite(node.body, prefix)
    fields = {"target": target, "iter": iterable, "body": body, "orelse": orelse(blocks, node.orelse)[0]}
    blocks.compose(node, fields)


def with_(blocks: BlockLowering, node: cst.With) -> None:
    """Lower a `with`: the first manager before it; a later one that needs steps becomes a nested `with`."""
    steps = blocks.steps
    for place, item in enumerate(node.items):
        if place and (steps.emits(item.item) if steps.names_conditions else steps.emits_root(item.item)):
            _nested_with(blocks, node, place)
            return
    first = node.items[0]
    manager = steps.lower_operand(first.item) if steps.names_conditions else steps.lower_root(first.item)
    with steps.block():
        for item in node.items:
            if item.asname is not None:
                bind(item.asname.name, steps)
                for part in operands(item.asname.name).expressions:
                    steps.report_hidden(part, "target of a with")
        body = blocks.suite(node.body)
    fields: dict[str, Any] = {"body": body}
    if manager is not first.item:
        fields["items"] = [with_changes(first, {"item": manager}), *node.items[1:]]
    blocks.compose(node, fields)


def _nested_with(blocks: BlockLowering, node: cst.With, split: int) -> None:
    """Split a `with`, so that the first managers are entered before the others are created."""
    first = [*node.items[: split - 1], node.items[split - 1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]
    last = node.items[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)  # a trailing comma is legal in parentheses only
    inner = node.with_changes(items=[*node.items[split:-1], last], leading_lines=(), lpar=(), rpar=())
    with_(blocks, node.with_changes(items=first, body=cst.IndentedBlock([inner]), lpar=(), rpar=()))


def try_(blocks: BlockLowering, node: cst.Try | cst.TryStar) -> None:
    """Lower the blocks of a `try`; the exception types of its handlers stay."""
    steps = blocks.steps
    with steps.bound.block() as bound:
        body = blocks.suite(node.body)
    handlers = [_handler(blocks, handler) for handler in node.handlers]
    with steps.block():
        steps.bound.update(bound)
        otherwise = orelse(blocks, node.orelse)[0]
    final = node.finalbody
    if final is not None:
        new = blocks.suite(final.body)
        final = final if new is final.body else final.with_changes(body=new)
    fields: dict[str, Any] = {"body": body, "orelse": otherwise, "finalbody": final}
    if any(a is not b for a, b in zip(handlers, node.handlers, strict=True)):
        fields["handlers"] = handlers
    blocks.compose(node, fields)


def _handler(blocks: BlockLowering, node: Any) -> Any:
    if node.type is not None:
        reason = "except clause: evaluated only while an exception is being handled"
        blocks.steps.report_hidden(node.type, reason)
    suite = blocks.branch(node.body)[0]
    return node if suite is node.body else node.with_changes(body=suite)


COMPOUND.update(
    {
        cst.For: for_,
        cst.If: if_,
        cst.Try: try_,
        cst.TryStar: try_,
        cst.While: while_,
        cst.With: with_,
    }
)
