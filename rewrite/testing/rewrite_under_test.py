"""What is tested: an intervention, a codemod, a function or a recipe as a function from source to source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import libcst as cst

from rewrite.anf.intervention import BaseIntervention, RewriteExample, StatementIntervention
from rewrite.pipeline.driver import rewrite_module
from rewrite.pipeline.recipes import build_recipe, members
from rewrite.pipeline.registration import external_recipe, recipe_name
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
    outside = external_recipe(name)
    if outside is not None and outside.rewrite is not None:
        return RewriteUnderTest(name, expression, outside.rewrite.function, tuple(getattr(given, "EXAMPLES", ())))
    chosen = members(name)
    build_recipe(name)  # raises InputError for an unknown recipe
    return RewriteUnderTest(
        name,
        expression,
        lambda source: _rewritten(source, name),
        tuple(example for one in chosen for example in one.EXAMPLES),
        _statements(chosen),
    )


def _rewritten(source: str, name: str) -> str:
    return rewrite_module(parse(source), partial(build_recipe, name))[0].code


def _statements(chosen: list[type[BaseIntervention]]) -> frozenset[str]:
    """The names of the node classes in `ast` that correspond to the claimed statements."""
    kinds = {kind for one in chosen if issubclass(one, StatementIntervention) for kind in one.statements}
    nodes = (kind for kind in kinds if issubclass(kind, cst.CSTNode))
    return frozenset("Delete" if kind is cst.Del else kind.__name__ for kind in nodes)
