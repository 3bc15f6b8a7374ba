"""Function inlining: a call of a function that only returns an expression becomes the expression, three frames less.

The callee is defined once, has plain parameters and uses builtins only. Arguments must be literals, or variables of the
caller that no other function reads. Functions that the expression calls run one frame less deep.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.effects import is_constant
from rewrite.analysis.legality import FunctionLocals, depends_on_function
from rewrite.analysis.outer_names import is_bound_when_run
from rewrite.analysis.scopes import Scope
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.syntax_patterns import plain_arguments
from rewrite.syntax.tree import code, replace_nodes, walk

_SCOPED = (cst.BaseComp, cst.Lambda, cst.NamedExpr, cst.Yield, cst.Await, cst.FormattedString)
_TIGHT = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.SimpleString, cst.Integer)
_LITERAL = (cst.Integer, cst.SimpleString)


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """One candidate for each callee and caller, for all calls in that caller.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = "def g(k):\\n    return k * k\\ndef f(n):\\n    return g(n) + 1\\n"
        >>> [candidate] = find_candidates(source, only=["function_inlining"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def g(k):
            return k * k
        def f(n):
            return (n * n) + 1
    """
    for callee in program.functions:
        value = _returned(program, callee)
        for caller in program.functions if value is not None else ():
            if value is not None and caller is not callee:
                edits = _edits(program, callee, caller, value)
                if edits:
                    what = f"inline {callee.node.name.value}"
                    yield program.candidate(caller.node, what, edits)


def _returned(program: ParsedProgram, function: FunctionLocals) -> cst.BaseExpression | None:
    """The expression of a function that only returns one, of its parameters and builtins; None for others."""
    node = function.node
    if node.decorators or node.asynchronous or plain_parameters(node) is None or function.scope.reflection:
        return None
    lines = list(node.body.body) if isinstance(node.body, cst.IndentedBlock) else []
    lines = lines[1:] if lines and node.get_docstring() is not None else lines
    small = lines[0].body if len(lines) == 1 and isinstance(lines[0], cst.SimpleStatementLine) else []
    value = small[0].value if len(small) == 1 and isinstance(small[0], cst.Return) else None
    if value is None or program.is_kept(node):
        return None
    if any(isinstance(inner, _SCOPED) for inner in walk(value)) or depends_on_function(value):
        return None
    names = set(program.mentioned_names(value)) - set(plain_parameters(node) or ())
    known = all(map(function.scope.is_builtin, names - {"True", "False", "None"}))
    return value if known and "\n" not in program.source[slice(*program.offsets(value))] else None


def plain_parameters(node: cst.FunctionDef) -> list[str] | None:
    """The names of the parameters if all are positional-or-keyword without defaults; None otherwise."""
    params = node.params
    odd = params.kwonly_params or params.posonly_params or params.star_kwarg
    if odd or params.star_arg != cst.MaybeSentinel.DEFAULT or any(p.default is not None for p in params.params):
        return None
    return [parameter.name.value for parameter in params.params]


def is_defined_once(function: FunctionLocals, scope: Scope) -> bool:
    """Whether the name of a function means this function wherever a scope uses it."""
    name = function.node.name.value
    owner = scope.owner(name)
    if (
        owner is None
        or owner.kind == "class"
        or owner.star_import
        or len(owner.bindings[name]) != 1
        or name in owner.deleted
    ):
        return False
    binding = owner.bindings[name][0]
    return binding.definition is function.node and name not in owner.rebound_elsewhere and not owner.changes


def _edits(
    program: ParsedProgram, callee: FunctionLocals, caller: FunctionLocals, value: cst.BaseExpression
) -> list[Edit]:
    name, parameters = callee.node.name.value, plain_parameters(callee.node) or []
    mentions = caller.references.get(name, ())
    if (
        not mentions
        or not is_defined_once(callee, caller.scope)
        or caller.scope.reflection
        or program.is_kept(caller.node)
    ):
        return []
    owner = caller.scope.owner(name)
    there = (
        caller.is_certainly_bound(name)
        if owner is caller.scope
        else owner and is_bound_when_run(name, caller.scope, owner)
    )
    builtins = {*program.mentioned_names(value)} - {*parameters, "True", "False", "None"}
    if not there or not all(caller.scope.is_builtin(one) for one in builtins):
        return []
    called = {id(one.node) for one in mentions}
    nodes = list(walk(caller.node.body))
    hidden = {id(part) for node in nodes if isinstance(node, _HIDING) for part in walk(node)}
    return [
        Edit(*program.offsets(call), _written(program, value, dict(zip(parameters, given, strict=True))))
        for call in nodes
        if isinstance(call, cst.Call) and id(call.func) in called and id(call) not in hidden
        if (given := _given(caller, call, len(parameters))) is not None
    ]


_HIDING = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.BaseComp, cst.FormattedString)


def _given(caller: FunctionLocals, call: cst.Call, number: int) -> list[cst.BaseExpression] | None:
    """The arguments of a call if evaluating them can be skipped, delayed or repeated; None otherwise."""
    values = plain_arguments(call)
    if values is None or len(values) != number:
        return None
    for value in values:
        own = isinstance(value, cst.Name) and caller.owns(value.value) and caller.is_certainly_bound(value.value)
        if not own and not (isinstance(value, _LITERAL) and is_constant(value)):
            return None
    return values


def _written(program: ParsedProgram, value: cst.BaseExpression, given: dict[str, cst.BaseExpression]) -> str:
    """Source of the expression with the arguments in place of the parameters."""
    arguments = {id(one.node): given[one.node.value] for one in program.mentions(value) if one.node.value in given}
    text = code(arguments.get(id(value)) or replace_nodes(value, arguments))
    return text if isinstance(value, _TIGHT) or value.lpar else f"({text})"
