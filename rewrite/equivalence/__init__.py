"""Differential testing: both programs run on many inputs in the sandbox, and their observable behaviour is compared.

`check` returns the verdict (`check_equivalence`). `program_pair` runs the two programs, `observation` compares two
outcomes, `compared_names` selects the globals that count, and `shrinking` reduces a counterexample. Inputs come from
`call_inputs` (random variations of calls), `directed_inputs` (constants of the programs as arguments),
`coverage_hints` (variations of calls that reached new code), `call_sequences` and `state_walks` (several calls on one
module or instance). `assumption_filter` excludes inputs that break an assumption of the rewrite. `crosshair` adds a
symbolic search. The package does not depend on the rewriter that it judges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import lazy_exports

if TYPE_CHECKING:
    from rewrite.equivalence.check import Verdict as Verdict
    from rewrite.equivalence.check import check_equivalence as check_equivalence

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
