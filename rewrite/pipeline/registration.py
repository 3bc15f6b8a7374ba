"""Registration of interventions from outside: the decorator, entry points, plug-in modules, and direct use.

    @spellout.intervention
    class BranchSwap(StatementIntervention): ...     # a rule with `claims` and `expand`

    @spellout.intervention
    def without_pass(source: str) -> str: ...        # a rewrite of whole sources

A package registers by the entry point group `spellout.interventions`; its entry points name a module or an object.
`spellout --plugin MODULE` imports a module or a Python file. `rewrite_source(source, recipe=[BranchSwap()])` and
`evaluate(recipes=[without_pass])` register what they are given under its name (`recipe_name`).

A name stands for one object. A second object with the same module and qualified name replaces the first, as in a
notebook that defines a function again; any other is an error.
"""

from __future__ import annotations

import copy
import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

from corpora.errors import InputError
from rewrite.anf.intervention import BaseIntervention
from rewrite.anf.rewrite_options import RewriteOptions
from rewrite.pipeline.builtin_interventions import builtin_interventions, builtin_names
from rewrite.pipeline.intervention_recipe import InterventionRecipe
from rewrite.pipeline.recipe import Recipe
from rewrite.pipeline.source_rewrites import SourceRecipe, codemod_recipe, is_codemod, snake_case

GROUP = "spellout.interventions"
RecipeLike = str | type[BaseIntervention] | BaseIntervention | Callable[[str], str] | type[Any] | Sequence[Any]
"""A recipe by its name, or what `recipe_name` accepts."""
Target = TypeVar("Target", bound=Callable[..., Any])


@dataclass(frozen=True)
class Registration:
    """A recipe from outside.

    Attributes:
        recipe: the recipe.
        given: the object that was registered.
        joins: whether its interventions also belong to the recipes that they name.
    """

    recipe: Recipe
    given: object
    joins: bool = False

    @property
    def interventions(self) -> tuple[type[BaseIntervention], ...]:
        """Its interventions in order; none for a rewrite of whole sources."""
        return self.recipe.interventions if isinstance(self.recipe, InterventionRecipe) else ()


_registered: dict[str, Registration] = {}


def intervention(target: Target) -> Target:
    """Register an intervention class, a LibCST codemod class, or a function from source to source.

    Args:
        target: the class or function. Its name is its attribute `name`, or its Python name in snake case.

    Returns:
        The target, unchanged.

    Raises:
        InputError: if it is neither, or its name is taken.
    """
    _register(_external(target, joins=True))
    return target


def recipe_name(recipe: object) -> str:
    """Return the name of a recipe; one that is given directly is registered under its name.

    Args:
        recipe: a name, an intervention (class or instance), a codemod, a function from source to source, or a list.
            Interventions and names of a list form one recipe, in this order; a codemod or function stands alone.

    Raises:
        InputError: if it is none of these, or the name is taken.
    """
    if isinstance(recipe, str):
        return recipe
    items = list(recipe) if isinstance(recipe, (list, tuple)) else [recipe]
    if len(items) == 1 and isinstance(items[0], str):
        return items[0]
    known = next((name for name, one in _registered.items() if one.given is recipe or [one.given] == items), None)
    if known is not None:
        return known
    parts = [_external(item) for item in items]
    if len(parts) == 1:
        return _register(parts[0])
    if not parts or any(part.recipe.is_whole for part in parts):
        raise InputError("a recipe is a list of interventions, or a single codemod or function", where="recipe")
    name = "+".join(part.recipe.name for part in parts)
    return _register(_of_interventions(name, tuple(items), tuple(one for part in parts for one in part.interventions)))


def external_recipes() -> dict[str, Registration]:
    """Return all recipes registered so far, after loading the entry points of installed packages."""
    _load_entry_points()
    return _registered


