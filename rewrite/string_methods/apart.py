"""A reference implementation as a function of the program's own, and the call that stands for the operation.

Each local of a function costs tokens in every frame of it: where a function has many, a loop over characters is cheaper
in one that sees only what it needs. What is constant at the place is worked out, and is no parameter. Whether it is
cheaper is counted elsewhere (`rewrite.cost.cost_limit`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from rewrite.anf.plan import LoweringPlan
from rewrite.anf.report import LoweringReport
from rewrite.string_methods.discharge import NOTHING, literal
from rewrite.string_methods.inline import as_function
from rewrite.string_methods.reference import Reference
from rewrite.syntax.tree import walk

_APART = cst.EmptyLine(indent=False)


def may_stand_apart(plan: LoweringPlan) -> bool:
    """Whether a function can be added for an operation: nobody looks at the globals, and one is called already."""
    seen = plan.module.reflection
    looked_at = seen.module or seen.everywhere or "globals" in plan.scopes.module.names
    return plan.function.kind == "function" and not looked_at and not plan.names_conditions  # it has no names for them


def call_of(reference: Reference, given: Mapping[str, str], node: cst.BaseExpression, plan: LoweringPlan) -> cst.Call:
    """The call of a function that does it, which is noted; the same function again, where there is one.

    given: for each parameter, an atom as source. node: the operation in the original.
    """
    written = [name for name, atom in given.items() if literal(cst.parse_expression(atom)) is NOTHING]
    for name in plan.module.names.outside(f"_{reference.name}"):
        text = as_function(reference, given, name, written)
        if plan.report.functions.setdefault(name, (text, node))[0] == text:
            arguments = [cst.Arg(cst.parse_expression(given[parameter])) for parameter in written]
            return cst.Call(cst.Name(name), arguments)
    raise AssertionError("there is always another name")


def with_functions(body: Sequence[cst.BaseStatement], report: LoweringReport) -> list[cst.BaseStatement]:
    """The statements of a module with the functions that were noted, behind its docstring and imports."""
    made: list[cst.BaseStatement] = []
    for text, node in report.functions.values():
        (definition,) = cst.parse_module(text).body
        assert isinstance(definition, cst.FunctionDef)
        assert isinstance(definition.body, cst.IndentedBlock)
        spaced = definition.with_changes(body=definition.body.with_changes(footer=[_APART] * 2))
        for inner in walk(spaced):
            report.steps[id(inner)] = node
            report.origins[id(inner)] = (inner, node)
        made.append(spaced)
    first = next((place for place, statement in enumerate(body) if not _is_head(statement)), len(body))
    if first:
        made[0] = made[0].with_changes(leading_lines=[_APART] * 2)
    return [*body[:first], *made, *body[first:]]


def _is_head(statement: cst.BaseStatement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    texts = (cst.SimpleString, cst.ConcatenatedString)
    return all(
        isinstance(part, (cst.Import, cst.ImportFrom)) or (isinstance(part, cst.Expr) and isinstance(part.value, texts))
        for part in statement.body
    )
