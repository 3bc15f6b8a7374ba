"""Recipes: the visible, ordered lists of interventions, found by folder."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from corpora.errors import InputError
from rewrite import interventions
from rewrite.intervention import Intervention


@cache
def known() -> tuple[type[Intervention], ...]:
    """Every intervention, in the order in which those of a recipe are asked."""
    found: list[type[Intervention]] = []
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
    names = dict.fromkeys(recipe for intervention in known() for recipe in intervention.recipes)
    return {name: tuple(i.name for i in known() if name in i.recipes) for name in sorted(names)}


def recipe_names() -> tuple[str, ...]:
    """The names of the recipes, sorted."""
    return tuple(recipes())


def make(recipe: str, options: Mapping[str, object] | None = None) -> list[Intervention]:
    """The interventions of a recipe (or a single one, by its name), ready for one program.

    Raises InputError for a recipe that there is not.
    """
    chosen = [i for i in known() if recipe in i.recipes or recipe == i.name]
    if not chosen:
        raise InputError(f"no recipe {recipe!r}: there are {', '.join(recipes())}")
    return [intervention(options) for intervention in chosen]
