"""A module rewritten until Python compiles the result; what keeps it from that is left alone, and said.

What a comment says shall stay, does. The statements to blame stay as they are, but for the blocks in them; then those
around them; if that was not enough, everything. What the compiler says is read in `rewrite.pipeline.compile_check`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import libcst as cst

from rewrite.analysis.reflection import look
from rewrite.analysis.symbol_table import collect
from rewrite.anf.argument_types import Observed
from rewrite.anf.comments import Comments
from rewrite.anf.keep import Keep
from rewrite.anf.names import Names
from rewrite.anf.report import Report
from rewrite.anf.scope_bodies import ScopeBodies
from rewrite.evidence.asking import Chosen, Known, Shown
from rewrite.evidence.given import USUAL, Given
from rewrite.pipeline.compile_check import Refusal, Statements, culprits, refusal
from rewrite.pipeline.leave_comments import left_by_comment
from rewrite.pipeline.recipes import Recipe
from rewrite.string_methods.apart import with_functions
from rewrite.syntax.source_map import Position, Printed, origins

_STATEMENTS = 8  # so many times single statements are left alone, before all of them are


@dataclass(frozen=True)
class Attempt:
    """The module as it was and as it became (the same, if nothing changed), and what was done and left."""

    old: Printed
    new: Printed
    report: Report
    shown: Shown | None = None

    @cached_property
    def positions(self) -> tuple[Position, ...]:
        """For each line of the new text, the place in the old one that it comes from."""
        places: dict[int, Position] = {}
        made = {}
        for key, (_, node) in self.report.origins.items():
            if id(node) in self.old.index:
                if id(node) not in places:
                    places[id(node)] = self.old.place(node)
                made[key] = places[id(node)]
        steps = self.report.steps.items()
        exact = {key: self.old.place(node) for key, node in steps if id(node) in self.old.index}
        return origins(self.old, self.new, made, exact)


def rewrite_until_it_compiles(
    module: cst.Module,
    recipe: Callable[[], Recipe],
    source: str,
    observed: Observed | None = None,
    given: Given = USUAL,
) -> Attempt:
    """The rewritten module, which compiles as far as the old one does.

    recipe: makes the interventions, anew for each attempt, since they remember nodes by their scopes.
    """
    old = Printed(module)
    kept = left_by_comment(old)
    statements: Statements | None = None
    tries = 0
    while True:
        attempt = _attempt(old, recipe(), source, observed, kept, given)
        found = None if attempt.new is old else refusal(source, attempt.new.text)
        if found is None:
            return attempt
        statements = statements or Statements(old)
        blamed = [_first_free(node, kept, statements) for node in _blamed(found, attempt, statements)]
        fresh = {id(node): Keep(found.reason) for node in blamed if id(node) not in kept}
        if not fresh or tries == _STATEMENTS:
            fresh = {id(node): Keep(found.reason, whole=True) for node in module.body}
        kept |= fresh
        tries += 1


def _attempt(
    old: Printed,
    recipe: Recipe,
    source: str,
    observed: Observed | None,
    kept: Mapping[int, Keep],
    given: Given,
) -> Attempt:
    module = old.module
    names = Names(source, readable=recipe.options.names == "readable")
    release = recipe.options.release
    scopes, comments = collect(module), Comments(old)
    reflection = look(module, source, scopes)
    scopes.module.replaced, scopes.module.changes = reflection.replaced, reflection.changes
    shown = Shown(old, given.evidence) if given.evidence is not None else None
    engine = ScopeBodies(
        recipe.interventions,
        scopes,
        names,
        comments,
        observed or {},
        reflection,
        release,
        kept,
        known=Known(given.unproven, shown, Chosen(old, given.left_out), Chosen(old, given.apart)),
    )
    body = engine.module(module)
    body = with_functions(body, engine.report) if engine.report.functions else body
    same = len(body) == len(module.body) and all(a is b for a, b in zip(body, module.body, strict=True))
    return Attempt(old, old if same else Printed(module.with_changes(body=body)), engine.report, shown)


def _blamed(found: Refusal, attempt: Attempt, statements: Statements) -> list[cst.BaseStatement]:
    """The statements of the original from which the lines to blame in the new text come."""
    lines = [line for line in culprits(found, attempt.new) if line <= len(attempt.positions)]
    nodes = [statements.at(attempt.positions[line - 1].line) for line in lines]
    return [node for node in nodes if node is not None]


def _first_free(node: cst.BaseStatement, kept: Mapping[int, Keep], statements: Statements) -> cst.BaseStatement:
    """A statement, or the one around it where that is kept already; the outermost one, where all are."""
    around = statements.around(node)
    while id(node) in kept and around is not None:
        node, around = around, statements.around(around)
    return node
