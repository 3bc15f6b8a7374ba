"""Dead-store elimination, and variable coalescing: every local variable costs tokens in all later frames.

A variable or inner function that nothing reads is removed with its statements, if these cannot fail and have no side
effect. Two variables share a name if the first one is last used, in a statement of the function's own block, before the
second one is first bound.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.effects import is_constant, is_pure
from rewrite.analysis.legality import FunctionLocals
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import ParsedProgram, StatementSite
from rewrite.passes.syntax_patterns import plain_assignment


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Statements that bind a variable nothing reads, and pairs of variables that can share a name.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = "def f(n):\\n    unused = n\\n    return n + 1\\n"
        >>> [candidate] = find_candidates(source, only=["dead_store_elimination"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def f(n):
            return n + 1
    """
    for function in program.functions:
        if not function.scope.reflection and not program.is_kept(function.node):
            yield from _unread(program, function)
            yield from _used_again(program, function)


def _unread(program: ParsedProgram, function: FunctionLocals) -> Iterator[PassCandidate]:
    spots = [spot for spot in program.sites if spot.function is function]
    for name in list(function.references):
        binding = [spot for spot in spots if name in _bound(spot.node)]
        if len(binding) != len(function.references[name]) or not all(_may_go(program, spot, name) for spot in binding):
            continue
        if binding:
            edits = [program.deletion(spot.node) for spot in binding]
            yield program.candidate(binding[0].node, f"remove {name}, which nothing reads", edits)


def _bound(node: cst.CSTNode) -> list[str]:
    """The name that a plain assignment or function definition binds; empty for other statements."""
    if isinstance(node, cst.FunctionDef):
        return [node.name.value]
    assigned = plain_assignment(node)
    return [assigned[0]] if assigned else []


def _may_go(program: ParsedProgram, spot: StatementSite, name: str) -> bool:
    """Whether a statement that binds a name can be removed."""
    function, node = spot.function, spot.node
    scope = function.scope
    elsewhere = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere | scope.deleted
    if name not in scope.bindings or name in elsewhere or len(spot.block) < 2 or program.is_kept(node):
        return False
    if isinstance(node, cst.FunctionDef):
        inner = {id(mention.node) for mention in program.mentions(node)}
        alone = all(id(mention.node) in inner for mention in function.references[name])
        params = [*node.params.params, *node.params.kwonly_params, *node.params.posonly_params]
        told = any(parameter.default is not None or parameter.annotation is not None for parameter in params)
        return alone and not told and not node.decorators and node.returns is None
    assigned = plain_assignment(node)
    if assigned is None or not function.owns(name):
        return False
    used = [one.node.value for one in program.mentions(assigned[1]) if not is_constant(one.node)]
    bound = all(function.owns(one) and function.is_certainly_bound(one) for one in used)
    return bound and is_pure(assigned[1], scope)


def _used_again(program: ParsedProgram, function: FunctionLocals) -> Iterator[PassCandidate]:
    """Each variable with the first variable whose name it can take over."""
    places = _places(program, function)
    names = [name for name in places if function.may_rename(name)]
    for second in names:
        first = next(
            (name for name in names if name != second and _is_free(program, function, places, name, second)), None
        )
        if first is not None:
            edits = [Edit(*program.offsets(mention.node), first) for mention in function.references[second]]
            what = f"reuse {first}, which is dead, for {second}"
            yield program.candidate(function.node, what, edits)


def _places(program: ParsedProgram, function: FunctionLocals) -> dict[str, tuple[int, int]]:
    """For each variable, the first and last statement of the function's own block that mentions it."""
    found: dict[str, tuple[int, int]] = {}
    for index, line in enumerate(function.node.body.body):
        for name in program.mentioned_names(line):
            found[name] = (found.get(name, (index, index))[0], index)
    return found


def _is_free(
    program: ParsedProgram, function: FunctionLocals, places: dict[str, tuple[int, int]], first: str, second: str
) -> bool:
    """Whether a variable is last used before another one is bound, or in the value that is assigned to it."""
    last, begin = places[first][1], places[second][0]
    if last != begin:
        return last < begin
    assigned = plain_assignment(function.node.body.body[begin])
    return assigned is not None and assigned[0] == second and second not in program.mentioned_names(assigned[1])