def load_plugin(module: str) -> None:
    """Import a module, or a Python file by its path, which registers interventions.

    Raises:
        InputError: if it cannot be imported, or registers nothing.
    """
    try:
        if module.endswith(".py"):
            _import_file(Path(module))
        else:
            sys.path.insert(0, "")
            try:
                importlib.import_module(module)
            finally:
                sys.path.remove("")
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{type(error).__name__}: {error}", where=f"--plugin {module}") from error
    name = Path(module).stem if module.endswith(".py") else module
    if not any(_module_of(one.given).startswith(name) for one in _registered.values()):
        reason = "registers no intervention: use the decorator @spellout.intervention"
        raise InputError(reason, where=f"--plugin {module}")


def _module_of(given: object) -> str:
    return str(getattr(given, "__module__", type(given).__module__))


def _import_file(path: Path) -> None:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InputError("no such Python file", where=f"--plugin {path}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)


@cache
def _load_entry_points() -> None:
    for point in metadata.entry_points(group=GROUP):
        try:
            found = point.load()
        except Exception as error:
            raise InputError(f"{type(error).__name__}: {error}", where=f"entry point {point.name}") from error
        if callable(found) and not any(one.given is found for one in _registered.values()):
            intervention(found)


def _of_interventions(
    name: str, given: object, interventions: tuple[type[BaseIntervention], ...], *, joins: bool = False
) -> Registration:
    return Registration(InterventionRecipe(name, interventions, is_local=True), given, joins)


def _external(given: object, *, joins: bool = False) -> Registration:
    """The recipe that an object stands for."""
    if isinstance(given, str):
        return _builtin(given)
    if isinstance(given, BaseIntervention):
        return _of_interventions(given.name, given, (_class_of(given),))
    if isinstance(given, type) and issubclass(given, BaseIntervention):
        missing = [part for part in ("name", "claims", "expand") if not hasattr(given, part)]
        if missing:
            raise InputError(f"an intervention needs {', '.join(missing)}", where=given.__qualname__)
        return _of_interventions(given.name, given, (given,), joins=joins)
    name = snake_case(str(getattr(given, "name", "") or getattr(given, "__name__", type(given).__name__)))
    if is_codemod(given):
        return Registration(codemod_recipe(name, given), given)
    if callable(given) and not isinstance(given, type):
        return Registration(SourceRecipe(name, given), given)
    kinds = "an intervention, a LibCST codemod or a function from source to source"
    raise InputError(f"must be {kinds}, not {type(given).__name__}", where="recipe")


def _builtin(name: str) -> Registration:
    found = tuple(one for one in builtin_interventions() if name in one.recipes or name == one.name)
    if not found:
        raise InputError("a list may name recipes that consist of interventions", where=f"recipe {name}")
    return _of_interventions(name, name, found)


def _class_of(given: BaseIntervention) -> type[BaseIntervention]:
    """A class whose instances are fresh copies of the given one: an intervention may remember nodes of one program."""

    def __init__(self: BaseIntervention, options: RewriteOptions) -> None:  # noqa: N807 - of the class made below
        self.__dict__.update(copy.deepcopy(given.__dict__))
        self.options = options

    members = {"__init__": __init__, "__module__": type(given).__module__, "__doc__": type(given).__doc__}
    return type(type(given).__name__, (type(given),), members)


def _register(made: Registration) -> str:
    name = made.recipe.name
    before = _registered.get(name)
    if before is not None and _origin(before.given) != _origin(made.given):
        raise InputError(f"the name is taken by {_origin(before.given)}", where=f"intervention {name}")
    if name in builtin_names():
        raise InputError("the name is that of a built-in recipe", where=f"intervention {name}")
    _registered[name] = made
    return name


def _origin(given: object) -> str:
    if isinstance(given, tuple):
        return "+".join(map(_origin, given))
    named = given if hasattr(given, "__qualname__") else type(given)
    return f"{named.__module__}.{getattr(named, '__qualname__', '')}"
