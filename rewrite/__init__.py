"""Programs into programs that hide less and do the same. Never runs a model.

Names are imported when first used, so that `import rewrite` stays light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import exports

if TYPE_CHECKING:
    from rewrite.equivalence import Verdict, check_equivalence
    from rewrite.intervention import Rewritten
    from rewrite.recipe import recipe_names
    from rewrite.rewriting import rewrite_source

_HOMES = {
    "Rewritten": "rewrite.intervention",
    "Verdict": "rewrite.equivalence",
    "check_equivalence": "rewrite.equivalence",
    "recipe_names": "rewrite.recipe",
    "rewrite_source": "rewrite.rewriting",
}

__all__ = ["Rewritten", "Verdict", "check_equivalence", "recipe_names", "rewrite_source"]

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__ = exports(__name__, _HOMES)
