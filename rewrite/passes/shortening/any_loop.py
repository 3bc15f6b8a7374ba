"""Search loops as builtins: `return any(map(str.isdigit, s))`.

    for c in s:
        if c.isdigit():
            return True
    return False

`any` and `all` stop at the same item. The test must be a builtin, which has no frames; a generator expression would
have more frames than the loop. For `c == 'x'` the pass writes `return 'x' in s`.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.passes.candidate import PassCandidate
from rewrite.passes.loops import TEXTS, ForLoop, comparison_sides, guarded_statement, plain_loops
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.patterns import only_small
from rewrite.passes.type_evidence import TypeEvidence


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Loops of one `if test: return True` right before `return False`, or with both values exchanged."""
    for loop in plain_loops(program):
        tested = guarded_statement(loop.only_statement)
        following = loop.site.block[loop.site.index + 1 : loop.site.index + 2]
        if tested is None or not following or program.is_kept(following[0]):
            continue
        found, otherwise = _returned(tested[1]), _returned(following[0])
        if (found, otherwise) not in (("True", "False"), ("False", "True")):
            continue
        types = loop.type_evidence()
        text = _text(loop, tested[0], found == "True", types)
        if text:
            edit = program.replacement(loop.node, following[0], f"return {text}")
            yield program.candidate(loop.node, "the loop as a search by a builtin", [edit], types.assumptions())


def _returned(node: cst.CSTNode) -> str:
    small = only_small(node) or node
    value = small.value if isinstance(small, cst.Return) else None
    return value.value if isinstance(value, cst.Name) else ""


def _text(loop: ForLoop, test: cst.BaseExpression, positive: bool, types: TypeEvidence) -> str | None:
    builtin = "any"
    if not positive and isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        builtin, test, positive = "all", test.expression, True
    mapped = loop.mapped_function(test, types)
    if mapped and loop.is_builtin(builtin):
        return f"{'' if positive else 'not '}{builtin}(map({mapped}, {loop.iterable}))"
    one, other = comparison_sides(test, cst.Equal)
    sought = other if loop.is_variable(one) else one
    literal = isinstance(sought, cst.SimpleString) and loop.kind(sought) == "char"
    if builtin == "all" or not literal or not loop.is_any_variable(one, other):
        return None
    if not types.has_type(loop.node.iter, TEXTS):
        return None
    return f"{loop.program.inline_code(sought)} {'in' if positive else 'not in'} {loop.receiver}"
