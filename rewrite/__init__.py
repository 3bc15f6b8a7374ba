"""Rewrite programs into equivalent programs that materialize hidden values, and check the equivalence.

No model is run. Names are imported on first use, so that `import rewrite` stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora.lazy import lazy_exports

if TYPE_CHECKING:
    from rewrite.anf.intervention import Intervention as Intervention
    from rewrite.anf.intervention import RewriteExample as RewriteExample
    from rewrite.anf.intervention import StatementIntervention as StatementIntervention
    from rewrite.anf.intervention import UntouchedExample as UntouchedExample
    from rewrite.anf.rewrite_result import Rewritten as Rewritten
    from rewrite.equivalence.check import Verdict as Verdict
    from rewrite.equivalence.check import check_equivalence as check_equivalence
    from rewrite.pipeline.recipes import recipe_names as recipe_names
    from rewrite.pipeline.registration import intervention as intervention
    from rewrite.planner.plan import Plan as Plan
    from rewrite.planner.planning import plan_rewrite as plan_rewrite
    from rewrite.planner.rows import plan_rows as plan_rows
    from rewrite.rewriting import rewrite_source as rewrite_source
    from rewrite.testing.check_report import Report as Report
    from rewrite.testing.intervention_check import assert_intervention as assert_intervention
    from rewrite.testing.intervention_check import check_codemod as check_codemod
    from rewrite.testing.intervention_check import check_intervention as check_intervention

if not TYPE_CHECKING:  # to a type checker, a name that is not there is an error
    __getattr__, __dir__, __all__ = lazy_exports(__name__, __file__)
