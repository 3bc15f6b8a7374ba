"""Recipes: ordered lists of interventions, found by folder or registered; and rewrites without interventions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from corpora.errors import InputError, did_you_mean
from rewrite.anf.intervention import BaseIntervention, Intervention, StatementIntervention
from rewrite.anf.options import COMMON_OPTIONS, RewriteOptions, read_options
from rewrite.baselines import paper
from rewrite.evidence.context import intervention_kind
from rewrite.pipeline.builtin_interventions import PLANNED as PLANNED
from rewrite.pipeline.builtin_interventions import builtin_interventions
from rewrite.pipeline.registration import external_recipe, external_recipes


def all_interventions() -> tuple[type[BaseIntervention], ...]:
    """Return every intervention, registered ones included, in the order in which those of a recipe are asked."""
    outside = [one for recipe in external_recipes().values() if recipe.joins for one in recipe.interventions]
    if not outside:
        return builtin_interventions()
    return tuple(sorted((*builtin_interventions(), *outside), key=lambda one: (one.order, one.name)))


def kind_of(intervention: str) -> str:
    """Return the recipe whose job an intervention does, also in a process that has rewritten nothing yet."""
    all_interventions()  # registers the kinds
    return intervention_kind(intervention)


def recipes() -> dict[str, tuple[str, ...]]:
    """Return the names of the interventions of each recipe, in order."""
    names = {recipe for intervention in all_interventions() for recipe in intervention.recipes} - {PLANNED}
    return {name: tuple(i.name for i in all_interventions() if name in i.recipes) for name in sorted(names)}


def recipe_names() -> tuple[str, ...]:
    """Return the sorted names of the recipes, then `paper` and `planned`, then those registered from outside.

    A rewrite by `paper` may be a different program; `planned` chooses interventions place by place.
    """
    return (*recipes(), paper.NAME, PLANNED, *external_recipes())


def members(recipe: str) -> list[type[BaseIntervention]]:
    """Return the interventions of a recipe in order, or the single intervention of that name.

    `planned` has those of every recipe: `rewrite.planner` selects where each one applies.
    """
    outside = external_recipe(recipe)
    if outside is not None:
        return list(outside.interventions)
    return [
        i
        for i in all_interventions()
        if recipe in i.recipes or recipe == i.name or (recipe == PLANNED and i.recipes and i.is_planned)
    ]


@dataclass(frozen=True)
class Recipe:
    """Interventions prepared for one program.

    Attributes:
        interventions: for expressions, in the order in which they are asked; the first that claims a node gets it.
        options: the options of the rewrite.
        statement_interventions: for statements, in the order in which they are applied.
    """

    interventions: tuple[Intervention, ...]
    options: RewriteOptions
    statement_interventions: tuple[StatementIntervention, ...] = ()


def options_of(recipe: str) -> frozenset[str]:
    """Return the names of the options that a recipe takes; for an unknown recipe, those that every recipe takes."""
    if recipe == paper.NAME:
        return frozenset({"threshold"})
    outside = external_recipe(recipe)
    if outside is not None and outside.rewrite is not None:
        return frozenset()
    chosen = members(recipe)
    return frozenset(COMMON_OPTIONS).union(*(intervention.takes for intervention in chosen))


def check_recipe(recipe: str, options: Mapping[str, object]) -> None:
    """Check a recipe and its options.

    Raises:
        InputError: for an unknown recipe, and for an unknown or invalid option.
    """
    outside = external_recipe(recipe)
    if outside is not None and outside.rewrite is not None:
        read_options(options, frozenset(), always=())
    elif recipe != paper.NAME:
        build_recipe(recipe, options)
        return
    else:
        read_options(options, frozenset({"threshold"}), always=())


def build_recipe(recipe: str, options: Mapping[str, object] | None = None) -> Recipe:
    """Create the interventions of a recipe, or a single one by its name, for one program.

    Raises:
        InputError: for an unknown recipe, and for an option that is unknown, that the recipe does not take, or that has
            an invalid value.
    """
    chosen = members(recipe)
    if not chosen:
        names, meant = ", ".join(recipe_names()), did_you_mean(recipe, recipe_names())
        raise InputError(f"unknown recipe {recipe!r}{meant}: the recipes are {names}")
    checked = read_options(options or {}, frozenset().union(*(intervention.takes for intervention in chosen)))
    made = [intervention(checked) for intervention in chosen]
    expressions = tuple(one for one in made if isinstance(one, Intervention))
    return Recipe(expressions, checked, tuple(one for one in made if isinstance(one, StatementIntervention)))
