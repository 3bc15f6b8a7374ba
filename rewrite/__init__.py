"""Programs into programs that hide less and do the same. Never runs a model.

Names are imported when first used, so that `import rewrite` stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rewrite.equivalence import Verdict, check_equivalence
    from rewrite.intervention import Rewritten
    from rewrite.recipe import recipe_names
    from rewrite.rewriting import rewrite_source

_HOME = {
    "Rewritten": "rewrite.intervention",
    "Verdict": "rewrite.equivalence",
    "check_equivalence": "rewrite.equivalence",
    "recipe_names": "rewrite.recipe",
    "rewrite_source": "rewrite.rewriting",
}

__all__ = ["Rewritten", "Verdict", "check_equivalence", "recipe_names", "rewrite_source"]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)
