"""The interventions of this package, found by folder."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from rewrite import interventions
from rewrite.anf.intervention import BaseIntervention
from rewrite.baselines import PAPER, PLACEBO
from rewrite.string_methods import expansion

PLANNED, REPAIR = "planned", "repair"
"""The recipes that `rewrite.planner` makes: for any program, and for one that the model got wrong."""


@cache
def builtin_interventions() -> tuple[type[BaseIntervention], ...]:
    """Return the interventions of this package, in the order in which those of a recipe are asked."""
    found: list[type[BaseIntervention]] = [*expansion.interventions()]
    for module in pkgutil.iter_modules(interventions.__path__):
        names = vars(importlib.import_module(f"{interventions.__name__}.{module.name}"))
        found += [
            value
            for value in names.values()
            if isinstance(value, type)
            and issubclass(value, BaseIntervention)
            and value.__module__.endswith(f".{module.name}")
            and "name" in vars(value)
        ]
    return tuple(sorted(found, key=lambda intervention: (intervention.order, intervention.name)))


@cache
def builtin_names() -> frozenset[str]:
    """Return the names that nothing from outside may have: those of recipes and interventions of this package."""
    names = {name for one in builtin_interventions() for name in (one.name, *one.recipes)}
    return frozenset(names | {PAPER, PLACEBO, PLANNED, REPAIR})
