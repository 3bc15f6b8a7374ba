"""The intervention `joined_pieces`: a string that grows by `+=` becomes a list of its pieces, which is joined once.

Each state shows the pieces, and no round concatenates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import libcst as cst

from rewrite.analysis.evaluation_order import operands
from rewrite.analysis.exact_types import variable_types
from rewrite.anf.intervention import RewriteExample, StatementIntervention, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.interventions.discarded_change import DiscardedChange
from rewrite.syntax.literal_values import literal_value
from rewrite.syntax.tree import children, substitute, walk

_SCOPES = (cst.FunctionDef, cst.ClassDef)
_LOOPS = (cst.For, cst.While)


class Uses(NamedTuple):
    """The statements that add to the string, and those that read it, each with the identifier that reads."""

    added: list[cst.AugAssign]
    read: list[tuple[cst.BaseSmallStatement, cst.Name]]


class JoinedPieces(StatementIntervention):
    """Claims the assignment of the empty string to a variable that is read only where the string is complete.

    Not in scope: variables that other scopes use or that have other assignments, a string that a loop reads, unless to
    return it, or that a statement reads twice, and pieces of which no call shows that they are strings.
    """

    name = "joined_pieces"
    summary = "a string that grows by `+=` as a list of pieces that is joined where the string is complete"
    recipes = ("planned",)
    kind = "idioms"
    order = 7
    statements = (cst.Assign,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Pieces that a loop adds",
            """
            def f(text):
                out = ''
                for c in text:
                    if c.isupper():
                        out += c.lower()
                    else:
                        out += c
                return out
            """,
            """
            def f(text):
                out = []
                for c in text:
                    if c.isupper():
                        out.append(c.lower())
                    else:
                        out.append(c)
                return ''.join(out)
            """,
            "f('aB')",
            with_call=True,
        ),
        RewriteExample(
            "A method of the result",
            """
            def f(words):
                line = ''
                for word in words:
                    line += word
                return line.strip()
            """,
            """
            def f(words):
                line = []
                for word in words:
                    line.append(word)
                return ''.join(line).strip()
            """,
            "f(['a', 'b '])",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Pieces of which no call shows the type",
            """
            def f(words):
                line = ''
                for word in words:
                    line += word
                return line
            """,
        ),
        UntouchedExample(
            "A string that no loop adds to",
            """
            def f(word):
                line = ''
                line += word
                return line
            """,
        ),
    )

    def claims(self, node: cst.Assign, plan: LoweringPlan) -> bool:
        return _uses(node, plan) is not None

    def expand(self, node: cst.Assign, steps: Lowering) -> cst.Assign:
        name, found = _started(node, steps), _uses(node, steps)
        assert found is not None and steps.shown is not None
        for statement in found.added:
            steps.shown.note(statement.value, exactly("str"))
            steps.shown_items.add(id(statement.value))
            added = cst.Call(cst.Attribute(cst.Name(name), cst.Name("append")), [cst.Arg(statement.value)])
            steps.replacements[id(statement)] = cst.Expr(added)
        for reading, read in found.read:
            steps.replacements[id(reading)] = _with(reading, read, cst.parse_expression(f"''.join({name})"))
        variable_types(steps.function)[name] = "list"
        return node.with_changes(value=cst.List([]))


def _started(node: cst.Assign, plan: LoweringPlan) -> str:
    """The variable that a statement makes the empty string, if all its other bindings are `+=`; "" for any other."""
    scope = plan.scope
    match node:
        case cst.Assign([cst.AssignTarget(cst.Name(name))], value) if scope.kind == "function":
            shared = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere | scope.deleted
            once = [one.how for one in scope.bindings[name] if one.how != "augmented"] == ["value"]
            return name if literal_value(value) == "" and once and name not in shared else ""
    return ""


def _uses(node: cst.Assign, plan: LoweringPlan) -> Uses | None:
    """How the function uses the variable; None if the statement starts no such variable, or for any other use."""
    name = _started(node, plan)
    if not name or not _is_free(plan):
        return None
    references = (one for one in plan.scopes.references.values() if one.node.value == name)
    open_ = {id(one.node) for one in references if one.owner is plan.scope} - {id(node.targets[0].target)}
    added: list[cst.AugAssign] = []
    read: list[tuple[cst.BaseSmallStatement, cst.Name]] = []
    grows = False
    for statement, in_loop in _small_statements(plan.scope.node):
        names = [one for one in walk(statement) if isinstance(one, cst.Name) and id(one) in open_]
        if isinstance(statement, cst.AugAssign) and names == [statement.target] and _adds_string(statement, plan):
            added.append(statement)
            grows = grows or in_loop
        elif len(names) == 1 and (isinstance(statement, cst.Return) or not in_loop):
            read.append((statement, names[0]))
        else:
            continue
        open_ -= set(map(id, names))
    split = all(_with(statement, one, cst.Name("_")) is not statement for statement, one in read)
    return Uses(added, read) if grows and read and split and not open_ else None


def _is_free(plan: LoweringPlan) -> bool:
    """Whether every statement of the function may change, and nothing else replaces one."""
    whole = plan.scope.node
    if whole is None or plan.shown is None:
        return False
    rules = [one for one in plan.module.statement_interventions if not isinstance(one, JoinedPieces | DiscardedChange)]
    return not any(
        id(one) in plan.module.frozen or any(plan.claims_statement(rule, one) for rule in rules) for one in walk(whole)
    )


def _small_statements(node: Any, in_loop: bool = False) -> Iterator[tuple[cst.BaseSmallStatement, bool]]:
    """The simple statements of a function, without those of functions in it, and whether a loop runs each."""
    for child in children(node):
        if isinstance(child, cst.BaseSmallStatement):
            yield child, in_loop
        elif not isinstance(child, (*_SCOPES, cst.BaseExpression)):
            yield from _small_statements(child, in_loop or isinstance(child, _LOOPS))


def _adds_string(statement: cst.AugAssign, plan: LoweringPlan) -> bool:
    """Whether a statement is `+=` of a literal string, or of a value of which every call shows that it is one."""
    seen = plan.shown.of(statement.value) if plan.shown is not None else None
    known = isinstance(literal_value(statement.value), str) or (seen is not None and seen.supports(exactly("str")))
    return known and isinstance(statement.operator, cst.AddAssign) and not isinstance(statement.value, cst.Yield)


def _with(node: Any, old: cst.BaseExpression, new: cst.BaseExpression) -> Any:
    """A statement or expression with another operand; the same object if it does not evaluate the operand once."""
    if node is old:
        return new.with_changes(lpar=old.lpar, rpar=old.rpar)
    parts = operands(node).expressions if isinstance(node, cst.BaseExpression) else [getattr(node, "value", None)]
    changed = {id(part): made for part in parts if part and (made := _with(part, old, new)) is not part}
    return substitute(node, changed) if changed else node
