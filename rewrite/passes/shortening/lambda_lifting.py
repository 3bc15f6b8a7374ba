"""Lambda lifting: an inner function without free variables moves to module level, out of the frames of the other.

The value of such a variable is written in full after every return. The function is only called by its name, with as
many arguments as it has parameters (an error message would show its qualified name), and the module has no such name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from rewrite.analysis.legality import depends_on_function
from rewrite.analysis.scopes import NameReference
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import FunctionVariables, ParsedProgram
from rewrite.passes.patterns import plain_arguments
from rewrite.passes.shortening.function_inlining import is_defined_once, plain_parameters
from rewrite.syntax.tree import walk

# The qualified name of what is defined inside shows the nesting: `f.<locals>.g.<locals>.<lambda>`.
_NEVER = (cst.Global, cst.Nonlocal, cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.GeneratorExp, cst.Yield)


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Functions in the body of another function that can move above it.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = "def f(n):\\n    def g(k):\\n        return 2 * k\\n    return g(n)\\n"
        >>> [candidate] = find_candidates(source, only=["lambda_lifting"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def g(k):
            return 2 * k
        <BLANKLINE>
        <BLANKLINE>
        def f(n):
            return g(n)
    """
    for spot in program.sites:
        inner = next((one for one in program.functions if one.node is spot.node), None)
        if inner is None or not program.can_add_names or spot.around or not _may_move(program, inner, spot.function):
            continue
        lines = program.reindented_lines(spot.node, "")
        if lines is not None and len(spot.block) > 1:
            above, newline = program.insertion_point(spot.function.node), program.newline
            edits = [Edit(above, above, lines[0] + newline * 3, tuple(lines[1])), *program.deletion(spot.node)]
            yield program.candidate(spot.node, f"move {inner.node.name.value} to module level", edits)


def _may_move(program: ParsedProgram, inner: FunctionVariables, outer: FunctionVariables) -> bool:
    node, name, scope = inner.node, inner.node.name.value, outer.scope
    parameters = plain_parameters(node)
    told = any(parameter.annotation is not None for parameter in node.params.params) or node.returns is not None
    if parameters is None or told or node.decorators or program.is_kept(node) or inner.scope.reflection:
        return False
    if not is_defined_once(inner, scope) or not outer.is_certainly_bound(name) or name in inner.scope.bindings:
        return False
    if any(isinstance(one, _NEVER) for one in walk(node.body)) or node.asynchronous or depends_on_function(node):
        return False
    if any(_is_of_a_function(mention) for mention in program.mentions(node) if mention.node.value != name):
        return False
    everywhere = len(re.findall(rf"\b{re.escape(name)}\b", program.source))
    mentions = [*outer.references.get(name, ())]
    calls = [call for call in outer.nodes.get(cst.Call, ()) if isinstance(call, cst.Call)]
    fitting = [call.func for call in calls if _fits(call, len(parameters))]
    uses = [mention.node for mention in mentions if mention.node is not node.name]
    return everywhere == len(mentions) and all(any(use is one for one in fitting) for use in uses) and bool(uses)


def _is_of_a_function(mention: NameReference) -> bool:
    """Whether the variable belongs to an enclosing function."""
    owner = mention.owner
    return owner is not None and owner.kind != "module"


def _fits(call: cst.Call, number: int) -> bool:
    return len(call.args) == number and plain_arguments(call) is not None
