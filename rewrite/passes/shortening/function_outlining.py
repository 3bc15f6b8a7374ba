"""Function outlining: a loop becomes a function of its own, whose frames list only the variables that the loop uses.

    best, last = search_loop(best, last, items)         # in place of the loop; the function is defined above

Parameters are what the loop reads; it returns what it binds and others mention. All of these are bound before the loop,
only the function's own statements read them, and nothing observes the loop ending early. The loop neither returns nor
yields, and calls no function of the program, which would run one frame deeper.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.definite_assignment import DefiniteAssignment
from rewrite.analysis.legality import depends_on_function
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.loops import CATCHING, is_dead_outside, is_external_call
from rewrite.passes.parsed_program import ParsedProgram, StatementSite
from rewrite.syntax.tree import walk

_NEVER = (
    *(cst.Return, cst.Yield, cst.Await, cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.NamedExpr, cst.Del),
    *(cst.Global, cst.Nonlocal, cst.Import, cst.ImportFrom, *CATCHING, cst.Match),
)
MAX_PARAMETERS = 8


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Loops in functions that have other variables than those of the loop.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = "def f(n, m):\\n    t = 0\\n    for i in range(n):\\n        t += i\\n    return t, m\\n"
        >>> [candidate] = find_candidates(source, only=["function_outlining"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def f_loop(n, t):
            for i in range(n):
                t += i
            return t
        <BLANKLINE>
        <BLANKLINE>
        def f(n, m):
            t = 0
            t = f_loop(n, t)
            return t, m
    """
    for spot in program.sites:
        if isinstance(spot.node, (cst.For, cst.While)) and program.can_add_names and _may_move(program, spot):
            needed = _needed(program, spot)
            if needed is not None and _hides_some(program, spot):
                yield from _moved(program, spot, *needed)


def _may_move(program: ParsedProgram, spot: StatementSite) -> bool:
    node, function = spot.node, spot.function
    inside = list(walk(node))
    if any(isinstance(part, _NEVER) for part in inside) or depends_on_function(node) or program.is_kept(node):
        return False
    odd = getattr(node, "asynchronous", None) or _leaves_early(node)
    if odd or any(isinstance(around, CATCHING) for around in spot.around):
        return False
    calls = [part for part in inside if isinstance(part, cst.Call)]
    if not all(is_external_call(call.func, function.scope, program) for call in calls):
        return False
    return all(_is_known(spot, name) for name in program.mentioned_names(node))


def _leaves_early(node: cst.CSTNode) -> bool:
    """Whether the `else` of a loop contains `break` or `continue`, be it one of a loop inside the `else`."""
    orelse = getattr(node, "orelse", None)
    return orelse is not None and any(isinstance(part, (cst.Break, cst.Continue)) for part in walk(orelse))


def _is_known(spot: StatementSite, name: str) -> bool:
    """Whether a name is a variable of this function only, or a global."""
    scope = spot.function.scope
    if name in scope.bindings or name in scope.declared_global | scope.declared_nonlocal:
        return spot.function.owns(name)
    owner = scope.owner(name)
    return owner is None or owner.kind == "module"


def _needed(program: ParsedProgram, spot: StatementSite) -> tuple[list[str], list[str]] | None:
    """The parameters and results of the new function; None if one of them may be unbound before the loop."""
    node, function = spot.node, spot.function
    own = [name for name in dict.fromkeys(program.mentioned_names(node)) if function.owns(name)]
    bound = {name for name in own if function.is_bound_in(node, name)}
    back = [name for name in own if name in bound and not _is_only_here(program, spot, name)]
    read = DefiniteAssignment(frozenset(own)).exposed([node])
    given = [name for name in own if name in read or name in back]
    stand_in = cst.SimpleStatementLine([cst.Expr(cst.Tuple([cst.Element(cst.Name(name)) for name in given]))])
    body = function.node.body.deep_replace(node, stand_in)
    params = {name for name in given if any(one.how == "parameter" for one in function.scope.bindings[name])}
    deleted = function.scope.deleted & set(given)
    assert isinstance(body, cst.BaseSuite)
    unsure = DefiniteAssignment(frozenset(given) - params).exposed(body.body)
    return None if unsure or deleted or len(given) > MAX_PARAMETERS else (given, back)


def _is_only_here(program: ParsedProgram, spot: StatementSite, name: str) -> bool:
    """Whether nothing after the loop, nor a later round of an enclosing loop, reads what the loop binds."""
    around = any(isinstance(node, (cst.For, cst.While)) for node in spot.around)
    comes_back = around and name in DefiniteAssignment(frozenset({name})).exposed([spot.node])
    return is_dead_outside(program, name, spot.node, spot) and not comes_back


def _hides_some(program: ParsedProgram, spot: StatementSite) -> bool:
    names = set(program.mentioned_names(spot.node))
    return any(name not in names for name in spot.function.scope.bindings)


def _moved(program: ParsedProgram, spot: StatementSite, given: list[str], back: list[str]) -> Iterator[PassCandidate]:
    newline, step = program.newline, program.module.default_indent
    lines = program.reindented_lines(spot.node, step)
    if lines is None:
        return
    name = program.fresh_name(f"{spot.function.node.name.value}_loop".lstrip("_"))
    first = lines[1][0]
    text = f"def {name}({', '.join(given)}):{newline}{lines[0]}{newline}"
    text += f"{step}return {', '.join(back)}{newline}" if back else ""
    origins = (first, *lines[1], *([lines[1][-1]] if back else []))
    above = program.insertion_point(spot.function.node)
    call = f"{', '.join(back)} = {name}({', '.join(given)})" if back else f"{name}({', '.join(given)})"
    start, end = program.offsets(spot.node)
    edits = [Edit(above, above, text + newline * 2, origins), Edit(start, end, call)]
    yield program.candidate(spot.node, f"outline the loop into a function, {name}", edits)
