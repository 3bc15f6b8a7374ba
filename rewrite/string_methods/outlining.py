"""Function outlining: a reference implementation becomes a function of the program, and the operation a call of it.

Each local variable of a function costs tokens in every trace frame. In a function with many locals, a loop over
characters is therefore cheaper if it runs in a function of its own. Constant arguments are folded and are not
parameters. Whether outlining is cheaper is measured elsewhere (`rewrite.cost.cost_limit`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.lowering_report import LoweringReport
from rewrite.string_methods.inline import function_source
from rewrite.string_methods.reference import ReferenceImplementation
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value
from rewrite.syntax.tree import walk

_BLANK_LINE = cst.EmptyLine(indent=False)


def can_outline(plan: LoweringPlan) -> bool:
    """Whether a function may be added: no code inspects the globals, and the operation itself is in a function."""
    seen = plan.module.reflection
    inspected = seen.module or seen.everywhere or "globals" in plan.scopes.module.names
    # A reference implementation has no temporaries for its conditions.
    return plan.function.kind == "function" and not inspected and not plan.names_conditions


def outlined_call(
    reference: ReferenceImplementation, given: Mapping[str, str], node: cst.BaseExpression, plan: LoweringPlan
) -> cst.Call:
    """Return a call of an outlined function and register the function; an equal function is reused.

    Args:
        reference: The reference implementation.
        given: For each parameter, an atom as source.
        node: The operation in the original.
        plan: The plan of the rewrite, whose report collects the functions.
    """
    written = [name for name, atom in given.items() if literal_value(cst.parse_expression(atom)) is NOT_LITERAL]
    for name in plan.module.names.outside(f"_{reference.name}"):
        text = function_source(reference, given, name, written)
        if plan.report.functions.setdefault(name, (text, node))[0] == text:
            arguments = [cst.Arg(cst.parse_expression(given[parameter])) for parameter in written]
            return cst.Call(cst.Name(name), arguments)
    raise AssertionError("there is always another name")


def insert_functions(body: Sequence[cst.BaseStatement], report: LoweringReport) -> list[cst.BaseStatement]:
    """Insert the registered functions into the statements of a module, after its docstring and imports."""
    made: list[cst.BaseStatement] = []
    for text, node in report.functions.values():
        (definition,) = cst.parse_module(text).body
        assert isinstance(definition, cst.FunctionDef)
        assert isinstance(definition.body, cst.IndentedBlock)
        spaced = definition.with_changes(body=definition.body.with_changes(footer=[_BLANK_LINE] * 2))
        for inner in walk(spaced):
            report.steps[id(inner)] = node
            report.origins[id(inner)] = (inner, node)
        made.append(spaced)
    first = next((place for place, statement in enumerate(body) if not _is_docstring_or_import(statement)), len(body))
    if first:
        made[0] = made[0].with_changes(leading_lines=[_BLANK_LINE] * 2)
    return [*body[:first], *made, *body[first:]]


def _is_docstring_or_import(statement: cst.BaseStatement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    texts = (cst.SimpleString, cst.ConcatenatedString)
    return all(
        isinstance(part, (cst.Import, cst.ImportFrom)) or (isinstance(part, cst.Expr) and isinstance(part.value, texts))
        for part in statement.body
    )
