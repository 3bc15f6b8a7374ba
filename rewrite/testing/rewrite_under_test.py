"""What is tested: an intervention, a codemod, a function or a recipe as a function from source to source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from rewrite.anf.intervention import BaseIntervention, RewriteExample, StatementIntervention
from rewrite.pipeline.intervention_recipe import rewrite_module
from rewrite.pipeline.recipes import find_interventions, find_recipe
from rewrite.pipeline.registration import recipe_name
from rewrite.pipeline.source_rewrites import SourceRecipe
from rewrite.syntax.parsing import parse


@dataclass(frozen=True)
class RewriteUnderTest:
    """A rewrite of programs, without the gate: a test must see what the gate would hide.

    Attributes:
        name: its name.
        expression: the object as an argument of `rewrite_source`: its name in Python, or the name of a recipe.
        apply: returns the new source.
        examples: its own examples.
        statements: the statement classes that it may claim; empty if unknown.
    """

    name: str
    expression: str
    apply: Callable[[str], str]
    examples: tuple[RewriteExample, ...] = ()
    statements: frozenset[str] = frozenset()


def rewrite_under_test(given: Any) -> RewriteUnderTest:
    """Return the rewrite that an object stands for (`rewrite.pipeline.registration.recipe_name`)."""
    name = recipe_name(given)
    expression = getattr(given if callable(given) else type(given), "__name__", "") if given != name else repr(name)
    recipe = find_recipe(name)
    if isinstance(recipe, SourceRecipe):
        return RewriteUnderTest(name, expression, recipe.function, tuple(getattr(given, "EXAMPLES", ())))
    chosen = find_interventions(name)
    return RewriteUnderTest(
        name,
        expression,
        lambda source: rewrite_module(parse(source), chosen.prepared)[0].code,
        tuple(example for one in chosen.interventions for example in one.EXAMPLES),
        _statements(chosen.interventions),
    )


def _statements(chosen: Sequence[type[BaseIntervention]]) -> frozenset[str]:
    """The names of the node classes in `ast` that correspond to the claimed statements."""
    kinds = {kind for one in chosen if issubclass(one, StatementIntervention) for kind in one.statements}
    nodes = (kind for kind in kinds if issubclass(kind, cst.CSTNode))
    return frozenset("Delete" if kind is cst.Del else kind.__name__ for kind in nodes)
