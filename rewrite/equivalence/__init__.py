"""Whether two programs do the same: both run on many inputs in the sandbox, and what they did is compared as text.

`check` decides (`check_equivalence` and its Verdict), over `program_pair`, which runs both programs beside each other.
Inputs come from `call_inputs` (calls like those known), `argument_strategies`, `constants` and `directed_inputs` (what
the texts compare their inputs with), `special_values` (what their operations treat apart), `inferred_annotations`
(which parameters are instances), `coverage_hints` (near those that came to a new place), `call_sequences` and
`state_walks`;
`observation` compares two Outcomes, `visible_names` says which names count, `shrinking` finds the simplest difference.
`crosshair` is a second opinion. Imports `corpora` alone: the checker knows nothing of the rewriter that it judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import exports

if TYPE_CHECKING:
    from rewrite.equivalence.check import Verdict as Verdict
    from rewrite.equivalence.check import check_equivalence as check_equivalence

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__, __all__ = exports(__name__, __file__)
