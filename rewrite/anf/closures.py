"""Lower lambdas and generator expressions that hide values, to nested functions in their place.

`lambda x: len(str(x))` becomes `def _t0(x): …` directly before its statement, with the same parameters, defaults and
closures. `(f(x) + 1 for x in xs)` becomes a generator function, called with `iter(xs)` where the expression was: the
first iterable is evaluated at once, the rest when an item is requested. If the name of a lambda is visible, the
function gets that name (`rewrite.anf.lambda_names`). Two differences remain: the name of the function in tracebacks,
and the name in the repr of a generator.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.evaluation_order import clauses, defaults, elements, non_operands
from rewrite.analysis.scopes import Binding
from rewrite.anf.lambda_names import called_lambda, is_only_called, naming_statements, qualified_name
from rewrite.anf.lowering import Lowering, register
from rewrite.anf.lowering_plan import Answer, HiddenValue, LoweringPlan
from rewrite.anf.rewrite_result import Construct
from rewrite.syntax import build
from rewrite.syntax.tree import substitute, walk


def becomes_statements(node: cst.Lambda | cst.GeneratorExp, plan: LoweringPlan) -> Answer:
    """Whether a lambda or generator expression hides values and becomes a function, or why it must stay."""
    claimed = ((part, test, plan.claimed(part, plan.scopes.of(node))) for part, test in _later(node, plan))
    hidden = [inner for part, test, found in claimed for inner in found if test or inner is not part]
    if not hidden:  # an operation that is returned or yielded is shown, but a string operation hides characters
        alone = f"{_kind(node)} that consists of this operation alone"
        own = plan.scopes.of(node)
        parts = (plan.hidden_values(part, alone, root=True, scope=own) for part, test in _later(node, plan) if not test)
        return Answer(False, tuple(kept for part in parts for kept in part))
    reason = _obstacle(node, plan)
    return Answer(not reason, tuple(HiddenValue(inner, reason) for inner in hidden if reason))


def _later(node: cst.Lambda | cst.GeneratorExp, plan: LoweringPlan) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """The parts that run later, and whether the value of each is hidden too: it is not if it is returned or yielded."""
    shown = [node.body] if isinstance(node, cst.Lambda) else elements(node)
    for part in non_operands(node):
        branch = isinstance(node, cst.GeneratorExp) and isinstance(part, cst.Comparison) and not plan.names_conditions
        yield part, part not in shown and not branch


def _kind(node: cst.Lambda | cst.GeneratorExp) -> str:
    return "lambda" if isinstance(node, cst.Lambda) else "generator expression"


def _obstacle(node: cst.Lambda | cst.GeneratorExp, plan: LoweringPlan) -> str:
    name = _kind(node)
    for part, _ in _later(node, plan):
        for inner in walk(part):
            if isinstance(inner, (cst.Yield, cst.Await)):
                return f"{name} that yields or awaits"
            if isinstance(inner, cst.Lambda) and not is_only_called(inner, part, plan.scopes.of(node)):
                return f"{name} that creates functions, whose qualified names would change"
            if isinstance(inner, cst.NamedExpr) and isinstance(node, cst.GeneratorExp):
                return "generator expression that binds a variable of an enclosing scope"
            if isinstance(inner, cst.BaseComp) and any(clause.asynchronous for clause in clauses(inner)):
                return f"{name} with an asynchronous comprehension"
    if isinstance(node, cst.GeneratorExp):
        if any(clause.asynchronous for clause in clauses(node)):
            return "asynchronous generator expression"
        if not plan.scope.is_builtin("iter"):
            return "the name iter is not the builtin here"
        if any(scope.kind == "class" and "__next__" in scope.bindings for scope in plan.scopes):
            # The loop of the function calls `iter` once more, which an iterator without `__iter__` refuses.
            return "generator expression in a module that defines an iterator"
    elif not _is_unseen(node, plan) and qualified_name(plan.scopes.of(node)) is None:
        return "lambda in a comprehension, whose qualified name would change"
    if plan.scopes.of(node).reflection:
        return f"{name} that inspects its own variables"
    return ""


def _is_unseen(node: cst.Lambda, plan: LoweringPlan) -> bool:
    """Whether nothing can see the name of a lambda: the call that receives it only calls it."""
    own = plan.scopes.of(node)
    found = called_lambda(own.call, plan.scope) if own.call is not None else None
    return found is not None and plan.scopes.of(found) is own


def expand(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Write the function.

    Returns:
        Its name, or the call that creates the generator.
    """
    if isinstance(node, cst.Lambda):
        return _function(node, steps)
    assert isinstance(node, cst.GeneratorExp)
    return _generator(node, steps)


def _function(node: cst.Lambda, steps: Lowering) -> cst.Name:
    done = steps.lower_in_order(defaults(node.params).expressions)
    name = steps.fresh_temporary(None, node)
    body = steps.engine.body(steps.scopes.of(node), [build.line(cst.Return(steps.detach(node.body)))])
    _define(name, substitute(node.params, done) if done else node.params, body, steps)
    qualname = qualified_name(steps.scopes.of(node))
    if qualname and not _is_unseen(node, steps):
        steps.emit_text(naming_statements(name, qualname))
    return cst.Name(name)


def _generator(node: cst.GeneratorExp, steps: Lowering) -> cst.Name:
    source = steps.lower_operand(node.for_in.iter)
    name, parameter = steps.fresh_temporary(None, node), steps.fresh_temporary(None, "source")
    scope = steps.scopes.of(node)
    scope.bindings[parameter] = [Binding("parameter")]
    statement: cst.BaseStatement = build.line(cst.Expr(cst.Yield(steps.detach(node.elt))))
    for index, clause in reversed(list(enumerate(clauses(node)))):
        for condition in reversed(clause.ifs):
            statement = build.if_(steps.detach(condition.test), [statement])
        iterable = steps.detach(clause.iter) if index else cst.Name(parameter)
        statement = cst.For(clause.target, iterable, build.suite([statement]))
    body = steps.engine.body(scope, [statement])
    parameters = cst.Parameters([cst.Param(cst.Name(parameter))])
    _define(name, parameters, body, steps)
    iterator = steps.materialize(cst.Call(cst.Name("iter"), [cst.Arg(source)]))
    return steps.materialize(cst.Call(cst.Name(name), [cst.Arg(iterator)]))


def _define(name: str, parameters: cst.Parameters, body: list[cst.BaseStatement], steps: Lowering) -> None:
    steps.report.constructs.add(Construct.FUNCTION)
    steps.emit(cst.FunctionDef(cst.Name(name), parameters, build.suite(body)))


register(becomes_statements, expand, cst.Lambda, cst.GeneratorExp)
