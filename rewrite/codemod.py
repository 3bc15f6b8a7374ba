"""Each intervention and recipe as a LibCST codemod command.

    python -m libcst.tool codemod rewrite.codemod.Decompose src/

`command("index")` makes the command of a single intervention.
"""

from __future__ import annotations

import libcst as cst
from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand

from rewrite.recipe import make
from rewrite.rewriting import rewrite_module


class RecipeCommand(VisitorBasedCodemodCommand):
    """Rewrites a module by the recipe, or the single intervention, named `recipe`."""

    recipe: str

    def __init__(self, context: CodemodContext) -> None:
        super().__init__(context)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The rewritten module; what was left alone becomes warnings of the codemod."""
        new, report = rewrite_module(tree, make(self.recipe))
        for reason in sorted({reason for _, reason in report.left.values()}):
            self.warn(f"left alone: {reason}")
        return new


def command(recipe: str) -> type[RecipeCommand]:
    """The codemod command of a recipe or intervention. Raises InputError if there is none of that name."""
    make(recipe)
    return type(
        recipe.title().replace("_", ""), (RecipeCommand,), {"recipe": recipe, "DESCRIPTION": f"spellout {recipe}"}
    )


class Decompose(RecipeCommand):
    """Nested expressions into temporaries, string operations on one character into loops."""

    recipe = "decompose"
    DESCRIPTION = "nested expressions into temporaries, string operations on one character into loops"


class Methods(RecipeCommand):
    """Every string method into loops."""

    recipe = "methods"
    DESCRIPTION = "every string method into loops over characters"
