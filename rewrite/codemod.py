"""Each intervention and recipe as a LibCST codemod command.

    python -m libcst.tool codemod -x rewrite.codemod.Decompose src/
    python -m libcst.tool codemod -x rewrite.codemod.FindText src/

The class of a recipe or intervention is named after it (`find_text`: `FindText`), and made when it is asked for.
"""

from __future__ import annotations

from functools import cache, partial

import libcst as cst
from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand

from rewrite.pipeline.driver import rewrite_module
from rewrite.pipeline.recipes import known, make, recipes
from rewrite.syntax.long_lines import fold, limit_of
from rewrite.syntax.spelling import as_read


class RecipeCommand(VisitorBasedCodemodCommand):
    """Rewrites a module by the recipe, or the single intervention, named `recipe`."""

    recipe: str

    def __init__(self, context: CodemodContext) -> None:
        super().__init__(context)

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """The rewritten module; what was left alone becomes warnings of the codemod."""
        new, report = rewrite_module(as_read(tree, tree.code), partial(make, self.recipe))
        for reason in sorted({reason for _, reason in report.left.values()}):
            self.warn(f"left alone: {reason}")
        if new is tree:
            return tree
        folded = fold(new.code, limit_of(tree.code))
        return cst.parse_module(folded[0], new.config_for_parsing) if folded else new


@cache
def command(recipe: str) -> type[RecipeCommand]:
    """The codemod command of a recipe or intervention. Raises InputError if there is none of that name."""
    make(recipe)
    members = {"recipe": recipe, "DESCRIPTION": f"spellout {recipe}", "__module__": __name__}
    return type(_class_name(recipe), (RecipeCommand,), members)


def _class_name(recipe: str) -> str:
    return recipe.title().replace("_", "")


def __getattr__(name: str) -> type[RecipeCommand]:
    """The commands by their names, for LibCST's runner and for `pickle`, which takes them to other processes."""
    for recipe in (*recipes(), *(intervention.name for intervention in known())):
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
