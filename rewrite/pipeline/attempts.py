"""Rewrite a module repeatedly until the result compiles.

Limits of CPython, such as nesting depth, can keep a rewrite from compiling (`rewrite.pipeline.compile_check`). The
statements to blame are then frozen, except for the blocks in them; after that the statements around them; in the end
the whole module. Statements protected by a comment are frozen from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from rewrite.analysis.reflection import find_reflection
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.anf.comments import CommentRestorer
from rewrite.anf.frozen_statements import FrozenStatement
from rewrite.anf.lowering_report import LoweringReport
from rewrite.anf.names import ModuleNames
from rewrite.anf.scope_bodies import AnfLowering
from rewrite.evidence.context import DEFAULT_CONTEXT, RewriteContext
from rewrite.evidence.facts import ObservedFacts, PriorKnowledge, SiteSelection
from rewrite.pipeline.compile_check import CompileFailure, StatementIndex, failing_lines, find_compile_failure
from rewrite.pipeline.leave_comments import find_leave_comments
from rewrite.pipeline.recipe import PreparedInterventions
from rewrite.string_methods.outlining import insert_functions
from rewrite.syntax.source_map import PrintedModule, SourcePosition, map_lines, print_module

_STATEMENTS = 8  # attempts that freeze single statements, before the whole module is frozen


@dataclass(frozen=True)
class RewriteAttempt:
    """One rewrite of a module.

    Attributes:
        old: the original.
        new: the rewritten module; the same object if nothing changed.
        report: what was rewritten and what was left alone.
        observed_facts: what the calls showed, and the facts assumed.
    """

    old: PrintedModule
    new: PrintedModule
    report: LoweringReport
    observed_facts: ObservedFacts | None = None

    @cached_property
    def positions(self) -> tuple[SourcePosition, ...]:
        """For each line of the new source, the position in the original that it comes from."""
        places: dict[int, SourcePosition] = {}
        made = {}
        for key, (_, node) in self.report.origins.items():
            while id(node) not in self.old.token_index and id(node) in self.report.origins:
                node = self.report.origins[id(node)][1]  # a statement that an intervention wrote and the engine lowered
            if id(node) in self.old.token_index:
                if id(node) not in places:
                    places[id(node)] = self.old.position_of(node)
                made[key] = places[id(node)]
        steps = self.report.steps.items()
        exact = {key: self.old.position_of(node) for key, node in steps if id(node) in self.old.token_index}
        return map_lines(self.old, self.new, made, exact)


def rewrite_until_compiles(
    module: cst.Module,
    recipe: Callable[[], PreparedInterventions],
    source: str,
    context: RewriteContext = DEFAULT_CONTEXT,
) -> RewriteAttempt:
    """Rewrite a module until the result compiles as far as the original does.

    Args:
        module: the original.
        recipe: creates the interventions. They remember nodes, so each attempt needs new ones.
        source: the original's source.
        context: evidence, mode for unproven types and excluded sites.
    """
    old = print_module(module)
    kept = find_leave_comments(old)
    statements: StatementIndex | None = None
    tries = 0
    while True:
        attempt = _attempt(old, recipe(), source, kept, context)
        found = None if attempt.new is old else find_compile_failure(source, attempt.new.text)
        if found is None:
            return attempt
        statements = statements or StatementIndex(old)
        blamed = [_first_free(node, kept, statements) for node in _blamed(found, attempt, statements)]
        fresh = {id(node): FrozenStatement(found.reason) for node in blamed if id(node) not in kept}
        if not fresh or tries == _STATEMENTS:
            fresh = {id(node): FrozenStatement(found.reason, whole=True) for node in module.body}
        kept |= fresh
        tries += 1


def _attempt(
    old: PrintedModule,
    recipe: PreparedInterventions,
    source: str,
    kept: Mapping[int, FrozenStatement],
    context: RewriteContext,
) -> RewriteAttempt:
    module = old.module
    names = ModuleNames(source, readable=recipe.options.names == "readable")
    release = recipe.options.release
    scopes, comments = collect_scopes(module), CommentRestorer(old)
    reflection = find_reflection(module, source, scopes)
    scopes.module.replaced, scopes.module.changes = reflection.replaced, reflection.changes
    shown = ObservedFacts(old, context.evidence) if context.evidence is not None else None
    engine = AnfLowering(
        recipe.interventions,
        scopes,
        names,
        comments,
        reflection,
        release,
        kept,
        known=PriorKnowledge(
            context.unproven,
            shown,
            SiteSelection(old, context.excluded),
            SiteSelection(old, context.outlined),
            context.condensed,
        ),
        statement_interventions=recipe.statement_interventions,
    )
    body = engine.module(module)
    body = insert_functions(body, engine.report) if engine.report.functions else body
    same = len(body) == len(module.body) and all(a is b for a, b in zip(body, module.body, strict=True))
    return RewriteAttempt(old, old if same else PrintedModule(module.with_changes(body=body)), engine.report, shown)


def _blamed(found: CompileFailure, attempt: RewriteAttempt, statements: StatementIndex) -> list[cst.BaseStatement]:
    """The statements of the original from which the failing lines of the new source come."""
    lines = [line for line in failing_lines(found, attempt.new) if line <= len(attempt.positions)]
    nodes = [statements.at(attempt.positions[line - 1].line) for line in lines]
    return [node for node in nodes if node is not None]


def _first_free(
    node: cst.BaseStatement, kept: Mapping[int, FrozenStatement], statements: StatementIndex
) -> cst.BaseStatement:
    """The statement, or the innermost statement around it that is not frozen yet; the outermost if all are."""
    around = statements.around(node)
    while id(node) in kept and around is not None:
        node, around = around, statements.around(around)
    return node
