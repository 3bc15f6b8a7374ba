"""The defaults of `spellout rewrite` for a project: the table `[tool.spellout]` in pyproject.toml."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from corpora.errors import InputError, did_you_mean
from rewrite.anf.rewrite_options import RewriteOptions
from rewrite.pipeline.recipes import find_recipe
from runner.inputs.project_table import anchored, find_table

KEYS = ("recipe", *(option.name for option in fields(RewriteOptions)), "exclude")


@dataclass(frozen=True)
class ProjectSettings:
    """The settings of a project.

    Attributes:
        recipe: name of the recipe.
        options: options of the rewrite by name.
        exclude: glob patterns of files that are skipped in folders.
    """

    recipe: str = "decompose"
    options: Mapping[str, Any] = field(default_factory=dict)
    exclude: tuple[str, ...] = ()


def read_settings(names: Sequence[str]) -> ProjectSettings:
    """The settings in the nearest pyproject.toml at or above the first of the given files and folders.

    Raises:
        InputError: pyproject.toml cannot be read, or has an unknown key or an invalid value.
    """
    file, table = find_table(names)
    where = f"{file}: [tool.spellout]"
    table = {key: value for key, value in table.items() if key != "audit"}  # of `spellout audit` (runner.linting)
    for key in table:
        if key not in KEYS:
            raise InputError(f"unknown key {key!r}{did_you_mean(key, KEYS)}; known are {', '.join(KEYS)}", where=where)
    exclude, recipe = table.pop("exclude", []), table.pop("recipe", "decompose")
    if not isinstance(exclude, list) or not all(isinstance(one, str) for one in exclude):
        raise InputError("exclude must be a list of patterns", where=where)
    try:
        find_recipe(recipe).check_options(table)
    except InputError as error:
        raise InputError(str(error), where=where) from None
    return ProjectSettings(recipe, table, anchored(exclude, file.parent))
