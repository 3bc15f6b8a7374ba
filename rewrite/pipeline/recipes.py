"""The recipes by name: those of this package, single interventions, and those registered from outside."""

from __future__ import annotations

from collections.abc import Mapping

from corpora.errors import InputError, did_you_mean
from rewrite.anf.intervention import BaseIntervention
from rewrite.baselines import PAPER
from rewrite.evidence.context import intervention_kind
from rewrite.pipeline.baseline_recipes import PaperRecipe, PlaceboRecipe
from rewrite.pipeline.builtin_interventions import PLANNED as PLANNED
from rewrite.pipeline.builtin_interventions import REPAIR as REPAIR
from rewrite.pipeline.builtin_interventions import builtin_interventions
from rewrite.pipeline.intervention_recipe import InterventionRecipe
from rewrite.pipeline.recipe import Recipe
from rewrite.pipeline.registration import external_recipes

_LIMITS: Mapping[str, float] = {"decompose": 4.0, "expressions": 4.0, "strings": 4.0, "letters": 4.0}
"""Usual cost limits; the other recipes have none."""
SUMMARIES: Mapping[str, str] = {
    "decompose": "the recipes expressions and strings",
    "elements": "operations on strings and containers as loops over elements, whatever they cost",
    "expressions": "intermediate values as temporaries (A-normal form)",
    "idioms": "string operations as operations on lists of characters or pieces",
    "letters": "string operations with the characters as lists before and after them",
    "methods": "string methods, `in` and slices with a step as loops over characters",
    "strings": "find, count, replace and `in`, for one character, as loops",
    PAPER: "the transformation of the paper's own tool, which may change the behaviour",
    PLANNED: "forms line by line, by predicted risk within a token budget (`spellout plan`)",
    REPAIR: "the same for a program that the model got wrong",
}
"""What the recipes of this package do, in one line each."""
_BASELINES: Mapping[str, Recipe] = {one.name: one for one in (PaperRecipe(), PlaceboRecipe())}


def all_interventions() -> tuple[type[BaseIntervention], ...]:
    """Return every intervention, registered ones included, in the order in which those of a recipe are asked."""
    outside = [one for made in external_recipes().values() if made.joins for one in made.interventions]
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
    """Return the sorted names of the recipes, then `paper`, `planned`, `repair`, then those registered from outside.

    A rewrite by `paper` may be a different program; `planned` and `repair` choose interventions place by place.
    """
    return (*recipes(), PAPER, PLANNED, REPAIR, *external_recipes())


def find_recipe(name: str) -> Recipe:
    """Return the recipe, or the single intervention as a recipe, of a name.

    `planned` and `repair` have the interventions of every recipe: `rewrite.planner` selects where each one applies.

    Raises:
        InputError: if there is none.

    Example:
        >>> sorted(find_recipe("letters").takes)
        ['names', 'release']
    """
    outside = external_recipes().get(name)
    if outside is not None:
        return outside.recipe
    if name in _BASELINES:
        return _BASELINES[name]
    if name in (PLANNED, REPAIR):
        chosen = tuple(one for one in all_interventions() if PLANNED in one.recipes or (one.recipes and one.is_planned))
        return InterventionRecipe(name, chosen, is_planned=True, assumes_failure=name == REPAIR)
    chosen = tuple(one for one in all_interventions() if name in one.recipes or name == one.name)
    if not chosen:
        names, meant = ", ".join(recipe_names()), did_you_mean(name, recipe_names())
        raise InputError(f"unknown recipe {name!r}{meant}: the recipes are {names}")
    return InterventionRecipe(name, chosen, _LIMITS.get(name))


def find_interventions(name: str) -> InterventionRecipe:
    """Return the recipe of a name if it is a list of interventions. Raises InputError if there is none."""
    recipe = find_recipe(name)
    if not isinstance(recipe, InterventionRecipe):
        raise InputError(f"the recipe {name} is no list of interventions")
    return recipe
