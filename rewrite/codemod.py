"""Each intervention and recipe as a LibCST codemod command.

    python -m libcst.tool codemod -x rewrite.codemod.Decompose src/
    python -m libcst.tool codemod -x rewrite.codemod.FindText src/

The class of a recipe or intervention has its name in camel case (`find_text`: `FindText`) and is created on first use.
"""

from __future__ import annotations

from functools import cache

import libcst as cst
from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand

from rewrite.pipeline.intervention_recipe import rewrite_module
from rewrite.pipeline.recipes import all_interventions, find_interventions, recipes
from rewrite.syntax.long_lines import fold_long_lines, line_limit
from rewrite.syntax.normalized_names import normalize_names


class RecipeCommand(VisitorBasedCodemodCommand):
    """Rewrites a module by a recipe.

    Attributes:
        recipe: the name of the recipe or of a single intervention.
    """

    recipe: str

    def __init__(self, context: CodemodContext) -> None:
        super().__init__(context)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Return the rewritten module; expressions left alone become warnings of the codemod."""
        new, report = rewrite_module(normalize_names(tree, tree.code), find_interventions(self.recipe).prepared)
        for reason in sorted({reason for _, reason in report.left.values()}):
            self.warn(f"left alone: {reason}")
        if new is tree:
            return tree
        folded = fold_long_lines(new.code, line_limit(tree.code))
        return cst.parse_module(folded[0], new.config_for_parsing) if folded else new


@cache
def command(recipe: str) -> type[RecipeCommand]:
    """Return the codemod command of a recipe or intervention.

    Raises:
        InputError: if there is none of that name.
    """
    find_interventions(recipe)
    members = {"recipe": recipe, "DESCRIPTION": f"spellout {recipe}", "__module__": __name__}
    return type(_class_name(recipe), (RecipeCommand,), members)


def _class_name(recipe: str) -> str:
    return recipe.title().replace("_", "")


def __getattr__(name: str) -> type[RecipeCommand]:
    """Look up commands by name, for LibCST's runner and for `pickle`."""
    for recipe in (*recipes(), *(intervention.name for intervention in all_interventions())):
        if _class_name(recipe) == name:
            return command(recipe)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Decompose(RecipeCommand):
    """Nested expressions into temporaries, string operations on one character into loops."""

    recipe = "decompose"
    DESCRIPTION = "nested expressions into temporaries, string operations on one character into loops"


class Methods(RecipeCommand):
    """Every string method into loops."""

    recipe = "methods"
    DESCRIPTION = "every string method into loops over characters"
