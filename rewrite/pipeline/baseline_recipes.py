"""The recipes that others are compared with: `paper` and `placebo`. Only their use imports what they need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rewrite.anf.rewrite_options import RewriteOptions
from rewrite.anf.rewrite_result import Rewritten
from rewrite.baselines import PAPER, PLACEBO, SUBSTITUTES
from rewrite.pipeline.recipe import Recipe, RewriteTask


@dataclass(frozen=True)
class PaperRecipe(Recipe):
    """The paper's own tool, mistakes included."""

    name: str = PAPER
    takes: frozenset[str] = frozenset({"threshold"})
    keeps_behavior: bool = False

    def rewrite(self, task: RewriteTask) -> Rewritten:
        """See `Recipe`."""
        from rewrite.baselines.paper import rewrite_like_paper

        return rewrite_like_paper(task.source, **task.options)  # type: ignore[arg-type]


@dataclass(frozen=True)
class PlaceboRecipe(Recipe):
    """Renames variables and exposes no value."""

    name: str = PLACEBO
    is_whole: bool = True
    takes_names: bool = True

    def check_options(self, options: Mapping[str, object]) -> RewriteOptions:
        """See `Recipe`. The new names come from the caller of a run, not from a user's options."""
        return super().check_options({name: value for name, value in options.items() if name != SUBSTITUTES})

    def rewrite(self, task: RewriteTask) -> Rewritten:
        """See `Recipe`."""
        from rewrite.baselines.placebo import rename

        names = task.options.get(SUBSTITUTES)
        return rename(task.source, task.module, list(task.context.calls), names)  # type: ignore[arg-type]
