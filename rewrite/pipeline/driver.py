"""One rewrite of one source by a recipe's name.

The caller decides what to assume from calls and what the rewrite may cost (`rewrite.rewriting`, `rewrite.planner`).
"""

from __future__ import annotations

from collections.abc import Mapping

from rewrite.anf.rewrite_result import Rewritten
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.recipe import RewriteTask
from rewrite.pipeline.recipes import find_recipe
from rewrite.syntax.form_feeds import remove_form_feeds
from rewrite.syntax.parsing import parse


def rewrite_once(
    source: str,
    recipe: str,
    context: RewriteContext,
    *,
    filename: str = "",
    options: Mapping[str, object],
) -> Rewritten:
    """Rewrite a source once, without running the program.

    Args:
        source: the program.
        recipe: the name of a recipe or intervention.
        context: evidence, mode for unproven types and excluded sites.
        filename: the name of the file in error messages.
        options: options of the rewrite, by name.

    Raises:
        InputError: if the source does not parse or nests too deeply, or for an unknown recipe or option.
    """
    plain, feeds = remove_form_feeds(source)
    task = RewriteTask(source, plain, parse(plain, filename), feeds, context, options, filename)
    return find_recipe(recipe).rewrite(task)
