"""Apply statement interventions: what they claim is replaced, and the engine lowers the replacement.

Each intervention is asked once about a statement, in the order of the recipe; it sees what the ones before it wrote. It
may also replace later statements of the scope (`Lowering.replacements`).
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from rewrite.anf.lowering import Lowering
from rewrite.syntax.tree import children, walk

_SCOPES = (
    cst.FunctionDef,
    cst.ClassDef,
    cst.Lambda,
    cst.ListComp,
    cst.SetComp,
    cst.DictComp,
    cst.GeneratorExp,
)
Statement = cst.BaseStatement | cst.BaseSmallStatement


def expand_statement(node: Statement, steps: Lowering) -> Statement | None:
    """Return what the interventions make of a statement: the same object if none claims it, None if nothing remains."""
    new: Statement | None = steps.replacements.get(id(node), node)
    for rule in steps.module.statement_interventions:
        if new is not None and steps.claims_statement(rule, new):
            steps.report.applied.append((rule.name, node))
            new = rule.expand(new, steps)
    if new is None or new is node:
        return new
    _record_origins(new, node, steps)
    _adopt_scopes(new, node, steps)
    if _opens_unknown_scope(new, steps):  # the engine knows no variables of it, so the statement stays as written
        steps.emit(new)  # type: ignore[arg-type]
        return None
    return new


def _record_origins(new: cst.CSTNode, node: cst.CSTNode, steps: Lowering) -> None:
    """Statements that the intervention wrote come from the original statement; those it kept have their own place."""
    origin = steps.around if isinstance(node, cst.BaseSmallStatement) else node
    for written in _written(new, steps):
        if isinstance(written, cst.BaseStatement):
            steps.report.origins[id(written)] = (written, origin)


def _written(node: cst.CSTNode, steps: Lowering) -> Iterator[cst.CSTNode]:
    """The node and its descendants that are not part of the original."""
    if id(node) not in steps.module.comments.old.token_index:
        yield node
        for child in children(node):
            yield from _written(child, steps)


def _adopt_scopes(new: cst.CSTNode, node: cst.CSTNode, steps: Lowering) -> None:
    """A function or class with other decorators, defaults or statements keeps its scope."""
    if type(new) is type(node):
        steps.scopes.adopt(new, steps.scopes.find(node))


def _opens_unknown_scope(new: cst.CSTNode, steps: Lowering) -> bool:
    return any(isinstance(inner, _SCOPES) and steps.scopes.find(inner) is None for inner in walk(new))
