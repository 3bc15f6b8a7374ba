"""Recipes: the visible, ordered lists of interventions, found by folder; and the paper's own tool, which is no list."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from corpora.errors import InputError, did_you_mean
from rewrite import interventions
from rewrite.anf.intervention import Intervention
from rewrite.anf.options import ALWAYS, Options, read
from rewrite.baselines import paper
from rewrite.string_methods import spelling_out

PLANNED = "planned"


@cache
def known() -> tuple[type[Intervention], ...]:
    """Every intervention, in the order in which those of a recipe are asked."""
    found: list[type[Intervention]] = [*spelling_out.interventions()]
    for module in pkgutil.iter_modules(interventions.__path__):
        names = vars(importlib.import_module(f"{interventions.__name__}.{module.name}"))
        found += [
            value
            for value in names.values()
            if isinstance(value, type)
            and issubclass(value, Intervention)
            and value.__module__.endswith(f".{module.name}")
            and "name" in vars(value)
        ]
    return tuple(sorted(found, key=lambda intervention: (intervention.order, intervention.name)))


def recipes() -> dict[str, tuple[str, ...]]:
    """The recipes by name, each with the names of its interventions in order."""
    names = {recipe for intervention in known() for recipe in intervention.recipes} - {PLANNED}
    return {name: tuple(i.name for i in known() if name in i.recipes) for name in sorted(names)}


def recipe_names() -> tuple[str, ...]:
    """The names of the recipes, sorted; `paper`, whose rewrites may be other programs; `planned`, chosen by place."""
    return (*recipes(), paper.NAME, PLANNED)


def members(recipe: str) -> list[type[Intervention]]:
    """The interventions of a recipe, or the single one of that name, in order.

    `planned` has those of every recipe: `rewrite.planner` says which of them is meant where.
    """
    return [i for i in known() if recipe in i.recipes or recipe == i.name or (recipe == PLANNED and i.recipes)]


@dataclass(frozen=True)
class Recipe:
    """Interventions in the order in which they are asked, ready for one program, and the options for all of them."""

    interventions: tuple[Intervention, ...]
    options: Options


def taken_by(recipe: str) -> frozenset[str]:
    """The names of the options that a recipe takes; of an unknown one, those that all take."""
    if recipe == paper.NAME:
        return frozenset({"threshold"})
    chosen = members(recipe)
    return frozenset(ALWAYS).union(*(intervention.takes for intervention in chosen))


def check(recipe: str, options: Mapping[str, object]) -> None:
    """Raises InputError for a recipe that there is not, and for options that it does not take, or not so."""
    if recipe != paper.NAME:
        make(recipe, options)
        return
    read(options, frozenset({"threshold"}), always=())


def make(recipe: str, options: Mapping[str, object] | None = None) -> Recipe:
    """The interventions of a recipe (or a single one, by its name), ready for one program.

    Raises InputError for a recipe that there is not, and for an option that there is not, that the recipe does not take
    or that has a value without a meaning.
    """
    chosen = members(recipe)
    if not chosen:
        raise InputError(
            f"no recipe {recipe!r}{did_you_mean(recipe, recipe_names())}: there are {', '.join(recipe_names())}"
        )
    checked = read(options or {}, frozenset().union(*(intervention.takes for intervention in chosen)))
    return Recipe(tuple(intervention(checked) for intervention in chosen), checked)
