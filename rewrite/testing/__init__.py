"""Property-based testing of interventions.

    from rewrite.testing import check_intervention

    report = check_intervention(MyIntervention)
    assert report.passed, report

    intervention_check         checks an intervention, a codemod or a function from source to source
    check_report               what was drawn, changed, reached and compared; failures and counterexamples
    rewrite_under_test         the intervention as a function from source to source
    program_sources            the programs that are drawn: the grammar, examples, benchmark programs
    mutation                   small changes to programs
    call_variation             further calls of a program
    counterexample_reduction   shrinks program and call together
    programs                   Hypothesis strategies for programs, and an equivalence assertion for tests of your own

The grammar is `rewrite.program_grammar`; equivalence is defined in `rewrite.equivalence.check`.
"""

from __future__ import annotations

from rewrite.program_grammar.generated_program import Program as Program
from rewrite.testing.check_report import Report as Report
from rewrite.testing.intervention_check import assert_intervention as assert_intervention
from rewrite.testing.intervention_check import check_codemod as check_codemod
from rewrite.testing.intervention_check import check_intervention as check_intervention
from rewrite.testing.programs import EXPRESSION_FEATURES as EXPRESSION_FEATURES
from rewrite.testing.programs import FEATURES as FEATURES
from rewrite.testing.programs import assert_equivalent as assert_equivalent
from rewrite.testing.programs import expressions as expressions
from rewrite.testing.programs import program_of as program_of
from rewrite.testing.programs import programs as programs
